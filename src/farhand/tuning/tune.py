"""Automatic tuning: gains by rule, at the fastest pace at which each joint's step responses are good."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import DriveError
from farhand.kernels import Floats
from farhand.tuning.gains import drive_for
from farhand.tuning.joint_loads import JointLoads, joint_loads
from farhand.tuning.steps import StepBench, StepResponse
from farhand.world import DriveSpec, Placement, Posture
from farhand.world.drives import gains_for

__all__ = ["Tuning", "tune"]

MAX_OVERSHOOT = 0.02  # share of a step; stricter than the promised figure
SLOWER = 0.8  # factor on the pace of a joint whose response is not good
MAX_ROUNDS = 20
WINDOWS_S = (1.0, 2.0, 4.0, 8.0)  # a joint that has not settled in one is tested in the next
DT = 0.002  # s


class Tuning(Struct, frozen=True):
    """The result of tuning.

    Args:
        drive: The gains.
        loads: The loads of the joints.
        home: The step response of each joint from home.
        heavy: The step response of each joint from the posture with its largest inertia.
    """

    drive: DriveSpec
    loads: JointLoads
    home: tuple[StepResponse, ...]
    heavy: tuple[StepResponse, ...]


def tune(placement: Placement, kind: str, pace: float = 1.0, seed: int = 0, dt: float = DT) -> Tuning:
    """Return gains with which every joint of a robot settles without overshoot.

    Args:
        placement: The robot.
        kind: The kind of drive.
        pace: Largest pace, as a share of the fastest that the time step allows; a slower drive is also softer.
        seed: The seed of the postures.
        dt: Seconds per tick.

    Raises:
        DriveError: If no gains are found: the arm is too light for its size, or lacks rotor inertia.
    """
    plain = replace(placement, drive=DriveSpec())
    loads, joints = joint_loads(plain, seed), placement.model.arm.joints
    paces = np.full(len(joints), pace)
    for _ in range(MAX_ROUNDS):
        drive = drive_for(kind, joints, loads, paces, dt)
        if not _stable(placement, drive, loads, dt):
            paces *= SLOWER
            continue
        try:
            tuning = _tested(plain, drive, loads)
        except DriveError:
            break  # slower gains would be softer still
        unsettled = _unsettled(tuning)
        if not unsettled.any():
            return tuning
        paces[unsettled] *= SLOWER
    problem = f"no gains without overshoot for the {kind} drive; give its joints more rotor inertia (armature)"
    raise DriveError(placement.name, problem)


def _stable(placement: Placement, drive: DriveSpec, loads: JointLoads, dt: float) -> bool:
    """Return whether the gains are stable in every posture of the loads."""
    try:
        for inertia in loads.inertias:
            gains_for(replace(placement, drive=drive), inertia, dt)
    except DriveError:
        return False
    return True


def _tested(placement: Placement, drive: DriveSpec, loads: JointLoads) -> Tuning:
    bench = StepBench(placement, drive)
    numbers = range(len(placement.model.arm.joints))
    home = tuple(_response(bench, i, bench.home) for i in numbers)
    heavy = tuple(_response(bench, i, loads.heaviest[i]) for i in numbers)
    return Tuning(drive, loads, home, heavy)


def _response(bench: StepBench, number: int, posture: Posture) -> StepResponse:
    """Return the step response of a joint, over a longer time if it settles slowly."""
    for seconds in WINDOWS_S:
        step = bench.step(number, posture, seconds)
        if step.overshoot > MAX_OVERSHOOT or np.isfinite(step.settled):
            break
    return step


def _unsettled(tuning: Tuning) -> Floats:
    """Return for each joint whether it overshoots or does not settle."""
    return np.array(
        [
            max(a.overshoot, b.overshoot) > MAX_OVERSHOOT or not np.isfinite(max(a.settled, b.settled))
            for a, b in zip(tuning.home, tuning.heavy, strict=True)
        ]
    )
