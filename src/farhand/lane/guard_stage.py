"""The guard stage: the last word on joint set-points; whatever came before, no limit is passed."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from farhand.formats.model import JointSpec
from farhand.kinematics import Guard
from farhand.kinematics.guard import NUMBER
from farhand.lane.servo_stage import joint_limits
from farhand.types import Note, Setpoint, Vector

__all__ = ["GuardStage"]

Floats = NDArray[np.float64]
# How far a set-point may lead the measured joint before it waits: by then the drive is at its full effort.
LAG_HINGE = math.radians(2.0)
LAG_SLIDE = 0.005


class GuardStage:
    """Integrates wanted rates into a set-point within position, velocity, acceleration and jerk limits.

    Args:
        joints: The group's joints.
        dt: Seconds per tick.
    """

    def __init__(self, joints: tuple[JointSpec, ...], dt: float) -> None:
        self.joints = joints
        self.guard = Guard(joint_limits(joints), dt)
        self._lags = tuple([LAG_HINGE if joint.kind == "hinge" else LAG_SLIDE for joint in joints])

    def __call__(self, wanted: Floats, setpoint: Setpoint, measured: Vector) -> tuple[Setpoint, tuple[Note, ...]]:
        """Return the next set-point and what held it back."""
        notes = self._wait_for_lagging(wanted, setpoint, measured)
        q, v, a, flags = self.guard.step(
            np.array(setpoint.positions), np.array(setpoint.rates), np.array(setpoint.accelerations), wanted
        )
        if NUMBER in flags.tolist():
            notes += (Note("guard.number", "A command was not a number; the robot brakes.", "stop"),)
        return Setpoint(tuple(q.tolist()), tuple(v.tolist()), tuple(a.tolist())), notes

    def _wait_for_lagging(self, wanted: Floats, setpoint: Setpoint, measured: Vector) -> tuple[Note, ...]:
        """Take from the wanted rates what would lead a joint further away from where it is."""
        notes: tuple[Note, ...] = ()
        for i, (there, here, most) in enumerate(zip(setpoint.positions, measured, self._lags, strict=True)):
            lead = there - here
            if abs(lead) > most and wanted[i] * lead > 0.0:
                wanted[i] = 0.0
                joint = self.joints[i]
                text = f"{joint.label or joint.name} does not follow: something blocks it, or the load is too heavy."
                notes += (Note("guard.lag", text, "slow", free="The way back is free."),)
        return notes
