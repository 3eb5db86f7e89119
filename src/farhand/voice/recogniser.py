"""Recognise the phrase of an utterance, if it is one.

The first search knows only the phrases, and finds one in nearly every sound. The phrase counts if

- nearly all loud sound lies within it,
- its words have a plausible length,
- a second search, among many decoys, finds it again,
- its words fit the sound nearly as well as the best chain of any phones.

A stop counts at once, in either search: one stop too many does no harm. Phrases that start or confirm a motion have no
advantage over decoys and must fit best. In a confirming phrase each word must fit: "authorize" with another word
confirms nothing.
"""

from __future__ import annotations

import math
from typing import Any

from farhand.extras import has_extra, install_hint
from farhand.voice.decoys import DECOYS
from farhand.voice.grammar import grammar_of, phrase_in
from farhand.voice.sound import is_silent, levelled, share_within
from farhand.voice.speech_messages import Verdict
from farhand.voice.utterance import RATE, utterance_problem
from farhand.voice.vocabulary import CONFIRM_PHRASES, GUARDED_PHRASES, PHRASES, STOP_PHRASE

__all__ = ["NoRecogniserError", "Recogniser"]

MIN_WITHIN = 0.85  # share of the loud sound that must lie within the phrase
MAX_PHONE_FRAMES = 30  # on average over a word
# Largest misfit per frame against the best phones, in thousandths of the recogniser's logarithm.
MAX_MISFIT, MAX_GUARDED_MISFIT = 3.2, 2.2
MAX_WORD_MISFIT = 4.0  # likewise for each word of a confirming phrase
MIN_WORD_FRAMES = 8  # the misfit of a shorter word is spread over this many: its fit says little
# Search beams. They are wide because a stop has so large a weight: all other phrases would be dropped at once.
BEAM, WORD_BEAM = 1e-80, 1e-60
FILLERS = ("<", "[", "(")  # first characters of silence, breath and noise


class NoRecogniserError(Exception):
    """This machine has no recogniser; the message is a sentence with the reason."""


class Recogniser:
    """Recognises one utterance at a time; it keeps nothing for the next, so that all speakers are treated alike.

    Args:
        doubts: Whether to reject utterances that may be another word.

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
        """Return the phrase of an utterance, or an empty verdict."""
        if utterance_problem(pcm) or is_silent(pcm):
            return Verdict()
        sound = levelled(pcm)
        phrase = self._best("phrases", sound)
        if phrase not in PHRASES:  # also a phrase that was cut off
            return Verdict()
        return Verdict(phrase if phrase == STOP_PHRASE or not self._doubts else self._doubted(phrase, sound))

    def _doubted(self, phrase: str, sound: bytes) -> str:
        """Return the phrase if it passes all checks, a stop if the utterance may be one, else an empty text."""
        words = [part for part in self._decoder.seg() if not part.word.startswith(FILLERS)]
        within = share_within(sound, [(word.start_frame, word.end_frame) for word in words]) >= MIN_WITHIN
        long = any(word.end_frame - word.start_frame >= MAX_PHONE_FRAMES * self._phones(word.word) for word in words)
        again = self._best("words", sound)
        if again == STOP_PHRASE:
            return STOP_PHRASE
        if not within or long or again != phrase:
            return ""
        return phrase if self._fits(phrase, words, sound) else ""

    def _fits(self, phrase: str, words: list[Any], sound: bytes) -> bool:
        """Return whether the words of a phrase fit a sound nearly as well as the best phones."""
        lost = self._misfits(words, sound)
        whole = sum(lost) / sum(map(_frames, words))
        if phrase in CONFIRM_PHRASES:
            worst = max(part / max(_frames(word), MIN_WORD_FRAMES) for part, word in zip(lost, words, strict=True))
            if worst > MAX_WORD_MISFIT:
                return False
        return whole <= (MAX_GUARDED_MISFIT if phrase in GUARDED_PHRASES else MAX_MISFIT)

    def _misfits(self, words: list[Any], sound: bytes) -> list[float]:
        """Return the misfit of each word: the best phones' log likelihood minus its own, in thousandths."""
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
        if not has_extra("voice"):
            raise NoRecogniserError(f"Voice is not installed on the server: {install_hint('voice')}") from None
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
            bestpath=False,  # a second pass that would ignore the weights of phrases
            cmn="batch",  # normalise by this utterance, not by those before it
            loglevel="FATAL",
        )
    except (RuntimeError, ValueError) as error:
        raise NoRecogniserError(f"The recogniser's model cannot be loaded: {error}.") from None
