"""Grammars of phrases, in the JSpeech Grammar Format that the recogniser reads."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.voice.vocabulary import STOP_PHRASE

__all__ = ["grammar_of"]

# How likely each is thought to be before anything is heard. The rarer decoys are, the more phrases are understood, and
# the more other speech is taken for one; `farhand bench voice` measures both. A stop too many does no harm.
STOP, PHRASE, DECOY = 1e24, 1e16, 1.0


def grammar_of(phrases: Iterable[str], decoys: Iterable[str]) -> str:
    """Return the grammar of exactly one phrase, or one word that is none."""
    ways = [f"/{STOP if phrase == STOP_PHRASE else PHRASE:.0f}/ ( {phrase} )" for phrase in phrases]
    ways += [f"/{DECOY:.0f}/ {word}" for word in decoys]
    return f"#JSGF V1.0; grammar commands; public <command> = {' | '.join(ways)};"
