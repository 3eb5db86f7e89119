"""Turn notes that repeat every tick into two lists: the notes that hold now, and a log of those that began.

Two notes count as the same if they have the same code and subjects; their quantities may differ.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from farhand.server.protocol.internal_messages import Entry
from farhand.types import Note, Tick

__all__ = ["NoteLog"]

MAX_ENTRIES = 20_000  # that are kept; a gateway that was away for longer has lost the oldest
QUIET_S = 0.5  # without a note before it counts as new again
REFRESH_S = 0.1  # between two updates of the same notes: you cannot read numbers that change faster
MAX_SUBJECTS = 16  # at a time of notes of one code
MODES = "mode."  # each pause, stop and fault is logged, however soon it follows the last
NOT_LOGGED = ("guard.", "scale.", "servo.", "smooth.")  # of level "info": every motion starts gently


class NoteLog:
    """The notes of a cell: those that hold now, and the log."""

    def __init__(self) -> None:
        self._began = 0  # number of dropped entries
        self._entries: list[Entry] = []
        self._last: dict[tuple[str, str], dict[Hashable, float]] = {}  # time by robot and code, then by subjects
        self._now: dict[str, dict[tuple[str, Hashable], Note]] = {}
        self._told: dict[str, tuple[Note, ...]] = {}
        self._told_at = -1.0
        self._before = -1.0  # time of the previous tick

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
            fresh = before < self._before if note.code.startswith(MODES) else time - before > QUIET_S
            last[about] = time
            if fresh and not (note.level == "info" and note.code.startswith(NOT_LOGGED)):
                self.write(time, robot, note)

    def write(self, time: float, robot: str, note: Note) -> None:
        """Add an entry to the log."""
        entry = Entry(number=self.said + 1, time=time, robot=robot, note=note)
        self._entries.append(entry)
        if len(self._entries) > 2 * MAX_ENTRIES:
            self._entries, self._began = self._entries[MAX_ENTRIES:], self._began + MAX_ENTRIES

    def since(self, number: int) -> tuple[Entry, ...]:
        """Return the entries after a number that are still kept."""
        entries, began = self._entries, self._began
        return tuple(entries[max(0, number - began) :])

    def why(self, time: float) -> dict[str, tuple[Note, ...]]:
        """Return the notes of each robot since the last call; the same value while nothing has changed."""
        now = {robot: tuple(notes.values()) for robot, notes in self._now.items() if notes}
        self._now = {}
        if now == self._told:
            return self._told
        if _codes(now) == _codes(self._told) and time - self._told_at < REFRESH_S:
            return self._told
        self._told, self._told_at = now, time
        return now


def _about(note: Note) -> Hashable:
    """Return the subjects of a note and the codes and subjects of its causes: all but the quantities."""
    return note.about if note.cause is None else (note.about, note.cause.code, _about(note.cause))


def _has_room(last: dict[Hashable, float], time: float) -> bool:
    """Return whether one more subject may be logged, after forgetting those that have been quiet."""
    if len(last) >= MAX_SUBJECTS:
        for about in [about for about, when in last.items() if time - when > QUIET_S]:
            del last[about]
    return len(last) < MAX_SUBJECTS


def _codes(told: dict[str, tuple[Note, ...]]) -> dict[str, set[str]]:
    return {robot: {note.code for note in notes} for robot, notes in told.items()}
