"""Edits on their way into a running cell: compiled aside one after the other, and let in when they are ready."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future
from contextlib import suppress

from farhand.cell import Cell
from farhand.errors import FarhandError
from farhand.loop.sent import Sent
from farhand.world import CellWorker, Compiled

__all__ = ["EditQueue"]


class EditQueue:
    """Keeps the order of edits; each is compiled on top of the one before.

    Args:
        cell: The cell they are for.
        worker: What compiles them.
    """

    def __init__(self, cell: Cell, worker: CellWorker) -> None:
        self._cell, self._worker = cell, worker
        self._waiting: deque[Sent] = deque()
        self._work: tuple[Sent, Future[bytes]] | None = None
        self._unpacked: tuple[Sent, Compiled] | None = None
        self._offered: Sent | None = None

    def put(self, edit: Sent) -> None:
        """Take an edit."""
        self._waiting.append(edit)

    def ready(self) -> tuple[Sent, ...]:
        """Return the edits that may enter the coming tick.

        A finished one is unpacked two ticks ahead of its own and laid ready one ahead: each takes a good part of a
        period, and both together would make a tick late.
        """
        if self._offered is not None:
            edit, self._offered = self._offered, None
            return (edit,)
        if self._unpacked:
            (self._offered, compiled), self._unpacked = self._unpacked, None
            with suppress(FarhandError):  # the cell will find the same fault in its tick, and say so
                self._cell.offer(compiled)
        elif self._work and self._work[1].done():
            (edit, future), self._work = self._work, None
            try:
                self._unpacked = edit, self._worker.finished(future)
            except FarhandError:  # likewise
                self._offered = edit
        elif not self._work and self._waiting:
            return self._start(self._waiting.popleft())
        return ()

    def _start(self, edit: Sent) -> tuple[Sent, ...]:
        """Have an edit compiled; one that makes no world goes on at once, for the cell to refuse it."""
        try:
            self._work = (edit, self._worker.compile(self._cell.after(edit.event)))
        except FarhandError:
            return (edit,)
        return ()
