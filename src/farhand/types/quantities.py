"""Quantities that several stages share: joint vectors, twists and wrenches."""

from __future__ import annotations

from msgspec import Struct

from farhand.poses import Vec3

__all__ = ["Twist", "Vector", "Wrench"]

Vector = tuple[float, ...]


class Twist(Struct, frozen=True):
    """A velocity (m/s) and a turn rate (rad/s), in the axes of the frame in which the pose is given."""

    linear: Vec3 = (0.0, 0.0, 0.0)
    angular: Vec3 = (0.0, 0.0, 0.0)


class Wrench(Struct, frozen=True):
    """A force (N) and a torque (Nm) at a point, in world axes unless stated otherwise."""

    force: Vec3 = (0.0, 0.0, 0.0)
    torque: Vec3 = (0.0, 0.0, 0.0)
