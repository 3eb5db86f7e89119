"""Grammars of phrases, in the JSpeech Grammar Format that the recogniser reads."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.voice.vocabulary import STOP_PHRASE

__all__ = ["grammar_of", "phrase_in"]

# How likely each is thought to be before anything is heard.
STOP, PHRASE, DECOY = 10**16, 10**8, 1
REPEATS = 3  # whoever is in need says it more than once


def grammar_of(phrases: Iterable[str], decoys: Iterable[str] = ()) -> str:
    """Return the grammar of exactly one phrase, of "stop" several times, or of one word that is none."""
    ways = [f"/{STOP}/ {' '.join([STOP_PHRASE] * times)}" for times in range(1, REPEATS + 1)]
    ways += [f"/{PHRASE}/ {phrase}" for phrase in phrases if phrase != STOP_PHRASE]
    ways += [f"/{DECOY}/ {word}" for word in decoys]
    return f"#JSGF V1.0; grammar spoken; public <spoken> = {' | '.join(ways)};"


def phrase_in(text: str) -> str:
    """Return the phrase in what the grammar heard: a stop is one, however often it was said."""
    return STOP_PHRASE if set(text.split()) == {STOP_PHRASE} else text
