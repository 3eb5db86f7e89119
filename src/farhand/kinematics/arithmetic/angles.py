"""Kernels for angles: the equivalent angle nearest to a seed within limits, and the solutions of a·cos + b·sin = c."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import kernel

__all__ = ["TURN", "nearest_turn", "two_angles"]

TURN = 2.0 * math.pi


@kernel()
def nearest_turn(angle: float, seed: float, lower: float, upper: float, slack: float) -> float:
    """Return the equivalent angle nearest to the seed within limits; nan if there is none.

    Args:
        angle: Radians.
        seed: Angle to stay near, radians.
        lower: Lower limit, or minus infinity.
        upper: Upper limit, or infinity.
        slack: Radians by which rounding may pass a limit; such an angle is clamped.
    """
    # nearest equivalent angle, limits ignored
    turned = float(angle + TURN * np.round((seed - angle) / TURN))
    # whole turns back inside
    if turned > upper + slack:
        turned -= TURN * math.ceil((turned - upper - slack) / TURN)
    if turned < lower - slack:
        turned += TURN * math.ceil((lower - slack - turned) / TURN)
    # none inside
    if not turned <= upper + slack:  # nan too
        return math.nan
    return min(max(turned, lower), upper)


@kernel()
def two_angles(a: float, b: float, c: float, slack: float) -> tuple[bool, float, float]:
    """Return whether a·cos x + b·sin x = c has solutions, and its two solutions: x = atan2(b, a) ± acos(c/√(a² + b²)).

    Args:
        a: Factor of the cosine.
        b: Factor of the sine.
        c: Right side; if it exceeds √(a² + b²) by no more than the slack it counts as equal.
        slack: Tolerance, in the units of a, b and c.
    """
    # amplitude; none of the angles reach beyond it
    size = math.sqrt(a * a + b * b)
    if abs(c) > size + slack:
        return False, 0.0, 0.0
    # symmetric about the phase
    middle = math.atan2(b, a)
    away = math.atan2(math.sqrt(max((size - c) * (size + c), 0.0)), c)
    return True, middle + away, middle - away
