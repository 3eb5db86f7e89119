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
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from farhand.kernels import Floats, kernel
from farhand.kinematics.serial.link_frames import LEADS, SLIDES
from farhand.kinematics.servo.rate_bounds import way_to_stop

if TYPE_CHECKING:
    from farhand.kinematics.serial.chain import SerialChain

__all__ = ["find_folds", "is_stretched", "let_stop", "narrow_limits"]

PER_JOINT = 2  # an elbow has two: stretched, and folded back
MARGIN = 0.03  # rad before the fold; an IRB 120 gives up less than 0.1 mm of its reach
SURE = 0.01  # rad within which the joint has no side: it was brought there, and may leave to either one
GRID = 32  # angles of a joint that are tried
POSTURES = 3  # of the other joints for which a fold must be one
SINGULAR = 1e-6  # volume of J, relative to that around, that counts as none
TAKES_PART = 0.1  # |v_i| from which the lost motion turns the joint itself
TURN = 2.0 * math.pi
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


def find_folds(chain: SerialChain, weights: Floats) -> Floats:
    """Return (2, n) angles at which a joint folds the arm, in (−π, π], infinite for none.

    Args:
        chain: The arm.
        weights: (6,) of the tip's dimensions.
    """
    found, postures = np.full((PER_JOINT, chain.n), np.inf), _postures(chain)
    low, high = _range(chain)
    scales = np.where(np.arange(6) < 3, 1.0 / chain.length, 1.0) * weights
    rank = min(chain.n, int(np.count_nonzero(weights)))
    tied = chain.links is not chain
    for i in range(0 if tied else 1, chain.n):  # turning the first joint alone turns the whole arm
        # what follows a joint need not come round with it: then an angle is no posture
        part = tied and high[i] - low[i] < chain.upper[i] - chain.lower[i]
        if chain.arrays.kinds[i] % LEADS == SLIDES or not rank or part:
            continue
        looks = [_Look(chain, scales, rank, posture, i) for posture in postures]
        folds = [angle for angle in looks[0].lows(low[i], high[i]) if all(look.folds(angle) for look in looks)]
        found[: len(folds[:PER_JOINT]), i] = folds[:PER_JOINT]
    return found


def is_stretched(chain: SerialChain, joint: int, angle: float) -> bool:
    """Tell whether a fold stretches the arm, rather than folds it back: the tip is farther away than beside it."""
    beside, before = 0.0, max(chain.links.names.index(chain.names[joint]) - 1, 0)
    for posture in _postures(chain):
        for turned, share in ((0.0, 1.0), (0.3, -0.5), (-0.3, -0.5)):
            posture[joint] = angle + turned
            frames = chain.frames(posture)
            beside += share * float(np.linalg.norm(frames[-1, :3, 3] - frames[before, :3, 3]))
    return beside > 0.0


def _postures(chain: SerialChain) -> Floats:
    """Return some postures within the limits, always the same ones."""
    return np.random.default_rng(1).uniform(*_range(chain), (POSTURES, chain.n))


def _range(chain: SerialChain) -> tuple[Floats, Floats]:
    """Return the limits of the joints, at most a turn apart."""
    low, high = np.maximum(chain.lower, -math.pi), np.minimum(chain.upper, math.pi)
    return np.minimum(low, high), high


class _Look:
    """A look at the Jacobian of a posture, as one joint turns."""

    def __init__(self, chain: SerialChain, scales: Floats, rank: int, posture: Floats, joint: int) -> None:
        self.chain, self.scales, self.rank, self.joint = chain, scales[:, None], rank, joint
        self.posture = posture.copy()

    def jacobian(self, angle: float) -> Floats:
        self.posture[self.joint] = angle
        return self.scales * self.chain.jacobian(self.posture)

    def volume(self, angle: float) -> float:
        """Return the product of the singular values."""
        return float(np.prod(np.linalg.svd(self.jacobian(angle), compute_uv=False)[: self.rank]))

    def lows(self, low: float, high: float) -> list[float]:
        """Return the angles where the volume is lowest around."""
        angles = np.linspace(low, high, GRID)
        sizes = [self.volume(angle) for angle in angles]
        falls = [b < a for a, b in pairwise(sizes)]
        return [self._lowest(angles[k], angles[k + 2]) for k in range(GRID - 2) if falls[k] and not falls[k + 1]]

    def _lowest(self, low: float, high: float) -> float:
        """Return the lowest angle between two, by golden sections."""
        for _ in range(48):
            first, second = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            if self.volume(first) < self.volume(second):
                high = second
            else:
                low = first
        return 0.5 * (low + high)

    def folds(self, angle: float) -> bool:
        """Tell whether the arm is singular at an angle, and the motion that is lost nearby turns the joint."""
        if self.volume(angle) > SINGULAR * max(self.volume(angle - 0.5), self.volume(angle + 0.5)):
            return False
        lost = np.linalg.svd(self.jacobian(angle + 0.01))[2][self.rank - 1]
        return bool(abs(lost[self.joint]) > TAKES_PART)


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
