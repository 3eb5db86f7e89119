"""A tip that is led against something that grips keeps to its way where it goes nearly straight in.

Friction tilts the force that is felt, and the wall that is laid across it. What goes straight against something would
be bent along the tilted wall: it slides until friction turns round, and then back again.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.kinematics import Mechanism
from farhand.poses import Pose, Quaternion, Vec3, conjugate, rotate
from farhand.types import TipTrack, TipTwist, Wall

__all__ = ["stuck_joints", "stuck_to", "stuck_track"]

Floats = NDArray[np.float64]
# How much further from straight in than tips joints keep to their way: those that are jogged, and those with a plan.
JOGGED, PLANNED = 2.0, 16.0


def stuck_to(motion: TipTwist, walls: tuple[Wall, ...], tip: Quaternion) -> TipTwist:
    """Return a jog as walls that grip let it on.

    Args:
        motion: The jog.
        walls: What bounds the tip.
        tip: How the tip is turned in the base.
    """
    for wall in walls:
        if wall.grip > 0.0:
            normal = wall.normal if motion.frame == "base" else rotate(conjugate(tip), wall.normal)
            linear = _held(motion.linear, normal, wall)
            motion = motion if linear is motion.linear else replace(motion, linear=linear)
    return motion


def stuck_track(motion: TipTrack, walls: tuple[Wall, ...], tip: Pose, gain: float) -> TipTrack:
    """Return a track as walls that grip let it on: its target comes as near as they have it.

    Args:
        motion: The track.
        walls: What bounds the tip.
        tip: Where the tip is told to be now.
        gain: 1/s: how fast the servo works off what the tip is away from its target.
    """
    for wall in walls:
        if wall.grip > 0.0:
            (x, y, z), (a, b, c), (u, v, w) = motion.pose.position, tip.position, motion.linear
            way = (u + gain * (x - a), v + gain * (y - b), w + gain * (z - c))
            held = _held(way, wall.normal, wall)
            if held is not way:
                here = (a + held[0] / gain, b + held[1] / gain, c + held[2] / gain)
                motion = replace(motion, pose=Pose(here, motion.pose.rotation), linear=(0.0, 0.0, 0.0))
    return motion


def stuck_joints(wanted: Floats, walls: tuple[Wall, ...], chain: Mechanism, q: Floats, *, planned: bool) -> Floats:
    """Return joint rates as walls that grip let them on: all of them slower alike, so that the arm keeps to its way.

    Args:
        wanted: The rates that are asked for.
        walls: What bounds the tip.
        chain: The arm's kinematics.
        q: Where it is told to be now.
        planned: They follow a plan, which is kept to unless it leads along the wall.
    """
    for wall in walls:
        if wall.grip > 0.0:
            tip = chain.jacobian(q) @ wanted
            pressing = float(tip @ (*wall.normal, *wall.turn))
            if pressing > max(wall.speed, 0.0):
                share, straight = wall.speed / pressing, float(tip[:3] @ wall.normal)
                along = math.dist(tip[:3], np.multiply(straight, wall.normal))
                slides = _slides((PLANNED if planned else JOGGED) * wall.grip, pressing, along)
                wanted = (share + slides * (1.0 - share)) * wanted
    return wanted


def _slides(grip: float, pressing: float, along: float) -> float:
    """Return how much of a way along a wall is left by what it grips with: none close to straight in, soon all."""
    held = grip * pressing
    return 1.0 if along >= 2.0 * held else max(along / held - 1.0, 0.0)


def _held(way: Vec3, normal: Vec3, wall: Wall) -> Vec3:
    """Return a way as a wall that grips lets it on: shorter, never bent.

    What slides, the servo bends along the wall: it knows what else bounds the tip, and bends no more than it must.
    """
    (x, y, z), (nx, ny, nz) = way, normal
    pressing = nx * x + ny * y + nz * z
    if pressing <= max(wall.speed, 0.0):
        return way
    a, b, c = x - pressing * nx, y - pressing * ny, z - pressing * nz
    along, share = math.sqrt(a * a + b * b + c * c), wall.speed / pressing
    k = share + _slides(wall.grip, pressing, along) * (1.0 - share)
    return k * x, k * y, k * z
