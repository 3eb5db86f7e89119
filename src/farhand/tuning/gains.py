"""From what the joints meet to gains, by one rule for each kind of drive.

Every rule has a pace from 0 to 1 for each joint: with 1 it is as quick as the time step allows, with less it is slower.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.tuning.meet import Met
from farhand.world import DriveSpec, LoopGains
from farhand.world.drives.position_drive import BEND_HINGE, BEND_SLIDE, DAMPEST, STIFFEST

__all__ = ["DRIVES", "drive_for"]

QUICKEST = 60.0  # rad/s: what an explicit loop shall reach at most
DAMPED = 0.99 * DAMPEST  # kd·dt/inertia of a position drive: rounding shall not pass what is allowed
EXPLICIT = 0.3  # kd·dt/inertia of an explicit loop
SLOWLY = 0.01  # of its pace: how much slower an integral is than the loop around it
TAIL = 0.01  # of a step: what the integral of a PID loop swings over, whatever the pace
VALVE = 0.004  # s
COMPENSATED = 0.75  # of the valve's time remains once a lead makes up for it
CALM = 0.2  # proportional gain times what remains; a quarter is where a loop begins to overshoot
REACH = 0.1  # of the top velocity: what the integrator may add


def _position(joints: Sequence[JointSpec], met: Met, pace: Floats, dt: float) -> DriveSpec:
    """Stiffness: full effort bends the joint by half a degree, or as stiff as the least inertia can bear.

    Damping: critical at the largest inertia, kd = 2·√(kp·M), which the least one must bear, too.
    """
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array([joint.effort for joint in joints]) / bends
    bearable = np.minimum(STIFFEST * met.least, (0.5 * DAMPED * met.least) ** 2 / met.most) / dt**2
    stiffness = pace**2 * np.minimum(wanted, bearable)
    damping = 2.0 * np.sqrt(stiffness * met.most)
    return DriveSpec(stiffness=_rounded(stiffness), damping=_rounded(damping))


def _pid(joints: Sequence[JointSpec], met: Met, pace: Floats, dt: float) -> DriveSpec:
    """Critical damping at the largest inertia: kp = ω²·M, kd = 2·ω·M, and ki = TAIL·ω·kp/2.

    A step leaves ∫e = 2/ω, with which the integral holds the joint ki·2/(ω·kp) = TAIL of the step beyond.
    """
    del joints
    omega = pace * np.minimum(QUICKEST, EXPLICIT * met.least / (2.0 * met.most * dt))
    kp, kd = omega**2 * met.most, 2.0 * omega * met.most
    rows = zip(_rounded(kp), _rounded(0.5 * TAIL * omega * kp), _rounded(kd), strict=True)
    return DriveSpec(kind="pid", gains=tuple(rows))


def _velocity(joints: Sequence[JointSpec], met: Met, pace: Floats, dt: float) -> DriveSpec:
    """A lead that makes up for the valve, and as much gain as does not overshoot with what remains."""
    del met
    valve = max(VALVE, 2.0 * dt)
    rest = COMPENSATED * valve
    loops = []
    for joint, share in zip(joints, pace.tolist(), strict=True):
        kp = share * CALM / rest
        limit = REACH * joint.velocity
        loops.append(
            LoopGains(
                proportional=_round(kp),
                integral=_round(kp * kp * SLOWLY),
                range=_round(limit),
                lead=valve,
                lag=rest,
                valve=valve,
            )
        )
    return DriveSpec(kind="velocity", loops=tuple(loops))


Rule = Callable[[Sequence[JointSpec], Met, Floats, float], DriveSpec]
DRIVES: Mapping[str, Rule] = {"position": _position, "pid": _pid, "velocity": _velocity}
"""The rules, by kind of drive."""


def drive_for(kind: str, joints: Sequence[JointSpec], met: Met, pace: Floats, dt: float) -> DriveSpec:
    """Return a drive's gains.

    Args:
        kind: One of `DRIVES`.
        joints: Of the arm.
        met: What they meet.
        pace: Of each joint, above 0, at most 1.
        dt: Seconds per tick.
    """
    return DRIVES[kind](joints, met, pace, dt)


def _round(value: float) -> float:
    """Return a number with three digits, as one would write it into a file."""
    return float(f"{value:.3g}")


def _rounded(values: Floats) -> tuple[float, ...]:
    return tuple(_round(value) for value in values.tolist())
