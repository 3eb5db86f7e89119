"""Finding the folder of a ROS package without ROS.

A folder counts as package `name` if that is its name or the name in its ``package.xml``. The search covers the folders
above the description (at most five), those beside each of them, the folders below the root, and ``ROS_PACKAGE_PATH``. A
folder outside the root must have a ``package.xml`` or be above the description; home folders and the folders above them
never count.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

__all__ = ["package_folders"]

_NAME = re.compile(r"<name>\s*([^<\s]+)\s*</name>")
_LEVELS_UP = 5
_MAX_SIBLINGS = 300


def package_folders(name: str, path: Path, root: Path, *, outside: bool) -> list[Path]:
    """Return the folders that may be package `name`, best first.

    Args:
        name: The package.
        path: The description that refers to it.
        root: The folder below which files may be read anyway.
        outside: Whether folders outside `root` may count.
    """
    found = [folder.resolve() for folder in _candidates(name, path, root, outside)]
    return list(dict.fromkeys(f for f in found if f.is_relative_to(root) or (outside and _harmless(f))))


def _candidates(name: str, path: Path, root: Path, outside: bool) -> Iterator[Path]:
    if not re.fullmatch(r"[\w.-]+", name) or name in {".", ".."}:
        return
    levels = [f for f in list(path.parents)[:_LEVELS_UP] if outside or f.is_relative_to(root)]
    for folder in levels:
        if folder.name == name or _named(folder) == name:
            yield folder
    for folder in levels:
        if (folder / name).is_dir() and ((folder / name).resolve().is_relative_to(root) or _named(folder / name)):
            yield folder / name
    for folder in levels[1:3]:
        yield from (f for f in _children(folder) if _named(f) == name)
    if outside:
        for entry in os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep):
            if entry and (Path(entry) / name / "package.xml").is_file():
                yield Path(entry) / name


def _harmless(folder: Path) -> bool:
    return len(folder.parts) > 2 and not Path.home().resolve().is_relative_to(folder)


def _children(folder: Path) -> list[Path]:
    if not _harmless(folder):
        return []
    try:
        return sorted(f for f in list(folder.iterdir())[:_MAX_SIBLINGS] if f.is_dir())
    except OSError:
        return []


def _named(folder: Path) -> str:
    path = folder / "package.xml"
    try:
        if not path.is_file():  # opening a pipe could block for ever
            return ""
        with path.open(encoding="utf-8", errors="replace") as file:
            match = _NAME.search(file.read(65536))
    except OSError:
        return ""
    return match.group(1) if match else ""
