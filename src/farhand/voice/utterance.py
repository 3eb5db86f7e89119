"""One utterance: what is spoken while the talk key is held, as samples."""

from __future__ import annotations

__all__ = ["BYTES_PER_SECOND", "LONGEST", "MOST_BYTES", "RATE", "SHORTEST", "utterance_problem"]

RATE = 16_000
"""Samples a second, each an int16, little-endian, one channel."""
SHORTEST = 0.25  # seconds; no phrase can be said in less
LONGEST = 4.0  # seconds
SAMPLE = 2  # bytes
BYTES_PER_SECOND = RATE * SAMPLE
MOST_BYTES = int(LONGEST * RATE) * SAMPLE


def utterance_problem(pcm: bytes) -> str:
    """Return why bytes are no utterance, as a sentence, or an empty text."""
    if len(pcm) % SAMPLE:
        return f"That was no speech: samples have {SAMPLE} bytes, and there were {len(pcm)} bytes."
    if len(pcm) > MOST_BYTES:
        return f"That was too long. Say one phrase, in at most {LONGEST:g} seconds."
    if len(pcm) < SHORTEST * RATE * SAMPLE:
        return "That was too short. Hold the talk key while you speak."
    return ""
