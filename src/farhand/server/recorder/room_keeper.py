"""Keep the runs of a folder within their quota: the oldest go first, never a kept one, never one that is written."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from contextlib import suppress
from pathlib import Path

from farhand.records.data_folder import LEAST_FREE, Room, Stored, prunable, room
from farhand.records.errors import RecordError
from farhand.records.read import open_record

__all__ = ["RoomKeeper"]

FRESH_S = 60.0  # since its last change, within which another server may be writing a file


class RoomKeeper:
    """Deletes old runs.

    Args:
        folder: Folder of the runs.
        quota: Bytes that they may take.
        running: Returns the files that are being written now.
        clock: Time in seconds since 1970, as of files.
    """

    def __init__(
        self,
        folder: Path,
        quota: int,
        running: Callable[[], Collection[Path]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder, self._quota, self._running, self._clock = folder, quota, running, clock

    def make_room(self) -> Room:
        """Delete runs until the rest fits, and return the room.

        Raises:
            RecordError: If the folder cannot be read.
        """
        present = room(self.folder, self._quota)
        over = max(present.used - self._quota, LEAST_FREE - present.free)
        if over > 0:
            for path in self._oldest(present.used - over):
                with suppress(OSError):
                    path.unlink()
            present = room(self.folder, self._quota)
        return present

    def _oldest(self, quota: int) -> list[Path]:
        """Return the files to delete; a file is opened only if it is about to go."""
        files, keep = list(self._files()), set(self._running())
        while True:
            found = prunable([Stored(path, size, path in keep) for path, size in files], 0, quota)
            kept = [path for path in found if self._is_kept(path)]
            if not kept:
                return found
            keep.update(kept)

    def _files(self) -> list[tuple[Path, int]]:
        found = []
        for path in self.folder.glob("*.mcap"):
            with suppress(OSError):
                found.append((path, path.stat().st_size))
        return found

    def _is_kept(self, path: Path) -> bool:
        """Return whether a run must stay: a person keeps it, it is being written, or it is no record of ours."""
        try:
            if self._clock() - path.stat().st_mtime < FRESH_S and not _is_finished(path):
                return True
            with open_record(path) as record:
                return any(mark.kind == "kept" and mark.text == "yes" for mark in record.marks)
        except (OSError, RecordError):
            return True


def _is_finished(path: Path) -> bool:
    with open_record(path) as record:
        return record.finished
