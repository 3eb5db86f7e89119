"""Compute gains from the loads of the joints, by one rule for each kind of drive.

Every rule takes a pace from 0 to 1 for each joint; 1 is as fast as the time step allows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.tuning.joint_loads import JointLoads
from farhand.world import DriveSpec, LoopGains
from farhand.world.drives.position_drive import BEND_HINGE, BEND_SLIDE, MAX_DAMPING, MAX_STIFFNESS

__all__ = ["DRIVES", "drive_for"]

MAX_OMEGA = 60.0  # rad/s of an explicit loop
DAMPING_NUMBER = 0.99 * MAX_DAMPING  # kd·dt/inertia of a position drive, just below the limit because of rounding
EXPLICIT_NUMBER = 0.3  # kd·dt/inertia of an explicit loop
INTEGRAL_SHARE = 0.01  # pace of the integral as a share of the loop's
TAIL = 0.01  # of a step: overshoot caused by the integral of a PID loop, at any pace
VALVE_S = 0.004
COMPENSATED = 0.75  # share of the valve's time that remains after the lead compensator
LOOP_GAIN = 0.2  # proportional gain times the remaining time; from 0.25 on a loop overshoots
INTEGRATOR_SHARE = 0.1  # of the top velocity that the integrator may add


def _position(joints: Sequence[JointSpec], loads: JointLoads, pace: Floats, dt: float) -> DriveSpec:
    """Stiffness: full effort bends the joint by half a degree, or as stiff as is stable at the smallest inertia.

    Damping: critical at the largest inertia, kd = 2·√(kp·M), which must also be stable at the smallest.
    """
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array([joint.effort for joint in joints]) / bends
    bearable = np.minimum(MAX_STIFFNESS * loads.least, (0.5 * DAMPING_NUMBER * loads.least) ** 2 / loads.most) / dt**2
    stiffness = pace**2 * np.minimum(wanted, bearable)
    damping = 2.0 * np.sqrt(stiffness * loads.most)
    return DriveSpec(stiffness=_rounded(stiffness), damping=_rounded(damping))


def _pid(joints: Sequence[JointSpec], loads: JointLoads, pace: Floats, dt: float) -> DriveSpec:
    """Critical damping at the largest inertia: kp = ω²·M, kd = 2·ω·M, and ki = TAIL·ω·kp/2.

    A step leaves ∫e = 2/ω, so the integral holds the joint ki·2/(ω·kp) = TAIL of the step beyond the goal.
    """
    del joints
    omega = pace * np.minimum(MAX_OMEGA, EXPLICIT_NUMBER * loads.least / (2.0 * loads.most * dt))
    kp, kd = omega**2 * loads.most, 2.0 * omega * loads.most
    rows = zip(_rounded(kp), _rounded(0.5 * TAIL * omega * kp), _rounded(kd), strict=True)
    return DriveSpec(kind="pid", gains=tuple(rows))


def _velocity(joints: Sequence[JointSpec], loads: JointLoads, pace: Floats, dt: float) -> DriveSpec:
    """A lead that compensates the valve, and the largest gain without overshoot for the remaining time."""
    del loads
    valve = max(VALVE_S, 2.0 * dt)
    rest = COMPENSATED * valve
    loops = []
    for joint, share in zip(joints, pace.tolist(), strict=True):
        kp = share * LOOP_GAIN / rest
        limit = INTEGRATOR_SHARE * joint.velocity
        loops.append(
            LoopGains(
                proportional=_round(kp),
                integral=_round(kp * kp * INTEGRAL_SHARE),
                range=_round(limit),
                lead=valve,
                lag=rest,
                valve=valve,
            )
        )
    return DriveSpec(kind="velocity", loops=tuple(loops))


Rule = Callable[[Sequence[JointSpec], JointLoads, Floats, float], DriveSpec]
DRIVES: Mapping[str, Rule] = {"position": _position, "pid": _pid, "velocity": _velocity}
"""The rules, by kind of drive."""


def drive_for(kind: str, joints: Sequence[JointSpec], loads: JointLoads, pace: Floats, dt: float) -> DriveSpec:
    """Return a drive's gains.

    Args:
        kind: One of `DRIVES`.
        joints: The joints of the arm.
        loads: Their loads.
        pace: The pace of each joint, above 0, at most 1.
        dt: Seconds per tick.
    """
    return DRIVES[kind](joints, loads, pace, dt)


def _round(value: float) -> float:
    """Return a number rounded to three digits."""
    return float(f"{value:.3g}")


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(_round(value) for value in values.tolist())
