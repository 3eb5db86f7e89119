"""The drift of a tip that copies a hand: its shift and turn off the hand's path since the press that engaged it.

A target leads the tip by little (`kinematics/servo/target.py`): where the arm cannot keep up, the rest of the path is
dropped, and the tip comes back off by that much. Nothing else brings the tip off its path, so the drift is the sum of
all drops.
"""

from __future__ import annotations

import math

from farhand.kernels import Floats
from farhand.poses import Pose, Vec3, rotate
from farhand.types import Note, Quantity, TipTwist, Vector

__all__ = ["ON_PATH", "add_drop", "carried_notes", "slowed_by"]

ON_PATH: Vector = (0.0,) * 6  # shift (m) and turn (rad), base axes
MIN_SHIFT_M, MIN_TURN_RAD = 1e-4, 2e-3  # less is not worth a note


def slowed_by(asked: TipTwist, left: TipTwist, T_base_tip: Pose, dt: float) -> Vector:
    """Return the shift and turn that slowing took from a twist in this tick, base axes."""
    if left is asked:
        return ON_PATH
    shift = _base(asked.frame == "tool", asked.linear, left.linear, T_base_tip, dt)
    return shift + _base(asked.turn_frame == "tool", asked.angular, left.angular, T_base_tip, dt)


def add_drop(carried: Vector, slowed: Vector, dropped: Floats) -> Vector:
    """Add this tick's dropped motion to the tip's drift."""
    drop = dropped.tolist()
    if slowed is ON_PATH and not any(drop):
        return carried
    return tuple([a + b + c for a, b, c in zip(carried, slowed, drop, strict=True)])


def carried_notes(carried: Vector) -> tuple[Note, ...]:
    """Return the note on the tip's drift off the hand's path, if it is large enough."""
    if carried is ON_PATH:
        return ()
    shift, turn = math.hypot(*carried[:3]), math.hypot(*carried[3:])
    if shift < MIN_SHIFT_M and turn < MIN_TURN_RAD:
        return ()
    return (Note("servo.carried", quantities=(Quantity("shift", shift, "m"), Quantity("turn", turn, "rad"))),)


def _base(tool: bool, asked: Vec3, left: Vec3, T_base_tip: Pose, dt: float) -> Vec3:
    (x, y, z), (a, b, c) = asked, left
    way = ((x - a) * dt, (y - b) * dt, (z - c) * dt)
    return rotate(T_base_tip.rotation, way) if tool else way
