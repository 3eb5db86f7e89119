"""Rate control: the tip's velocity is proportional to the hand's distance from its position at engagement."""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.mapping.axes import ZERO, axes_table, handedness, to_robot_axes
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, PoseMapping, grip_motion
from farhand.poses import Pose, Vec3, conjugate, multiply, rotation_vector
from farhand.types import Motion, Reading, RobotState, TipTwist
from farhand.vectors import times

__all__ = ["Rate"]


class RateSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        axes: The axes of the robot along which the master's x, y and z point.
        gain: m/s of the tip for each metre of the hand (1/s).
        dead_zone: Metres within which the tip rests.
        turn_gain: rad/s for each radian; 0 keeps the tip's rotation.
        turn_dead_zone: Radians within which it does not turn.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    gain: Annotated[float, Meta(gt=0.0, le=100.0)] = 4.0
    dead_zone: Annotated[float, Meta(ge=0.0, le=1.0)] = 0.005
    turn_gain: Annotated[float, Meta(ge=0.0, le=100.0)] = 2.0
    turn_dead_zone: Annotated[float, Meta(ge=0.0, le=3.0)] = 0.1


class _RateLatch(Struct, frozen=True):
    """The hand's pose at engagement, and the trigger's side."""

    middle: Pose
    side: int | None


class Rate(PoseMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """ẋ = gain·A·(m − m₀), with the hand's pose m₀ at engagement and a dead zone about it.

    Args:
        driven: The robot.
        settings: From the cell file.
        table: Their axes, as a matrix.
    """

    kind: ClassVar[str] = "rate"
    scalable: ClassVar[bool] = True
    feel: ClassVar[str] = "The further your hand is from its start, the faster the tip goes. Move it back to stop."

    settings: RateSettings

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a twist of the tip and the gripper's motion."""
        pose = reading.pose
        if pose is None:
            return {"arm": TipTwist(ZERO, ZERO)}, memory
        latch: _RateLatch = memory or _RateLatch(pose, None)
        s, (x, y, z), (a, b, c) = self.settings, pose.position, latch.middle.position
        shift = _beyond((x - a, y - b, z - c), s.dead_zone)
        turn = _beyond(rotation_vector(multiply(pose.rotation, conjugate(latch.middle.rotation))), s.turn_dead_zone)
        linear = times(scale * s.gain, to_robot_axes(self.table, shift))
        angular = times(s.turn_gain * handedness(self.table), to_robot_axes(self.table, turn))
        grip, side = grip_motion(reading, 0.0, self.driven, robot, latch.side)
        return {"arm": TipTwist(linear, angular), **grip}, _RateLatch(latch.middle, side)


def _beyond(v: Vec3, zone: float) -> Vec3:
    """Return the part of a vector beyond a dead zone; it starts at 0, without a jump."""
    length = math.hypot(*v)
    return times((length - zone) / length, v) if length > zone else ZERO


@MAPPINGS.register("rate")
def _make(table: dict[str, Any], driven: DrivenRobot) -> Rate:
    """Rate control: the tip's velocity grows with the hand's distance from the start."""
    settings = convert(table, RateSettings)
    return Rate(driven=driven, settings=settings, table=axes_table(settings.axes))
