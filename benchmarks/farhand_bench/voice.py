"""Spoken commands: recognition of tuned and unheard voices, and its latency."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence, Set

import numpy as np
from msgspec import Struct

from farhand.client.client import Client
from farhand.client.servers import running_server
from farhand.types import Stop
from farhand.voice.recogniser import Recogniser
from farhand.voice.utterance import RATE
from farhand.voice.vocabulary import (
    CONFIRM_PHRASES,
    CONFIRMATIONS,
    GUARDED_PHRASES,
    MOVING_PHRASES,
    PHRASES,
    STOP_PHRASE,
)
from farhand_bench.progress import shown
from farhand_bench.rows import Row, row
from farhand_bench.speakers import LOUDNESSES, TUNED, UNHEARD, Speaker, need_speakers, noisy, spoken

__all__ = ["Utterance", "heard", "measure"]

STOPPED = ("stop", "stop stop", "stop stop stop")
STOPS = 20
SOUNDS = 20  # of each kind
OTHERS = 8  # phrases that neither start nor confirm a motion, said by a voice at one loudness
SEED = 20
FREE_PHRASES = tuple(phrase for phrase in PHRASES if phrase not in GUARDED_PHRASES)


class Utterance(Struct, frozen=True):
    """A spoken phrase, or other speech or sound.

    Args:
        phrase: The phrase; empty for other speech or sound.
        pcm: Samples.
        said: Indices of voice and noise, the same for a command and its confirmation.
    """

    phrase: str
    pcm: bytes
    said: tuple[int, int] = (0, 0)


class Heard(Struct, frozen=True):
    """Results of a recogniser: the phrase heard in each utterance, and the milliseconds taken."""

    phrases: tuple[str, ...]
    spent: tuple[float, ...]


class Cast(Struct, frozen=True):
    """Voices that are measured together.

    Args:
        kind: "tuned" or "unheard".
        speakers: The voices.
        noises: Number of times that each says a phrase at one loudness, in different noise.
    """

    kind: str
    speakers: tuple[Speaker, ...]
    noises: int


CASTS = Cast("tuned", TUNED, 1), Cast("unheard", UNHEARD, 2)


def measure() -> list[Row]:
    """Return the rows of this benchmark, which takes about five minutes.

    Raises:
        FarhandError: If a speech program is missing.
    """
    need_speakers()
    recogniser = Recogniser()
    rows: list[Row] = []
    for cast in CASTS:
        rows += _commands(cast, recogniser)
        rows += _stops(cast.kind, cast.speakers, recogniser)
    return rows + _sounds(recogniser) + _until_stopped(noisy(spoken(STOP_PHRASE, TUNED[0]), LOUDNESSES[0], 0))


def _commands(cast: Cast, recogniser: Recogniser) -> list[Row]:
    """Return the shares of phrases understood at each loudness.

    Each voice says all phrases that start or confirm a motion, and a sample of the others.
    """
    jobs = [(phrase, speaker) for phrase in PHRASES for speaker in cast.speakers]
    voices = {job: spoken(*job) for job in shown(jobs, f"{cast.kind} voices speak")}
    rng = np.random.default_rng(SEED)
    rows: list[Row] = []
    for decibels in LOUDNESSES:
        said = [
            Utterance(phrase, noisy(voices[phrase, speaker], decibels, 100 * noise + k), (k, noise))
            for k, speaker in enumerate(cast.speakers)
            for noise in range(cast.noises)
            for phrase in (*sorted(GUARDED_PHRASES), *rng.choice(FREE_PHRASES, OTHERS, replace=False).tolist())
        ]
        result = heard(said, recogniser, f"{cast.kind} voices, {decibels:g} dB")
        rows += _understood(f"{cast.kind} voices", f"{decibels:g} dB", said, result)
    return rows


def _understood(who: str, where: str, said: Sequence[Utterance], result: Heard) -> list[Row]:
    bar = "reported"
    return [
        row(f"{who}: phrases understood, {where}", [_right(said, result)], "%", bar),
        row(f"{who}: those that start a motion, {where}", [_right(said, result, MOVING_PHRASES)], "%", bar),
        row(f"{who}: those that confirm one, {where}", [_right(said, result, CONFIRM_PHRASES)], "%", bar),
        row(f"{who}: command and its confirmation both understood, {where}", [_started(said, result)], "%", bar),
        row(f"{who}: heard as another phrase other than stop, {where}", [_harm(said, result)], "%", "≤ 2 %"),
        row(f"{who}: time for an utterance, {where}", result.spent, "ms", "≤ 250 ms"),
    ]


def _started(said: Sequence[Utterance], result: Heard) -> float:
    """Return the percentage of commands understood together with their confirmation, by the same voice."""
    right = {(one.phrase, one.said): one.phrase == phrase for one, phrase in zip(said, result.phrases, strict=True)}
    both = [
        right[command, who] and right[CONFIRMATIONS[command], who] for command, who in right if command in CONFIRMATIONS
    ]
    return 100.0 * float(np.mean(both))


def _right(said: Sequence[Utterance], result: Heard, among: Set[str] = frozenset(PHRASES)) -> float:
    """Return the percentage of utterances of some phrases heard correctly."""
    pairs = zip(said, result.phrases, strict=True)
    return 100.0 * float(np.mean([one.phrase == phrase for one, phrase in pairs if one.phrase in among]))


def _stops(kind: str, speakers: Sequence[Speaker], recogniser: Recogniser) -> list[Row]:
    """Return the shares of stops, said once, twice and three times, understood at each loudness."""
    stops = [spoken(text, speaker) for text in STOPPED for speaker in speakers]
    rows, starts, asked = [], 0, 0
    for decibels in LOUDNESSES:
        said = [Utterance(STOP_PHRASE, noisy(samples, decibels, k)) for k, samples in enumerate(stops)]
        result = heard(said, recogniser)
        rows.append(row(f"{kind} voices: stops understood, {decibels:g} dB", [_right(said, result)], "%", "reported"))
        starts += sum(phrase in GUARDED_PHRASES for phrase in result.phrases)
        asked += len(said)
    return [*rows, row(f"{kind} voices: stops heard as a motion or its confirmation, of {asked}", [starts], "", "0")]


def _sounds(recogniser: Recogniser) -> list[Row]:
    """Return the share of noises, hums and clicks heard as a phrase."""
    rng, length = np.random.default_rng(0), int(1.5 * RATE)
    times = np.arange(length) / RATE
    made = [rng.normal(0.0, 10.0 ** rng.uniform(1.5, 3.5), length) for _ in range(SOUNDS)]
    made += [3000.0 * np.sin(2 * np.pi * rng.uniform(40.0, 400.0) * times) for _ in range(SOUNDS)]
    made += [np.where(rng.random(length) < 2e-3, 8000.0, 0.0) for _ in range(SOUNDS)]
    sounds = [Utterance("", np.clip(sound, -32768, 32767).astype("<i2").tobytes()) for sound in made]
    result = heard(sounds, recogniser)
    return [
        row(
            "noise, hum and clicks heard as a phrase",
            [100.0 * float(np.mean([phrase != "" for phrase in result.phrases]))],
            "%",
            "reported",
        ),
        row("  heard as one other than stop", [_harm(sounds, result)], "%", "0 %"),
    ]


def _until_stopped(stop: bytes) -> list[Row]:
    """Return the time from the last sound until a live robot is stopped, and from a press."""
    first, said, pressed = [], [], []
    with running_server("irb120") as server, Client(server.address) as me:
        me.take_control()
        first.append(_spent(lambda: me.speak(stop)))  # starts the process
        for _ in range(STOPS):
            said.append(_spent(lambda: me.speak(stop)))
            pressed.append(_spent(lambda: me.command(Stop())))
    return [
        row("“stop”: from the last sound until the cell has stopped", said, "ms", "≤ 200 ms"),
        row("  the first one, which starts the recogniser", first, "ms", "reported"),
        row("  Stop pressed", pressed, "ms"),
    ]


def _spent(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - begin)


def heard(said: Sequence[Utterance], recogniser: Recogniser, doing: str = "listening") -> Heard:
    """Return the phrases that a recogniser hears in utterances; shows its progress."""
    phrases, spent = [], []
    for utterance in shown(said, doing):
        begin = time.perf_counter()
        phrases.append(recogniser.hear(utterance.pcm).phrase)
        spent.append(1e3 * (time.perf_counter() - begin))
    return Heard(tuple(phrases), tuple(spent))


def _harm(said: Sequence[Utterance], result: Heard) -> float:
    """Return the percentage heard as another phrase that does more than stop."""
    pairs = zip(said, result.phrases, strict=True)
    return 100.0 * float(np.mean([phrase not in ("", STOP_PHRASE, utterance.phrase) for utterance, phrase in pairs]))
