"""Timing of paths: jerk-limited, by ruckig, within the limits of every joint."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

import numpy as np
import ruckig
from msgspec.structs import replace

from farhand.errors import PlanningError
from farhand.kernels import Floats
from farhand.kinematics import JointLimits
from farhand.planning.plan import Piece, Profile

__all__ = ["profile_within", "rounded", "straight_pieces", "within"]

SHARES = (0.5, 0.4, 0.3, 0.25, 0.2, 0.15, 0.1, 0.07, 0.05, 0.03)  # shares of a piece that may overlap with the next one
SAMPLES = 24  # instants at which a rounded corner is checked against the limits
SLACK = 1.0 + 1e-6


def profile_within(rate: float, acceleration: float, jerk: float) -> Profile:
    """Return the fastest profile within a top rate, acceleration and jerk (1/s, 1/s², 1/s³).

    Raises:
        PlanningError: If there is none because a limit is not positive.
    """
    ask = ruckig.InputParameter(1)
    ask.current_position, ask.target_position = [0.0], [1.0]
    ask.max_velocity, ask.max_acceleration, ask.max_jerk = [rate], [acceleration], [jerk]
    trajectory = ruckig.Trajectory(1)
    try:
        ruckig.Ruckig(1).calculate(ask, trajectory)
    except (ruckig.RuckigError, ValueError) as error:
        raise PlanningError(f"a path cannot be timed within {rate:g}, {acceleration:g}, {jerk:g}: {error}") from error
    found = trajectory.profiles[0][0]
    return Profile(tuple(found.t), tuple(found.j))


def straight_pieces(waypoints: Floats, limits: JointLimits, share: float) -> list[Piece]:
    """Return a straight piece between each two waypoints, one after the other, each joint within its limits.

    Args:
        waypoints: (m, n) corners of the path.
        limits: Limits of the joints.
        share: Share of the limits that may be used.
    """
    pieces, begin = [], 0.0
    for a, b in itertools.pairwise(waypoints):
        vector = np.maximum(np.abs(b - a), 1e-12)
        tops = [share * float((top / vector).min()) for top in (limits.velocity, limits.acceleration, limits.jerk)]
        piece = Piece(begin, (tuple(a.tolist()), tuple(b.tolist())), (), profile_within(*tops))
        pieces.append(piece)
        begin = piece.end
    return pieces


def rounded(
    pieces: Sequence[Piece], limits: JointLimits, share: float, free: Callable[[Floats, float], bool]
) -> tuple[Piece, ...]:
    """Return the pieces with their corners rounded: each begins as early as limits and surroundings allow.

    Args:
        pieces: Pieces from rest to rest, one after the other.
        limits: Limits of the joints.
        share: Share of the limits that may be used.
        free: Returns whether a path through joints (k, n), so many seconds apart, is free.
    """
    done: list[Piece] = []
    for piece in pieces:
        piece = replace(piece, begin=done[-1].end if done else 0.0)
        if done:
            piece = _earliest(done, piece, limits, share, free)
        done.append(piece)
    return tuple(done)


def _earliest(
    done: list[Piece], piece: Piece, limits: JointLimits, share: float, free: Callable[[Floats, float], bool]
) -> Piece:
    before = done[-1]
    shorter = min(before.profile.duration, piece.profile.duration)
    # at most two pieces may overlap
    open_from = done[-2].end if len(done) > 1 else 0.0
    for part in SHARES:
        overlap = part * shorter
        begin = before.end - overlap
        if begin < open_from:
            continue
        tried = replace(piece, begin=begin)
        q, inside = _corner(before, tried, limits, share)
        if inside and free(q, overlap / SAMPLES):
            return tried
    return piece


def _corner(before: Piece, after: Piece, limits: JointLimits, share: float) -> tuple[Floats, bool]:
    """Return the joints (k, n) where two straight pieces overlap, and whether they stay within their limits there."""
    # jerk is constant between the ends of phases: the middles between them cover all its values
    ends = np.unique([after.begin, before.end, *_phases(before), *_phases(after)])
    ends = ends[(ends >= after.begin) & (ends <= before.end)]
    even = np.linspace(after.begin, before.end, SAMPLES + 1)
    times = np.concatenate((even, ends, 0.5 * (ends[1:] + ends[:-1])))
    moves = [np.multiply.outer(piece.profile.many(times - piece.begin), _vector_of(piece)) for piece in (before, after)]
    both = moves[0] + moves[1]
    tops = (limits.velocity, limits.acceleration, limits.jerk)
    inside = all((np.abs(part) <= share * top * SLACK).all() for part, top in zip(both[1:3], tops[:2], strict=True))
    middles = both[3, len(even) + len(ends) :]
    if not (inside and (np.abs(middles) <= share * tops[2] * SLACK).all()):
        return np.empty(0), False
    return np.array(before.knots[0]) + both[0, : len(even)], True


def _vector_of(piece: Piece) -> Floats:
    vector: Floats = np.array(piece.knots[-1]) - np.array(piece.knots[0])
    return vector


def _phases(piece: Piece) -> list[float]:
    """Return the end time of each phase of a piece."""
    return [piece.begin + t for t in itertools.accumulate(piece.profile.times)]


def within(piece: Piece, limits: JointLimits, share: float, top_rate: float = np.inf) -> Piece:
    """Return a curved piece with a profile that keeps every joint within its limits.

    With q' and q'' the derivatives by the share of the path, q̈ = q'·s̈ + q''·ṡ² and so on; each of the two (three)
    parts gets half (a third) of the limit, at the worst place of the curve.

    Args:
        piece: The curve.
        limits: Limits of the joints.
        share: Share of the limits that may be used.
        top_rate: Largest rate of the share, 1/s.
    """
    slopes, bends, twists = _derivatives(piece)
    with np.errstate(divide="ignore"):
        v, a, j = share * limits.velocity, share * limits.acceleration, share * limits.jerk
        rate = min(
            float((v / slopes).min()),
            float(np.sqrt(0.5 * a / bends).min()),
            float(np.cbrt(j / 3.0 / twists).min()),
            top_rate,
        )
        acceleration = min(float((0.5 * a / slopes).min()), float((j / 9.0 / (bends * rate)).min()))
        jerk = float((j / 3.0 / slopes).min())
    return replace(piece, profile=profile_within(rate, acceleration, jerk))


def _derivatives(piece: Piece) -> tuple[Floats, Floats, Floats]:
    """Return the largest first, second and third derivative of each joint along a curve."""
    last = len(piece.knots) - 1
    slopes = np.max([np.abs(piece.curve(s)[1]) for s in np.linspace(0.0, 1.0, 4 * last + 1).tolist()], axis=0)
    bends = np.array(piece.bends) if piece.bends else np.zeros((2, len(piece.knots[0])))
    twists = np.abs(np.diff(bends, axis=0)).max(axis=0) * last
    return np.maximum(slopes, 1e-12), np.maximum(np.abs(bends).max(axis=0), 1e-12), np.maximum(twists, 1e-12)
