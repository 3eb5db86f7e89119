"""Velocity control: the tip moves at the hand's velocity, scaled, as in the published framework for any two arms.

The robot's servo integrates the velocity into a target pose and closes the loop on that, so the tip stays on the hand's
path and no error grows with time. If the arm cannot keep up, a note gives the tip's offset. If a master gives no
velocity, the motion of its tip since the last reading is passed on within `CATCH_UP_S`, so lost readings lose none of
it.
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

CATCH_UP_S = 0.03  # time in which pending motion of the hand is passed on


class VelocitySettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        axes: The axes of the robot along which the master's x, y and z point.
        scale: Speed of the robot as a multiple of the hand's.
        turn_scale: Turn rate of the robot as a multiple of the hand's; 0 keeps the tip's rotation.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn_scale: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0


class _VelocityLatch(Struct, frozen=True):
    """The master's last pose, shift and turn not passed on yet, and the trigger's side."""

    seen: Pose | None
    shift: Vec3
    turn: Vec3
    side: int | None


class CopyVelocity(PoseMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """ẋ = k·A·ẋ_master, and joint rates q̇ = J⁺·ẋ by the servo, damped near singular postures.

    Args:
        driven: The robot.
        settings: From the cell file.
        table: Their axes, as a matrix.
    """

    kind: ClassVar[str] = "velocity"
    scalable: ClassVar[bool] = True

    settings: VelocitySettings

    @property
    def feel(self) -> str:
        """One sentence on driving with it."""
        k = self.settings.scale
        return f"The tip moves {'as' if k == 1.0 else f'{k:g} times as'} fast as your hand and stops when it stops."

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a twist of the tip and the gripper's motion."""
        latch: _VelocityLatch = memory or _VelocityLatch(reading.pose, ZERO, ZERO, None)
        if reading.twist is not None:
            linear, angular, shift, turn = reading.twist.linear, reading.twist.angular, ZERO, ZERO
        else:
            shift, turn = self._pending(latch, reading.pose)
            linear, angular = times(1.0 / CATCH_UP_S, shift), times(1.0 / CATCH_UP_S, turn)
            left = 1.0 - self.driven.dt / CATCH_UP_S
            shift, turn = times(left, shift), times(left, turn)
        k, w = scale * self.settings.scale, self.settings.turn_scale * handedness(self.table)
        linear, angular = times(k, to_robot_axes(self.table, linear)), times(w, to_robot_axes(self.table, angular))
        twist = TipTwist(linear, angular, copies=True)
        grip, side = grip_motion(reading, 0.0, self.driven, robot, latch.side)
        return {"arm": twist, **grip}, _VelocityLatch(reading.pose or latch.seen, shift, turn, side)

    def _pending(self, latch: _VelocityLatch, pose: Pose | None) -> tuple[Vec3, Vec3]:
        """Return shift and turn not passed on yet, with the master's motion since its last pose."""
        if pose is None or latch.seen is None or pose == latch.seen:
            return latch.shift, latch.turn
        (x, y, z), (a, b, c) = pose.position, latch.seen.position
        turn = rotation_vector(multiply(pose.rotation, conjugate(latch.seen.rotation)))
        return plus(latch.shift, (x - a, y - b, z - c)), plus(latch.turn, turn)


@MAPPINGS.register("velocity")
def _make(table: dict[str, Any], driven: DrivenRobot) -> CopyVelocity:
    """Velocity control: the tip moves at the hand's velocity, scaled."""
    settings = convert(table, VelocitySettings)
    return CopyVelocity(driven=driven, settings=settings, table=axes_table(settings.axes))
