"""The formats we read: each is one file in `farhand.formats.readers` with a function marked by `reader`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass

from farhand.errors import RobotFileError
from farhand.formats.draft import Draft
from farhand.formats.file_access import Files

__all__ = ["Format", "choose", "formats", "reader"]

Reader = Callable[[Files], Draft]


@dataclass(frozen=True)
class Format:
    """A kind of robot file.

    Args:
        name: What it is called.
        suffixes: How its files' names end.
        marks: Bytes one of which the beginning of such a file contains.
        read: Turns the file into a draft.
    """

    name: str
    suffixes: tuple[str, ...]
    marks: tuple[bytes, ...]
    read: Reader


_FORMATS: dict[str, Format] = {}
_HEAD = 16384


def reader(name: str, suffixes: tuple[str, ...], marks: tuple[bytes, ...]) -> Callable[[Reader], Reader]:
    """Register a function as the reader of a format."""

    def register(read: Reader) -> Reader:
        if name in _FORMATS:
            raise ValueError(f"two readers are called {name!r}")
        _FORMATS[name] = Format(name, suffixes, marks, read)
        return read

    return register


def formats() -> dict[str, Format]:
    """Return every format by name."""
    package = importlib.import_module("farhand.formats.readers")
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(_FORMATS)


def choose(files: Files) -> Format:
    """Return the format of a file, by what it contains and then by its suffix."""
    # without the zeros that other encodings put between letters
    head, suffix = files.text[:_HEAD].replace(b"\0", b""), files.path.suffix.lower()
    known = list(formats().values())
    fits = [f for f in known if any(mark in head for mark in f.marks)]
    if fits:
        # Of two that fit, the one whose suffix it has; else the one whose mark comes first (URDF may hold <mujoco>).
        return min(fits, key=lambda f: (suffix not in f.suffixes, min(head.find(m) % _HEAD for m in f.marks)))
    named = [kind for kind in known if suffix in kind.suffixes]
    if len(named) == 1:
        return named[0]
    if named:
        marks = " or ".join(kind.marks[0].decode() for kind in named)
        raise RobotFileError(files.path, f"has no {marks}, which would tell what it describes")
    expected = "; ".join(f"{f.name} ({', '.join(f.suffixes)})" for f in known)
    raise RobotFileError(files.path, f"is not a robot description we know; expected one of: {expected}")
