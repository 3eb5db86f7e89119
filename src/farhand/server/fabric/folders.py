"""A private folder for the fabric's socket, and the removal of folders that a killed supervisor left behind."""

from __future__ import annotations

import fcntl
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

__all__ = ["private_folder", "sweep_folders"]

PREFIX = "farhand-"
LOCK = "supervisor.lock"  # held for as long as the owner of the folder lives, however it ends


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a folder that only this user may enter; it is removed with the block, or at the next start."""
    sweep_folders(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        # Lock before renaming: under its final name the lock is never seen free while we live.
        with (folder / f"{LOCK}.new").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            Path(lock.name).rename(folder / LOCK)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep_folders(place: Path) -> list[Path]:
    """Remove the private folders of supervisors that no longer live, and return them.

    Leave folders of other users, links and folders without a lock alone.
    """
    swept = []
    for folder in place.glob(f"{PREFIX}*"):
        with suppress(OSError):
            if _is_ours(folder) and _removed(folder):
                swept.append(folder)
    return swept


def _is_ours(folder: Path) -> bool:
    found = folder.lstat()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700


def _removed(folder: Path) -> bool:
    """Remove a folder whose lock is free; of two processes that try, the second finds it locked or gone."""
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
