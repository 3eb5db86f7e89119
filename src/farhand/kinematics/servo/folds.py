"""Folds: joint angles that no tip motion may carry a joint through, as that of a stretched elbow.

With the elbow stretched the arm is singular, whatever the other joints do, and the lost motion v turns the elbow
itself: past it the tip only comes back, with the elbow bent the other way, and an arm whose tip is drawn out of reach
would end up there. A wrist that becomes aligned is singular too, but its lost motion leaves the aligned joint alone
(v_i = 0): the tip's way goes on behind it, and it is passed freely.

To tip motions a fold is a position limit of its joint on the side where it is, MARGIN before the fold. So the joint
brakes in time, keeps its side without a memory, and leaves freely. Motions of joints pass through.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel
from farhand.kinematics.servo.rate_bounds import way_to_stop

__all__ = ["PER_JOINT", "let_stop", "narrow_limits"]

PER_JOINT = 2  # an elbow has two: stretched, and folded back
MARGIN = 0.03  # rad before the fold; an IRB 120 gives up less than 0.1 mm of its reach
SURE = 0.01  # rad within which the joint has no side: it was brought there, and may leave to either one
TURN = 2.0 * math.pi


@kernel(inline=True)
def narrow_limits(limits: Floats, folds: Floats, q: Floats, narrow: Floats) -> None:
    """Write the limits of tip motions: those of the joints, and folds beside which they are.

    Args:
        limits: (≥ 2, n) lower and upper positions, and others that stay.
        folds: (2, n) see `find_folds`.
        q: (n,) positions.
        narrow: (≥ as many, n) result.
    """
    for i in range(q.shape[0]):
        for r in range(limits.shape[0]):
            narrow[r, i] = limits[r, i]
        for k in range(PER_JOINT):
            if folds[k, i] < np.inf:
                # how far the joint is above the fold, in [0, 2·π)
                above = q[i] - folds[k, i]
                above -= TURN * math.floor(above / TURN)
                if SURE < above < TURN - SURE:
                    narrow[0, i] = max(narrow[0, i], q[i] - above + MARGIN)
                    narrow[1, i] = min(narrow[1, i], q[i] - above + TURN - MARGIN)


@kernel(inline=True)
def let_stop(limits: Floats, q: Floats, rates: Floats, dt: float, narrow: Floats) -> None:
    """Move the limits of tip motions out to where joints that come too fast can stop.

    A joint that was jogged by itself may come to its fold at any speed. Who counts on its braking harder than it can
    takes the arm to be elsewhere.

    Args:
        limits: (5, n) lower, upper, velocity, acceleration, jerk of the joints.
        q: (n,) positions.
        rates: (n,) present rates.
        dt: Seconds of a tick.
        narrow: (≥ 2, n) limits of tip motions, changed.
    """
    for i in range(q.shape[0]):
        down = way_to_stop(-rates[i], limits[3, i], limits[4, i], dt)
        up = way_to_stop(rates[i], limits[3, i], limits[4, i], dt)
        narrow[0, i] = max(limits[0, i], min(narrow[0, i], q[i] - down))
        narrow[1, i] = min(limits[1, i], max(narrow[1, i], q[i] + up))
