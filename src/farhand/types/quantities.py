"""What several stages of the flow speak of: joint vectors, how a tip moves, what is done to it."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Vec3

__all__ = ["Twist", "Vector", "Wrench"]

Vector = tuple[float, ...]


class Twist(Struct, frozen=True):
    """How a tip moves: velocity (m/s) and turn rate (rad/s), in the axes of the frame its pose is given in."""

    linear: Vec3 = (0.0, 0.0, 0.0)
    angular: Vec3 = (0.0, 0.0, 0.0)


class Wrench(Struct, frozen=True):
    """Force (N) and torque (Nm) at a point, in world axes where nothing else is said."""

    force: Vec3 = (0.0, 0.0, 0.0)
    torque: Vec3 = (0.0, 0.0, 0.0)
