"""Recorded paths on disk: one small readable file each, in a folder per robot and cell.

The folders are below ``$FARHAND_DATA``, else in the user's data folder. Files are written atomically. A file that does
not hold a valid path is skipped with a message; the others are still read.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path
from urllib.parse import quote

from msgspec import Struct

from farhand.config import ConfigError, convert, read_toml
from farhand.errors import CommandError, FileError
from farhand.types import Trajectory, Vector
from farhand.world.object_kinds import check_name

__all__ = ["PathLibrary", "data_folder", "move_text"]

HEADER = "# A recorded path: joint positions (rad or m) at each point; with times (s), joint rates too.\n"
DECIMALS = 6


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    points: tuple[Vector, ...]
    times: Vector = ()
    rates: tuple[Vector, ...] = ()


def data_folder() -> Path:
    """Return the folder for people's own data: ``$FARHAND_DATA``, else Farhand's folder in the user's data folder."""
    chosen = os.environ.get("FARHAND_DATA")
    if chosen:
        return Path(chosen).expanduser()
    if sys.platform == "win32":
        root = os.environ.get("APPDATA") or Path.home() / "AppData" / "Roaming"
    elif sys.platform == "darwin":
        root = Path.home() / "Library" / "Application Support"
    else:
        root = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(root) / "farhand"


class PathLibrary:
    """The recorded paths of one cell.

    Args:
        cell: Name of the cell.
        folder: The data folder; by default `data_folder()`.
    """

    def __init__(self, cell: str, folder: Path | None = None) -> None:
        self.folder = (folder or data_folder()) / "moves" / _file_name(cell)

    def read(self) -> tuple[dict[str, dict[str, Trajectory]], list[str]]:
        """Return all paths by robot and name, and a message for each file, or the folder, that cannot be read."""
        found: dict[str, dict[str, Trajectory]] = {}
        problems = []
        try:
            paths = sorted(self.folder.glob("*/*.toml"))
        except OSError as error:
            return {}, [f"Recorded paths were skipped: {self.folder}: cannot be read: {error.strerror}."]
        for path in paths:
            try:
                robot, move = path.parent.name, _read(path)
            except FileError as error:
                problems.append(f"A recorded path was skipped: {error}.")
                continue
            found.setdefault(robot, {})[move.name] = move
        return found, problems

    def keep(self, robot: str, move: Trajectory) -> Path:
        """Write a path, replacing one of the same name, and return its file.

        Raises:
            CommandError: If its name is not valid.
            FileError: If it cannot be written.
        """
        problem = check_name(move.name)
        if problem:
            raise CommandError(problem)
        path = self._path(robot, move.name)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _write(path, move_text(move))
        except OSError as error:
            raise FileError(path, f"cannot be written: {error.strerror}") from error
        return path

    def remove(self, robot: str, name: str) -> None:
        """Remove a path; do nothing if it does not exist.

        Raises:
            FileError: If it cannot be removed.
        """
        path = self._path(robot, name)
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise FileError(path, f"cannot be removed: {error.strerror}") from error

    def _path(self, robot: str, name: str) -> Path:
        return self.folder / _file_name(robot) / f"{_file_name(name)}.toml"


def move_text(move: Trajectory) -> str:
    """Return the text of a path's file."""
    text = f"{HEADER}name = {json.dumps(move.name, ensure_ascii=False)}\n{_table('points', move.points)}"
    if move.times:
        text += f"times = {_row(move.times)}\n{_table('rates', move.rates)}"
    return text


def _table(name: str, rows: Iterable[Vector]) -> str:
    lines = "".join(f"    {_row(row)},\n" for row in rows)
    return f"{name} = [\n{lines}]\n"


def _row(values: Vector) -> str:
    return f"[{', '.join(repr(round(float(value), DECIMALS) + 0.0) for value in values)}]"


def _read(path: Path) -> Trajectory:
    try:
        file = convert(read_toml(path, FileError), _File)
        problem = check_name(file.name)
        if problem:
            raise ConfigError("name", problem)
    except ConfigError as error:
        raise error.in_file(path, FileError) from error
    return Trajectory(file.name, file.points, file.times, file.rates)


def _write(path: Path, text: str) -> None:
    """Write and sync a temporary file, then rename it: the file is complete even after a power failure."""
    number, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(number, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _file_name(name: str) -> str:
    return quote(name, safe=" ")
