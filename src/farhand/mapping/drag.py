"""Dragging: the tip moves straight to the pointer's target and comes to rest there.

The target may jump, be out of reach or behind a wall. The demand is never more than a bounded speed towards it, so
filters, servo and guard treat it as any jog, and letting go ends it.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta

from farhand.config import convert
from farhand.mapping.mapping import MAPPINGS, BaseAxesMapping, DrivenRobot, LedBy, grip_motion
from farhand.poses import Vec3, conjugate, multiply, rotation_vector
from farhand.types import Motion, Reading, RobotState, TipTwist

__all__ = ["DragTip"]

ZERO: Vec3 = (0.0, 0.0, 0.0)
STAY = TipTwist(ZERO, ZERO)


class _DragSettings(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    speed: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.5
    braking: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.5
    gain: Annotated[float, Meta(gt=0.0, le=20.0)] = 12.0
    turn: bool = False
    turn_speed: Annotated[float, Meta(gt=0.0, le=20.0)] = 1.0
    turn_braking: Annotated[float, Meta(gt=0.0, le=1000.0)] = 6.0


class DragTip(_DragSettings, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The reading's pose is the target of the tip, in the robot's base frame; without a pose the tip stays.

    Speed towards the target at the distance d, with the braking b: v = gain·d within b/gain², and
    √(2·b·(d − b/(2·gain²))) further away, at most the top speed. The two parts join smoothly, and braking never exceeds
    b.

    Args:
        driven: The robot.
        speed: Top speed, m/s, at top speed level.
        braking: m/s²; keep it below that of the filter "smooth".
        gain: 1/s; how fast the last centimetre is closed.
        turn: Turn the tip with the pose, too; otherwise it keeps its rotation.
        turn_speed: Top turn rate, rad/s.
        turn_braking: rad/s².
    """

    kind: ClassVar[str] = "drag-tip"
    axes: ClassVar[tuple[str, ...]] = ()
    frame: ClassVar[Literal["base"]] = "base"
    led_by: ClassVar[LedBy] = "pointer"
    feel: ClassVar[str] = "The tip follows the pointer while you hold it. Let go and it stops there."

    driven: DrivenRobot

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a twist of the tip towards the pose, and the gripper's motion."""
        del scale
        grip, side = grip_motion(reading, 0.0, self.driven, robot, memory)
        if reading.pose is None:
            return {"arm": STAY, **grip}, side
        there, here = reading.pose, robot.T_base_tip
        (x, y, z), (px, py, pz) = there.position, here.position
        linear, angular = _towards((x - px, y - py, z - pz), self.speed, self.gain, self.braking), ZERO
        if self.turn:
            left = rotation_vector(multiply(there.rotation, conjugate(here.rotation)))
            angular = _towards(left, self.turn_speed, self.gain, self.turn_braking)
        return {"arm": TipTwist(linear, angular), **grip}, side


def _towards(shift: Vec3, top: float, gain: float, braking: float) -> Vec3:
    """Return the velocity for a remaining distance (m or rad) and its direction."""
    left, near = math.hypot(*shift), braking / (gain * gain)
    if left == 0.0:
        return ZERO
    speed = gain * left if left <= near else math.sqrt(2.0 * braking * (left - 0.5 * near))
    k = min(top, speed) / left
    return (shift[0] * k, shift[1] * k, shift[2] * k)


@MAPPINGS.register("drag-tip")
def _make(table: dict[str, Any], driven: DrivenRobot) -> DragTip:
    """The tip follows a dragged target."""
    config = convert(table, _DragSettings)
    return DragTip(driven=driven, **{name: getattr(config, name) for name in config.__struct_fields__})
