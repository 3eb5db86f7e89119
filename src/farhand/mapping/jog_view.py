"""Jogging in the operator's view: right is right in the picture."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.mapping.axes import SAME_AXES, Table, to_robot_axes, view_table, wrench_to_master
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, LedBy, grip_axis, grip_motion
from farhand.types import Motion, Reading, RobotState, TipTwist, Wrench

__all__ = ["JogView"]


class _ViewSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    tilted: bool = False
    speed: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.25
    turn_speed: Annotated[float, Meta(gt=0.0, le=20.0)] = 1.0


class _ViewLatch(Struct, frozen=True):
    table: Table
    side: int | None


class JogView(_ViewSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Three axes move the tip away, left and up in the operator's view, three turn it about these directions.

    The view is taken at engagement and kept until release, so a camera that turns does not bend a motion. A master
    without a view counts as looking along the base's x.

    Args:
        driven: The robot.
        tilted: Take "away" and "up" from the picture; otherwise level and upright, however the camera is tilted.
        speed: m/s at full deflection and top speed level.
        turn_speed: rad/s at full deflection and top speed level.
    """

    kind: ClassVar[str] = "jog-view"
    scalable: ClassVar[bool] = False
    frame: ClassVar[Literal["view"]] = "view"
    led_by: ClassVar[LedBy] = "axes"
    feel: ClassVar[str] = "Right is right in the picture, from any view. Let go and it stops."

    driven: DrivenRobot

    @property
    def axes(self) -> tuple[str, ...]:
        """Along away, left and up, about these, then the gripper."""
        return ("x", "y", "z", "roll", "pitch", "yaw", *grip_axis(self.driven))

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a twist of the tip and the gripper's motion."""
        del scale
        latch: _ViewLatch = memory or _ViewLatch(self._table(reading), None)
        x, y, z, roll, pitch, yaw, axis = (*reading.axes[:7], *(0.0,) * (7 - len(reading.axes)))
        v, w = self.speed, self.turn_speed
        linear = to_robot_axes(latch.table, (x * v, y * v, z * v))
        angular = to_robot_axes(latch.table, (roll * w, pitch * w, yaw * w))
        grip, side = grip_motion(reading, axis, self.driven, robot, latch.side)
        return {"arm": TipTwist(linear, angular), **grip}, _ViewLatch(latch.table, side)

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the wrench in the axes of the operator's view."""
        table = memory.table if memory else SAME_AXES
        return wrench_to_master(table, wrench)

    def _table(self, reading: Reading) -> Table:
        return SAME_AXES if reading.view is None else view_table(reading.view, tilted=self.tilted)


@MAPPINGS.register("jog-view")
def _make(table: dict[str, Any], driven: DrivenRobot) -> JogView:
    """Three axes move the tip in the operator's view."""
    config = convert(table, _ViewSettings)
    return JogView(driven=driven, tilted=config.tilted, speed=config.speed, turn_speed=config.turn_speed)
