"""The tip's velocity is the hand's, scaled: the mapping of the published framework that joins any two arms.

The robot's servo integrates the velocity into a target pose and closes the loop on that, so the tip stays on the hand's
path and no error grows with time. Where the arm cannot keep up, a note says how far the tip was carried off. Where a
master tells no velocity, the path of its tip since the last reading is owed to the robot, and paid off within a moment:
readings that are lost lose none of it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.mapping.axes import ZERO, axes_table, handedness, to_robot_axes
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, PoseMapping, grip_motion
from farhand.poses import Pose, Vec3, conjugate, multiply, rotation_vector
from farhand.types import Motion, Reading, RobotState, TipTwist
from farhand.vectors import plus, times

__all__ = ["CopyVelocity"]

PAID = 0.03  # s within which owed way is paid off


class VelocitySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a cell file may say of it.

    Args:
        axes: Along which axis of the robot the master's x, y and z lead.
        scale: The robot is this many times as fast as the hand: it multiplies.
        turn_scale: Likewise for turning; 0 keeps the tip's direction.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn_scale: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0


class _VelocityLatch(Struct, frozen=True):
    """The master's pose last seen, way and turn that the robot is owed, and the trigger's side."""

    seen: Pose | None
    way: Vec3
    turn: Vec3
    side: int | None


class CopyVelocity(PoseMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """ẋ = k·A·ẋ_master, and joint rates q̇ = J⁺·ẋ by the servo, damped near singular postures.

    Args:
        driven: The robot.
        settings: As the cell file has them.
        table: Their axes.
    """

    kind: ClassVar[str] = "velocity"
    scalable: ClassVar[bool] = True

    settings: VelocitySettings

    @property
    def feel(self) -> str:
        """How it will feel."""
        k = self.settings.scale
        return f"The tip is {'as' if k == 1.0 else f'{k:g} times as'} fast as your hand, and rests when it rests."

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a twist of the tip and the gripper's motion."""
        latch: _VelocityLatch = memory or _VelocityLatch(reading.pose, ZERO, ZERO, None)
        if reading.twist is not None:
            linear, angular, way, turn = reading.twist.linear, reading.twist.angular, ZERO, ZERO
        else:
            way, turn = self._owed(latch, reading.pose)
            linear, angular = times(1.0 / PAID, way), times(1.0 / PAID, turn)
            left = 1.0 - self.driven.dt / PAID
            way, turn = times(left, way), times(left, turn)
        k, w = scale * self.settings.scale, self.settings.turn_scale * handedness(self.table)
        linear, angular = times(k, to_robot_axes(self.table, linear)), times(w, to_robot_axes(self.table, angular))
        twist = TipTwist(linear, angular, copies=True)
        grip, side = grip_motion(reading, 0.0, self.driven, robot, latch.side)
        return {"arm": twist, **grip}, _VelocityLatch(reading.pose or latch.seen, way, turn, side)

    def _owed(self, latch: _VelocityLatch, pose: Pose | None) -> tuple[Vec3, Vec3]:
        """Return way and turn that the robot is owed, with what the master moved since it was last seen."""
        if pose is None or latch.seen is None or pose == latch.seen:
            return latch.way, latch.turn
        (x, y, z), (a, b, c) = pose.position, latch.seen.position
        turn = rotation_vector(multiply(pose.rotation, conjugate(latch.seen.rotation)))
        return plus(latch.way, (x - a, y - b, z - c)), plus(latch.turn, turn)


@MAPPINGS.register("velocity")
def _make(table: dict[str, Any], driven: DrivenRobot) -> CopyVelocity:
    """The tip is as fast as the hand, scaled."""
    settings = convert(table, VelocitySettings)
    return CopyVelocity(driven=driven, settings=settings, table=axes_table(settings.axes))
