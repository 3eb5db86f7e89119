"""Grammars of phrases, in the JSpeech Grammar Format that the recogniser reads."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["grammar_of"]


def grammar_of(phrases: Iterable[str]) -> str:
    """Return the grammar of exactly one of some phrases; what is said twice in a row counts once."""
    return f"#JSGF V1.0; grammar commands; public <command> = {' | '.join(f'( {phrase} )' for phrase in phrases)} ;"
