"""Grammars of phrases in the JSpeech Grammar Format, for the recogniser."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.voice.vocabulary import GUARDED_PHRASES, STOP_PHRASE

__all__ = ["grammar_of", "phrase_in"]

# Prior weights. A phrase that starts a motion must be as clear as any decoy; a sound that resembles a stop is a stop.
STOP, PHRASE, MOVING, DECOY = 10**30, 10**8, 1, 1
MAX_REPEATS = 3  # of "stop": people in need say it more than once


def grammar_of(phrases: Iterable[str], decoys: Iterable[str] = ()) -> str:
    """Return a grammar of exactly one phrase, one or more "stop", or one decoy."""
    ways = [f"/{STOP}/ {' '.join([STOP_PHRASE] * times)}" for times in range(1, MAX_REPEATS + 1)]
    ways += [f"/{_weight(phrase)}/ {phrase}" for phrase in phrases if phrase != STOP_PHRASE]
    ways += [f"/{DECOY}/ {word}" for word in decoys]
    return f"#JSGF V1.0; grammar spoken; public <spoken> = {' | '.join(ways)};"


def _weight(phrase: str) -> int:
    return MOVING if phrase in GUARDED_PHRASES else PHRASE


def phrase_in(text: str) -> str:
    """Return the phrase in a recognised text; repeated "stop" is one phrase."""
    return STOP_PHRASE if set(text.split()) == {STOP_PHRASE} else text
