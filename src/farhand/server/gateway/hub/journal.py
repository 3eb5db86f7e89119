"""The log of a cell as its viewers read it: the cell's own entries and the gateway's, numbered together."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec.structs import replace

from farhand.notes import Reader
from farhand.server.gateway.hub.cell_view import CellView
from farhand.server.gateway.hub.note_texts import ReaderKey, key_of, people_in, worded
from farhand.server.gateway.hub.orders import AGAIN, Wire
from farhand.server.protocol.internal_messages import Entry, Frame
from farhand.server.protocol.messages import Said
from farhand.types import Note

__all__ = ["RECENT", "Journal"]

RECENT = 100  # entries that a new viewer gets
KEPT = 5000
NEVER = -1e9


class Journal:
    """The log of one cell; none of its entries is ever left out.

    Args:
        cell: Its name.
        wire: How to reach the cell.
        known: What is known of it.
    """

    def __init__(self, cell: str, wire: Wire, known: CellView) -> None:
        self._cell, self._wire, self._known = cell, wire, known
        self._entries: list[Entry] = []
        self._encode = msgspec.msgpack.Encoder().encode
        self.begin_anew()

    def begin_anew(self) -> None:
        """Count the cell's own entries from the first again: its process is another one."""
        self._said, self._asked = 0, NEVER

    def take(self, frame: Frame, now: float) -> None:
        """Take the entries of a frame, and ask for what is missing before them."""
        fresh = [entry for entry in frame.entries if entry.number > self._said]
        if fresh and fresh[0].number == self._said + 1:
            self._add(fresh)
            self._said = fresh[-1].number
        if frame.said > self._said and now - self._asked > AGAIN:
            self._asked = now
            self._wire.ask_log(self._cell, self._said)

    def take_missing(self, entries: Iterable[Entry]) -> None:
        """Take entries that were missing."""
        fresh = [entry for entry in entries if entry.number > self._said]
        if fresh:
            self._said = fresh[-1].number
            self._add(fresh)

    def write(self, note: Note, robot: str = "") -> None:
        """Add what the gateway itself has to say."""
        time = self._known.frame.time if self._known.frame else 0.0
        self._add([Entry(number=0, time=time, robot=robot, note=note)])

    def recent(self, reader: Reader) -> Said:
        """Return what a new viewer is told."""
        return worded(self._entries[-RECENT:], reader)

    def _add(self, entries: list[Entry]) -> None:
        """Number the entries anew, the cell's and the gateway's together, and tell everybody."""
        start = self._entries[-1].number + 1 if self._entries else 1
        numbered = [replace(entry, number=start + i) for i, entry in enumerate(entries)]
        self._entries += numbered
        if len(self._entries) > 2 * KEPT:
            self._entries = self._entries[-KEPT:]
        people, contents = people_in([entry.note for entry in numbered]), dict[ReaderKey, bytes]()
        for viewer in self._known.viewers.values():
            key = key_of(viewer.reader, people)
            if key not in contents:
                contents[key] = self._encode(worded(numbered, viewer.reader))
            viewer.tell_bytes(contents[key])
