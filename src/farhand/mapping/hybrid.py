"""Hybrid control: position control inside a box, rate control past its faces. So a small master reaches everywhere.

Inside the box the tip moves with the hand. Past a face a spring acts on the hand, and the further it pushes, the faster
the tip travels in that direction; moving back resumes position control without a jump. Each axis is on its own, as in
the published waste sorting controller.
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
    """The settings in a cell file.

    Args:
        axes: The axes of the robot along which the master's x, y and z point.
        scale: Metres of the robot for each metre of the hand, inside the box.
        turn_scale: Radians of the robot for each radian of the hand; 0 keeps the tip's rotation.
        inside: Size of the box, as a share of the device's travel; for a master without a device, metres to either side
            of its position at engagement.
        gain: Past a face: m/s of the robot for each metre past it (1/s).
        stiffness: N/m of the spring past a face.
        lead: Greatest distance (m) of the target from the measured tip.
    """

    axes: tuple[str, str, str] = ("x", "y", "z")
    scale: Annotated[float, Meta(gt=0.0, le=100.0)] = 1.0
    turn_scale: Annotated[float, Meta(ge=0.0, le=10.0)] = 1.0
    inside: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.7
    gain: Annotated[float, Meta(gt=0.0, le=100.0)] = 5.0
    stiffness: Annotated[float, Meta(ge=0.0, le=5000.0)] = 150.0
    lead: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.05


class _HybridLatch(Struct, frozen=True):
    """Anchor, box of position control, and the hand's distance past its faces."""

    anchor: Anchor
    lower: Vec3
    upper: Vec3
    past: Vec3


class Hybrid(PoseMapping, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Position control within a box of the master's travel, rate control past it, per axis.

    Args:
        driven: The robot.
        settings: From the cell file.
        table: Their axes, as a matrix.
    """

    kind: ClassVar[str] = "hybrid"
    scalable: ClassVar[bool] = True
    feel: ClassVar[str] = "The tip moves with your hand. Push past the edge of its travel and it keeps going that way."

    settings: HybridSettings

    def __call__(
        self, reading: Reading, robot: RobotState, memory: Any, scale: float = 1.0
    ) -> tuple[dict[str, Motion], Any]:
        """Return the tip's target pose and velocity."""
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
        """Return the wrench in the master's axes, with the spring past the faces."""
        feedback = super().reflected(wrench, memory)
        if memory is None:
            return feedback
        return Wrench(plus(feedback.force, times(-self.settings.stiffness, memory.past)), feedback.torque)

    def notes(self, memory: Any) -> tuple[Note, ...]:
        """Return a note if the hand is too far ahead."""
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
        """Return the hand's part of the tip's velocity; an axis past its face has none."""
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
    """Position control inside a box, rate control past its faces."""
    settings = convert(table, HybridSettings)
    return Hybrid(driven=driven, settings=settings, table=axes_table(settings.axes))
