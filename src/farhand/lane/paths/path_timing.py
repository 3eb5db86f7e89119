"""A recorded path as a smooth function of time, stretched where it would exceed the limits of the joints.

Between two points the joints follow the cubic that matches position and rate at both. Its rate is a parabola and its
acceleration a line, so the extremes of both, and the necessary stretch of a piece, are known exactly.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from farhand.formats.model import JointSpec
from farhand.types import Trajectory, Vector

__all__ = ["Route", "between", "smooth_rates"]

Floats = NDArray[np.float64]
TINY = 1e-9
MAX_STRETCH = 1.3  # up to this factor a path is stretched as a whole, beyond it only where it is too fast


class Route:
    """A trajectory with times, within the limits of the joints.

    Args:
        taught: The trajectory, with times and rates.
        joints: The joints of the arm, for their limits.
        share: Share of the limits to use.
    """

    def __init__(self, taught: Trajectory, joints: Sequence[JointSpec], share: float) -> None:
        velocity = share * np.array([joint.velocity for joint in joints])
        acceleration = share * np.array([joint.acceleration for joint in joints])
        points, rates = np.array(taught.points), np.array(taught.rates)
        pieces = np.diff(np.array(taught.times))
        most = _excess(points, rates, pieces, velocity, acceleration)
        if most > MAX_STRETCH:
            pieces, rates = _paced(points, rates, pieces, velocity, acceleration)
            most = _excess(points, rates, pieces, velocity, acceleration)
        self.points, self.rates = taught.points, [tuple(row) for row in (rates / most).tolist()]
        self.times: list[float] = [0.0, *np.cumsum(pieces * most).tolist()]

    @property
    def duration(self) -> float:
        """Its duration at full speed, s."""
        return self.times[-1]

    def passed(self, seconds: float) -> int:
        """Return the number of points passed after some seconds, without the first."""
        return min(bisect_right(self.times, seconds), len(self.times)) - 1

    def at(self, seconds: float) -> tuple[Vector, Vector]:
        """Return joint positions and rates after some seconds; at rest before the start and after the end."""
        last = len(self.times) - 1
        if seconds >= self.duration or seconds < 0.0:
            at = last if seconds >= self.duration else 0
            return self.points[at], (0.0,) * len(self.points[at])
        k = bisect_right(self.times, seconds) - 1
        h, s = self.times[k + 1] - self.times[k], seconds - self.times[k]
        rows = zip(self.points[k], self.points[k + 1], self.rates[k], self.rates[k + 1], strict=True)
        found = [between(h, s, *row) for row in rows]
        return tuple([place for place, _ in found]), tuple([rate for _, rate in found])


def between(h: float, s: float, p0: float, p1: float, r0: float, r1: float) -> tuple[float, float]:
    """Return position and rate of the cubic that matches position and rate at both ends of a piece.

    p = p₀ + Δ·u + u·(1 - u)·((1 - u)·α - u·β) with u = s/h, Δ = p₁ - p₀, α = h·r₀ - Δ, β = h·r₁ - Δ.

    Args:
        h: Duration of the piece, s.
        s: Time since its start, s.
        p0: Position at its start.
        p1: Position at its end.
        r0: Rate at its start.
        r1: Rate at its end.
    """
    u, delta = s / h, p1 - p0
    alpha, beta = h * r0 - delta, h * r1 - delta
    place = p0 + delta * u + u * (1.0 - u) * ((1.0 - u) * alpha - u * beta)
    slope = delta + (1.0 - 4.0 * u + 3.0 * u * u) * alpha + (3.0 * u * u - 2.0 * u) * beta
    return place, slope / h


def smooth_rates(points: Sequence[Vector], times: Sequence[float]) -> tuple[Vector, ...]:
    """Return rates for points: the mean slope between the two neighbours, at the ends to the only neighbour."""
    last = len(points) - 1
    sides = [(max(0, k - 1), min(last, k + 1)) for k in range(last + 1)]
    return tuple(
        [tuple([(q - p) / (times[b] - times[a]) for p, q in zip(points[a], points[b], strict=True)]) for a, b in sides]
    )


def _bends(points: Floats, rates: Floats, pieces: Floats) -> tuple[Floats, Floats]:
    """Return the accelerations at the start and at the end of each piece."""
    h, way, r0, r1 = pieces[:, None], np.diff(points, axis=0), rates[:-1], rates[1:]
    return 6.0 * way / h**2 - (4.0 * r0 + 2.0 * r1) / h, -6.0 * way / h**2 + (2.0 * r0 + 4.0 * r1) / h


def _excess(points: Floats, rates: Floats, pieces: Floats, velocity: Floats, acceleration: Floats) -> float:
    """Return the factor, at least 1, by which a path must be stretched to be within the limits."""
    (a0, a1), h, r0 = _bends(points, rates, pieces), pieces[:, None], rates[:-1]
    bend = a1 - a0
    # the extreme of the rate, where it lies within the piece
    inside = (a0 * bend < 0.0) & (np.abs(a0) < np.abs(bend))
    top = np.where(inside, r0 - a0**2 * h / (2.0 * np.where(inside, bend, 1.0)), r0)
    fastest = max(float((np.abs(rates) / velocity).max()), float((np.abs(top) / velocity).max()))
    hardest = float((np.maximum(np.abs(a0), np.abs(a1)) / acceleration).max())
    return max(1.0, fastest, math.sqrt(hardest))


def _paced(
    points: Floats, rates: Floats, pieces: Floats, velocity: Floats, acceleration: Floats
) -> tuple[Floats, Floats]:
    """Return pieces and rates of a path that is slowed where it is too fast, and before and after that.

    The pace ṡ at each point is bounded by the joints' rates, |q'|·ṡ ≤ v, by half of their accelerations in bends,
    |q''|·ṡ² ≤ a/2, and by the other half along the way, |q'|·|s̈| ≤ a/2, which a sweep in each direction keeps.
    """
    a0, a1 = (np.abs(side) for side in _bends(points, rates, pieces))
    bends, tops = np.vstack((a0[:1], np.maximum(a1[:-1], a0[1:]), a1[-1:])), np.maximum(np.abs(rates), TINY)
    slow = (velocity / tops).min(axis=1)
    curve = np.sqrt((0.5 * acceleration / np.maximum(bends, TINY)).min(axis=1))
    pace: list[float] = np.minimum(1.0, np.minimum(slow, curve)).tolist()
    gain = (pieces * (acceleration / np.maximum(tops[:-1], tops[1:])).min(axis=1)).tolist()
    for k in range(1, len(pace)):
        pace[k] = min(pace[k], math.sqrt(pace[k - 1] ** 2 + gain[k - 1]))
    for k in range(len(pace) - 2, -1, -1):
        pace[k] = min(pace[k], math.sqrt(pace[k + 1] ** 2 + gain[k]))
    paces = np.array(pace)
    return 2.0 * pieces / (paces[:-1] + paces[1:]), rates * paces[:, None]
