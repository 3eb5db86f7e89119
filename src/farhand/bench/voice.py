"""Spoken commands: how many are understood, what else is taken for one, and how long that takes.

Spoken by espeak-ng, several voices at several speeds, with several levels of noise. The control takes
whatever was said for the phrase that is nearest to it.
"""

from __future__ import annotations

import math
import shutil
import subprocess
import tempfile
import time
import wave
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
from msgspec import Struct

from farhand.bench.rows import Row, row
from farhand.errors import FarhandError
from farhand.kernels import Floats
from farhand.net.started import started
from farhand.net.visitor import Visitor
from farhand.types import Stop
from farhand.voice.recogniser import Recogniser
from farhand.voice.utterance import RATE
from farhand.voice.vocabulary import MOVING_PHRASES, PHRASES, STOP_PHRASE

__all__ = ["measure"]

VOICES = (("en-us", 160), ("en-us+f2", 150), ("en-us+m3", 190), ("en-gb", 160), ("en-gb+f4", 180), ("en-us+m7", 130))
NOISES = (30.0, 20.0, 12.0)  # dB by which speech is louder
STOPPED = ("stop", "stop stop", "stop stop stop")
STOP_VOICES = (*VOICES, ("en-gb-scotland", 150), ("en-029", 170), ("en-us+f5", 200))
STOP_NOISES = (*NOISES, 6.0)
STOP_SEEDS = 3  # noises of each loudness
OTHERS = (
    *("hello", "please", "coffee", "the robot is here", "what time is it", "open the door", "never mind", "left"),
    *("thank you very much", "look at that", "one two three", "can you hear me", "okay", "let me see", "power"),
    *("move it over there", "wait a moment", "pick it up", "turn around", "good morning", "nothing", "speed", "go on"),
    *("phone home", "hour on", "cold", "preset", "slow", "fast", "lower", "scan two", "speak to me", "scale"),
)
STOPS = 20
SOUNDS = 20  # of each kind
LOUDEST = 16_000.0
MARGIN = 0.15  # seconds of silence before and after


class Utterance(Struct, frozen=True):
    """Something spoken, and which phrase it is; empty for none."""

    phrase: str
    pcm: bytes


class Heard(Struct, frozen=True):
    """How a recogniser did: what it heard of each utterance, and the milliseconds that took."""

    phrases: tuple[str, ...]
    spent: tuple[float, ...]


def measure() -> list[Row]:
    """Return the rows of this benchmark.

    Raises:
        FarhandError: If there is no espeak-ng to speak.
    """
    if shutil.which("espeak-ng") is None:
        raise FarhandError(
            "espeak-ng speaks in this benchmark, and is not installed (Debian: apt-get install espeak-ng)"
        )
    ours, control = Recogniser(), Recogniser(doubts=False)
    spoken = {text: [_spoken(text, voice, speed) for voice, speed in VOICES] for text in (*PHRASES, *OTHERS)}
    rows: list[Row] = []
    for decibels in NOISES:
        said = [Utterance(p, _noisy(s, decibels, k)) for p in PHRASES for k, s in enumerate(spoken[p])]
        rows += _understood(f"speech {decibels:g} dB above noise", said, ours, control)
        if decibels == NOISES[0]:
            rows += _each(said, ours)
    others = [Utterance("", _noisy(s, NOISES[0], k)) for text in OTHERS for k, s in enumerate(spoken[text])]
    rows += _stops(ours, control) + _taken(others, ours, control) + _sounds(ours, control)
    return rows + _until_stopped(_noisy(spoken["stop"][0], NOISES[0], 0))


def _understood(where: str, said: list[Utterance], ours: Recogniser, control: Recogniser) -> list[Row]:
    first, second = _heard(said, ours), _heard(said, control)
    return [
        row(f"phrases understood, {where}", [_share(said, first, right=True)], "%", "printed"),
        row("  without doubts", [_share(said, second, right=True)], "%"),
        row("phrases taken for another one that is no stop", [_harm(said, first)], "%", "≤ 2 %"),
        row("  without doubts", [_harm(said, second)], "%"),
        row("time for an utterance", first.spent, "ms", "≤ 150 ms"),
        row("  without doubts", second.spent, "ms"),
    ]


def _each(said: list[Utterance], ours: Recogniser) -> list[Row]:
    """Return how often each phrase is understood, and how fast."""
    rows = []
    for phrase in PHRASES:
        mine = [utterance for utterance in said if utterance.phrase == phrase]
        heard = _heard(mine, ours)
        share, spent = _share(mine, heard, right=True), float(np.median(heard.spent))
        rows.append(row(f"  “{phrase}” ({spent:.0f} ms)", [share], "%", "printed"))
    return rows


def _stops(ours: Recogniser, control: Recogniser) -> list[Row]:
    """Return what becomes of a stop that is said once, twice and three times, also where it is loud."""
    spoken = [_spoken(text, voice, speed) for text in STOPPED for voice, speed in STOP_VOICES]
    rows, starts, control_starts, asked = [], 0, 0, 0
    for decibels in STOP_NOISES:
        said = [
            Utterance(STOP_PHRASE, _noisy(samples, decibels, STOP_SEEDS * k + seed))
            for k, samples in enumerate(spoken)
            for seed in range(STOP_SEEDS)
        ]
        first, second = _heard(said, ours), _heard(said, control)
        rows += [
            row(f"stops understood, {decibels:g} dB above noise", [_share(said, first, right=True)], "%", "printed"),
            row("  without doubts", [_share(said, second, right=True)], "%"),
            row("  taken for another phrase", [_share(said, first, right=False)], "%", "printed"),
        ]
        starts, control_starts = starts + _starts(first), control_starts + _starts(second)
        asked += len(said)
    return [
        *rows,
        row(f"stops taken for a phrase that starts a motion, of {asked}", [starts], "", "0"),
        row("  without doubts", [control_starts], ""),
    ]


def _starts(heard: Heard) -> int:
    """Return how many were heard as a phrase that starts a motion, or lets one start."""
    return sum(phrase in MOVING_PHRASES for phrase in heard.phrases)


def _taken(others: list[Utterance], ours: Recogniser, control: Recogniser) -> list[Row]:
    first, second = _heard(others, ours), _heard(others, control)
    return [
        row("other speech taken for a phrase", [_share(others, first, right=False)], "%", "printed"),
        row("  without doubts", [_share(others, second, right=False)], "%"),
        row("  taken for one that is no stop", [_harm(others, first)], "%", "printed"),
    ]


def _sounds(ours: Recogniser, control: Recogniser) -> list[Row]:
    """Return how often noise, hum and clicks are taken for something."""
    rng, length = np.random.default_rng(0), int(1.5 * RATE)
    times = np.arange(length) / RATE
    made = [rng.normal(0.0, 10.0 ** rng.uniform(1.5, 3.5), length) for _ in range(SOUNDS)]
    made += [3000.0 * np.sin(2 * np.pi * rng.uniform(40.0, 400.0) * times) for _ in range(SOUNDS)]
    made += [np.where(rng.random(length) < 2e-3, 8000.0, 0.0) for _ in range(SOUNDS)]
    sounds = [Utterance("", np.clip(sound, -32768, 32767).astype("<i2").tobytes()) for sound in made]
    first, second = _heard(sounds, ours), _heard(sounds, control)
    return [
        row("noise, hum and clicks taken for a phrase", [_share(sounds, first, right=False)], "%", "printed"),
        row("  without doubts", [_share(sounds, second, right=False)], "%"),
        row("  taken for one that is no stop", [_harm(sounds, first)], "%", "printed"),
    ]


def _until_stopped(stop: bytes) -> list[Row]:
    """Return how long after the last sound a live robot is stopped, and how long after a press."""
    said, pressed = [], []
    with started("irb120") as server, Visitor(server.address) as me:
        me.take_control()
        me.say(stop)  # starts the process
        for _ in range(STOPS):
            said.append(_spent(lambda: me.say(stop)))
            pressed.append(_spent(lambda: me.command(Stop())))
    return [
        row("“stop” until the cell has stopped, from the last sound", said, "ms", "≤ 200 ms"),
        row("  Stop pressed", pressed, "ms"),
    ]


def _spent(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - begin)


def _heard(said: Iterable[Utterance], recogniser: Recogniser) -> Heard:
    phrases, spent = [], []
    for utterance in said:
        begin = time.perf_counter()
        phrases.append(recogniser.hear(utterance.pcm).phrase)
        spent.append(1e3 * (time.perf_counter() - begin))
    return Heard(tuple(phrases), tuple(spent))


def _share(said: list[Utterance], heard: Heard, *, right: bool) -> float:
    """Return how many of a hundred were heard as they were said, or as some other phrase."""
    pairs = zip(said, heard.phrases, strict=True)
    hits = [phrase != "" and (phrase == utterance.phrase) == right for utterance, phrase in pairs]
    return 100.0 * float(np.mean(hits))


def _harm(said: list[Utterance], heard: Heard) -> float:
    """Return how many of a hundred were heard as some other phrase that does more than stop."""
    pairs = zip(said, heard.phrases, strict=True)
    return 100.0 * float(np.mean([phrase not in ("", STOP_PHRASE, utterance.phrase) for utterance, phrase in pairs]))


def _spoken(text: str, voice: str, speed: int) -> Floats:
    """Return a text as espeak-ng speaks it, at our rate."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spoken.wav"
        subprocess.run(["espeak-ng", "-v", voice, "-s", str(speed), "-w", str(path), text], check=True)
        with wave.open(str(path)) as file:
            rate, samples = file.getframerate(), np.frombuffer(file.readframes(file.getnframes()), "<i2").astype(float)
    loud = np.flatnonzero(np.abs(samples) > 300)
    return _resampled(samples[loud[0] : loud[-1] + 1], rate)


def _resampled(samples: Floats, rate: int) -> Floats:
    """Return samples at our rate: their spectrum, cut off where ours ends."""
    length = math.ceil(len(samples) * RATE / rate)
    spectrum = np.fft.rfft(samples)[: length // 2 + 1]
    made = np.fft.irfft(spectrum, length)
    loudest: Floats = made * (LOUDEST / np.max(np.abs(made)))
    return loudest


def _noisy(samples: Floats, decibels: float, seed: int) -> bytes:
    """Return an utterance with noise, the same for the same seed, and a little silence on either side."""
    margin = np.zeros(int(MARGIN * RATE))
    loudness = math.sqrt(float(np.mean(samples**2))) / 10 ** (decibels / 20)
    whole = np.concatenate((margin, samples, margin))
    noise = np.random.default_rng(seed).normal(0.0, loudness, len(whole))
    return bytes(np.clip(whole + noise, -32768, 32767).astype("<i2").tobytes())
