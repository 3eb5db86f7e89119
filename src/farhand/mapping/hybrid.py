"""Position inside, rate at the rim: a small master reaches everywhere without letting go.

Within a box the tip goes as the hand goes. Past its faces the hand feels a spring, and the further it pushes, the
faster the robot's place wanders that way; coming back, position control goes on from there, without a jump. Each axis
for itself, as the published waste-sorting controller has it.
"""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.mapping.anchor import Anchor, limit_lead, slip_notes, target_pose
from farhand.mapping.axes import ZERO, axes_table, handedness, to_robot_axes
from farhand.mapping.mapping import MAPPINGS, DrivenRobot, PoseMapping, grip_motion
from farhand.poses import Pose, Vec3
from farhand.types import Motion, Note, Reading, RobotState, TipTrack, Wrench
from farhand.vectors import less, plus, times

__all__ = ["Hybrid"]


class HybridSettings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a cell file may say of it.

    Args:
        axes: Along which axis of the robot the master's x, y and z lead.
        scale: Inside, the robot goes this many metres for each metre of the hand: it multiplies.
        turn_scale: Radians of the robot for each of the hand; 0 keeps its direction.
        inside: Share of the device's travel that is position control; of a master without a device, metres to either
            side of where it took hold.
        gain: At the rim: m/s of the robot for each metre past it (1/s).
        stiffness: N/m of the spring past the rim.
        lead: How far (m) the target may run ahead of the measured tip.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn_scale: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0
    inside: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.7
    gain: Annotated[float, Meta(gt=0.0, le=100.0)] = 5.0
    stiffness: Annotated[float, Meta(ge=0.0, le=5000.0)] = 150.0
    lead: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.05


class _HybridLatch(Struct, frozen=True):
    """Where both were joined, the box of position control, and how far the hand is past it."""

    anchor: Anchor
    lower: Vec3
    upper: Vec3
    past: Vec3


class Hybrid(PoseMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Position control within a box of the master's travel, rate control past it, per axis.

    Args:
        driven: The robot.
        settings: As the cell file has them.
        table: Their axes.
    """

    kind: ClassVar[str] = "hybrid"
    scalable: ClassVar[bool] = True
    feel: ClassVar[str] = "The tip goes as your hand goes; push past the rim and it travels on that way."

    settings: HybridSettings

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return where the tip shall be, and how it moves there."""
        pose, tip, s = reading.pose, robot.T_base_tip, self.settings
        if pose is None:
            return {"arm": TipTrack(tip)}, memory
        latch: _HybridLatch = memory or self._joined(pose, tip, scale * s.scale)
        anchor, within = latch.anchor, Pose(_clipped(pose.position, latch.lower, latch.upper), pose.rotation)
        if anchor.scale != scale * s.scale:
            anchor = replace(
                anchor, master=within, robot=target_pose(anchor, within, s.turn_scale), scale=scale * s.scale
            )
        past = less(pose.position, within.position)
        wander = times(s.gain, to_robot_axes(self.table, past))
        moved = Pose(plus(anchor.robot.position, times(self.driven.dt, wander)), anchor.robot.rotation)
        anchor = replace(anchor, robot=moved)
        anchor, target = limit_lead(anchor, target_pose(anchor, within, s.turn_scale), tip, s.lead)
        linear, angular = self._twist(reading, anchor.scale, past)
        grip, side = grip_motion(reading, 0.0, self.driven, robot, anchor.side)
        latch = _HybridLatch(replace(anchor, side=side), latch.lower, latch.upper, past)
        return {"arm": TipTrack(target, plus(linear, wander), angular), **grip}, latch

    def reflected(self, wrench: Wrench, memory: Any) -> Wrench:
        """Return the wrench in the master's axes, with the spring past the rim."""
        felt = super().reflected(wrench, memory)
        if memory is None:
            return felt
        return Wrench(plus(felt.force, times(-self.settings.stiffness, memory.past)), felt.torque)

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Say that the hand ran too far ahead."""
        return slip_notes(memory.anchor, self.settings.lead) if memory else ()

    def _joined(self, pose: Pose, tip: Pose, scale: float) -> _HybridLatch:
        device, inside = self.driven.device, self.settings.inside
        if device is None:
            lower, upper = (plus(pose.position, (side, side, side)) for side in (-inside, inside))
        else:
            middle = times(0.5, plus(device.lower, device.upper))
            half = times(0.5 * inside, less(device.upper, device.lower))
            lower, upper = less(middle, half), plus(middle, half)
        within = Pose(_clipped(pose.position, lower, upper), pose.rotation)
        return _HybridLatch(Anchor(within, tip, self.table, scale), lower, upper, ZERO)

    def _twist(self, reading: Reading, scale: float, past: Vec3) -> tuple[Vec3, Vec3]:
        """Return the hand's part of the tip's motion: along axes that are past the rim there is none."""
        if reading.twist is None:
            return ZERO, ZERO
        x, y, z = [0.0 if away else v for v, away in zip(reading.twist.linear, past, strict=True)]
        turn = self.settings.turn_scale * handedness(self.table)
        return times(scale, to_robot_axes(self.table, (x, y, z))), times(
            turn, to_robot_axes(self.table, reading.twist.angular)
        )


def _clipped(v: Vec3, lower: Vec3, upper: Vec3) -> Vec3:
    x, y, z = [min(max(a, low), high) for a, low, high in zip(v, lower, upper, strict=True)]
    return (x, y, z)


@MAPPINGS.register("hybrid")
def _make(table: dict[str, Any], driven: DrivenRobot) -> Hybrid:
    """The tip goes as the hand goes, and travels on where the hand pushes past the rim."""
    settings = convert(table, HybridSettings)
    return Hybrid(driven=driven, settings=settings, table=axes_table(settings.axes))
