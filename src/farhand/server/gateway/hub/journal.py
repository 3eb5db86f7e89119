"""The log of a cell for its viewers: the cell's entries and the gateway's, numbered together."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from farhand.notes import Reader
from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.note_texts import ReaderKey, key_of, people_in, worded
from farhand.server.gateway.hub.orders import RESEND_S, CellLink
from farhand.server.protocol.internal_messages import Entry, Frame
from farhand.server.protocol.messages import LogEntries
from farhand.types import Note

__all__ = ["RECENT_ENTRIES", "Journal"]

RECENT_ENTRIES = 100  # that a new viewer gets
MAX_ENTRIES = 5000  # that are kept
NEVER = -1e9


class Journal:
    """The log of one cell; viewers get every entry.

    Args:
        cell: Name of the cell.
        link: Link to the cell.
        view: The gateway's view of the cell.
    """

    def __init__(self, cell: str, link: CellLink, view: CellView) -> None:
        self._cell, self._link, self._view = cell, link, view
        self._entries: list[Entry] = []
        self._encode = msgspec.msgpack.Encoder().encode
        self.cell_restarted()

    def cell_restarted(self) -> None:
        """Expect the cell's entries from the first on again: a new process of the cell has started."""
        self._said, self._asked = 0, NEVER

    def take(self, frame: Frame, now: float) -> None:
        """Take the entries of a frame, and query the cell for missing ones."""
        fresh = [entry for entry in frame.entries if entry.number > self._said]
        if fresh and fresh[0].number == self._said + 1:
            self._add(fresh)
            self._said = fresh[-1].number
        if frame.said > self._said and now - self._asked > RESEND_S:
            self._asked = now
            self._link.query_log(self._cell, self._said)

    def take_missing(self, entries: Iterable[Entry]) -> None:
        """Take entries that were missing."""
        fresh = [entry for entry in entries if entry.number > self._said]
        if fresh:
            self._said = fresh[-1].number
            self._add(fresh)

    def write(self, note: Note, robot: str = "") -> None:
        """Add an entry of the gateway itself."""
        time = self._view.frame.time if self._view.frame else 0.0
        self._add([Entry(number=0, time=time, robot=robot, note=note)])

    def recent(self, reader: Reader) -> LogEntries:
        """Return the newest entries, for a new viewer."""
        return worded(self._entries[-RECENT_ENTRIES:], reader)

    def _add(self, entries: list[Entry]) -> None:
        """Number the entries, the cell's and the gateway's together, and send them to all viewers."""
        start = self._entries[-1].number + 1 if self._entries else 1
        numbered = [replace(entry, number=start + i) for i, entry in enumerate(entries)]
        self._entries += numbered
        if len(self._entries) > 2 * MAX_ENTRIES:
            self._entries = self._entries[-MAX_ENTRIES:]
        people, contents = people_in([entry.note for entry in numbered]), dict[ReaderKey, bytes]()
        for viewer in self._view.viewers.values():
            key = key_of(viewer.reader, people)
            if key not in contents:
                contents[key] = self._encode(worded(numbered, viewer.reader))
            viewer.tell_bytes(contents[key])
