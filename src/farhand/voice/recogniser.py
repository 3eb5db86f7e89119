"""Which phrase an utterance was, or none.

It is listened to for the phrases alone, which hears a phrase in nearly everything. That counts if nearly all that is
loud lies within the phrase, if its words are as long as words are, if it is heard again among many other words, and if
its words fit the sound nearly as well as the best chain of any phones does. A stop counts at once, whether it is heard
first or among the other words: one too many does no harm. Phrases that start a motion, and those that confirm one, get
no head start over other words and must fit best. Of a confirming phrase each word must fit: "authorize" followed by
another word confirms nothing.
"""

from __future__ import annotations

import math
from typing import Any

from farhand.voice.decoys import DECOYS
from farhand.voice.grammar import grammar_of, phrase_in
from farhand.voice.sound import is_silent, levelled, share_within
from farhand.voice.speech_messages import Verdict
from farhand.voice.utterance import RATE, utterance_problem
from farhand.voice.vocabulary import CONFIRM_PHRASES, GUARDED_PHRASES, PHRASES, STOP_PHRASE

__all__ = ["NoRecogniserError", "Recogniser"]

WITHIN = 0.85  # how much of what is loud must be the phrase
LONGEST_PHONE = 30  # frames, on average over a word
# How much less likely a frame may be than with the best phones, in thousandths of the recogniser's logarithm.
MISFIT, GUARDED_MISFIT = 3.2, 2.2
WORD_MISFIT = 4.0  # the same for each word of a confirming phrase
SHORTEST_WORD = 8  # frames; the fit of a shorter word tells little, so its misfit is spread over so many
# What is less likely than the best by more than this is no longer followed. Wide: a stop is thought so much likelier
# than all else that whatever else was said would be lost at its first sound.
BEAM, WORD_BEAM = 1e-80, 1e-60
FILLERS = ("<", "[", "(")  # begin what is no word: silence, breath, noise, the way from one word to the next


class NoRecogniserError(Exception):
    """There is no recogniser on this machine, and why, as a sentence."""


class Recogniser:
    """Recognises one utterance at a time; nothing of one is kept for the next, so that all speakers are alike.

    Args:
        doubts: What may be something else is not understood.

    Raises:
        NoRecogniserError: If its library or its model is missing.
    """

    def __init__(self, *, doubts: bool = True) -> None:
        self._doubts, self._decoder = doubts, _decoder()
        self._decoder.add_jsgf_string("phrases", grammar_of(PHRASES))
        self._decoder.add_jsgf_string("words", grammar_of(PHRASES, DECOYS))
        self._decoder.add_allphone_file("phones", None)

    def knows(self, word: str) -> bool:
        """Return whether the dictionary has a word."""
        return self._decoder.lookup_word(word) is not None

    def hear(self, pcm: bytes) -> Verdict:
        """Return which phrase an utterance was; what cannot be one is none."""
        if utterance_problem(pcm) or is_silent(pcm):
            return Verdict()
        sound = levelled(pcm)
        phrase = self._best("phrases", sound)
        if phrase not in PHRASES:  # also what ends in the middle of one
            return Verdict()
        return Verdict(phrase if phrase == STOP_PHRASE or not self._doubts else self._doubted(phrase, sound))

    def _doubted(self, phrase: str, sound: bytes) -> str:
        """Return the phrase that an utterance is nearest to if it is that and nothing more; a stop if it may be one."""
        words = [part for part in self._decoder.seg() if not part.word.startswith(FILLERS)]
        within = share_within(sound, [(word.start_frame, word.end_frame) for word in words]) >= WITHIN
        long = any(word.end_frame - word.start_frame >= LONGEST_PHONE * self._phones(word.word) for word in words)
        again = self._best("words", sound)
        if again == STOP_PHRASE:
            return STOP_PHRASE
        if not within or long or again != phrase:
            return ""
        return phrase if self._fits(phrase, words, sound) else ""

    def _fits(self, phrase: str, words: list[Any], sound: bytes) -> bool:
        """Return whether the words of a phrase fit a sound nearly as well as any phones do."""
        lost = self._lost(words, sound)
        whole = sum(lost) / sum(map(_frames, words))
        if phrase in CONFIRM_PHRASES:
            worst = max(part / max(_frames(word), SHORTEST_WORD) for part, word in zip(lost, words, strict=True))
            if worst > WORD_MISFIT:
                return False
        return whole <= (GUARDED_MISFIT if phrase in GUARDED_PHRASES else MISFIT)

    def _lost(self, words: list[Any], sound: bytes) -> list[float]:
        """Return how much less likely each word is than the best phones in its place, in thousandths."""
        self._best("phones", sound)
        best = [0.0] * (1 + max(word.end_frame for word in words))
        for phone in self._decoder.seg():
            for frame in range(phone.start_frame, min(phone.end_frame + 1, len(best))):
                best[frame] = _log(phone.ascore) / (phone.end_frame - phone.start_frame + 1)
        return [1e3 * (sum(best[word.start_frame : word.end_frame + 1]) - _log(word.ascore)) for word in words]

    def _phones(self, word: str) -> int:
        return len(self._decoder.lookup_word(word).split())

    def _best(self, grammar: str, sound: bytes) -> str:
        self._decoder.activate_search(grammar)
        self._decoder.start_utt()
        self._decoder.process_raw(sound, full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        return "" if found is None else phrase_in(found.hypstr)


def _frames(word: Any) -> int:
    count: int = word.end_frame - word.start_frame + 1
    return count


def _log(likelihood: float) -> float:
    return math.log(max(likelihood, 1e-300))


def _decoder() -> Any:
    try:
        from pocketsphinx import Decoder, get_model_path
    except ImportError as error:
        raise NoRecogniserError(f"Speech cannot be recognised on this machine: {error}.") from None
    model = f"{get_model_path()}/en-us"
    try:
        return Decoder(
            hmm=f"{model}/en-us",
            dict=f"{model}/cmudict-en-us.dict",
            lm=None,
            samprate=float(RATE),
            beam=BEAM,
            pbeam=BEAM,
            wbeam=WORD_BEAM,
            bestpath=False,  # a second look, which leaves out how likely each phrase is thought to be
            cmn="batch",  # the whole utterance, not the ones before it, tells what the room was like
            loglevel="FATAL",
        )
    except (RuntimeError, ValueError) as error:
        raise NoRecogniserError(f"The recogniser's model cannot be loaded: {error}.") from None
