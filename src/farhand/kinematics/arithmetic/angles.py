"""Kernels for angles on a circle: turned to where a seed is near and limits allow, or solving a·cos + b·sin = c."""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import kernel

__all__ = ["TURN", "nearest_turn", "two_angles"]

TURN = 2.0 * math.pi


@kernel()
def nearest_turn(angle: float, seed: float, lower: float, upper: float, slack: float) -> float:
    """Return the angle, turned by whole turns, that is nearest to the seed within limits; nan if none is.

    Args:
        angle: Radians.
        seed: Radians to stay near.
        lower: Limit, or minus infinity.
        upper: Limit, or infinity.
        slack: Radians by which rounding may leave the limits; what does is put onto them.
    """
    turned = float(angle + TURN * np.round((seed - angle) / TURN))
    if turned > upper + slack:
        turned -= TURN * math.ceil((turned - upper - slack) / TURN)
    if turned < lower - slack:
        turned += TURN * math.ceil((lower - slack - turned) / TURN)
    if not turned <= upper + slack:  # nan too
        return math.nan
    return min(max(turned, lower), upper)


@kernel()
def two_angles(a: float, b: float, c: float, slack: float) -> tuple[bool, float, float]:
    """Return whether a·cos x + b·sin x = c has solutions, and both: x = atan2(b, a) ± acos(c/√(a² + b²)).

    Args:
        a: Factor of the cosine.
        b: Factor of the sine.
        c: Right side; beyond √(a² + b²) by no more than the slack it counts as equal to it.
        slack: In the units of a, b and c.
    """
    size = math.sqrt(a * a + b * b)
    if abs(c) > size + slack:
        return False, 0.0, 0.0
    middle = math.atan2(b, a)
    away = math.atan2(math.sqrt(max((size - c) * (size + c), 0.0)), c)
    return True, middle + away, middle - away
