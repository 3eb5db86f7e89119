"""The measured state of the world at the end of a tick."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.poses import Pose, Vec3
from farhand.types.quantities import Twist, Vector, Wrench

__all__ = ["CameraState", "Contact", "GroupState", "Limb", "PairContact", "RobotState", "State"]

Limb = Literal["arm", "flippers"]


class Contact(Struct, frozen=True):
    """A contact point of two bodies, and the contact force along its normal (N)."""

    first: str
    second: str
    position: Vec3
    force: float


class PairContact(Struct, frozen=True):
    """The contact of two bodies, all contact points together.

    Args:
        first: Name of a body: an object, "floor", or a robot's link as "robot/link".
        second: Name of the other body.
        force: Sum of the contact forces along the normals, N.
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
    """A camera's state: pan to the left and tilt upwards from straight ahead (rad), and zoom."""

    pan: float = 0.0
    tilt: float = 0.0
    zoom: float = 1.0


class RobotState(Struct, frozen=True):
    """The measured state of a robot.

    Args:
        groups: Joint states, by group name.
        T_base_tip: Pose of the tip in the robot's base frame, from the measured joints.
        contact: Contact wrench on the tip, in world axes.
        touching: True while the tip's contact sensor measures contact.
        held: Names of the movable objects that two fingers touch.
        wrist: Wrench measured by the wrist's force sensor, weights included, at the sensor and in its axes; None if
            there is no sensor or it is silent.
        T_world_base: Pose of a mobile robot's base; None for a fixed robot.
        base_twist: Velocity of the base, in its own axes.
        cameras: Camera states, in the order of the robot's cameras.
        clamped: Two fingers press from opposite sides on a body that does not move.
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
        robots: Robots, by name.
        objects: Poses of the movable objects, loose or on joints, in the world frame, by name.
        asleep: Names of the objects that rest and are not simulated until touched.
        contacts: Number of contacts in the physics.
        joints: Positions (rad, m) of the objects on joints, by name.
        pairs: Bodies in contact during this tick's step, each pair once; sleeping bodies are left out.
    """

    robots: dict[str, RobotState]
    objects: dict[str, Pose]
    asleep: frozenset[str] = frozenset()
    contacts: int = 0
    joints: dict[str, float] = {}
    pairs: tuple[PairContact, ...] = ()
