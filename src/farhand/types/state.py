"""What is measured at the end of a tick."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.poses import Pose, Vec3
from farhand.types.quantities import Twist, Vector, Wrench

__all__ = ["CameraState", "Contact", "GroupState", "Limb", "PairContact", "RobotState", "State"]

Limb = Literal["arm", "flippers"]


class Contact(Struct, frozen=True):
    """Two bodies that touch: where, and how hard along the normal (N)."""

    first: str
    second: str
    position: Vec3
    force: float


class PairContact(Struct, frozen=True):
    """Two bodies that touch, all their points of contact together.

    Args:
        first: Name of a body: an object, "floor", or a robot's link as "robot/link".
        second: The other one's.
        force: How hard they press on each other along their normals, N.
        normal: Unit vector from the first to the second, world frame; the mean, weighted by force.
    """

    first: str
    second: str
    force: float
    normal: Vec3


class GroupState(Struct, frozen=True):
    """Measured joints of one group: positions, rates, drive efforts."""

    positions: Vector
    rates: Vector
    efforts: Vector


class CameraState(Struct, frozen=True):
    """A camera now: radians to the left of and above straight ahead, and its zoom."""

    pan: float = 0.0
    tilt: float = 0.0
    zoom: float = 1.0


class RobotState(Struct, frozen=True):
    """A robot as measured.

    Args:
        groups: Joints by group name.
        T_base_tip: The tip in the robot's base frame, from the measured joints.
        contact: What the surroundings do to the tip, in world axes.
        touching: True while the tip's contact sensor feels anything.
        held: Names of objects that move and that two fingers touch.
        wrist: What the wrist's force sensor says is done to the tool, weights included, at the sensor and in its own
            axes; None if there is none, or if it is silent.
        T_world_base: Where a robot is that can drive about; None for one that stands.
        base_twist: How its base moves, in its own axes.
        cameras: Of the robot, in the order of its cameras.
        clamped: Two fingers press from opposite sides on something that does not move.
    """

    groups: dict[str, GroupState]
    T_base_tip: Pose
    contact: Wrench = Wrench()
    touching: bool = False
    held: tuple[str, ...] = ()
    wrist: Wrench | None = None
    T_world_base: Pose | None = None
    base_twist: Twist | None = None
    cameras: tuple[CameraState, ...] = ()
    clamped: bool = False


class State(Struct, frozen=True):
    """The measured world at the end of a tick.

    Args:
        robots: By name.
        objects: Poses of the objects that move, loose ones and those on joints, in the world frame, by name.
        asleep: Names of those that rest and cost nothing until touched.
        contacts: How many contacts the physics has.
        joints: Positions (rad, m) of the objects on joints, by name.
        pairs: The bodies that pressed on each other in this tick's step, each pair once; of what sleeps none.
    """

    robots: dict[str, RobotState]
    objects: dict[str, Pose]
    asleep: frozenset[str] = frozenset()
    contacts: int = 0
    joints: dict[str, float] = {}
    pairs: tuple[PairContact, ...] = ()
