"""Incremental position control with a clutch: the tip moves by the hand's motion since engagement, scaled.

The deadman is the clutch: let go, bring the hand back to a comfortable place and press again. The robot goes on from
its present position, without a jump.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.mapping.anchor import Anchor, limit_lead, slip_notes, target_pose
from farhand.mapping.axes import (
    SAME_AXES,
    ZERO,
    Table,
    axes_table,
    handedness,
    to_robot_axes,
    view_table,
    wrench_to_master,
)
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, LedBy, grip_motion
from farhand.poses import Pose, Vec3
from farhand.types import Motion, Note, Reading, RobotState, TipTrack, Wrench
from farhand.vectors import times

__all__ = ["Clutch"]


class ClutchSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        axes: The axes of the robot along which the master's x, y and z point.
        scale: Metres of the robot for each metre of the hand. (The published Delta system divides by its k: there,
            write 1/k.)
        turn_scale: Radians of the robot for each radian of the hand; 0 keeps the tip's rotation.
        lead: Greatest distance (m) of the target from the measured tip.
        view: Take the axes from the operator's view: right is right in the picture.
        tilted: With `view`: take "away" and "up" from the picture, not level and upright.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn_scale: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0
    lead: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.05
    view: bool = False
    tilted: bool = False


class Clutch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """p = p₀ + k·A·(m − m₀), from the poses p₀ and m₀ of robot and master at engagement.

    Args:
        driven: The robot.
        settings: From the cell file.
        table: Their axes, as a matrix.
    """

    kind: ClassVar[str] = "clutch"
    scalable: ClassVar[bool] = True
    axes: ClassVar[tuple[str, ...]] = ()
    led_by: ClassVar[LedBy] = "hand"

    driven: DrivenRobot
    settings: ClutchSettings
    table: Table = SAME_AXES

    @property
    def frame(self) -> Literal["base", "view"]:
        """The frame in which the hand moves the tip."""
        return "view" if self.settings.view else "base"

    @property
    def feel(self) -> str:
        """One sentence on driving with it."""
        k = self.settings.scale
        how = "as far as" if k == 1.0 else f"{k:g} times as far as" if k > 1.0 else f"1/{1.0 / k:.3g} as far as"
        return f"The tip moves {how} your hand while you hold the deadman. Let go to bring your hand back."

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return the tip's target pose and velocity."""
        tip, length = robot.T_base_tip, scale * self.settings.scale
        if reading.pose is None:
            return {"arm": TipTrack(tip)}, memory
        anchor: Anchor = memory or Anchor(reading.pose, tip, self._table(reading), length)
        if anchor.scale != length:  # the operator chose another scale: start again from here
            anchor = replace(anchor, master=reading.pose, robot=self._target(anchor, reading.pose), scale=length)
        anchor, target = limit_lead(anchor, self._target(anchor, reading.pose), tip, self.settings.lead)
        linear, angular = self._twist(anchor, reading)
        grip, side = grip_motion(reading, 0.0, self.driven, robot, anchor.side)
        if side != anchor.side:
            anchor = replace(anchor, side=side)
        return {"arm": TipTrack(target, linear, angular), **grip}, anchor

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the wrench in the master's axes."""
        table = memory.table if memory else self.table
        return wrench_to_master(table, wrench)

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Return a note if the hand is too far ahead."""
        return slip_notes(memory, self.settings.lead) if memory else ()

    def _target(self, anchor: Anchor, master: Pose) -> Pose:
        return target_pose(anchor, master, self.settings.turn_scale)

    def _table(self, reading: Reading) -> Table:
        if not self.settings.view or reading.view is None:
            return self.table
        seen = view_table(reading.view, tilted=self.settings.tilted)
        columns = [to_robot_axes(seen, column) for column in zip(*self.table, strict=True)]
        return tuple(zip(*columns, strict=True))  # type: ignore[return-value] # three rows of three

    def _twist(self, anchor: Anchor, reading: Reading) -> tuple[Vec3, Vec3]:
        if reading.twist is None:
            return ZERO, ZERO
        linear = times(anchor.scale, to_robot_axes(anchor.table, reading.twist.linear))
        turn = self.settings.turn_scale * handedness(anchor.table)
        return linear, times(turn, to_robot_axes(anchor.table, reading.twist.angular))


@MAPPINGS.register("clutch")
def _make(table: dict[str, Any], driven: DrivenRobot) -> Clutch:
    """Incremental position control: the tip moves with the hand from its position at engagement."""
    settings = convert(table, ClutchSettings)
    return Clutch(driven=driven, settings=settings, table=axes_table(settings.axes))
