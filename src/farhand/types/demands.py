"""What a source asks of a robot, a motion for each group of joints, and where that has them be."""

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
    """Stay: brake to rest within the limits and keep that position."""


class JointRates(Struct, frozen=True, tag=True):
    """Turn the joints at these rates (rad/s, m/s for sliding ones)."""

    rates: Vector


class JointTrack(Struct, frozen=True, tag=True):
    """Be at these joint positions now, moving at these rates."""

    positions: Vector
    rates: Vector


class TipTwist(Struct, frozen=True, tag=True):
    """Move the tip at this velocity (m/s) and turn it about itself at this rate (rad/s).

    Args:
        linear: Velocity, in the axes of `frame`.
        angular: Turn rate, in the axes of `turn_frame`.
        frame: "base": axes of the robot's base; "tool": axes of the tip.
        turn_frame: Likewise for the turn: R' = R(φ)·R in base axes, R·R(φ) in tool axes.
        copies: It copies the motion of a hand: its path counts, and a note says how much of it is dropped.
    """

    linear: Vec3
    angular: Vec3
    frame: Frame = "base"
    turn_frame: Frame = "base"
    copies: bool = False


class TipTrack(Struct, frozen=True, tag=True):
    """Be with the tip at T_base_tip now, moving at this twist in base axes."""

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
    """A bound that a filter lays on the tip: its speed along `normal` (base axes) stays at most `speed`.

    Args:
        normal: Unit vector towards what is bounded.
        speed: m/s; negative: it must back out, at least this fast.
        name: Its name: of a fixture, or which face of the work space ("front"); empty: no note is made of it.
        gap: Metres left.
        turn: What bounds a point beside the tip: r × normal, with r from the tip to there.
        grip: Share of a way against it that may lead aside without sliding; twice as much slides freely.
        kind: The kind of subject that it is in notes.
        hollow: What is there has an inside, in which the tip is if no room is left; else it is beyond.
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
"""The source of a robot that nobody drives: it comes to rest on its path."""
STOP = "stop"
"""The source of a robot that must not move: every joint brakes as fast as it may."""


class Demand(Struct, frozen=True):
    """What a source asks of one robot in one tick, one motion per group of joints.

    Args:
        source: Who asks: the name of the mapping in use, "move", "path", "free me", "generator", or `HOLD` or `STOP`.
        motions: By group name; a group without an entry holds.
        walls: Bounds added by filters on the way.
    """

    source: str
    motions: dict[str, Motion] = {}
    walls: tuple[Wall, ...] = ()


class Setpoint(Struct, frozen=True):
    """Where a group of joints shall be at the end of this tick, and how it moves there."""

    positions: Vector
    rates: Vector
    accelerations: Vector
