"""Apply a change of settings to a robot's table: the table as it would read in the cell file after the event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.cell_files import check_robot, kind_of
from farhand.cell.cell_spec import CellSpec, RobotSpec, Scales, Shares
from farhand.config import ConfigError, convert
from farhand.errors import CommandError, UnknownNameError
from farhand.filters import FILTERS
from farhand.lane import ReflectionSpec, WatchdogSpec
from farhand.surroundings import AvoidSpec
from farhand.types import Part, Reconfigure
from farhand.world import DriveSpec
from farhand.world.object_kinds import check_name

__all__ = ["apply_change", "filter_titles"]

SPEED_LEVEL = "scale"
MAX_PARTS = 32  # filters, or mappings, of a robot
Tables = tuple[dict[str, Any], ...]
TABLES: dict[str, type[Struct]] = {
    "watchdog": WatchdogSpec,
    "feedback": ReflectionSpec,
    "avoid": AvoidSpec,
    "drive": DriveSpec,
}


class _Speeds(Struct, frozen=True, forbid_unknown_fields=True):
    values: Shares


class _Scales(Struct, frozen=True, forbid_unknown_fields=True):
    values: Scales


def filter_titles(tables: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a name for each filter: its kind, with a number from the second of that kind on."""
    seen: Counter[str] = Counter()
    for table in tables:
        kind = kind_of(table, FILTERS, "")
        seen[kind] += 1
        yield kind if seen[kind] == 1 else f"{kind} {seen[kind]}"


def apply_change(now: RobotSpec, event: Reconfigure, cell: CellSpec) -> RobotSpec:
    """Return a robot's table after a change, checked like a table read from a file.

    Args:
        now: The present table.
        event: The change.
        cell: The content of the cell file.

    Raises:
        ConfigError: If the settings do not fit.
        CommandError: If there is no such part, or it cannot be removed.
    """
    if event.part not in get_args(Part):
        raise CommandError(f"no part is called {event.part!r}; there are: {', '.join(get_args(Part))}")
    if event.settings is not None and not isinstance(event.settings, dict):
        raise CommandError(f"settings must be a table, found {type(event.settings).__name__}")
    first = cell.robots[event.robot]
    if event.part == "filter":
        after = replace(now, filters=_filters(now.filters, event))
    elif event.part == "mapping":
        after = replace(now, mappings=_mappings(now.mappings, event))
    elif event.settings is None:
        after = replace(now, **{event.part: getattr(first, event.part)})
    else:
        after = replace(now, **{event.part: _value(event.part, event.settings)})
    check_robot(after, cell, event.robot)
    return after


def _value(part: str, settings: dict[str, Any]) -> Any:
    if part in TABLES:
        return convert(settings, TABLES[part])
    return convert(settings, _Speeds).values if part == "speeds" else convert(settings, _Scales).values


def _filters(tables: Tables, event: Reconfigure) -> Tables:
    """Return the tables of the filters with one changed, added or removed."""
    titles = list(filter_titles(tables))
    if event.settings is None:
        return tuple(table for i, table in enumerate(tables) if i != _removable(titles, event))
    if event.name in titles:
        at = titles.index(event.name)
        kind = tables[at]["kind"]
        if event.settings.get("kind", kind) != kind:
            raise ConfigError("kind", f"the filter {event.name!r} is a {kind}; remove it and add another")
        return (*tables[:at], {"kind": kind, **event.settings}, *tables[at + 1 :])
    added = {"kind": event.name, **event.settings} if event.name in FILTERS else event.settings
    kind_of(added, FILTERS, "")
    if len(tables) >= MAX_PARTS:
        raise CommandError(f"a robot has at most {MAX_PARTS} filters")
    if event.before and event.before not in titles:
        raise UnknownNameError("filter", event.before, titles)
    at = titles.index(event.before) if event.before else len(tables)
    return (*tables[:at], added, *tables[at:])


def _removable(titles: list[str], event: Reconfigure) -> int:
    if event.name not in titles:
        raise UnknownNameError("filter", event.name, titles)
    if event.name == SPEED_LEVEL:
        raise CommandError("the speed level cannot be removed; choose another level")
    return titles.index(event.name)


def _mappings(tables: dict[str, dict[str, Any]], event: Reconfigure) -> dict[str, dict[str, Any]]:
    """Return the tables of the mappings with one changed, added or removed."""
    if event.settings is None:
        if event.name not in tables:
            raise UnknownNameError("mapping", event.name, tables)
        if len(tables) == 1:
            raise CommandError("the last control mode cannot be removed")
        return {name: table for name, table in tables.items() if name != event.name}
    problem = check_name(event.name)
    if problem:
        raise CommandError(problem)
    if event.name not in tables and len(tables) >= MAX_PARTS:
        raise CommandError(f"a robot has at most {MAX_PARTS} mappings")
    return {**tables, event.name: {**_kind(tables.get(event.name)), **event.settings}}


def _kind(table: dict[str, Any] | None) -> dict[str, Any]:
    return {"kind": table["kind"]} if table else {}
