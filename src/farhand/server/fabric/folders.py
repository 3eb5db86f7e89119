"""A private folder for the fabric's socket, and the removal of folders that a killed supervisor left behind.

On Windows an open file can be neither renamed nor removed, so there an open file is its own lock. The folder lies in
the user's own temporary folder, which other users cannot enter.
"""

from __future__ import annotations

import os
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from farhand.server.fabric.address import choose_address

if sys.platform != "win32":
    import fcntl

__all__ = ["private_folder", "sweep_folders"]

PREFIX = "farhand-"
LOCK = "supervisor.lock"  # held for as long as the owner of the folder lives, however it ends


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a folder that only this user may enter; it is removed with the block, or at the next start."""
    sweep_folders(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))
    try:
        with (folder / (LOCK if sys.platform == "win32" else f"{LOCK}.new")).open("w") as lock:
            if sys.platform != "win32":
                # Lock before renaming: under its final name the lock is never seen free while we live.
                fcntl.flock(lock, fcntl.LOCK_EX)
                Path(lock.name).rename(folder / LOCK)
            choose_address(folder)
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
    if sys.platform == "win32":
        return stat.S_ISDIR(found.st_mode) and (folder / LOCK).exists()
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid() and stat.S_IMODE(found.st_mode) == 0o700


def _removed(folder: Path) -> bool:
    """Remove a folder whose lock is free; of two processes that try, the second finds it locked or gone."""
    if sys.platform == "win32":
        (folder / LOCK).unlink()  # refused as long as it is open
        shutil.rmtree(folder, ignore_errors=True)
        return True
    handle = os.open(folder / LOCK, os.O_RDWR | os.O_NOFOLLOW)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        shutil.rmtree(folder, ignore_errors=True)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
