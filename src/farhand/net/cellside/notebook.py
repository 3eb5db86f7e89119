"""From notes that repeat every tick to what an operator reads: what holds just now, and a log of what began."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.net.messages import LogEntry
from farhand.types import Note, Tick

__all__ = ["NoteBook"]

KEPT = 20_000  # log entries; a gateway that was away for longer has lost the oldest
QUIET = 0.5  # seconds without a note before it counts as new again
REFRESH = 0.1  # seconds between two wordings of the same notes: numbers that change faster cannot be read
MODES = "mode."  # each pause, stop and fault is news, however soon it follows the last
UNSAID = ("guard.", "servo.", "smooth.")  # of "info": that a motion starts gently is no news


class NoteBook:
    """Keeps the notes of a cell."""

    def __init__(self) -> None:
        self._began = 0  # number of entries that have been dropped
        self._entries: list[LogEntry] = []
        self._last: dict[tuple[str, str], float] = {}
        self._now: dict[str, dict[str, Note]] = {}
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
            now[note.code] = note
            key = (robot, note.code)
            last = self._last.get(key, -1e9)
            fresh = last < self._before if note.code.startswith(MODES) else time - last > QUIET
            self._last[key] = time
            if fresh and not (note.level == "info" and note.code.startswith(UNSAID)):
                self.write(time, robot, note.text, note)

    def write(self, time: float, robot: str, text: str, note: Note | None = None) -> None:
        """Add an entry to the log."""
        level, code = (note.level, note.code) if note else ("info", "")
        entry = LogEntry(number=self.said + 1, time=time, robot=robot, text=text, level=level, code=code)
        self._entries.append(entry)
        if len(self._entries) > 2 * KEPT:
            self._entries, self._began = self._entries[KEPT:], self._began + KEPT

    def since(self, number: int) -> tuple[LogEntry, ...]:
        """Return the entries after a number, as far as they are kept."""
        entries, began = self._entries, self._began
        return tuple(entries[max(0, number - began) :])

    def why(self, time: float) -> dict[str, tuple[Note, ...]]:
        """Return what altered each robot's motion since the last call; the same value while it reads the same."""
        now = {robot: tuple(notes.values()) for robot, notes in self._now.items() if notes}
        self._now = {}
        if now == self._told:
            return self._told
        same = {robot: [note.code for note in notes] for robot, notes in now.items()}
        before = {robot: [note.code for note in notes] for robot, notes in self._told.items()}
        if same == before and time - self._told_at < REFRESH:
            return self._told
        self._told, self._told_at = now, time
        return now
