"""Demands of a source on a robot, one motion per group of joints, and the setpoints that result."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.poses import Pose, Vec3
from farhand.types.quantities import Vector

__all__ = [
    "HOLD",
    "STOP",
    "Demand",
    "DriveRate",
    "Frame",
    "GripRate",
    "GripTo",
    "Hold",
    "JointRates",
    "JointTrack",
    "Motion",
    "Setpoint",
    "TipTrack",
    "TipTwist",
    "Wall",
]

Frame = Literal["base", "tool"]


class Hold(Struct, frozen=True, tag=True):
    """Stay: brake to rest within the limits and hold that position."""


class JointRates(Struct, frozen=True, tag=True):
    """Move the joints at these rates (rad/s; m/s for sliding joints)."""

    rates: Vector


class JointTrack(Struct, frozen=True, tag=True):
    """Follow these joint positions (rad, m), which move at these rates."""

    positions: Vector
    rates: Vector


class TipTwist(Struct, frozen=True, tag=True):
    """Move the tip at this velocity (m/s) and turn it about itself at this rate (rad/s).

    Args:
        linear: Velocity, in the axes of `frame`.
        angular: Turn rate, in the axes of `turn_frame`.
        frame: "base": axes of the robot's base; "tool": axes of the tip.
        turn_frame: The same for the turn: R' = R(φ)·R in base axes, R·R(φ) in tool axes.
        copies: The twist copies the motion of a hand: its path counts, and a note says how much of it is dropped.
    """

    linear: Vec3
    angular: Vec3
    frame: Frame = "base"
    turn_frame: Frame = "base"
    copies: bool = False


class TipTrack(Struct, frozen=True, tag=True):
    """Follow the pose T_base_tip, which moves at this twist in base axes (m/s, rad/s)."""

    pose: Pose
    linear: Vec3 = (0.0, 0.0, 0.0)
    angular: Vec3 = (0.0, 0.0, 0.0)


class GripRate(Struct, frozen=True, tag=True):
    """Open (positive) or close (negative) the gripper at this rate, m/s between the fingers."""

    rate: float


class GripTo(Struct, frozen=True, tag=True):
    """Bring the gripper to this opening, in metres between the fingers, at a share of its top speed."""

    opening: float
    share: float = 1.0


class DriveRate(Struct, frozen=True, tag=True):
    """Drive the robot's base ahead at this speed (m/s) and turn it to the left at this rate (rad/s)."""

    forward: float
    turn: float


Motion = Hold | JointRates | JointTrack | TipTwist | TipTrack | GripRate | GripTo | DriveRate


class Wall(Struct, frozen=True):
    """A bound on the tip, added by a filter: its speed along `normal` (base axes) stays at most `speed`.

    Args:
        normal: Unit vector towards the boundary.
        speed: m/s; negative: the tip must back out, at least this fast.
        name: Name of a fixture, or of a face of the work area ("front"); empty: no note is made of it.
        gap: Clearance to the boundary, m.
        turn: Angular part of the bound, for a point beside the tip: r × normal, with r from the tip to that point.
        grip: Share of a motion against the bound up to which the tip does not slide along it; from twice that it slides
            freely.
        kind: Kind of its subject in notes.
        hollow: The boundary encloses a space; without clearance the tip is inside it. Otherwise the tip is beyond it.
    """

    normal: Vec3
    speed: float
    name: str
    gap: float
    turn: Vec3 = (0.0, 0.0, 0.0)
    grip: float = 0.0
    hollow: bool = False
    kind: Literal["face", "fixture"] = "fixture"


HOLD = "hold"
"""The source of a robot without an operator or a move: it comes to rest on its path."""
STOP = "stop"
"""The source of a robot that must not move: every joint brakes at its highest deceleration."""


class Demand(Struct, frozen=True):
    """A source's demand on one robot in one tick, one motion per group of joints.

    Args:
        source: The source: the name of the mapping in use, "move", "path", "back out", "generator", `HOLD` or `STOP`.
        motions: Motions, by group name; a group without an entry holds.
        walls: Bounds added by the filters.
    """

    source: str
    motions: dict[str, Motion] = {}
    walls: tuple[Wall, ...] = ()


class Setpoint(Struct, frozen=True):
    """Positions, rates and accelerations of a group's joints at the end of this tick."""

    positions: Vector
    rates: Vector
    accelerations: Vector
