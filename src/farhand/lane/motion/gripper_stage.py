"""The gripper stage: the set-point of the opening, through the same guard as the arm's joints."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from farhand.formats.model import GripperSpec, JointSpec
from farhand.kinematics import Guard, joint_limits
from farhand.types import GripRate, GripTo, Motion, Setpoint

__all__ = ["GripperStage"]

RISE_S = 0.1  # to full speed
AT_REST = (0.0,)
GAIN_PER_S = 15.0  # towards a demanded opening
# Shares of the lead: fingers that press harder than the first press on up to the second.
PRESSING_SHARE, FULL_SHARE = 0.6, 0.9


class GripperStage:
    """Computes the set-point of a gripper's opening.

    Args:
        gripper: The gripper.
        lead: Largest lead of the set-point over the measured opening, m; the fingers cannot press harder beyond it.
        dt: Seconds per tick.
    """

    def __init__(self, gripper: GripperSpec, lead: float, dt: float) -> None:
        self.lead = lead
        acceleration = gripper.speed / RISE_S
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
        """Return the next set-point of the opening."""
        ahead = setpoint.positions[0] - measured
        rate = self._pressing(ahead) if motion is None else 0.0
        if motion is None and rate == 0.0 and setpoint.rates == setpoint.accelerations == AT_REST:
            return setpoint
        if isinstance(motion, GripRate):
            rate = motion.rate
        elif isinstance(motion, GripTo):
            top = self.speed * motion.share
            rate = min(max(GAIN_PER_S * (motion.opening - setpoint.positions[0]), -top), top)
        # fingers that hold an object press already; a longer lead would only delay the opening
        if abs(ahead) > self.lead and rate * ahead >= 0.0:
            rate = -GAIN_PER_S * math.copysign(abs(ahead) - self.lead, ahead)
        wanted: NDArray[np.float64] = np.array([rate])
        state = np.array(setpoint.positions + setpoint.rates + setpoint.accelerations)
        after, _ = self.guard.advance(state, wanted)
        q, v, a = after.tolist()
        return Setpoint((q,), (v,), (a,))

    def _pressing(self, ahead: float) -> float:
        """Return the rate at which fingers without a command follow an object that settles between them.

        Only fingers that press with nearly their full effort follow; those that press gently stay in place.
        """
        if not PRESSING_SHARE * self.lead < abs(ahead) < FULL_SHARE * self.lead:
            return 0.0
        return GAIN_PER_S * math.copysign(self.lead - abs(ahead), ahead)
