"""The available languages."""

from __future__ import annotations

from collections.abc import Mapping

from farhand.notes.english import ENGLISH
from farhand.notes.german import GERMAN
from farhand.notes.language import Language
from farhand.notes.pseudo import pseudo

__all__ = ["LANGUAGES", "language_of"]

LANGUAGES: Mapping[str, Language] = {language.code: language for language in (ENGLISH, GERMAN, pseudo(ENGLISH))}


def language_of(code: str) -> Language:
    """Return the language of a code such as "de" or "de-AT", or English for an unknown code."""
    return LANGUAGES.get(code) or LANGUAGES.get(code.partition("-")[0]) or ENGLISH
