"""The guard stage: the last check of joint set-points; whatever the stages before demand, no limit is exceeded.

A stop brakes at once with the full acceleration, which changes within one tick. All other motion keeps the jerk limit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from operator import gt, sub

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from farhand.formats.model import JointSpec
from farhand.kinematics import Guard, joint_limits
from farhand.kinematics.servo.guard import NUMBER
from farhand.types import Limb, Note, Setpoint, Subject, Vector

__all__ = ["FLIPPERS_LAG", "GuardStage", "at_rest", "name_obstacles"]

Floats = NDArray[np.float64]
LAG, FLIPPERS_LAG = "guard.lag", "flippers.lag"
NOT_A_NUMBER = Note("guard.number", "stop")
LIMBS: dict[str, Limb] = {LAG: "arm", FLIPPERS_LAG: "flippers"}
MAX_NAMES = 3
RETREAT_PER_S = 10.0  # how fast a set-point with too long a lead comes back
RELIEF_PER_S = 1.0  # the same for an arm that presses; faster, a heavy arm would knock against the obstacle


class GuardStage:
    """Integrates wanted rates into a set-point within position, velocity, acceleration and jerk limits.

    Args:
        joints: The group's joints.
        leads: Largest lead of each set-point over its measured joint (rad, m); the drive cannot use more.
        dt: Seconds per tick.
        lag: Code of the note on a joint that does not follow.
    """

    def __init__(self, joints: tuple[JointSpec, ...], leads: Vector, dt: float, lag: str = LAG) -> None:
        self.joints, self.leads, self._lag = joints, leads, lag
        limits = joint_limits(joints)
        self.guard = Guard(limits, dt)
        self.brake = Guard(replace(limits, jerk=2.0 * limits.acceleration / dt), dt)

    def __call__(
        self,
        wanted: Floats,
        before: Floats | None,
        setpoint: Setpoint,
        measured: Vector,
        *,
        stop: bool = False,
        relieved: bool = False,
    ) -> tuple[Setpoint, tuple[Note, ...]]:
        """Return the next set-point, and the notes on its limits.

        Args:
            wanted: Joint rates.
            before: Joint rates of the last tick, if there were any, from which their change is computed.
            setpoint: The set-point of the last tick.
            measured: Measured joint positions.
            stop: Brake at once, as hard as the acceleration allows, whatever is wanted. A stop must go on until
                `at_rest`: ended earlier, the jerk limit would ease the braking out, which turns a slow joint back.
            relieved: Move the set-point to the measured joints, whatever is wanted; see `should_unload`.
        """
        if stop:
            wanted, before = np.zeros(len(self.joints)), None
        notes = self._wait_for_lagging(wanted, setpoint, measured)
        if relieved:
            before, wanted = None, RELIEF_PER_S * (np.array(measured) - np.array(setpoint.positions))
        guard = self.brake if stop else self.guard
        state, n = np.array(setpoint.positions + setpoint.rates + setpoint.accelerations), len(self.joints)
        after, flags = guard.advance(state, wanted, before)
        if NUMBER in flags.tolist():
            notes += (NOT_A_NUMBER,)
        values = tuple(after.tolist())
        return Setpoint(values[:n], values[n : 2 * n], values[2 * n :]), notes

    def _wait_for_lagging(self, wanted: Floats, setpoint: Setpoint, measured: Vector) -> tuple[Note, ...]:
        """Move the set-point of each joint that does not follow back to its largest lead."""
        notes: tuple[Note, ...] = ()
        ahead = tuple(map(sub, setpoint.positions, measured))
        if not any(map(gt, map(abs, ahead), self.leads)):
            return notes
        for i, (lead, most) in enumerate(zip(ahead, self.leads, strict=True)):
            if abs(lead) > most and wanted[i] * lead >= 0.0:
                wanted[i] = -RETREAT_PER_S * math.copysign(abs(lead) - most, lead)
                joint = self.joints[i]
                about = (Subject("joint", joint.label or joint.name),)
                notes += (Note(self._lag, "slow", about, free=("back",)),)
        return notes


def at_rest(setpoint: Setpoint) -> bool:
    """Return whether all rates and accelerations are zero."""
    return not (any(setpoint.rates) or any(setpoint.accelerations))


def name_obstacles(notes: tuple[Note, ...], touched: Callable[[Limb], tuple[str, ...]]) -> tuple[Note, ...]:
    """Return notes with the names of bodies that may block a joint that does not follow.

    Args:
        notes: Notes of one robot.
        touched: Returns the names of the bodies that a limb touches; called only if a joint of it does not follow.
    """
    for code, limb in LIMBS.items():
        if any([note.code == code for note in notes]) and (names := touched(limb)[:MAX_NAMES]):
            obstacles = tuple([Subject("body", name) for name in names])
            notes = tuple([replace(n, about=n.about + obstacles) if n.code == code else n for n in notes])
    return notes
