"""Convert a table of a TOML file to a typed value, once, at the edge; deeper code trusts it.

An error names the field, the value found, the value expected and, for a likely typing slip, the nearest name.
"""

from __future__ import annotations

import math
import re
import tomllib
import types
import typing
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from farhand.errors import FarhandError, FileError

__all__ = ["MAX_BYTES", "ConfigError", "convert", "read_regular", "read_toml"]

T = TypeVar("T")
MAX_BYTES = 1 << 20
KINDS = {
    "float": "a number",
    "int": "a whole number",
    "str": "a text",
    "bool": "true or false",
    "array": "a list",
    "object": "a table",
    "null": "nothing",
}
SIGNS = {
    "of length <=": "of a length of at most",
    "of length >=": "of a length of at least",
    "<=": "of at most",
    ">=": "of at least",
    "<": "below",
    ">": "above",
}


class ConfigError(FarhandError):
    """A table that does not fit its type.

    Args:
        field: Path of the field in the table, e.g. ``steps[2].axes``.
        problem: The value found and the value expected.
        found: A name that may have been mistyped.
        known: Names that would have been valid.
    """

    def __init__(self, field: str, problem: str, found: str = "", known: tuple[str, ...] = ()) -> None:
        self.field, self.problem, self.found, self.known = field, problem, found, known
        super().__init__(f"{field}: {problem}" if field else problem)

    def within(self, prefix: str) -> ConfigError:
        """Return the same error with the path of an outer table in front."""
        joined = prefix + (self.field if self.field.startswith("[") or not self.field else "." + self.field)
        return ConfigError(joined, self.problem, self.found, self.known)

    def in_file(self, path: Path | str, error: type[FileError]) -> FileError:
        """Return the error as an error of a file."""
        return error(path, self.problem, field=self.field, found=self.found, known=self.known)


def read_regular(path: Path, most: int) -> bytes:
    """Return the content of a regular file; refuse pipes and devices, which may never end.

    Raises:
        OSError: If it cannot be read.
        ValueError: If it is not a regular file, is larger than `most` bytes, or the path is not valid.
    """
    if path.exists() and not path.is_file():
        raise ValueError("Is a directory" if path.is_dir() else "is not a regular file")
    with path.open("rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ValueError(f"is larger than {most >> 20} MiB")
    return content


def read_toml(path: Path, error: type[FileError]) -> dict[str, Any]:
    """Return the tables of a TOML file.

    Raises:
        FileError: Of the given class, if the file is missing, too large, not text, or not TOML (with line and column).
    """
    try:
        content = read_regular(path, MAX_BYTES)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise error(path, f"cannot be read: {reason}") from problem
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as problem:
        raise error(path, f"is not UTF-8 text (byte {problem.start})") from problem
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise error(path, f"is not TOML: {problem}") from problem


def convert(table: Any, wanted: type[T]) -> T:
    """Return the table as a typed value.

    Raises:
        ConfigError: If it does not fit.
    """
    for field, value in _numbers(table, ""):
        if not math.isfinite(value):
            raise ConfigError(field, f"found {value}, expected a finite number")
        if abs(value) > 1e15:
            raise ConfigError(field, f"found {value}, expected a number of at most ±1e15")
    try:
        return msgspec.convert(table, wanted, strict=True)
    except msgspec.ValidationError as error:
        raise _explained(str(error), table, wanted) from error


def _numbers(value: Any, field: str) -> Iterator[tuple[str, float]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _numbers(item, f"{field}.{key}" if field else str(key))
    elif isinstance(value, list):
        for i, item in enumerate(value):
            yield from _numbers(item, f"{field}[{i}]")
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield field, value


def _explained(message: str, table: Any, wanted: Any) -> ConfigError:
    """Return msgspec's message as one of ours: path, value found, nearest name."""
    problem, _, place = message.partition(" - at `")
    steps = _steps(place, table, wanted)
    field = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps).lstrip(".")
    unknown = re.search(r"contains unknown field `(.*)`", problem)
    if unknown:
        known = _fields_at(wanted, steps)
        listed = ", ".join(known)
        return ConfigError(field, f"has no field {unknown[1]!r}; expected some of: {listed}", unknown[1], known)
    found, text = _value_at(table, steps), _in_plain_words(problem)
    shown = f" (found {found!r:.80})" if isinstance(found, (str, int, float)) else ""
    options = _choices_at(wanted, steps) if problem.startswith("Invalid enum value") else ()
    if options:
        return ConfigError(field, f"expected one of {', '.join(options)}{shown}", str(found), options)
    return ConfigError(field, text[:1].lower() + text[1:] + shown)


def _in_plain_words(problem: str) -> str:
    """Return a message of msgspec without its types and signs."""
    for sign, words in SIGNS.items():
        problem = problem.replace(f" {sign} ", f" {words} ")
    named = re.sub(r"`([a-z |]+)`", lambda kinds: " or ".join(KINDS.get(k, k) for k in kinds[1].split(" | ")), problem)
    return named.replace(", got ", ", not ").replace("Object", "table").replace("`", "")


def _steps(place: str, table: Any, wanted: Any) -> list[str | int]:
    """Return msgspec's path as keys and indices; where msgspec writes "..." for a key, search for the key."""
    steps: list[str | int] = []
    for name, index in re.findall(r"\.([^.\[\]`]+)|\[(\d+|\.\.\.)\]", place):
        if name or index != "...":
            steps.append(name or int(index))
            continue
        there, inner = _value_at(table, steps), _type_at(wanted, [*steps, "..."])
        bad = [key for key, value in there.items() if not _fits(value, inner)] if isinstance(there, dict) else []
        if not bad:
            break
        steps.append(bad[0])
    return steps


def _fits(value: Any, wanted: Any) -> bool:
    try:
        msgspec.convert(value, wanted, strict=True)
    except msgspec.ValidationError:
        return False
    return True


def _value_at(table: Any, steps: list[str | int]) -> Any:
    for step in steps:
        try:
            table = table[step]
        except (KeyError, IndexError, TypeError):
            return None
    return table


def _type_at(wanted: Any, steps: list[str | int]) -> Any:
    """Return the type at the end of a path, or None where the path leaves the known types."""
    for step in steps:
        wanted = _plain(wanted)
        origin, args = typing.get_origin(wanted), typing.get_args(wanted)
        if isinstance(step, str) and isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
            wanted = typing.get_type_hints(wanted, include_extras=True).get(step)
        elif origin is dict:
            wanted = args[1]
        elif origin in (tuple, list) and args:
            wanted = args[0]
        else:
            return None
    return _plain(wanted)


def _plain(wanted: Any) -> Any:
    """Strip annotations and "or None" from a type."""
    if typing.get_origin(wanted) is typing.Annotated:
        return _plain(typing.get_args(wanted)[0])
    if typing.get_origin(wanted) in (typing.Union, types.UnionType):
        rest = [t for t in typing.get_args(wanted) if t is not type(None)]
        return _plain(rest[0]) if len(rest) == 1 else wanted
    return wanted


def _fields_at(wanted: Any, steps: list[str | int]) -> tuple[str, ...]:
    there = _type_at(wanted, steps)
    if isinstance(there, type) and issubclass(there, msgspec.Struct):
        return there.__struct_encode_fields__
    return ()


def _choices_at(wanted: Any, steps: list[str | int]) -> tuple[str, ...]:
    there = _type_at(wanted, steps)
    return tuple(map(str, typing.get_args(there))) if typing.get_origin(there) is typing.Literal else ()
