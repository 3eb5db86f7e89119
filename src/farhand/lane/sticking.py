"""A jog against something that grips keeps to its way, and slides along it only out of the cone of friction.

Friction tilts the force that is felt, and the wall that is laid across it. A jog straight against something would be
bent along the tilted wall: it slides until friction turns round, and then back again.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from farhand.poses import Quaternion, conjugate, rotate
from farhand.types import TipTwist, Wall

__all__ = ["stuck_to"]


def stuck_to(motion: TipTwist, walls: tuple[Wall, ...], tip: Quaternion) -> TipTwist:
    """Return a jog as walls that grip let it on.

    Args:
        motion: The jog.
        walls: What bounds the tip.
        tip: How the tip is turned in the base.
    """
    for wall in walls:
        if wall.grip > 0.0:
            motion = _held(motion, wall, tip)
    return motion


def _held(motion: TipTwist, wall: Wall, tip: Quaternion) -> TipTwist:
    nx, ny, nz = wall.normal if motion.frame == "base" else rotate(conjugate(tip), wall.normal)
    x, y, z = motion.linear
    pressing = nx * x + ny * y + nz * z
    if pressing <= max(wall.speed, 0.0):
        return motion
    a, b, c = x - pressing * nx, y - pressing * ny, z - pressing * nz
    along, share = math.sqrt(a * a + b * b + c * c), wall.speed / pressing
    slides = max(0.0, 1.0 - wall.grip * pressing / along) if along > 0.0 else 0.0
    k = slides * (1.0 - share)  # what slides is not slowed
    return replace(motion, linear=(share * x + k * a, share * y + k * b, share * z + k * c))
