"""The marks of a record's timeline: stops, contacts, notes, episodes, bookmarks and gaps, in every language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from farhand.notes import LANGUAGES, Language, Reader, render
from farhand.records.build_info import build_differences
from farhand.records.entries import ContactEntry, Mark
from farhand.records.read import Record
from farhand.server.protocol.messages import MarkInfo, MarkKind, ReplayInfo
from farhand.types import Note

__all__ = ["describe_replay"]

MAX_MARKS = 500  # of each kind
MAX_TEXT = 300  # characters
SHOWN = ("en", "de")
NOT_SHOWN = ("guard.", "scale.", "servo.", "smooth.")  # of level "info": every motion starts gently
COLOUR = re.compile(r"#[0-9a-fA-F]{6}")
GAPS = {
    "slow": {"en": "Missing: the disk was too slow.", "de": "Fehlt: Die Festplatte war zu langsam."},
    "full": {"en": "Missing: the disk was full.", "de": "Fehlt: Die Festplatte war voll."},
    "lost": {"en": "Missing: lost on the way to the recorder.", "de": "Fehlt: auf dem Weg zum Rekorder verloren."},
    "error": {"en": "Missing: writing failed.", "de": "Fehlt: Schreiben schlug fehl."},
}


def describe_replay(record: Record) -> ReplayInfo:
    """Return a record as the page shows it."""
    info, dt = record.info, record.info.timestep
    return ReplayInfo(
        run=_plain(info.run),
        title=_plain(record.title),
        started=info.started / 1e6,
        first=record.first * dt,
        last=record.last * dt,
        marks=tuple(sorted(_marks(record, dt), key=lambda mark: mark.first)),
        problems=tuple(map(_plain, record.problems)),
        build=tuple(map(_plain, build_differences(info))),
    )


def _marks(record: Record, dt: float) -> Iterator[MarkInfo]:
    counts: dict[MarkKind, int] = {}
    for kind, first, last, text, *rest in _found(record):
        counts[kind] = counts.get(kind, 0) + 1
        if counts[kind] <= MAX_MARKS:
            colour, result = rest if rest else ("", "")
            last = max(first, min(last if last >= 0 else record.last, record.last))
            yield MarkInfo(kind=kind, first=first * dt, last=last * dt, text=text, colour=colour, result=result)


def _found(record: Record) -> Iterator[tuple[MarkKind, int, int, dict[str, str]] | tuple[MarkKind, int, int, dict[str, str], str, str]]:
    for gap in record.gaps:
        yield "gap", gap.first, gap.last, GAPS[gap.why]
    for mark in record.episodes:
        yield "episode", mark.first, mark.last, _said_by(mark), "", mark.result
    for mark in record.bookmarks:
        colour = mark.colour if COLOUR.fullmatch(mark.colour) else ""
        yield "bookmark", mark.first, mark.first, _said_by(mark), colour, ""
    for entry in record.notes:
        grave = entry.note.level in ("stop", "fault")
        if grave or not entry.note.code.startswith(NOT_SHOWN):
            yield "stop" if grave else "note", entry.tick, entry.tick, _in_words(entry.note, entry.robot)
    for contact in record.contacts:
        if contact.kind == "begin" and _counts(contact, record):
            yield "contact", contact.tick, contact.tick, _everywhere(lambda _, c=contact: f"{c.first} – {c.second}")


def _counts(contact: ContactEntry, record: Record) -> bool:
    """Return whether a contact concerns a robot; objects that settle on a table are of no interest."""
    return "/" in contact.first or "/" in contact.second


def _said_by(mark: Mark) -> dict[str, str]:
    text = f"{mark.text} ({mark.who})" if mark.text and mark.who else mark.text or mark.who
    return _everywhere(lambda _: text)


def _in_words(note: Note, robot: str) -> dict[str, str]:
    """Return a note as text; one of another version of Farhand is shown by its code."""

    def words(language: Language) -> str:
        try:
            text = render(note, Reader(language)).text
        except Exception:  # noqa: BLE001 - a record may come from a stranger
            text = note.code
        return f"{robot}: {text}" if robot else text

    return _everywhere(words)


def _everywhere(words: Callable[[Language], str]) -> dict[str, str]:
    return {code: _plain(words(LANGUAGES[code])) for code in SHOWN}


def _plain(text: str) -> str:
    """Return a text as one line without invisible characters, of bounded length."""
    return " ".join("".join(letter if letter.isprintable() else " " for letter in text[: 2 * MAX_TEXT]).split())[:MAX_TEXT]
