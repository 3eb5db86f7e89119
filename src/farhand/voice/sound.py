"""Prepare speech for the recogniser, and measure how much of the loud sound it explains."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from farhand.voice.utterance import RATE

__all__ = ["is_silent", "levelled", "share_within"]

LEVEL = 12_000.0  # 99 of 100 samples stay below it
SILENCE = 8.0  # sound below this level is silence
MAX_GAIN = 30.0
NOISE = 30.0  # standard deviation of the added noise
FRAME = RATE // 100  # samples; the recogniser counts in hundredths of a second
TOLERANCE = 3  # frames by which the ends of words may be off
LOUD_SHARE = 0.4  # of the loudness of the loudest frames; quieter frames may be noise


def is_silent(pcm: bytes) -> bool:
    """Return whether samples (int16) are silent, a constant signal included."""
    samples = np.frombuffer(pcm, "<i2").astype(np.float64)
    return float(np.percentile(np.abs(samples - np.mean(samples)), 99)) <= SILENCE


def levelled(pcm: bytes) -> bytes:
    """Return samples (int16) at a standard level, with added noise that is the same for the same samples.

    Browsers remove all noise between words. The model was trained on speech in rooms: without a noise floor it
    understands next to nothing.
    """
    samples = np.frombuffer(pcm, "<i2").astype(np.float64)
    loudness = float(np.percentile(np.abs(samples), 99))
    gain = min(LEVEL / loudness, MAX_GAIN) if loudness > SILENCE else 1.0
    noise = np.random.default_rng(0).normal(0.0, NOISE, len(samples))
    return bytes(np.clip(gain * samples + noise, -32768, 32767).astype("<i2").tobytes())


def share_within(sound: bytes, spans: Iterable[tuple[int, int]]) -> float:
    """Return the share of the loud frames that lies within spans of frames, their ends included."""
    samples = np.frombuffer(sound, "<i2").astype(np.float64)
    frames = samples[: len(samples) // FRAME * FRAME].reshape(-1, FRAME)
    loudness = np.sqrt(np.mean(frames**2, axis=1))
    loud = loudness > LOUD_SHARE * np.percentile(loudness, 90)
    within = np.zeros(len(loud), dtype=bool)
    for first, last in spans:
        within[max(0, first - TOLERANCE) : last + TOLERANCE + 1] = True
    return float(np.mean(within[loud])) if loud.any() else 0.0
