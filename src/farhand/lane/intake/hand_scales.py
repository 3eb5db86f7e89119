"""The scales of the hand's motion that an operator steps through: coarse for the way there, fine for the work."""

from __future__ import annotations

import math

from farhand.types import Vector

__all__ = ["LARGEST", "SCALES", "SMALLEST", "next_scale"]

SMALLEST, LARGEST = 0.02, 50.0
SCALES: Vector = (1.0, 0.5, 0.2, 0.05)
"""Those of a robot whose cell file names no others."""


def next_scale(scales: Vector, now: float, steps: int = 1) -> float:
    """Return the scale some steps on from the one that is nearest to what is chosen; the first follows the last.

    Args:
        scales: Those there are.
        now: The chosen one, which an operator may have chosen freely.
        steps: How often the button was pressed.
    """
    nearest = min(range(len(scales)), key=lambda i: abs(math.log(scales[i] / now)))
    return scales[(nearest + steps) % len(scales)]
