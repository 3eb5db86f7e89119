"""Leading the tip after a moving pose: the speed, the lead over the set-point, and the axes."""

from __future__ import annotations

import math

from farhand.poses import Pose, Quaternion, Vec3, angle_between, conjugate, interpolate, rotate
from farhand.types import Frame

__all__ = ["BASE", "CLOSING", "Frames", "capped", "kept_near", "pursued", "seen_in"]

Frames = tuple[Frame, Frame]
BASE: Frames = ("base", "base")
CLOSING = 25.0  # 1/s: gain that closes the last of a distance
LEAD, TURN_LEAD, LEAD_TIME = 0.002, 0.01, 0.05  # m, rad, s: greatest lead of a track over the set-point


def seen_in(frames: Frames, before: Frames, linear: Vec3, angular: Vec3, tip: Quaternion) -> tuple[Vec3, Vec3]:
    """Return two vectors in the axes now in use.

    Args:
        frames: Those axes, of the first vector and of the second.
        before: The axes in which they are given.
        linear: The first vector.
        angular: The second vector.
        tip: Orientation of the tip in the base.
    """
    if before == frames:
        return linear, angular
    return _seen(frames[0], before[0], linear, tip), _seen(frames[1], before[1], angular, tip)


def _seen(frame: Frame, before: Frame, vector: Vec3, tip: Quaternion) -> Vec3:
    if frame == before:
        return vector
    return rotate(tip if frame == "base" else conjugate(tip), vector)


def kept_near(pose: Pose, tip: Pose, linear: Vec3, angular: Vec3) -> Pose:
    """Return a pose moved so close to the tip's set-point that the set-point can follow.

    Where a limit stops the arm, the lead waits for it, so that the way back begins at once.
    """
    away = math.dist(pose.position, tip.position)
    most = LEAD + LEAD_TIME * math.hypot(*linear)
    if away > most:
        pose = Pose(_between(tip.position, pose.position, most / away), pose.rotation)
    turned = angle_between(pose.rotation, tip.rotation)
    most = TURN_LEAD + LEAD_TIME * math.hypot(*angular)
    if turned > most:
        pose = Pose(pose.position, interpolate(tip, pose, most / turned).rotation)
    return pose


def _between(a: Vec3, b: Vec3, share: float) -> Vec3:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


def pursued(way: Vec3, moving: Vec3, top: float, braking: float, dt: float) -> tuple[Vec3, bool]:
    """Return the velocity that meets a moving target, and whether the top speed prevents that.

    Args:
        way: Vector to the target's present position.
        moving: Velocity of the target.
        top: Top speed.
        braking: Deceleration that may be used.
        dt: Seconds of the tick; the target is met at its end.
    """
    # The target is given for the end of this tick, so its own motion within the tick comes off the distance.
    rest = (way[0] - moving[0] * dt, way[1] - moving[1] * dt, way[2] - moving[2] * dt)
    left, b = math.sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]), braking
    near = b / (CLOSING * CLOSING)
    speed = CLOSING * left if left <= near else math.sqrt(2.0 * b * (left - 0.5 * near))
    k = speed / left if left > 0.0 else 0.0
    return capped((moving[0] + k * rest[0], moving[1] + k * rest[1], moving[2] + k * rest[2]), top)


def capped(v: Vec3, most: float) -> tuple[Vec3, bool]:
    """Return a vector shortened to a greatest length, and whether it was longer."""
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if length <= most:
        return v, False
    k = most / length
    return (v[0] * k, v[1] * k, v[2] * k), True
