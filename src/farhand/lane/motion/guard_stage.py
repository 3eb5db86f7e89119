"""The guard stage: the last word on joint set-points; whatever came before, no limit is passed.

A stop brakes at once with the whole acceleration: its jerk is that of a change within one tick. All else is eased into.
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
MOST_NAMES = 3
RETREAT = 10.0  # 1/s: how fast a set-point that leads too far comes back
RELIEF = 1.0  # 1/s: the same for one that presses; no faster, or a heavy arm would knock at what it touches


class GuardStage:
    """Integrates wanted rates into a set-point within position, velocity, acceleration and jerk limits.

    Args:
        joints: The group's joints.
        leads: How far each set-point may lead its measured joint (rad, m): more than the drive can use helps nobody.
        dt: Seconds per tick.
        lag: Code of the note that a joint does not follow.
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
        """Return the next set-point and what held it back.

        Args:
            wanted: Joint rates.
            before: Those of the last tick, if there were any: tells how they change.
            setpoint: Of the last tick.
            measured: Joint positions.
            stop: Brake as hard as the acceleration allows, at once, whatever is wanted. A stop that began goes on until
                `at_rest`: who ends it before would have the braking eased out of, which turns a slow joint back.
            relieved: Let the set-point come to where the joints are, whatever is wanted; see `needs_relief`.
        """
        if stop:
            wanted, before = np.zeros(len(self.joints)), None
        notes = self._wait_for_lagging(wanted, setpoint, measured)
        if relieved:
            before, wanted = None, RELIEF * (np.array(measured) - np.array(setpoint.positions))
        guard = self.brake if stop else self.guard
        state, n = np.array(setpoint.positions + setpoint.rates + setpoint.accelerations), len(self.joints)
        after, flags = guard.advance(state, wanted, before)
        if NUMBER in flags.tolist():
            notes += (NOT_A_NUMBER,)
        values = tuple(after.tolist())
        return Setpoint(values[:n], values[n : 2 * n], values[2 * n :]), notes

    def _wait_for_lagging(self, wanted: Floats, setpoint: Setpoint, measured: Vector) -> tuple[Note, ...]:
        """Where a joint does not follow, let its set-point come back to what the drive can use."""
        notes: tuple[Note, ...] = ()
        ahead = tuple(map(sub, setpoint.positions, measured))
        if not any(map(gt, map(abs, ahead), self.leads)):
            return notes
        for i, (lead, most) in enumerate(zip(ahead, self.leads, strict=True)):
            if abs(lead) > most and wanted[i] * lead >= 0.0:
                wanted[i] = -RETREAT * math.copysign(abs(lead) - most, lead)
                joint = self.joints[i]
                about = (Subject("joint", joint.label or joint.name),)
                notes += (Note(self._lag, "slow", about, free=("back",)),)
        return notes


def at_rest(setpoint: Setpoint) -> bool:
    """Tell whether nothing moves, nor is about to."""
    return not (any(setpoint.rates) or any(setpoint.accelerations))


def name_obstacles(notes: tuple[Note, ...], touched: Callable[[Limb], tuple[str, ...]]) -> tuple[Note, ...]:
    """Return notes with the names of what may block a joint that does not follow.

    Args:
        notes: Of one robot.
        touched: Tells what a limb of it touches; asked only if a joint of that does not follow.
    """
    for code, limb in LIMBS.items():
        if any([note.code == code for note in notes]) and (names := touched(limb)[:MOST_NAMES]):
            obstacles = tuple([Subject("body", name) for name in names])
            notes = tuple([replace(n, about=n.about + obstacles) if n.code == code else n for n in notes])
    return notes
