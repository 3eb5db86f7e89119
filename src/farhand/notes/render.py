"""Render a note as the sentence that a person reads, in that person's language: at the edge, never in a tick."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec import Struct

from farhand.notes.codes import CODES, DIRECTIONS
from farhand.notes.english import ENGLISH
from farhand.notes.language import Language, Wording
from farhand.notes.note_spec import CodeSpec, Measure
from farhand.types import Note, Quantity, Subject

__all__ = ["Reader", "Sentence", "clause", "is_bare", "render", "said"]

SHOWN: Mapping[str, tuple[float, str]] = {
    "mm": (1e3, " mm"),
    "m": (1.0, " m"),
    "mm/s": (1e3, " mm/s"),
    "m/s": (1.0, " m/s"),
    "°": (180.0 / math.pi, "°"),
    "°/s": (180.0 / math.pi, "°/s"),
    "s": (1.0, " s"),
    "N": (1.0, " N"),
    "Nm": (1.0, " Nm"),
    "Hz": (1.0, " Hz"),
    "%": (100.0, " %"),
    "": (1.0, ""),
}
USUAL: Mapping[str, tuple[str, str]] = {
    "m": ("mm", ".0f"),
    "m/s": ("mm/s", ".0f"),
    "rad": ("°", ".1f"),
    "rad/s": ("°/s", ".0f"),
    "s": ("s", ".2f"),
    "N": ("N", ".0f"),
    "Nm": ("Nm", ".1f"),
    "Hz": ("Hz", "g"),
    "share": ("%", ".0f"),
    "count": ("", ".0f"),
    "": ("", "g"),
}
KEEPS_CASE = ("{robot}", "{person}", "{name}", "{event}", "{detail}")  # a name at the start stays as it is


class Reader(Struct, frozen=True):
    """The person who reads a note.

    Args:
        language: The language to render it in.
        exam: Whether they are a trainee in an exam, who reads neither lengths nor names of things around the robot.
        person: Their name, which becomes "you" in sentences.
    """

    language: Language = ENGLISH
    exam: bool = False
    person: str = ""


class Sentence(Struct, frozen=True):
    """A note in words: the sentence, and the ways out."""

    text: str
    free: str = ""


PLAIN = Reader()


def render(note: Note, reader: Reader = PLAIN) -> Sentence:
    """Return a note in words.

    Args:
        note: The note; its code must be one of `CODES`.
        reader: The person who reads it.
    """
    language, spec = reader.language, CODES[note.code]
    if reader.exam and spec.exam is None:
        return Sentence(_finished(language, language.hidden[note.level]))
    wording = language.sentences[note.code]
    text = _text(note, spec, wording, reader)
    ways = [way for way in note.free if way not in DIRECTIONS]
    free = [] if reader.exam else [way for way in note.free if way in DIRECTIONS]
    parts = [_directions(free, language)] if free else []
    parts += [language.ways[way] for way in ways]
    parts += [wording.way] if wording.way else []
    return Sentence(_finished(language, text), _finished(language, " ".join(parts)))


def said(notes: Iterable[Note], reader: Reader = PLAIN) -> str:
    """Return several notes in words, one after the other."""
    return " ".join([render(note, reader).text for note in notes])


def _finished(language: Language, text: str) -> str:
    return language.finish(text) if text else ""


def _text(note: Note, spec: CodeSpec, wording: Wording, reader: Reader) -> str:
    """Return the sentence of a note, with a capital letter."""
    template = _template(note, spec, wording, reader)
    text = template.format_map(_values(note, spec, reader, capital="{Cause}" in template))
    return text if template.startswith(KEEPS_CASE) else _capital(text)


def _template(note: Note, spec: CodeSpec, wording: Wording, reader: Reader) -> str:
    """Return the sentence that fits a note and its reader."""
    if wording.you and reader.person and any([s.kind == "person" and s.name == reader.person for s in note.about]):
        return wording.you
    if reader.exam and wording.exam:
        return wording.exam
    return wording.bare if wording.bare and is_bare(note, spec) else wording.text


def is_bare(note: Note, spec: CodeSpec) -> bool:
    """Return whether a note leaves out parts that its code declares as optional."""
    many = bool(spec.about) and spec.about[-1].many and len(note.about) < len(spec.about)
    return many or (spec.optional and not note.about) or len(note.quantities) < len(spec.measures)


def _values(note: Note, spec: CodeSpec, reader: Reader, *, capital: bool) -> dict[str, str]:
    """Return the text of each placeholder; for a trainee only those that the code shows."""
    language, values = reader.language, {}
    for i, place in enumerate(spec.about):
        subjects = note.about[i:] if place.many else note.about[i : i + 1]
        if subjects:
            joint = language.either if place.name == "obstacles" else ", "
            values[place.name] = _listed([_name(subject, language) for subject in subjects], joint)
    measures = {measure.name: measure for measure in spec.measures}
    values |= {q.name: _number(q, measures[q.name], language) for q in note.quantities}
    if reader.exam:
        values = {name: value for name, value in values.items() if name in (spec.exam or ())}
    if note.cause:
        text = clause(note.cause, reader)
        values["Cause" if capital else "cause"] = _capital(text) if capital else text
    return values


def clause(cause: Note, reader: Reader = PLAIN) -> str:
    """Return a note as a clause of another note's sentence, without a capital letter of its own."""
    language, spec = reader.language, CODES[cause.code]
    if reader.exam and spec.exam is None:
        return language.unsaid
    template = _template(cause, spec, language.sentences[cause.code], reader)
    return template.format_map(_values(cause, spec, reader, capital="{Cause}" in template))


def _directions(free: list[str], language: Language) -> str:
    return language.can.format(ways=_listed([language.directions[way] for way in free], language.either))


def _listed(parts: list[str], last: str) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])}{last}{parts[-1]}"


def _name(subject: Subject, language: Language) -> str:
    words = language.words.get(subject.kind)
    if words is not None and subject.name in words:
        return words[subject.name]
    named = language.named.get(subject.kind)
    return named(subject.name) if named else subject.name


def _number(quantity: Quantity, measure: Measure, language: Language) -> str:
    unit, form = USUAL[quantity.unit]
    factor, sign = SHOWN[measure.shown or unit]
    text = format(factor * quantity.value, measure.form or form)
    zero = text.startswith("-") and not text.strip("-0.")
    text = text[1:] if zero else text
    return text.replace(".", language.decimal) + sign


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
