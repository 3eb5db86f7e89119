"""Render the notes of a cell as text, once for all viewers who read the same text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from farhand.notes import Reader, render
from farhand.server.protocol.internal_messages import Entry
from farhand.server.protocol.messages import ActiveNotes, LogEntries, LogEntry, NoteText
from farhand.types import Note

__all__ = ["ReaderKey", "WordedWhy", "key_of", "people_in", "worded"]

ReaderKey = tuple[str, bool, str]
"""Language, exam, and the reader's name where notes name that person."""
MAX_READERS = 512  # whose last text is kept


def key_of(reader: Reader, people: frozenset[str]) -> ReaderKey:
    """Return a key that is equal for readers who read the same text.

    Args:
        reader: The reader.
        people: Names of the people in the notes.
    """
    return reader.language.code, reader.exam, reader.person if reader.person in people else ""


def people_in(notes: Iterable[Note]) -> frozenset[str]:
    """Return the names of the people in notes and their causes."""
    found: set[str] = set()
    for note in notes:
        found.update([subject.name for subject in note.about if subject.kind == "person"])
        if note.cause:
            found |= people_in((note.cause,))
    return frozenset(found)


def worded(entries: Iterable[Entry], reader: Reader) -> LogEntries:
    """Return log entries as text."""
    return LogEntries(
        entries=tuple(
            [
                LogEntry(
                    number=entry.number,
                    time=entry.time,
                    robot=entry.robot,
                    text=render(entry.note, reader).text,
                    level=entry.note.level,
                    code=entry.note.code,
                )
                for entry in entries
            ]
        )
    )


class WordedWhy:
    """The notes that alter the robots' motions now, as text."""

    def __init__(self) -> None:
        self._notes: Mapping[str, tuple[Note, ...]] = {}
        self._people: frozenset[str] = frozenset()
        self._told: dict[ReaderKey, tuple[object, ActiveNotes]] = {}

    def take(self, notes: Mapping[str, tuple[Note, ...]]) -> None:
        """Keep the notes that alter the motions now."""
        if notes != self._notes:
            self._notes = notes
            self._people = people_in([note for each in notes.values() for note in each])

    def for_reader(self, reader: Reader) -> ActiveNotes:
        """Return the notes for a reader: the same value until the text changes."""
        key = key_of(reader, self._people)
        before = self._told.get(key)
        if before is not None and before[0] is self._notes:
            return before[1]
        robots = {robot: tuple([_text(note, reader) for note in notes]) for robot, notes in self._notes.items()}
        why = before[1] if before is not None and before[1].robots == robots else ActiveNotes(robots=robots)
        if len(self._told) >= MAX_READERS:
            self._told.clear()
        self._told[key] = self._notes, why
        return why


def _text(note: Note, reader: Reader) -> NoteText:
    said = render(note, reader)
    return NoteText(code=note.code, text=said.text, level=note.level, free=said.free)
