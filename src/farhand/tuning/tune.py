"""Automatic tuning: gains by rule, then as much of the rule's pace as each joint's steps allow."""

from __future__ import annotations

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import DriveError
from farhand.kernels import Floats
from farhand.tuning.gains import drive_for
from farhand.tuning.meet import Met, met_by
from farhand.tuning.steps import StepBench, StepResponse
from farhand.world import DriveSpec, Placement, Posture
from farhand.world.drives import tuned_for

__all__ = ["Tuning", "tune"]

OVERSHOOT = 0.02  # of a step; what is promised is more
SLOWER = 0.8
ROUNDS = 20
WINDOWS = (1.0, 2.0, 4.0, 8.0)  # s: a joint that has not settled in one is watched for the next
DT = 0.002


class Tuning(Struct, frozen=True):
    """What came of it.

    Args:
        drive: The gains.
        met: What the joints meet.
        home: The step of each joint from home.
        heavy: The step of each joint from the posture in which its inertia is largest.
    """

    drive: DriveSpec
    met: Met
    home: tuple[StepResponse, ...]
    heavy: tuple[StepResponse, ...]


def tune(placement: Placement, kind: str, pace: float = 1.0, seed: int = 0, dt: float = DT) -> Tuning:
    """Return gains with which every joint of a robot settles without overshoot.

    Args:
        placement: The robot.
        kind: Of the drive.
        pace: How brisk, as a share of what the time step allows; less is softer, too.
        seed: Decides the postures that are looked at.
        dt: Seconds per tick.

    Raises:
        DriveError: If no gains can be found: the arm is too light for its size, or misses rotor inertia.
    """
    plain = replace(placement, drive=DriveSpec())
    met, joints = met_by(plain, seed), placement.model.arm.joints
    paces = np.full(len(joints), pace)
    for _ in range(ROUNDS):
        drive = drive_for(kind, joints, met, paces, dt)
        if not _stable(placement, drive, met, dt):
            paces *= SLOWER
            continue
        try:
            tuning = _tried(plain, drive, met)
        except DriveError:
            break  # slower ones would be softer still
        restless = _restless(tuning)
        if not restless.any():
            return tuning
        paces[restless] *= SLOWER
    problem = f"no calm gains were found for the {kind} drive; give its joints more rotor inertia (armature)"
    raise DriveError(placement.name, problem)


def _stable(placement: Placement, drive: DriveSpec, met: Met, dt: float) -> bool:
    """Return whether the gains hold in every posture that was looked at."""
    try:
        for inertia in met.inertias:
            tuned_for(replace(placement, drive=drive), inertia, dt)
    except DriveError:
        return False
    return True


def _tried(placement: Placement, drive: DriveSpec, met: Met) -> Tuning:
    bench = StepBench(placement, drive)
    numbers = range(len(placement.model.arm.joints))
    home = tuple(_watched(bench, i, bench.home) for i in numbers)
    heavy = tuple(_watched(bench, i, met.heaviest[i]) for i in numbers)
    return Tuning(drive, met, home, heavy)


def _watched(bench: StepBench, number: int, posture: Posture) -> StepResponse:
    """Return the response of a joint until it has settled: slow is not restless."""
    for seconds in WINDOWS:
        step = bench.step(number, posture, seconds)
        if step.overshoot > OVERSHOOT or np.isfinite(step.settled):
            break
    return step


def _restless(tuning: Tuning) -> Floats:
    """Return for each joint whether it overshoots or does not settle."""
    return np.array(
        [
            max(a.overshoot, b.overshoot) > OVERSHOOT or not np.isfinite(max(a.settled, b.settled))
            for a, b in zip(tuning.home, tuning.heavy, strict=True)
        ]
    )
