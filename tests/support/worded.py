"""Notes in English, as an operator reads them: the one place where tests make sentences of notes."""

from collections.abc import Iterable

from farhand.notes import CODES, clause, render
from farhand.notes.codes import DIRECTIONS, WAYS_OUT
from farhand.types import Note, Quantity, Subject

__all__ = ["all_worded", "because", "near", "plain", "problems", "reason", "worded"]


def worded(note: Note) -> str:
    """Return the sentence of a note, which must be as its code declares."""
    assert problems(note) == []
    return render(note).text


def all_worded(notes: Iterable[Note]) -> str:
    """Return the sentences of some notes."""
    return " ".join([worded(note) for note in notes])


def plain(text: str) -> Note:
    """Return a note that says a given sentence."""
    return Note("gateway.detail", about=(Subject("detail", text),))


def near(first: str, second: str, clearance: float) -> Note:
    """Return the note of an arm that comes too close, metres."""
    about, room = (Subject("link", first), Subject("body", second)), (Quantity("clearance", clearance, "m"),)
    return Note("avoid.near", "slow", about, room, free=("along", "back"))


def because(text: str) -> Note:
    """Return a cause that reads as given."""
    return Note("stop.reason", about=(Subject("detail", text),))


def reason(cause: Note | None) -> str:
    """Return a cause as it stands after "Stopped:"; empty without one."""
    return clause(cause) if cause else ""


def problems(note: Note) -> list[str]:
    """Return the differences of a note from the declaration of its code; empty for a valid note."""
    if note.code not in CODES:
        return [f"{note.code} is not declared"]
    spec, found = CODES[note.code], []
    if note.level != spec.level:
        found.append(f"{note.code} has the level {note.level}")
    places, optional = list(spec.about), spec.optional and not note.about
    least = 0 if optional else len([place for place in places if not place.many])
    most = len(note.about) if places and places[-1].many else len(places)
    if not least <= len(note.about) <= most:
        found.append(f"{note.code} is about {note.about}")
    for i, subject in enumerate(note.about):
        if subject.kind not in places[min(i, len(places) - 1)].kinds:
            found.append(f"{note.code} has a subject {subject}")
    measures = {measure.name: measure for measure in spec.measures}
    needed = {name for name, measure in measures.items() if not measure.optional and not optional}
    given = {quantity.name for quantity in note.quantities}
    if not needed <= given <= set(measures):
        found.append(f"{note.code} has the quantities {note.quantities}")
    for quantity in note.quantities:
        if quantity.name in measures and quantity.unit not in measures[quantity.name].units:
            found.append(f"{note.code} has {quantity}")
        if type(quantity.value) not in (int, float):
            found.append(f"{note.code} has a {type(quantity.value).__name__}")
    if any(way not in DIRECTIONS and way not in WAYS_OUT for way in note.free):
        found.append(f"{note.code} has the ways {note.free}")
    if spec.cause != (note.cause is not None):
        found.append(f"{note.code} has the cause {note.cause}")
    return found + (problems(note.cause) if note.cause else [])
