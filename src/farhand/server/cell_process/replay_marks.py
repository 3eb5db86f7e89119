"""The marks of a record's timeline: stops, contacts, notes, episodes, bookmarks and gaps, in every language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from msgspec import Struct

from farhand.notes import LANGUAGES, Language, Reader, render
from farhand.records.build_info import build_differences
from farhand.records.entries import ContactEntry, Mark
from farhand.records.read import Record
from farhand.server.protocol.messages import MarkInfo, MarkKind, ReplayInfo
from farhand.types import Note

__all__ = ["can_be_worded", "describe_replay"]

MAX_MARKS = 500  # of each kind
MAX_TEXT = 300  # characters
SHOWN = ("en", "de")
NOT_SHOWN = ("guard.", "scale.", "servo.", "smooth.")  # of level "info": every motion starts gently
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
DAMAGED = {"en": "Missing: the file is damaged here.", "de": "Fehlt: Die Datei ist hier beschädigt."}
GAPS = {
    "slow": {"en": "Missing: the disk was too slow.", "de": "Fehlt: Die Festplatte war zu langsam."},
    "full": {"en": "Missing: the disk was full.", "de": "Fehlt: Die Festplatte war voll."},
    "lost": {"en": "Missing: lost on the way to the recorder.", "de": "Fehlt: auf dem Weg zum Rekorder verloren."},
    "error": {"en": "Missing: writing failed.", "de": "Fehlt: Schreiben schlug fehl."},
}


def describe_replay(record: Record, damage: tuple[str, ...] = ()) -> ReplayInfo:
    """Return a record as the page shows it.

    Args:
        record: The record.
        damage: Sentences about damage that was found by reading every byte.
    """
    info, dt = record.info, record.info.timestep
    spans = record.damaged() if damage else []
    problems = [f"{first * dt:.2f}–{last * dt:.2f} s" for first, last in spans] or damage or record.problems
    gaps = [_Found("gap", first, last, DAMAGED) for first, last in spans]
    return ReplayInfo(
        run=_plain(info.run),
        title=_plain(record.title),
        started=info.started / 1e6,
        first=record.first * dt,
        last=record.last * dt,
        marks=tuple(sorted(_marks((*gaps, *_found(record)), record, dt), key=lambda mark: mark.first)),
        problems=tuple(map(_plain, problems)),
        build=tuple(map(_plain, build_differences(info))),
    )


class _Found(Struct, frozen=True):
    """A mark, in ticks; a last tick of -1 is the end of the record."""

    kind: MarkKind
    first: int
    last: int
    text: dict[str, str]
    colour: str = ""
    result: str = ""


def _marks(everything: Iterable[_Found], record: Record, dt: float) -> Iterator[MarkInfo]:
    """Yield the marks in seconds, of each kind the first `MAX_MARKS`."""
    counts: dict[MarkKind, int] = {}
    for found in everything:
        counts[found.kind] = counts.get(found.kind, 0) + 1
        if counts[found.kind] > MAX_MARKS:
            continue
        first = min(max(record.first, found.first), record.last)
        last = record.last if found.last < 0 else max(first, min(found.last, record.last))
        yield MarkInfo(
            kind=found.kind,
            first=first * dt,
            last=last * dt,
            text=found.text,
            colour=found.colour,
            result=found.result,
        )


def _found(record: Record) -> Iterator[_Found]:
    for gap in record.gaps:
        yield _Found("gap", gap.first, gap.last, GAPS[gap.why])
    for mark in record.episodes:
        yield _Found("episode", mark.first, mark.last, _said_by(mark), result=mark.result)
    for mark in record.bookmarks:
        colour = mark.colour if COLOUR.fullmatch(mark.colour) else ""
        yield _Found("bookmark", mark.first, mark.first, _said_by(mark), colour)
    for entry in record.notes:
        grave = entry.note.level in ("stop", "fault")
        if grave or not entry.note.code.startswith(NOT_SHOWN):
            yield _Found("stop" if grave else "note", entry.tick, entry.tick, _in_words(entry.note, entry.robot))
    for contact in record.contacts:
        if contact.kind == "begin" and _concerns_robot(contact):
            text = f"{contact.first} – {contact.second}"
            yield _Found("contact", contact.tick, contact.tick, dict.fromkeys(SHOWN, _plain(text)))


def _concerns_robot(contact: ContactEntry) -> bool:
    """Return whether a robot touches something; objects that settle on a table are of no interest."""
    return "/" in contact.first or "/" in contact.second


def _said_by(mark: Mark) -> dict[str, str]:
    text = f"{mark.text} ({mark.who})" if mark.text and mark.who else mark.text or mark.who
    return dict.fromkeys(SHOWN, _plain(text))


def _in_words(note: Note, robot: str) -> dict[str, str]:
    """Return a note as text; one of another version of Farhand is shown by its code."""

    def words(language: Language) -> str:
        try:
            text = render(note, Reader(language)).text
        except Exception:  # noqa: BLE001 - a record may come from a stranger
            text = note.code
        return f"{robot}: {text}" if robot else text

    return {code: _plain(words(LANGUAGES[code])) for code in SHOWN}


def can_be_worded(note: Note) -> bool:
    """Return whether this version of Farhand can put a note into words; the gateway must not get any other."""
    try:
        render(note, Reader())
    except Exception:  # noqa: BLE001 - a record may come from a stranger or from another version
        return False
    return True


def _plain(text: str) -> str:
    """Return a text as one line without invisible characters, of bounded length."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 2 * MAX_TEXT]).split())[
        :MAX_TEXT
    ]
