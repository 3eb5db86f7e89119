"""Sticking: a tip that moves nearly straight into a contact is slowed, not deflected along it.

Friction tilts the contact force, and with it the wall that compliance puts across it. A motion straight into the
contact would be deflected along the tilted wall: it would slide until friction reverses, and then slide back. A turn
against a contact would be deflected likewise, and press elsewhere.
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
# Factors on the grip of a wall for joint motions: jogs and plans stick at flatter angles than tip motions.
JOGGED, PLANNED = 2.0, 16.0
# Joint motion that does not press on the wall counts as sliding, divided by this.
UNPRESSED = 16.0
ZERO: Vec3 = (0.0, 0.0, 0.0)


def stuck_to(motion: TipTwist, walls: tuple[Wall, ...], tip: Quaternion) -> TipTwist:
    """Return a jog, slowed where it sticks to a wall.

    Args:
        motion: The jog.
        walls: The walls that bound the tip.
        tip: Orientation of the tip in the base frame.
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
    """Return a track with its target moved back where it sticks to a wall.

    Args:
        motion: The track.
        walls: The walls that bound the tip.
        tip: The commanded pose of the tip.
        gain: Gain of the servo from pose error to velocity, 1/s.
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
                motion = replace(motion, pose=here, linear=ZERO)
            if share != 1.0 and any(wall.turn):
                turned = multiply(from_rotation_vector(times(share / gain, angular)), tip.rotation)
                motion = replace(motion, pose=Pose(motion.pose.position, turned), angular=ZERO)
    return motion


def stuck_joints(wanted: Floats, walls: tuple[Wall, ...], chain: Mechanism, q: Floats, *, planned: bool) -> Floats:
    """Return joint rates, all slowed by one factor where the tip sticks to a wall, so that the path stays the same.

    Args:
        wanted: The demanded rates.
        walls: The walls that bound the tip.
        chain: The arm's kinematics.
        q: The commanded joint positions.
        planned: Whether they follow a plan, which sticks unless it leads along the wall.
    """
    for wall in walls:
        if wall.grip > 0.0:
            jacobian = chain.jacobian(q)
            x, y, z, a, b, c = (jacobian @ wanted).tolist()
            grip = (PLANNED if planned else JOGGED) * wall.grip
            unpressed = 0.0 if planned else _unpressed(wanted, wall, jacobian) / UNPRESSED
            wanted = wanted * _share((x, y, z), (a, b, c), wall, grip, unpressed)
    return wanted


def _unpressed(wanted: Floats, wall: Wall, jacobian: Floats) -> float:
    """Return the speed into the wall that the part of a joint motion could cause which does not press on it.

    Joints that turn against each other hardly press, so deflecting them costs little of their path.
    """
    across = np.array(wall.normal + wall.turn) @ jacobian
    pressing, size = float(across @ wanted), float(across @ across)
    return math.sqrt(max(size * float(wanted @ wanted) - pressing * pressing, 0.0))


def _share(linear: Vec3, angular: Vec3, wall: Wall, grip: float, unpressed: float = 0.0) -> float:
    """Return the share of a motion (base axes) that a gripping wall allows; a negative share moves back.

    The motion is shortened here, never deflected. The servo deflects motions that slide: it knows all other bounds.
    """
    straight, turning = dot(wall.normal, linear), dot(wall.turn, angular)
    pressing = straight + turning
    if pressing <= max(wall.speed, 0.0):
        return 1.0
    # a wall that bounds only turning is passed by other turns
    along = _aside(linear, wall.normal, straight) if any(wall.normal) else _aside(angular, wall.turn, turning)
    share = wall.speed / pressing
    return share + _slides(grip, pressing, max(along, unpressed)) * (1.0 - share)


def _slides(grip: float, pressing: float, along: float) -> float:
    """Return the share of a sliding motion that a wall's grip leaves: 0 near straight in, rising quickly to 1."""
    held = grip * pressing
    return 1.0 if along >= 2.0 * held else max(along / held - 1.0, 0.0)


def _aside(motion: Vec3, normal: Vec3, straight: float) -> float:
    return math.dist(motion, times(straight, normal))
