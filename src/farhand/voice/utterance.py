"""One utterance: the samples recorded while the talk key is held."""

from __future__ import annotations

__all__ = ["BYTES_PER_SECOND", "MAX_BYTES", "MAX_SECONDS", "MIN_SECONDS", "RATE", "utterance_problem"]

RATE = 16_000
"""Samples per second, each an int16, little-endian, one channel."""
MIN_SECONDS = 0.25  # no phrase is shorter
MAX_SECONDS = 4.0
SAMPLE = 2  # bytes
BYTES_PER_SECOND = RATE * SAMPLE
MAX_BYTES = int(MAX_SECONDS * RATE) * SAMPLE


def utterance_problem(pcm: bytes) -> str:
    """Return the problem of bytes that are not an utterance, as a sentence, or an empty text."""
    if len(pcm) % SAMPLE:
        return f"This is not speech: a sample has {SAMPLE} bytes, and {len(pcm)} bytes came."
    if len(pcm) > MAX_BYTES:
        return f"That was too long. Say one phrase, in at most {MAX_SECONDS:g} seconds."
    if len(pcm) < MIN_SECONDS * RATE * SAMPLE:
        return "That was too short. Hold the talk key while you speak."
    return ""
