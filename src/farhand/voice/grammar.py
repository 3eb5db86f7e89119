"""Grammars of phrases, in the JSpeech Grammar Format that the recogniser reads."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.voice.vocabulary import GUARDED_PHRASES, STOP_PHRASE

__all__ = ["grammar_of", "phrase_in"]

# How likely each is thought to be before anything is heard. What starts a motion must be heard as clearly as any word
# that is no phrase, and whatever resembles a stop is one.
STOP, PHRASE, MOVING, DECOY = 10**30, 10**8, 1, 1
REPEATS = 3  # whoever is in need says it more than once


def grammar_of(phrases: Iterable[str], decoys: Iterable[str] = ()) -> str:
    """Return the grammar of exactly one phrase, of "stop" several times, or of one word that is none."""
    ways = [f"/{STOP}/ {' '.join([STOP_PHRASE] * times)}" for times in range(1, REPEATS + 1)]
    ways += [f"/{_weight(phrase)}/ {phrase}" for phrase in phrases if phrase != STOP_PHRASE]
    ways += [f"/{DECOY}/ {word}" for word in decoys]
    return f"#JSGF V1.0; grammar spoken; public <spoken> = {' | '.join(ways)};"


def _weight(phrase: str) -> int:
    return MOVING if phrase in GUARDED_PHRASES else PHRASE


def phrase_in(text: str) -> str:
    """Return the phrase in what the grammar heard: a stop is one, however often it was said."""
    return STOP_PHRASE if set(text.split()) == {STOP_PHRASE} else text
