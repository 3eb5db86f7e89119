"""A plan as a plain value: the position of every joint at every instant, in few numbers.

A piece is a curve through knots and a profile of the share travelled at each time, from rest to rest. It may
begin before the previous one has ended; then both move the joints at once, which rounds the corner between them:

    q(t) = q₀ + Σ_k (curve_k(s_k(t)) − curve_k(0)).
"""

from __future__ import annotations

import bisect
import math

import numpy as np
from msgspec import Struct

from farhand.kernels import Floats
from farhand.types import Vector

__all__ = ["Piece", "Plan", "Profile"]


class Profile(Struct, frozen=True):
    """A jerk-limited motion from 0 to 1, from rest to rest.

    Args:
        times: Durations of its phases, s.
        jerks: Third derivative in each phase, 1/s³.
    """

    times: Vector
    jerks: Vector

    @property
    def duration(self) -> float:
        """Duration, s."""
        return math.fsum(self.times)

    def at(self, t: float) -> tuple[float, float, float, float]:
        """Return the share travelled at a time, its rate, acceleration and jerk.

        Args:
            t: Seconds after the start of the profile.
        """
        if t <= 0.0:
            return 0.0, 0.0, 0.0, 0.0
        s = v = a = 0.0
        for time, jerk in zip(self.times, self.jerks, strict=True):
            d = min(t, time)
            s += d * (v + d * (0.5 * a + d * jerk / 6.0))
            v += d * (a + 0.5 * d * jerk)
            a += d * jerk
            t -= d
            if t <= 0.0:
                return s, v, a, jerk
        return 1.0, 0.0, 0.0, 0.0

    def many(self, times: Floats) -> Floats:
        """Return (4, k) the results of `at` for many times.

        Args:
            times: (k,) seconds after the start of the profile.
        """
        spans, jerks = np.array(self.times), np.array(self.jerks)
        ends = np.cumsum(spans)
        # share, rate and acceleration at the start of each phase
        starts = np.array([self.at(t)[:3] for t in (ends - spans).tolist()]).T
        phase = np.minimum(np.searchsorted(ends, times, side="left"), len(spans) - 1)
        d, j = np.clip(times - (ends - spans)[phase], 0.0, spans[phase]), jerks[phase]
        s, v, a = starts[:, phase]
        found = np.array([s + d * (v + d * (0.5 * a + d * j / 6.0)), v + d * (a + 0.5 * d * j), a + d * j, j])
        found[:, times <= 0.0] = 0.0
        found[:, times > ends[-1]] = np.array([[1.0], [0.0], [0.0], [0.0]])
        return found


class Piece(Struct, frozen=True):
    """A part of a plan.

    Args:
        begin: Start of the piece, seconds after the start of the plan.
        knots: Joint positions at equal shares of the curve; two for a straight line.
        bends: Second derivatives of the curve (a cubic spline) at the knots; empty for a straight line.
        profile: Its timing.
    """

    begin: float
    knots: tuple[Vector, ...]
    bends: tuple[Vector, ...]
    profile: Profile

    @property
    def end(self) -> float:
        """End of the piece, seconds after the start of the plan."""
        return self.begin + self.profile.duration

    def curve(self, s: float) -> tuple[Floats, Floats, Floats]:
        """Return the joints at a share of the curve, and their first and second derivatives by it.

        Args:
            s: The share, 0 to 1.
        """
        last = len(self.knots) - 1
        i = min(int(s * last), last - 1)
        x, h = s * last - i, 1.0 / last
        p, q = np.array(self.knots[i]), np.array(self.knots[i + 1])
        if not self.bends:
            return p + x * (q - p), (q - p) * last, np.zeros(len(p))
        a, b = np.array(self.bends[i]), np.array(self.bends[i + 1])
        y = 1.0 - x
        position = y * p + x * q + h * h / 6.0 * ((y**3 - y) * a + (x**3 - x) * b)
        slope = (q - p) * last + h / 6.0 * ((1.0 - 3.0 * y * y) * a + (3.0 * x * x - 1.0) * b)
        return position, slope, y * a + x * b

    def at(self, t: float) -> tuple[Floats, Floats, Floats]:
        """Return positions, rates and accelerations of the joints on this piece.

        Args:
            t: Seconds after the start of the plan.
        """
        s, v, a, _ = self.profile.at(t - self.begin)
        position, slope, bend = self.curve(s)
        return position, slope * v, slope * a + bend * v * v


class Plan(Struct, frozen=True):
    """A motion of an arm from rest to rest.

    Args:
        start: Joint positions at the start, radians or metres.
        goal: Joint positions at the end.
        pieces: Its pieces, in the order in which they begin.
        length: Length of the path in radians (slides: arm lengths), corners not rounded.
        checks: Number of joint positions checked to find it.
    """

    start: Vector
    goal: Vector
    pieces: tuple[Piece, ...]
    length: float = 0.0
    checks: int = 0

    @property
    def duration(self) -> float:
        """Duration, s."""
        return max((piece.end for piece in self.pieces), default=0.0)

    @property
    def waypoints(self) -> tuple[Vector, ...]:
        """The corners of the path, including start and goal."""
        return (self.start, *(piece.knots[-1] for piece in self.pieces))

    def at(self, t: float) -> tuple[Floats, Floats, Floats]:
        """Return positions, rates and accelerations of the joints.

        Args:
            t: Seconds after the start.
        """
        zero = np.zeros(len(self.start))
        if t >= self.duration:
            return np.array(self.goal), zero, zero.copy()
        # pieces that are over have moved the joints to their last knot
        later = bisect.bisect_right([piece.begin for piece in self.pieces], t)
        position, rate, acceleration = np.array(self.start), zero, zero.copy()
        for piece in self.pieces[:later]:
            if piece.end <= t:
                position = position + np.array(piece.knots[-1]) - np.array(piece.knots[0])
                continue
            here, v, a = piece.at(t)
            position = position + here - np.array(piece.knots[0])
            rate, acceleration = rate + v, acceleration + a
        return position, rate, acceleration
