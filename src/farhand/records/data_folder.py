"""Where runs are kept, and how much room they may take."""

from __future__ import annotations

import secrets
import shutil
import time
from pathlib import Path

from msgspec import Struct

from farhand.cell.path_library import data_folder
from farhand.records.errors import RecordError

__all__ = ["DEFAULT_QUOTA", "Room", "Stored", "new_run", "prunable", "room", "runs_folder"]

DEFAULT_QUOTA = 10 * 10**9  # bytes
LEAST_FREE = 200 * 10**6  # bytes that stay free on the disk


def runs_folder(folder: Path | None = None) -> Path:
    """Return the folder of runs, made if it is not there.

    Args:
        folder: The data folder; None: ``$FARHAND_DATA``, or the user's folder for data.

    Raises:
        RecordError: If it cannot be made.
    """
    base = folder or data_folder()
    try:
        (base / "runs").mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        raise RecordError(f"the data folder {base} cannot be made: {error.strerror}") from error
    return base / "runs"


def new_run(cell: str, now: float | None = None) -> str:
    """Return the identifier of a new run of a cell, as in ``20261119T143005-irb120-3f2a``."""
    stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime(now))
    name = "".join(letter if letter.isalnum() else "-" for letter in Path(cell).stem)[:40].strip("-") or "cell"
    return f"{stamp}-{name}-{secrets.token_hex(2)}"


class Room(Struct, frozen=True):
    """Room for runs, in bytes.

    Args:
        used: Taken by runs.
        quota: Bytes that they may take.
        free: Free on the disk.
    """

    used: int
    quota: int
    free: int

    @property
    def left(self) -> int:
        """Bytes that a new run may take before an old one goes."""
        return max(0, min(self.quota - self.used, self.free - LEAST_FREE))


def room(folder: Path, quota: int = DEFAULT_QUOTA) -> Room:
    """Return the room for runs in a folder.

    Raises:
        RecordError: If the folder cannot be read.
    """
    try:
        used = sum(path.stat().st_size for path in folder.glob("*.mcap"))
        return Room(used, quota, shutil.disk_usage(folder).free)
    except OSError as error:
        raise RecordError(f"{folder} cannot be read: {error.strerror}") from error


class Stored(Struct, frozen=True):
    """A file of a folder of runs: its path, size, and whether a person has it kept."""

    path: Path
    size: int
    kept: bool


def prunable(files: list[Stored], needed: int, quota: int = DEFAULT_QUOTA) -> list[Path]:
    """Return the runs to delete so that a number of bytes fits into the quota: the oldest first, never a kept one.

    Args:
        files: All runs.
        needed: Bytes wanted.
        quota: Bytes that runs may take.
    """
    used, found = sum(file.size for file in files) + needed, []
    for file in sorted(files, key=lambda file: file.path.name):
        if used <= quota:
            break
        if not file.kept:
            found.append(file.path)
            used -= file.size
    return found
