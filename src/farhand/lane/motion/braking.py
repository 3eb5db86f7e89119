"""How hard the joints of an arm can brake its tip."""

from __future__ import annotations

import math
from operator import truediv

from farhand.types import Vector

__all__ = ["tip_brakes"]

SHARE = 0.8  # of the joints' accelerations: the rest is for their jerk limit, and for paths that bend
LEAST = 0.05  # m/s²


def tip_brakes(speed: float, rates: Vector, accelerations: Vector) -> float:
    """Return the deceleration (m/s²) with which the joints can stop the tip on its way.

    All of them brake at once, so that the tip keeps its path: the slowest takes T = max |q̇_i|/a_i, and b = v/T.

    Args:
        speed: m/s of the tip.
        rates: Of the joints.
        accelerations: That they can do.
    """
    longest = max(map(truediv, map(abs, rates), accelerations), default=0.0)
    return max(SHARE * speed / longest, LEAST) if longest > 0.0 else math.inf
