"""From notes that repeat every tick to what an operator reads: what holds just now, and a log of what began.

Two notes are the same if they have the same code and are about the same things: they differ in quantities alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from farhand.server.protocol.internal_messages import Entry
from farhand.types import Note, Tick

__all__ = ["NoteLog"]

KEPT = 20_000  # log entries; a gateway that was away for longer has lost the oldest
QUIET = 0.5  # seconds without a note before it counts as new again
REFRESH = 0.1  # seconds between two wordings of the same notes: numbers that change faster cannot be read
MOST = 16  # things at a time that notes of one code may be about
MODES = "mode."  # each pause, stop and fault is news, however soon it follows the last
UNSAID = ("guard.", "scale.", "servo.", "smooth.")  # of "info": that a motion starts gently is no news


class NoteLog:
    """Keeps the notes of a cell."""

    def __init__(self) -> None:
        self._began = 0  # number of entries that have been dropped
        self._entries: list[Entry] = []
        self._last: dict[tuple[str, str], dict[Hashable, float]] = {}  # by robot and code, then by what it is about
        self._now: dict[str, dict[tuple[str, Hashable], Note]] = {}
        self._told: dict[str, tuple[Note, ...]] = {}
        self._told_at = -1.0
        self._before = -1.0  # time of the tick before

    @property
    def said(self) -> int:
        """Number of the newest entry; 0 before the first."""
        return self._began + len(self._entries)

    def take(self, tick: Tick) -> None:
        """Take the notes of a tick."""
        if tick.notes:
            self._take("", tick.notes, tick.time)
        for robot, report in tick.lanes.items():
            if report.notes:
                self._take(robot, report.notes, tick.time)
        self._before = tick.time

    def _take(self, robot: str, notes: Iterable[Note], time: float) -> None:
        now = self._now.setdefault(robot, {})
        for note in notes:
            about, last = _about(note), self._last.setdefault((robot, note.code), {})
            if about not in last and not _has_room(last, time):
                continue
            now[note.code, about] = note
            before = last.get(about, -1e9)
            fresh = before < self._before if note.code.startswith(MODES) else time - before > QUIET
            last[about] = time
            if fresh and not (note.level == "info" and note.code.startswith(UNSAID)):
                self.write(time, robot, note)

    def write(self, time: float, robot: str, note: Note) -> None:
        """Add an entry to the log."""
        entry = Entry(number=self.said + 1, time=time, robot=robot, note=note)
        self._entries.append(entry)
        if len(self._entries) > 2 * KEPT:
            self._entries, self._began = self._entries[KEPT:], self._began + KEPT

    def since(self, number: int) -> tuple[Entry, ...]:
        """Return the entries after a number, as far as they are kept."""
        entries, began = self._entries, self._began
        return tuple(entries[max(0, number - began) :])

    def why(self, time: float) -> dict[str, tuple[Note, ...]]:
        """Return what altered each robot's motion since the last call; the same value while it reads the same."""
        now = {robot: tuple(notes.values()) for robot, notes in self._now.items() if notes}
        self._now = {}
        if now == self._told:
            return self._told
        if _codes(now) == _codes(self._told) and time - self._told_at < REFRESH:
            return self._told
        self._told, self._told_at = now, time
        return now


def _about(note: Note) -> Hashable:
    """Return what a note is about, and what its causes are: all but its quantities."""
    return note.about if note.cause is None else (note.about, note.cause.code, _about(note.cause))


def _has_room(last: dict[Hashable, float], time: float) -> bool:
    """Return whether one thing more may be told of, once what has been quiet is forgotten."""
    if len(last) >= MOST:
        for about in [about for about, when in last.items() if time - when > QUIET]:
            del last[about]
    return len(last) < MOST


def _codes(told: dict[str, tuple[Note, ...]]) -> dict[str, set[str]]:
    return {robot: {note.code for note in notes} for robot, notes in told.items()}
