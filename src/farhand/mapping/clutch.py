"""The robot goes the way the hand goes: shifts from where both were when they were joined.

The deadman is the clutch: let go, bring the hand back to a comfortable place, press anew, and the robot goes on from
where it stands, without a jump, also when nobody moves.
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
    """What a cell file may say of it.

    Args:
        axes: Along which axis of the robot the master's x, y and z lead.
        scale: The robot goes this many metres for each metre of the hand: it multiplies. (The published Delta system
            divides by its k: there, write 1/k.)
        turn_scale: The robot turns by this many radians for each of the hand; 0 keeps its direction.
        lead: How far (m) the target may run ahead of the measured tip.
        view: Take the axes as the operator sees them: his right is right in the picture.
        tilted: With `view`: "away" and "up" as the picture has them, not level and upright.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn_scale: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0
    lead: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.05
    view: bool = False
    tilted: bool = False


class Clutch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The tip goes from where it was at engagement by what the master has moved since, scaled and turned.

    Args:
        driven: The robot.
        settings: As the cell file has them.
        table: Their axes.
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
        """Whose axes the hand moves in."""
        return "view" if self.settings.view else "base"

    @property
    def feel(self) -> str:
        """How it will feel."""
        k = self.settings.scale
        how = "as far as" if k == 1.0 else f"{k:g} times as far as" if k > 1.0 else f"1/{1.0 / k:.3g} as far as"
        return f"The tip goes {how} your hand while you hold on; let go to bring the hand back."

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return where the tip shall be, and how it moves there."""
        tip, length = robot.T_base_tip, scale * self.settings.scale
        if reading.pose is None:
            return {"arm": TipTrack(tip)}, memory
        anchor: Anchor = memory or Anchor(reading.pose, tip, self._table(reading), length)
        if anchor.scale != length:  # the operator chose another: go on from here
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
        """Say that the hand ran too far ahead."""
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
    """The tip goes the way the hand goes, from where it was when it was taken."""
    settings = convert(table, ClutchSettings)
    return Clutch(driven=driven, settings=settings, table=axes_table(settings.axes))
