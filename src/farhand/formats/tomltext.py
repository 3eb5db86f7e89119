"""Robot files in TOML: decode them, check their numbers, and convert them to typed values."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any, TypeVar

from farhand.config import ConfigError, convert
from farhand.errors import RobotFileError

__all__ = ["converted", "toml_values"]

T = TypeVar("T")

_LARGEST = 1e6


def toml_values(data: bytes, path: Path) -> dict[str, Any]:
    """Return the values of a TOML file.

    Raises:
        RobotFileError: If it is not TOML, or a number is not finite.
    """
    try:
        values = tomllib.loads(data.decode("utf-8"))
    except UnicodeDecodeError:
        raise RobotFileError(path, "is not text in UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise RobotFileError(path, f"is not a TOML file: {str(error)[:200]}") from None
    _check_numbers(values, path, "")
    return values


def converted(values: Any, kind: type[T], path: Path, field: str) -> T:
    """Return values as a struct.

    Raises:
        RobotFileError: If a field is unknown or missing, or a value has the wrong kind.
    """
    try:
        return convert(values, kind)
    except ConfigError as error:
        raise (error.within(field) if field else error).in_file(path, RobotFileError) from None


def _check_numbers(value: Any, path: Path, field: str, depth: int = 0) -> None:
    if depth > 20:
        raise RobotFileError(path, "tables are nested too deeply", field=field[:80])
    if isinstance(value, dict):
        for key, inner in value.items():
            _check_numbers(inner, path, f"{field}.{key}".lstrip("."), depth + 1)
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            _check_numbers(inner, path, f"{field}[{i}]", depth + 1)
    elif isinstance(value, int | float) and not abs(value) <= _LARGEST:
        raise RobotFileError(
            path, f"expected a finite number of at most {_LARGEST:g}, found {value!r:.40}", field=field
        )
