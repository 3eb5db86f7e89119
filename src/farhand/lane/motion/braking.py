"""The deceleration that the joints of an arm can give its tip."""

from __future__ import annotations

import math
from operator import truediv

from farhand.types import Vector

__all__ = ["tip_brakes"]

BRAKING_SHARE = 0.8  # of the joints' accelerations; the rest is for their jerk limit and for curved paths
MIN_BRAKING_MPS2 = 0.05


def tip_brakes(speed: float, rates: Vector, accelerations: Vector) -> float:
    """Return the deceleration (m/s²) with which the joints can stop the tip on its path.

    All joints brake together, so that the tip keeps its path: the slowest takes T = max |q̇_i|/a_i, and b = v/T.

    Args:
        speed: Speed of the tip, m/s.
        rates: Rates of the joints.
        accelerations: Their acceleration limits.
    """
    longest = max(map(truediv, map(abs, rates), accelerations), default=0.0)
    return max(BRAKING_SHARE * speed / longest, MIN_BRAKING_MPS2) if longest > 0.0 else math.inf
