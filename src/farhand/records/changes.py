"""Changes of a cell file for a re-simulation: what would have happened if?"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from typing import Any

import msgspec

from farhand.cell.cell_spec import CellSpec
from farhand.records.errors import RecordError

__all__ = ["changed_spec"]


def changed_spec(spec: CellSpec, changes: Sequence[str]) -> CellSpec:
    """Return the content of a cell file with changes.

    Args:
        spec: The content of the cell file.
        changes: Each a path and a value as in TOML: ``robots.arm.filters.compliance.threshold=30``; a filter is named
            by its kind or its number.

    Raises:
        RecordError: If there is no such place, or the value does not fit.
    """
    table = _lists(msgspec.to_builtins(spec))
    for change in changes:
        path, equals, text = change.partition("=")
        if not equals:
            raise RecordError(f"expected a path, '=' and a value, found {change!r}")
        try:
            value = tomllib.loads(f"value = {text}")["value"]
        except tomllib.TOMLDecodeError as error:
            raise RecordError(f"{text!r} is no value: {error}; put texts into quotes") from error
        _set(table, path.strip().split("."), value, path.strip())
    try:
        return msgspec.convert(table, CellSpec)
    except msgspec.ValidationError as error:
        raise RecordError(f"the change does not fit: {error}") from error


def _lists(table: Any) -> Any:
    """Return a table with lists in place of tuples, so that their items can be set."""
    if isinstance(table, dict):
        return {key: _lists(value) for key, value in table.items()}
    return [_lists(value) for value in table] if isinstance(table, (list, tuple)) else table


def _set(table: Any, steps: list[str], value: object, path: str) -> None:
    for step in steps[:-1]:
        inner = _inner(table, step)
        if inner is None and isinstance(table, dict) and step in table:  # a part that is left out
            inner = table[step] = {}
        if inner is None:
            raise RecordError(f"{path}: there is no {step!r}; there is {', '.join(_names(table)) or 'nothing'}")
        table = inner
    if isinstance(table, dict) and "settings" in table and steps[-1] not in table:
        table = table["settings"]
    if isinstance(table, dict):
        table[steps[-1]] = value
    elif isinstance(table, list) and steps[-1].isdigit() and int(steps[-1]) < len(table):
        table[int(steps[-1])] = value
    else:
        raise RecordError(f"{path}: there is no {steps[-1]!r}; there is {', '.join(_names(table)) or 'nothing'}")


def _inner(table: Any, step: str) -> Any:
    if isinstance(table, dict):
        return table.get(step, table.get("settings", {}).get(step) if isinstance(table.get("settings"), dict) else None)
    if isinstance(table, list):
        if step.isdigit() and int(step) < len(table):
            return table[int(step)]
        return next(
            (item for item in table if isinstance(item, dict) and step in (item.get("name"), item.get("kind"))), None
        )
    return None


def _names(table: Any) -> list[str]:
    if isinstance(table, dict):
        return [*table]
    if isinstance(table, list):
        return [
            str(item.get("name") or item.get("kind") or i) for i, item in enumerate(table) if isinstance(item, dict)
        ]
    return []
