"""Folds: joint angles that no tip motion may carry a joint through, such as a stretched elbow.

With the elbow stretched the arm is singular, whatever the other joints do, and the lost motion v turns the elbow
itself: past it the tip only comes back, with the elbow bent the other way, and an arm whose tip is drawn out of reach
would end up there. An aligned wrist is singular too, but its lost motion leaves the aligned joint alone (v_i = 0): the
tip's path continues beyond it, and the joint passes freely.

For tip motions a fold is a position limit of its joint, MARGIN before the fold, on the side where the joint is. So the
joint brakes in time, keeps its side without a memory, and leaves freely. Joint motions pass through.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel
from farhand.kinematics.servo.rate_bounds import stopping_distance

__all__ = ["PER_JOINT", "let_stop", "narrow_limits"]

PER_JOINT = 2  # an elbow has two: stretched, and folded back
MARGIN = 0.03  # rad before the fold; an IRB 120 loses less than 0.1 mm of its reach
SURE = 0.01  # rad within which the joint has no side and may leave to either one
TURN = 2.0 * math.pi


@kernel(inline=True)
def narrow_limits(limits: Floats, folds: Floats, q: Floats, narrow: Floats) -> None:
    """Write the limits of tip motions: the joint limits, narrowed by the folds next to each joint.

    Args:
        limits: (≥ 2, n) lower and upper positions, and rows that are copied.
        folds: (2, n) see `find_folds`.
        q: (n,) positions.
        narrow: (≥ as many, n) result.
    """
    for i in range(q.shape[0]):
        # start from the joint's own limits
        for r in range(limits.shape[0]):
            narrow[r, i] = limits[r, i]
        # each fold bounds the joint on the side where it is
        for k in range(PER_JOINT):
            if folds[k, i] < np.inf:
                # angle of the joint above the fold, in [0, 2·π)
                above = q[i] - folds[k, i]
                above -= TURN * math.floor(above / TURN)
                if SURE < above < TURN - SURE:
                    narrow[0, i] = max(narrow[0, i], q[i] - above + MARGIN)
                    narrow[1, i] = min(narrow[1, i], q[i] - above + TURN - MARGIN)


@kernel(inline=True)
def let_stop(limits: Floats, q: Floats, rates: Floats, dt: float, narrow: Floats) -> None:
    """Move the limits of tip motions out to where joints that are too fast can stop.

    A joint that was jogged alone may reach its fold at any speed. A bound that asks it to brake harder than it can
    would plan for a posture that the arm does not have.

    Args:
        limits: (5, n) lower, upper, velocity, acceleration, jerk of the joints.
        q: (n,) positions.
        rates: (n,) present rates.
        dt: Seconds of a tick.
        narrow: (≥ 2, n) limits of tip motions, changed.
    """
    for i in range(q.shape[0]):
        # where the joint stops if it brakes from now on, in either direction
        down = stopping_distance(-rates[i], limits[3, i], limits[4, i], dt)
        up = stopping_distance(rates[i], limits[3, i], limits[4, i], dt)
        # widen the narrowed limits to there, never beyond the joint's own
        narrow[0, i] = max(limits[0, i], min(narrow[0, i], q[i] - down))
        narrow[1, i] = min(limits[1, i], max(narrow[1, i], q[i] + up))
