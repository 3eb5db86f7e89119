"""The interface of mappings, their shared parts, and the registry of their kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from msgspec import Struct

from farhand.devices import Device
from farhand.formats.model import TracksSpec
from farhand.mapping.axes import SAME_AXES, Table, wrench_to_master
from farhand.registry import Registry
from farhand.types import GripRate, GripTo, Motion, Note, Reading, RobotState, Vector, Wrench

__all__ = [
    "MAPPINGS",
    "BaseAxesMapping",
    "DrivenRobot",
    "HasNotes",
    "LedBy",
    "Mapping",
    "MappingFactory",
    "PoseMapping",
    "grip_axis",
    "grip_motion",
]


class DrivenRobot(Struct, frozen=True):
    """Constant data of the driven robot and its master.

    Args:
        velocity: Top rate of each joint of the arm.
        opening: Metres between open fingers; 0 without a gripper.
        grip_speed: Top speed of the fingers, m/s.
        joints: Names of the arm's joints.
        device: The master's device, if it has joints.
        dt: Seconds per tick.
        tracks: The robot's tracks, if it has any.
        slides: Names of the sliding joints.
    """

    velocity: Vector
    opening: float = 0.0
    grip_speed: float = 0.0
    joints: tuple[str, ...] = ()
    device: Device | None = None
    dt: float = 0.002
    tracks: TracksSpec | None = None
    slides: tuple[str, ...] = ()


LedBy = Literal["axes", "hand", "pointer", "joints"]
"""Deflections; the pose of a hand, which cannot jump; the pose of a pointer, which can; joints."""


class Mapping(Protocol):
    """Turns readings into motions."""

    @property
    def kind(self) -> str:
        """The name under which it is registered."""

    @property
    def feel(self) -> str:
        """One sentence to the operator on driving with it, or two."""

    @property
    def axes(self) -> tuple[str, ...]:
        """The function of each axis of a reading, in order; empty if a pose or joints lead.

        "joint:0" and on turn a joint, "x", "y", "z" move the tip, "roll", "pitch", "yaw" turn it about x, y and z,
        "grip" opens the gripper, "forward" and "turn" drive the base, "flippers", "flippers:front", "flipper:0" and so
        on raise flippers beside that, "raise", "raise:front", "raise:0" and so on without driving.
        """

    @property
    def frame(self) -> Literal["base", "tool", "view", ""]:
        """The frame of "x" and the other axes of the tip; empty for a mapping without them."""

    @property
    def led_by(self) -> LedBy:
        """The part of a reading that leads the robot; if it is missing, the robot holds until a fresh press."""

    @property
    def scalable(self) -> bool:
        """Whether the operator can scale the hand's motion."""

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a motion for each group that moves, and the mapping's next memory.

        Args:
            reading: The master's newest reading.
            robot: As measured.
            memory: From the last tick; None at engagement.
            scale: The operator's scale of the hand's motion, multiplied with the mapping's own.
        """

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the force feedback at the master's tip, in its base axes.

        Args:
            wrench: Contact force and torque at the robot's tip, in its base axes.
            memory: The mapping's; None while released.
        """


@runtime_checkable
class HasNotes(Protocol):
    """A mapping that makes notes, such as on motion of the hand that it ignores."""

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Return the notes of this tick.

        Args:
            memory: The mapping's, after this tick.
        """


class BaseAxesMapping(Struct, frozen=True):
    """A mapping that uses the robot's base axes, so forces are fed back unchanged."""

    scalable: ClassVar[bool] = False
    led_by: ClassVar[LedBy] = "axes"

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the wrench unchanged."""
        del memory
        return wrench


class PoseMapping(Struct, frozen=True, kw_only=True):
    """A mapping from the pose of a hand, with a table from the master's axes to those of the robot's base.

    Args:
        driven: The robot.
        table: Axes of the robot for those of the master.
    """

    axes: ClassVar[tuple[str, ...]] = ()
    frame: ClassVar[Literal["base"]] = "base"
    led_by: ClassVar[LedBy] = "hand"

    driven: DrivenRobot
    table: Table = SAME_AXES

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the wrench in the master's axes."""
        del memory
        return wrench_to_master(self.table, wrench)


MappingFactory = Callable[[dict[str, Any], DrivenRobot], Mapping]
"""Makes a mapping from its table in a cell file, for a robot."""

MAPPINGS: Registry[MappingFactory] = Registry("mapping")


def grip_axis(driven: DrivenRobot) -> tuple[str, ...]:
    """Return the gripper's axis, if the robot has a gripper."""
    return ("grip",) if driven.opening > 0.0 else ()


PICKED_UP = 0  # the trigger has met the fingers and moves them
MEET_SHARE = 0.03  # share of the opening within which trigger and fingers meet


def grip_motion(
    reading: Reading, axis: float, driven: DrivenRobot, robot: RobotState, side: int | None
) -> tuple[dict[str, Motion], int | None]:
    """Return the gripper's motion, and the side of the fingers on which the trigger is.

    A trigger sets the opening as soon as it has met the fingers: engaging with a trigger in another position neither
    drops nor crushes a held object. Without a trigger the axis is a rate; positive opens.
    """
    if driven.opening <= 0.0:
        return {}, side
    if reading.grip is None:
        return ({"gripper": GripRate(axis * driven.grip_speed)} if axis else {}), side
    wanted = (1.0 - reading.grip) * driven.opening
    if side != PICKED_UP:
        away = wanted - robot.groups["gripper"].positions[0]
        now = 1 if away > 0.0 else -1
        if abs(away) > MEET_SHARE * driven.opening and side in (None, now):
            return {}, now
    return {"gripper": GripTo(wanted)}, PICKED_UP
