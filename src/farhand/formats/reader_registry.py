"""The formats of robot files: each is one file in `farhand.formats.readers` with a function marked by `reader`."""

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
        name: Its name.
        suffixes: Endings of file names.
        marks: Byte strings, one of which occurs near the beginning of such a file.
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
    """Return the format of a file, by its content and then by its suffix."""
    # remove the zeros that other encodings put between letters
    head, suffix = files.text[:_HEAD].replace(b"\0", b""), files.path.suffix.lower()
    known = list(formats().values())
    fits = [f for f in known if any(mark in head for mark in f.marks)]
    if fits:
        # if two fit, the one with the suffix, else the one whose mark comes first (URDF may contain <mujoco>)
        return min(fits, key=lambda f: (suffix not in f.suffixes, min(head.find(m) % _HEAD for m in f.marks)))
    named = [kind for kind in known if suffix in kind.suffixes]
    if len(named) == 1:
        return named[0]
    if named:
        marks = " or ".join(kind.marks[0].decode() for kind in named)
        raise RobotFileError(files.path, f"has no {marks}; one of them must give the kind of robot")
    expected = "; ".join(f"{f.name} ({', '.join(f.suffixes)})" for f in known)
    raise RobotFileError(files.path, f"is not a known robot description; expected one of: {expected}")
