"""Speech as the recogniser likes it, and how much of what is loud in it was understood."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from farhand.voice.utterance import RATE

__all__ = ["is_silent", "levelled", "share_within"]

LOUD = 12_000.0  # what 99 of 100 samples shall stay below
SILENT = 8.0  # what is less loud than that has nothing to be made louder
MOST_GAIN = 30.0
FLOOR = 30.0  # of the noise that is added
FRAME = RATE // 100  # samples; the recogniser counts in hundredths of a second
AROUND = 3  # frames by which the ends of words may be off
HEARD = 0.4  # of the loudest frames' loudness; what is less may be noise


def is_silent(pcm: bytes) -> bool:
    """Return whether samples, int16, have no sound in them; one that never changes is none."""
    samples = np.frombuffer(pcm, "<i2").astype(np.float64)
    return float(np.percentile(np.abs(samples - np.mean(samples)), 99)) <= SILENT


def levelled(pcm: bytes) -> bytes:
    """Return samples, int16, at one loudness and with a floor of noise, the same for the same samples.

    Browsers take noise away until nothing is left between words. The model has only heard rooms: without the floor it
    understands next to nothing.
    """
    samples = np.frombuffer(pcm, "<i2").astype(np.float64)
    loudness = float(np.percentile(np.abs(samples), 99))
    gain = min(LOUD / loudness, MOST_GAIN) if loudness > SILENT else 1.0
    noise = np.random.default_rng(0).normal(0.0, FLOOR, len(samples))
    return bytes(np.clip(gain * samples + noise, -32768, 32767).astype("<i2").tobytes())


def share_within(sound: bytes, spans: Iterable[tuple[int, int]]) -> float:
    """Return how much of what is loud in some samples lies within spans of frames, their last ones included."""
    samples = np.frombuffer(sound, "<i2").astype(np.float64)
    frames = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME)
    loudness = np.sqrt(np.mean(frames**2, axis=1))
    loud = loudness > HEARD * np.percentile(loudness, 90)
    within = np.zeros(len(loud), dtype=bool)
    for first, last in spans:
        within[max(0, first - AROUND) : last + AROUND + 1] = True
    return float(np.mean(within[loud])) if loud.any() else 0.0
