"""What every mapping offers, and the registry of their kinds."""

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
    """What a mapping must know of the robot it drives and of the master that drives it, all constant.

    Args:
        velocity: Top rate of each joint of the arm.
        opening: Metres between open fingers; 0 without a gripper.
        grip_speed: Top speed of the fingers, m/s.
        joints: What the arm's joints are called.
        device: The master's, if it has joints.
        dt: Seconds per tick.
        tracks: What carries the robot about, if it does not stand.
        slides: Those of its joints that slide.
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
"""Deflections; the pose of a hand, which moves no faster than one; a pose that may be anywhere next; joints."""


class Mapping(Protocol):
    """Turns readings into motions."""

    @property
    def kind(self) -> str:
        """The name under which it is registered."""

    @property
    def feel(self) -> str:
        """One sentence: how it will feel to drive with it."""

    @property
    def axes(self) -> tuple[str, ...]:
        """What each axis of a reading does, in order; empty for one that is led by a pose.

        "joint:0" and on turn a joint, "x", "y", "z" move the tip, "roll", "pitch", "yaw" turn it about x, y and z,
        "grip" opens the gripper, "forward" and "turn" drive the base, "flippers" and those of its parts raise
        them beside that, "raise" and its parts alone.
        """

    @property
    def frame(self) -> Literal["base", "tool", "view", ""]:
        """Whose axes "x" and the others are; empty for one that knows none."""

    @property
    def led_by(self) -> LedBy:
        """What of a reading leads it; where that is lost, the robot holds until a fresh press."""

    @property
    def scalable(self) -> bool:
        """Whether the operator can choose how far the robot goes for a way of the hand."""

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a motion for each group that shall move, and the mapping's next memory.

        Args:
            reading: What the master says.
            robot: As measured.
            memory: Of the last tick; None at engagement.
            scale: The operator's own choice of how far the robot goes for a way of the hand, times the mapping's.
        """

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return what the hand shall feel, at the master's tip in its base axes.

        Args:
            wrench: What the surroundings do to the robot's tip, in the robot's base axes.
            memory: The mapping's, None while nobody drives.
        """


@runtime_checkable
class HasNotes(Protocol):
    """A mapping that has something to say about what it gives up."""

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Return what the operator shall know in this tick.

        Args:
            memory: The mapping's, as it has just left it.
        """


class BaseAxesMapping(Struct, frozen=True):
    """A mapping whose master's axes are those of the robot's base: forces come back as they are."""

    scalable: ClassVar[bool] = False
    led_by: ClassVar[LedBy] = "axes"

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the wrench as it is."""
        del memory
        return wrench


class PoseMapping(Struct, frozen=True, kw_only=True):
    """A mapping that is led by a pose, and whose master's axes a table turns into those of the robot's base.

    Args:
        driven: The robot.
        table: How the master's axes lead the robot's.
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
"""Makes a mapping from its table in a cell file, for the robot it drives."""

MAPPINGS: Registry[MappingFactory] = Registry("mapping")


def grip_axis(driven: DrivenRobot) -> tuple[str, ...]:
    """Return the gripper's axis, if the robot has a gripper."""
    return ("grip",) if driven.opening > 0.0 else ()


PICKED_UP = 0  # the trigger has met the fingers and leads them
NEAR = 0.03  # share of the opening within which trigger and fingers meet


def grip_motion(
    reading: Reading, axis: float, driven: DrivenRobot, robot: RobotState, side: int | None
) -> tuple[dict[str, Motion], int | None]:
    """Return the gripper's motion, and on which side of the fingers the trigger is.

    With a trigger its position is the opening, from the moment it meets the fingers on: engaging with a trigger that
    stands elsewhere neither drops nor crushes what is held. Without one the axis is a rate; positive opens.
    """
    if driven.opening <= 0.0:
        return {}, side
    if reading.grip is None:
        return ({"gripper": GripRate(axis * driven.grip_speed)} if axis else {}), side
    wanted = (1.0 - reading.grip) * driven.opening
    if side != PICKED_UP:
        away = wanted - robot.groups["gripper"].positions[0]
        now = 1 if away > 0.0 else -1
        if abs(away) > NEAR * driven.opening and side in (None, now):
            return {}, now
    return {"gripper": GripTo(wanted)}, PICKED_UP
