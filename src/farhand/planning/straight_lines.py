"""Straight tip motions: the joints along a line in space, solved from one pose to the next."""

from __future__ import annotations

import math

import numpy as np

from farhand.errors import PlanningError
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.kinematics.arithmetic.link_frames import LEADS, TURNS
from farhand.planning.plan import Piece, Profile
from farhand.poses import Pose, angle_between, from_matrix, interpolate, matrix

__all__ = ["line_of", "spline"]

STEP, TURN = 0.01, 0.05  # largest step between two knots, metres and radians
STRAY = 2e-4  # largest deviation of the tip from the line, metres
FINER = 3  # number of times that the knots may be doubled
JUMP = 0.5  # radians (slides: arm lengths) between two knots beyond which the arm would change its posture
REST = Profile((1.0,), (0.0,))


def line_of(chain: SerialChain, start: Floats, T_goal: Floats) -> Piece:
    """Return a curve of the joints that takes the tip straight to a pose, turning evenly; not timed yet.

    Args:
        chain: The arm.
        start: (n,) joints to start from, radians or metres.
        T_goal: (4, 4) pose of the tip at the end.

    Raises:
        PlanningError: If a pose on the line is out of reach, or the arm would have to change its posture.
    """
    first, last = from_matrix(chain.forward(start)), from_matrix(T_goal)
    length = math.dist(first.position, last.position)
    turn = angle_between(first.rotation, last.rotation)
    count = max(4, math.ceil(length / STEP), math.ceil(turn / TURN))
    for _ in range(FINER + 1):
        piece = spline(_knots(chain, start, first, last, count))
        if _stray(chain, piece, first, last) <= STRAY:
            return piece
        count *= 2
    raise PlanningError(f"the tip cannot follow the line: it deviates by more than {STRAY * 1e3:g} mm")


def _knots(chain: SerialChain, start: Floats, first: Pose, last: Pose, count: int) -> Floats:
    units = np.where(chain.arrays.kinds % LEADS == TURNS, 1.0, 1.0 / chain.length)
    rows = [start]
    for k in range(1, count + 1):
        share = k / count
        found = chain.inverse(matrix(interpolate(first, last, share)), rows[-1])
        if not found.reached:
            raise PlanningError(
                f"the line cannot be followed beyond {100 * (k - 1) / count:.0f} % of its length: {found.reason}"
            )
        if np.abs(units * (found.q - rows[-1])).max() > JUMP * max(1.0, 8.0 / count):
            raise PlanningError(
                f"the line cannot be followed beyond {100 * (k - 1) / count:.0f} % of its length:"
                " the arm would have to change its posture"
            )
        rows.append(found.q)
    return np.array(rows)


def _stray(chain: SerialChain, piece: Piece, first: Pose, last: Pose) -> float:
    """Return the largest deviation of the tip from the line midway between the knots (m)."""
    count, worst = len(piece.knots) - 1, 0.0
    for k in range(count):
        share = (k + 0.5) / count
        q, _, _ = piece.curve(share)
        there = interpolate(first, last, share).position
        worst = max(worst, math.dist(chain.forward(q)[:3, 3].tolist(), there))
    return worst


def spline(knots: Floats) -> Piece:
    """Return the natural cubic spline through knots (m, n) at equal shares: smooth to the second derivative.

    With knots h apart M_{i−1} + 4·M_i + M_{i+1} = 6·(q_{i−1} − 2·q_i + q_{i+1})/h², and M = 0 at the ends.
    """
    m = len(knots)
    bends = np.zeros_like(knots)
    if m > 2:
        A = 4.0 * np.eye(m - 2) + np.eye(m - 2, k=1) + np.eye(m - 2, k=-1)
        bends[1:-1] = np.linalg.solve(A, 6.0 * (m - 1) ** 2 * (knots[:-2] - 2.0 * knots[1:-1] + knots[2:]))
    return Piece(0.0, tuple(map(tuple, knots.tolist())), tuple(map(tuple, bends.tolist())), REST)
