"""Absolute position control: each position of the master is one fixed position of the robot."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.mapping.anchor import Anchor, target_pose
from farhand.mapping.axes import ZERO, axes_table, handedness, to_robot_axes
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, PoseMapping, grip_motion
from farhand.poses import Pose, Quaternion, Vec3, normalized
from farhand.types import Motion, Reading, RobotState, TipTrack
from farhand.vectors import times

__all__ = ["Absolute"]

UNIT: Quaternion = (1.0, 0.0, 0.0, 0.0)


class AbsoluteSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        axes: The axes of the robot along which the master's x, y and z point.
        scale: Metres of the robot for each metre of the hand.
        turn: The tip turns with the hand; otherwise it keeps the rotation of `at`.
        middle: A position of the master, in its base frame.
        at: The robot's tip position for it.
        rotation: Rotation of the robot's tip there while the master's is not turned.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn: bool = True
    middle: Vec3 = ZERO
    at: Vec3 = ZERO
    rotation: Quaternion = UNIT


class Absolute(PoseMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """p = p₀ + k·A·(m − m₀). The filter "smooth" brings a robot that is elsewhere at engagement to the hand.

    Args:
        driven: The robot.
        settings: From the cell file.
        table: Their axes, as a matrix.
    """

    kind: ClassVar[str] = "absolute"
    scalable: ClassVar[bool] = False
    feel: ClassVar[str] = "The tip goes to the position of your hand and follows it while you hold the deadman."

    settings: AbsoluteSettings

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return the tip's target pose; the operator's scale does not apply."""
        del scale
        if reading.pose is None:
            return {"arm": TipTrack(robot.T_base_tip)}, memory
        s = self.settings
        anchor = Anchor(Pose(s.middle), Pose(s.at, normalized(s.rotation)), self.table, s.scale)
        target = target_pose(anchor, reading.pose, 1.0 if s.turn else 0.0)
        linear = angular = ZERO
        if reading.twist is not None:
            linear = times(s.scale, to_robot_axes(self.table, reading.twist.linear))
            angular = times(handedness(self.table) * s.turn, to_robot_axes(self.table, reading.twist.angular))
        grip, side = grip_motion(reading, 0.0, self.driven, robot, memory)
        return {"arm": TipTrack(target, linear, angular), **grip}, side


@MAPPINGS.register("absolute")
def _make(table: dict[str, Any], driven: DrivenRobot) -> Absolute:
    """Absolute position control: the tip takes the position of the hand."""
    settings = convert(table, AbsoluteSettings)
    return Absolute(driven=driven, settings=settings, table=axes_table(settings.axes))
