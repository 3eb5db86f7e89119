"""A file that only grows, and knows which of its bytes have reached the disk.

All calls to the operating system go through one small object, so that tests can log them, tear them and make them fail.
"""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Protocol

__all__ = ["DISK", "Disk", "DurableFile"]


class Disk(Protocol):
    """The calls to the operating system that a durable file needs; each raises OSError as that does."""

    def open(self, path: Path, *, new: bool) -> int:
        """Open a file for writing and return its descriptor; a new one must not exist yet."""

    def write(self, descriptor: int, content: bytes, offset: int) -> int:
        """Write at an offset and return the number of bytes written."""

    def sync(self, descriptor: int) -> None:
        """Return when all that was written has reached the disk."""

    def sync_folder(self, folder: Path) -> None:
        """Return when the names in a folder have reached the disk."""

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file to a size."""

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""


class _SystemDisk:
    """The operating system's own calls."""

    def open(self, path: Path, *, new: bool) -> int:
        flags = os.O_RDWR | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
        return os.open(path, flags | (os.O_CREAT | os.O_EXCL if new else 0), 0o600)

    def write(self, descriptor: int, content: bytes, offset: int) -> int:
        if hasattr(os, "pwrite"):
            return os.pwrite(descriptor, content, offset)
        os.lseek(descriptor, offset, os.SEEK_SET)
        return os.write(descriptor, content)

    def sync(self, descriptor: int) -> None:
        if hasattr(os, "fdatasync"):
            os.fdatasync(descriptor)
        else:
            os.fsync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        if os.name == "nt":  # folders cannot be opened there, and need no sync
            return
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        os.ftruncate(descriptor, size)

    def close(self, descriptor: int) -> None:
        os.close(descriptor)


DISK: Disk = _SystemDisk()
"""The disk of this machine."""


class DurableFile:
    """A file that is appended to.

    After a failed write the file is cut back to its last good size as soon as the disk allows, so that no half record
    stands behind a good one. After a failed sync nothing is acknowledged any more: the operating system may have
    dropped what it could not write, and a second sync would say that all is well.

    Args:
        path: Where it is.
        size: Bytes to keep of a file that exists; None: a new file.
        disk: The operating system.

    Attributes:
        size: Bytes written.
        synced: Bytes known to have reached the disk.

    Raises:
        OSError: If the operating system refuses.
    """

    def __init__(self, path: Path, size: int | None = None, disk: Disk = DISK) -> None:
        self.path, self._disk = path, disk
        self._descriptor = disk.open(path, new=size is None)
        self.size = self.synced = 0
        self._named = self._torn = self._failed = False  # the name is on the disk; half a record stands at the end
        if size is not None:
            self.size = size
            try:
                disk.truncate(self._descriptor, size)
            except OSError:
                self.close()
                raise

    def append(self, content: bytes) -> int:
        """Write bytes at the end and return where they begin.

        Raises:
            OSError: If the disk is full or fails; the file is as it was.
        """
        start, done = self.size, 0
        self._cut()
        try:
            while done < len(content):
                written = self._disk.write(self._descriptor, content[done:], start + done)
                if written <= 0:
                    raise OSError(errno.EIO, os.strerror(errno.EIO))
                done += written
        except OSError:
            self._torn = True
            with suppress(OSError):
                self._cut()
            raise
        self.size = start + len(content)
        return start

    def _cut(self) -> None:
        """Remove half a record that a failed write has left."""
        if self._torn:
            self._disk.truncate(self._descriptor, self.size)
            self._torn = False

    def sync(self) -> int:
        """Wait until everything written has reached the disk; return the size that is safe now.

        Raises:
            OSError: If the disk fails, or has failed in an earlier sync.
        """
        size = self.size
        if self._failed:
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(self.path))
        if size == self.synced:
            return size
        try:
            self._disk.sync(self._descriptor)
            if not self._named:
                self._disk.sync_folder(self.path.parent)
                self._named = True
        except OSError:
            self._failed = True
            raise
        self.synced = size
        return size

    def close(self) -> None:
        """Close the file."""
        if self._descriptor >= 0:
            self._disk.close(self._descriptor)
            self._descriptor = -1
