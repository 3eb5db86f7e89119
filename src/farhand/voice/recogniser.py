"""Which phrase an utterance was, or none: a grammar of the phrases, among words that catch all other speech."""

from __future__ import annotations

from importlib.resources import files
from typing import Any

from farhand.voice.grammar import grammar_of
from farhand.voice.messages import Verdict
from farhand.voice.utterance import RATE, utterance_problem
from farhand.voice.vocabulary import PHRASES

__all__ = ["NoRecogniserError", "Recogniser", "decoys"]


class NoRecogniserError(Exception):
    """There is no recogniser on this machine, and why, as a sentence."""


class Recogniser:
    """Recognises one utterance at a time; nothing of one is kept for the next, so that all speakers are alike.

    Raises:
        NoRecogniserError: If its library or its model is missing.
    """

    def __init__(self) -> None:
        try:
            from pocketsphinx import Decoder, get_model_path
        except ImportError as error:
            raise NoRecogniserError(f"Speech cannot be recognised on this machine: {error}.") from None
        model = f"{get_model_path()}/en-us"
        try:
            self._decoder: Any = Decoder(
                hmm=f"{model}/en-us",
                dict=f"{model}/cmudict-en-us.dict",
                lm=None,
                samprate=float(RATE),
                cmn="batch",  # the whole utterance, not the ones before it, tells how loud and in what room it was
                loglevel="FATAL",
            )
            self._decoder.add_jsgf_string("commands", grammar_of(PHRASES, decoys()))
        except (RuntimeError, ValueError) as error:
            raise NoRecogniserError(f"The recogniser's model cannot be loaded: {error}.") from None
        self._decoder.activate_search("commands")

    def knows(self, word: str) -> bool:
        """Return whether the dictionary has a word."""
        return self._decoder.lookup_word(word) is not None

    def hear(self, pcm: bytes) -> Verdict:
        """Return which phrase an utterance was; what cannot be one is none."""
        if utterance_problem(pcm):
            return Verdict()
        self._decoder.start_utt()
        self._decoder.process_raw(pcm, full_utt=True)
        self._decoder.end_utt()
        found = self._decoder.hyp()
        # What ends in the middle of a phrase is reported too, as far as it goes.
        return Verdict(found.hypstr if found is not None and found.hypstr in PHRASES else "")


def decoys() -> tuple[str, ...]:
    """Return words that are no commands: speech that fits one of them better than every phrase is not understood."""
    text = files("farhand.voice").joinpath("decoys.txt").read_text()
    words = {word for line in text.splitlines() if not line.startswith("#") for word in line.split()}
    parts = {word for phrase in PHRASES for word in phrase.split()}
    return tuple(sorted((words | parts) - set(PHRASES)))
