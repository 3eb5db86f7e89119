"""The scales of the hand's motion that an operator steps through: coarse for approach, fine for work."""

from __future__ import annotations

import math

from farhand.types import Vector

__all__ = ["LARGEST", "SCALES", "SMALLEST", "next_scale"]

SMALLEST, LARGEST = 0.02, 50.0
SCALES: Vector = (1.0, 0.5, 0.2, 0.05)
"""Default scales, for a robot whose cell file names none."""


def next_scale(scales: Vector, now: float, steps: int = 1) -> float:
    """Return the scale some steps after the one nearest to the present scale; the first follows the last.

    Args:
        scales: The available scales.
        now: The present scale, not necessarily one of them.
        steps: Number of presses of the button.
    """
    nearest = min(range(len(scales)), key=lambda i: abs(math.log(scales[i] / now)))
    return scales[(nearest + steps) % len(scales)]
