"""Wrong starts: other speech, by voices not used in tuning, heard as a motion command and then as its confirmation.

A wrong start is a sentence heard as a phrase that starts a motion, followed within three seconds by one heard as the
phrase that confirms this motion: any other phrase cancels the command. Each voice says its sentences one after the
other. As their order is a matter of chance, all ordered pairs are counted as well. Controls: pairs of which the second
is heard as any confirmation, and sentences heard as the nearest phrase without rejection.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from itertools import pairwise

from farhand.kernels import Floats
from farhand.voice.recogniser import Recogniser
from farhand.voice.vocabulary import CONFIRM_PHRASES, CONFIRMATIONS, MOVING_PHRASES, STOP_PHRASE
from farhand_bench.progress import shown
from farhand_bench.rows import Row, row
from farhand_bench.speakers import LOUDNESSES, SENTENCES, UNHEARD, need_speakers, noisy, spoken
from farhand_bench.voice import Utterance, heard

__all__ = ["measure"]

SHARES = 3  # each voice says every third sentence at one loudness, other ones at the next
CONTROL = 30.0  # decibels at which the control runs too


def measure() -> list[Row]:
    """Return the rows of this benchmark.

    Raises:
        FarhandError: If a program that speaks is missing.
    """
    need_speakers()
    recogniser, control = Recogniser(), Recogniser(doubts=False)
    sentences = [[spoken(text, speaker) for text in shown(SENTENCES, f"{speaker.voice} speaks")] for speaker in UNHEARD]
    rows: list[Row] = []
    everything: list[str] = []
    starts = 0
    for level, decibels in enumerate(LOUDNESSES):
        streams = [_stream(samples, decibels, voice, level) for voice, samples in enumerate(sentences)]
        found = [heard(stream, recogniser, f"{decibels:g} dB").phrases for stream in streams]
        phrases = [phrase for stream in found for phrase in stream]
        starts += sum(map(_starts, found))
        everything += phrases
        rows += _taken(f"{decibels:g} dB", phrases)
        if decibels == CONTROL:
            rows += _control([heard(stream, control).phrases for stream in streams])
    pairs = len(everything) * (len(everything) - 1)
    bound = sum(_count(everything, {one}) * _count(everything, {two}) for one, two in CONFIRMATIONS.items())
    unbound = _count(everything, MOVING_PHRASES) * _count(everything, CONFIRM_PHRASES)
    return [
        *rows,
        row(f"wrong starts among {len(everything)} sentences one after the other", [starts], "", "0"),
        row(f"wrong starts among {pairs:,} ordered pairs of any two of them", [bound], "", "reported"),
        row("  if any confirmation confirmed any command", [unbound], ""),
    ]


def _stream(samples: Sequence[Floats], decibels: float, voice: int, level: int) -> list[Utterance]:
    """Return the sentences of a voice at one loudness."""
    chosen = [k for k in range(len(samples)) if (k + voice + level) % SHARES == 0]
    return [Utterance("", noisy(samples[k], decibels, 1000 * voice + k)) for k in chosen]


def _taken(where: str, phrases: Sequence[str]) -> list[Row]:
    """Return the shares of other sentences that were heard as a phrase, in per cent."""
    share, bar = 100.0 / len(phrases), "reported"
    return [
        row(f"sentences heard as a phrase, {where}", [100.0 - share * _count(phrases, {""})], "%", bar),
        row(f"  other than stop, {where}", [100.0 - share * _count(phrases, {STOP_PHRASE, ""})], "%", bar),
        row(f"  that starts a motion, {where}", [share * _count(phrases, MOVING_PHRASES)], "%", bar),
        row(f"  that confirms one, {where}", [share * _count(phrases, CONFIRM_PHRASES)], "%", bar),
    ]


def _control(found: Sequence[Sequence[str]]) -> list[Row]:
    phrases = [phrase for stream in found for phrase in stream]
    return [
        row(
            f"  without rejection, as a phrase that starts a motion, {CONTROL:g} dB",
            [100.0 * _count(phrases, MOVING_PHRASES) / len(phrases)],
            "%",
        ),
        row("  without rejection, wrong starts", [sum(map(_starts, found))], ""),
    ]


def _count(phrases: Sequence[str], among: Set[str]) -> int:
    return sum(phrase in among for phrase in phrases)


def _starts(phrases: Sequence[str]) -> int:
    """Return how often a phrase that starts a motion is followed by its confirmation."""
    return sum(CONFIRMATIONS.get(one) == other for one, other in pairwise(phrases))
