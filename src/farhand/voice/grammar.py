"""Grammars of phrases, in the JSpeech Grammar Format that the recogniser reads."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["grammar_of"]

LIKELIER = 1e8  # how much likelier than a decoy a phrase is thought to be, before anything is heard


def grammar_of(phrases: Iterable[str], decoys: Iterable[str] = ()) -> str:
    """Return the grammar of exactly one phrase, or one word that is none."""
    ways = [f"/{LIKELIER:.0f}/ {phrase}" for phrase in phrases] + [f"/1/ {word}" for word in decoys]
    return f"#JSGF V1.0; grammar spoken; public <spoken> = {' | '.join(ways)};"
