"""Read the lines that a child process writes, without waiting for more."""

from __future__ import annotations

import os
import select
import threading
import time
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO

from farhand.processes.portable import is_portable

__all__ = ["PipeLines", "wait_for_lines"]

CHUNK_BYTES = 65536


class PipeLines:
    """The lines of a pipe. On systems where `select` does not work on pipes, a thread reads it.

    Args:
        pipe: Output of a child, unbuffered.
    """

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe, self._part = pipe, b""
        self._chunks: SimpleQueue[bytes] | None = SimpleQueue() if is_portable() else None
        if self._chunks is not None:
            threading.Thread(target=self._read, args=(self._chunks,), name="pipe", daemon=True).start()

    @property
    def selectable(self) -> int:
        """File descriptor for `select`; -1 if there is none."""
        return -1 if self._pipe.closed or self._chunks is not None else self._pipe.fileno()

    def take(self) -> list[bytes]:
        """Return the complete lines that have come since the last call."""
        found: list[bytes] = []
        while chunk := self._chunk():
            *lines, self._part = (self._part + chunk).split(b"\n")
            found += lines
        return found

    def close(self) -> None:
        """Close the pipe; a thread that reads it closes it itself when the child has ended."""
        if self._chunks is None:
            with suppress(BrokenPipeError):
                self._pipe.close()

    def _chunk(self) -> bytes:
        if self._chunks is not None:
            with suppress(Empty):
                return self._chunks.get_nowait()
            return b""
        if self.selectable < 0 or not select.select([self.selectable], [], [], 0)[0]:
            return b""
        return os.read(self.selectable, CHUNK_BYTES)

    def _read(self, chunks: SimpleQueue[bytes]) -> None:
        with self._pipe, suppress(OSError):
            while chunk := os.read(self._pipe.fileno(), CHUNK_BYTES):
                chunks.put(chunk)


def wait_for_lines(pipes: Sequence[PipeLines], seconds: float) -> None:
    """Wait until one of the pipes has data, at most `seconds`."""
    outputs = [pipe.selectable for pipe in pipes if pipe.selectable >= 0]
    if outputs:
        select.select(outputs, [], [], seconds)
    else:
        time.sleep(seconds)
