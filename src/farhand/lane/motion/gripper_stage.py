"""The gripper: one number, the opening, led through the same guard as the arm's joints."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from farhand.formats.model import GripperSpec, JointSpec
from farhand.kinematics import Guard, joint_limits
from farhand.types import GripRate, GripTo, Motion, Setpoint

__all__ = ["GripperStage"]

RISE = 0.1  # s to full speed
STILL = (0.0,)
GAIN = 15.0  # 1/s towards an asked opening
PRESSING, ENOUGH = 0.6, 0.9  # shares of the lead: fingers that press so hard go on to, until they press this hard


class GripperStage:
    """Leads the opening of a gripper.

    Args:
        gripper: The gripper.
        lead: How far the wanted opening may lead the measured one (m): more than the fingers can press helps nobody.
        dt: Seconds per tick.
    """

    def __init__(self, gripper: GripperSpec, lead: float, dt: float) -> None:
        self.lead = lead
        acceleration = gripper.speed / RISE
        self.speed = gripper.speed
        joint = JointSpec(
            name="gripper",
            kind="slide",
            lower=0.0,
            upper=gripper.opening,
            velocity=gripper.speed,
            acceleration=acceleration,
            jerk=acceleration / 0.005,
            effort=gripper.effort,
            home=gripper.opening,
        )
        self.guard = Guard(joint_limits((joint,)), dt)

    def __call__(self, motion: Motion | None, setpoint: Setpoint, measured: float) -> Setpoint:
        """Return the next opening."""
        ahead = setpoint.positions[0] - measured
        rate = self._pressing(ahead) if motion is None else 0.0
        if motion is None and rate == 0.0 and setpoint.rates == setpoint.accelerations == STILL:
            return setpoint
        if isinstance(motion, GripRate):
            rate = motion.rate
        elif isinstance(motion, GripTo):
            top = self.speed * motion.share
            rate = min(max(GAIN * (motion.opening - setpoint.positions[0]), -top), top)
        # Fingers that hold something press; leading them further would only delay the opening.
        if abs(ahead) > self.lead and rate * ahead >= 0.0:
            rate = -GAIN * math.copysign(abs(ahead) - self.lead, ahead)
        wanted: NDArray[np.float64] = np.array([rate])
        state = np.array(setpoint.positions + setpoint.rates + setpoint.accelerations)
        after, _ = self.guard.advance(state, wanted)
        q, v, a = after.tolist()
        return Setpoint((q,), (v,), (a,))

    def _pressing(self, ahead: float) -> float:
        """Return how fast fingers that were let go follow what settles between them, if they press with all they have.

        Those that press gently stay where they are: they were told to.
        """
        if not PRESSING * self.lead < abs(ahead) < ENOUGH * self.lead:
            return 0.0
        return GAIN * math.copysign(self.lead - abs(ahead), ahead)
