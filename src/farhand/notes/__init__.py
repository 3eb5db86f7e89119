"""Notes in words: the list of codes, and the only sentences that operators read, one file per language."""

from __future__ import annotations

from farhand.notes.codes import CODES
from farhand.notes.english import ENGLISH
from farhand.notes.german import GERMAN
from farhand.notes.language import Language, Wording
from farhand.notes.languages import LANGUAGES, language_of
from farhand.notes.refusals import RefusedError, refusal_of
from farhand.notes.render import Reader, Sentence, clause, render, said

__all__ = [
    "CODES",
    "ENGLISH",
    "GERMAN",
    "LANGUAGES",
    "Language",
    "Reader",
    "RefusedError",
    "Sentence",
    "Wording",
    "clause",
    "language_of",
    "refusal_of",
    "render",
    "said",
]
