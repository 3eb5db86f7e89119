"""Jogging: a deflected axis moves one joint, or the tip along one axis, at a constant rate.

The published simulator adds the rate to the measured angle, which sags under load; here it is added to the last target.
The target never leads the measured joints by more than the drive can use, so engagement needs no new anchor.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.mapping.mapping import MAPPINGS, BaseAxesMapping, DrivenRobot, grip_axis, grip_motion
from farhand.types import Frame, JointRates, Motion, Reading, RobotState, TipTwist

__all__ = ["JogJoints", "JogTip"]

Share = Annotated[float, Meta(gt=0.0, le=1.0)]


class JogJoints(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Each axis turns one joint; one more axis moves the gripper.

    Args:
        driven: The robot.
        share: Rate at full deflection and top speed level, as a share of the joint's own top rate.
    """

    kind: ClassVar[str] = "jog-joints"
    feel: ClassVar[str] = "Each control moves one joint. Let go and it stops."
    frame: ClassVar[Literal[""]] = ""

    driven: DrivenRobot
    share: Share = 0.5

    @property
    def axes(self) -> tuple[str, ...]:
        """One for each joint from base to tip, then the gripper."""
        return (*[f"joint:{i}" for i in range(len(self.driven.velocity))], *grip_axis(self.driven))

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return rates for the arm's joints and the gripper's motion."""
        del scale
        axes, velocity = reading.axes, self.driven.velocity
        count = len(velocity)
        padded = (*axes[:count], *(0.0,) * (count - len(axes)))
        rates = tuple([axis * top * self.share for axis, top in zip(padded, velocity, strict=True)])
        axis = axes[count] if len(axes) > count else 0.0
        grip, side = grip_motion(reading, axis, self.driven, robot, memory)
        return {"arm": JointRates(rates), **grip}, side


class JogTip(BaseAxesMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Three axes move the tip, three turn it; one more axis moves the gripper.

    Args:
        driven: The robot.
        frame: Axes of the motion: the robot's base, or the tool.
        turn_frame: Axes of the turn; `frame` if left out.
        speed: m/s at full deflection and top speed level.
        turn_speed: rad/s at full deflection and top speed level.
    """

    kind: ClassVar[str] = "jog-tip"

    driven: DrivenRobot
    frame: Frame = "base"
    turn_frame: Frame | None = None
    speed: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.25
    turn_speed: Annotated[float, Meta(gt=0.0, le=20.0)] = 1.0

    @property
    def axes(self) -> tuple[str, ...]:
        """Along x, y, z, about x, y, z, then the gripper."""
        return ("x", "y", "z", "roll", "pitch", "yaw", *grip_axis(self.driven))

    @property
    def feel(self) -> str:
        """One sentence on driving with it."""
        axes = "the robot's base" if self.frame == "base" else "the tool"
        return f"The tip moves straight along the axes of {axes}. Let go and it stops."

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return a twist of the tip and the gripper's motion."""
        del scale
        x, y, z, roll, pitch, yaw, axis = (*reading.axes[:7], *(0.0,) * (7 - len(reading.axes)))
        v, w = self.speed, self.turn_speed
        twist = TipTwist(
            (x * v, y * v, z * v), (roll * w, pitch * w, yaw * w), self.frame, self.turn_frame or self.frame
        )
        grip, side = grip_motion(reading, axis, self.driven, robot, memory)
        return {"arm": twist, **grip}, side


class _JointsTable(Struct, frozen=True, forbid_unknown_fields=True):
    share: Share = 0.5


class _TipTable(Struct, frozen=True, forbid_unknown_fields=True):
    frame: Frame = "base"
    turn_frame: Frame | None = None
    speed: Annotated[float, Meta(gt=0.0, le=10.0)] = 0.25
    turn_speed: Annotated[float, Meta(gt=0.0, le=20.0)] = 1.0


@MAPPINGS.register("jog-joints")
def _make_joints(table: dict[str, Any], driven: DrivenRobot) -> JogJoints:
    """Each axis turns one joint."""
    return JogJoints(driven=driven, share=convert(table, _JointsTable).share)


@MAPPINGS.register("jog-tip")
def _make_tip(table: dict[str, Any], driven: DrivenRobot) -> JogTip:
    """Three axes move the tip, three turn it, in base or tool axes."""
    config = convert(table, _TipTable)
    return JogTip(
        driven=driven,
        frame=config.frame,
        turn_frame=config.turn_frame,
        speed=config.speed,
        turn_speed=config.turn_speed,
    )
