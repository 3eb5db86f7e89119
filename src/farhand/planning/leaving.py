"""A short path out of contact, along which every near pair moves apart."""

from __future__ import annotations

import numpy as np

from farhand.distances import Clearance
from farhand.kernels import Floats
from farhand.kinematics import JointLimits
from farhand.planning.proof import prove

__all__ = ["leave"]

STEPS = 60
STEP = 0.03  # radians (slides: arm lengths)
HALVINGS = 4
GAIN = 1e-5  # metres by which each step must increase the distance
AROUND = 0.005  # metres beyond the wanted distance within which pairs are considered
SLACK = 0.001  # metres by which a chord may be nearer than its start


def leave(
    clearance: Clearance, limits: JointLimits, units: Floats, q: Floats, wanted: float, tolerance: float
) -> Floats:
    """Return the corners (m, n) of a path from q to a clearance of `wanted`, or as far as one leads.

    Args:
        clearance: The arm among solids.
        limits: Limits of its joints.
        units: (n,) weight of a motion of each joint.
        q: (n,) joint positions to start from.
        wanted: Clearance to reach, metres.
        tolerance: Metres of motion below which an edge is abandoned.
    """
    here, distance = q, clearance.distance(q).distance
    corners, least = [q], distance - tolerance - SLACK
    levers = np.ascontiguousarray(clearance.link_levers)

    def free(path: list[Floats]) -> bool:
        return bool(prove(clearance.flat, clearance.whole, levers, least, tolerance, np.ascontiguousarray(path)))

    for _ in range(STEPS):
        if distance >= wanted:
            break
        step = _away(clearance, here, wanted, units)
        for _ in range(HALVINGS):
            there = np.clip(here + step, limits.lower, limits.upper)
            farther = clearance.distance(there).distance
            if farther > distance + GAIN and free([here, there]):
                break
            step = 0.5 * step
        else:
            break
        here, distance = there, farther
        corners.append(here)
    if len(corners) > 2 and free([corners[0], corners[-1]]):
        corners = [corners[0], corners[-1]]
    return np.array(corners)


def _away(clearance: Clearance, q: Floats, wanted: float, units: Floats) -> Floats:
    """Return a step of the joints away from all near pairs, weighted by nearness."""
    push = np.zeros(len(q))
    for pair in clearance.near(q, wanted + AROUND):
        push += (wanted + AROUND - pair.distance) * pair.gradient
    size = float(np.linalg.norm(push * units))
    return STEP / size * push if size > 0.0 else push
