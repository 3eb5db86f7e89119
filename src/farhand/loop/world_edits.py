"""Edits of a running cell: compiled by a worker one after the other, and released when they are ready."""

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
    """A queue of edits; each is compiled on top of the one before.

    Args:
        cell: The cell.
        worker: The worker that compiles edits.
    """

    def __init__(self, cell: Cell, worker: CellWorker) -> None:
        self._cell, self._worker = cell, worker
        self._waiting: deque[Sent] = deque()
        self._work: tuple[Sent, Future[bytes]] | None = None
        self._unpacked: tuple[Sent, Compiled] | None = None
        self._offered: Sent | None = None

    def put(self, edit: Sent) -> None:
        """Append an edit."""
        self._waiting.append(edit)

    def ready(self) -> tuple[Sent, ...]:
        """Return the edits that may enter the coming tick.

        A compiled edit is unpacked two ticks ahead of its own and prepared one tick ahead: each takes a good part of a
        period, and both together would make a tick late.
        """
        if self._offered is not None:
            edit, self._offered = self._offered, None
            return (edit,)
        if self._unpacked:
            (self._offered, compiled), self._unpacked = self._unpacked, None
            with suppress(FarhandError):  # the cell will find the same fault in its tick, and report it
                self._cell.offer(compiled)
        elif self._work and self._work[1].done():
            (edit, future), self._work = self._work, None
            try:
                self._unpacked = edit, self._worker.finished(future)
            except FarhandError:  # the same
                self._offered = edit
        elif not self._work and self._waiting:
            return self._start(self._waiting.popleft())
        return ()

    def _start(self, edit: Sent) -> tuple[Sent, ...]:
        """Start compiling an edit; return an impossible one at once, for the cell to refuse it."""
        try:
            self._work = (edit, self._worker.compile(self._cell.after(edit.event)))
        except FarhandError:
            return (edit,)
        return ()
