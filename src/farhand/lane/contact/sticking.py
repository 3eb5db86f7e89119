"""A tip that is led against something that grips keeps to its way where it goes nearly straight in.

Friction tilts the force that is felt, and the wall that is laid across it. What goes straight against something would
be bent along the tilted wall: it slides until friction turns round, and then back again. What turns against something
would likewise be led aside, and press there.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.kinematics import Mechanism
from farhand.poses import Pose, Quaternion, Vec3, conjugate, from_rotation_vector, multiply, rotate, rotation_vector
from farhand.types import TipTrack, TipTwist, Wall
from farhand.vectors import dot, times

__all__ = ["stuck_joints", "stuck_to", "stuck_track"]

Floats = NDArray[np.float64]
# How much further from straight in than tips joints keep to their way: those that are jogged, and those with a plan.
JOGGED, PLANNED = 2.0, 16.0
# How much more joints must turn elsewhere than against the wall, to be bent as if the tip slid.
ELSEWHERE = 16.0
NOWHERE: Vec3 = (0.0, 0.0, 0.0)


def stuck_to(motion: TipTwist, walls: tuple[Wall, ...], tip: Quaternion) -> TipTwist:
    """Return a jog as walls that grip let it on.

    Args:
        motion: The jog.
        walls: What bounds the tip.
        tip: How the tip is turned in the base.
    """
    for wall in walls:
        if wall.grip > 0.0:
            linear = motion.linear if motion.frame == "base" else rotate(tip, motion.linear)
            angular = motion.angular if motion.turn_frame == "base" else rotate(tip, motion.angular)
            share = _share(linear, angular, wall, wall.grip)
            if share != 1.0 and any(wall.normal):
                motion = replace(motion, linear=times(share, motion.linear))
            if share != 1.0 and any(wall.turn):
                motion = replace(motion, angular=times(share, motion.angular))
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
            linear = (u + gain * (x - a), v + gain * (y - b), w + gain * (z - c))
            e, f, g = rotation_vector(multiply(motion.pose.rotation, conjugate(tip.rotation)))
            r, s, t = motion.angular
            angular = (r + gain * e, s + gain * f, t + gain * g)
            share = _share(linear, angular, wall, wall.grip)
            if share != 1.0 and any(wall.normal):
                x, y, z = times(share / gain, linear)
                here = Pose((a + x, b + y, c + z), motion.pose.rotation)
                motion = replace(motion, pose=here, linear=NOWHERE)
            if share != 1.0 and any(wall.turn):
                turned = multiply(from_rotation_vector(times(share / gain, angular)), tip.rotation)
                motion = replace(motion, pose=Pose(motion.pose.position, turned), angular=NOWHERE)
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
            jacobian = chain.jacobian(q)
            x, y, z, a, b, c = (jacobian @ wanted).tolist()
            grip = (PLANNED if planned else JOGGED) * wall.grip
            elsewhere = 0.0 if planned else _elsewhere(wanted, wall, jacobian) / ELSEWHERE
            wanted = wanted * _share((x, y, z), (a, b, c), wall, grip, elsewhere)
    return wanted


def _elsewhere(wanted: Floats, wall: Wall, jacobian: Floats) -> float:
    """Return how fast joints could press a wall with what they turn elsewhere.

    Two that turn against each other press with next to nothing: little of their way is lost where they are bent.
    """
    across = np.array(wall.normal + wall.turn) @ jacobian
    pressing, size = float(across @ wanted), float(across @ across)
    return math.sqrt(max(size * float(wanted @ wanted) - pressing * pressing, 0.0))


def _share(linear: Vec3, angular: Vec3, wall: Wall, grip: float, elsewhere: float = 0.0) -> float:
    """Return which share of a way, base axes, a wall lets on that grips: shorter, never bent; below zero it goes back.

    What slides, the servo bends along the wall: it knows what else bounds the tip, and bends no more than it must.
    """
    straight, turning = dot(wall.normal, linear), dot(wall.turn, angular)
    pressing = straight + turning
    if pressing <= max(wall.speed, 0.0):
        return 1.0
    # aside of a wall that only bounds turning are the other turns
    along = _aside(linear, wall.normal, straight) if any(wall.normal) else _aside(angular, wall.turn, turning)
    share = wall.speed / pressing
    return share + _slides(grip, pressing, max(along, elsewhere)) * (1.0 - share)


def _slides(grip: float, pressing: float, along: float) -> float:
    """Return how much of a way along a wall is left by what it grips with: none close to straight in, soon all."""
    held = grip * pressing
    return 1.0 if along >= 2.0 * held else max(along / held - 1.0, 0.0)


def _aside(way: Vec3, normal: Vec3, straight: float) -> float:
    return math.dist(way, times(straight, normal))
