"""Search for folds, the joint angles at which an arm is stretched or folded back; runs once for each chain."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any, Protocol

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.link_frames import LEADS, SLIDES
from farhand.kinematics.servo.folds import PER_JOINT

__all__ = ["find_folds", "is_stretched"]

GRID = 32  # sampled angles of a joint
POSTURES = 3  # of the other joints in which a fold must show
SINGULAR = 1e-6  # volume of J relative to nearby postures that counts as zero
TAKES_PART = 0.1  # |v_i| from which the lost motion turns the joint itself
GOLDEN = 0.5 * (math.sqrt(5.0) - 1.0)


class Foldable(Protocol):
    """The part of a chain that the search needs."""

    n: int
    names: tuple[str, ...]
    length: float
    lower: Floats
    upper: Floats
    arrays: ChainArrays

    @property
    def links(self) -> Any:
        """Return the chain of all joints, including followers."""

    def frames(self, q: Any) -> Floats:
        """Return (n + 1, 4, 4) frames of the joints and the tip."""

    def jacobian(self, q: Any) -> Floats:
        """Return the (6, n) Jacobian at the tip."""


def find_folds(chain: Foldable, weights: Floats) -> Floats:
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
        # followers need not come round with their leader: then an angle does not define a posture
        part = tied and high[i] - low[i] < chain.upper[i] - chain.lower[i]
        if chain.arrays.kinds[i] % LEADS == SLIDES or not rank or part:
            continue
        looks = [_Look(chain, scales, rank, posture, i) for posture in postures]
        folds = [angle for angle in looks[0].lows(low[i], high[i]) if all(look.folds(angle) for look in looks)]
        found[: len(folds[:PER_JOINT]), i] = folds[:PER_JOINT]
    return found


def is_stretched(chain: Foldable, joint: int, angle: float) -> bool:
    """Return whether a fold stretches the arm, rather than folds it back: the tip is farther than beside the fold."""
    beside, before = 0.0, max(chain.links.names.index(chain.names[joint]) - 1, 0)
    for posture in _postures(chain):
        for turned, share in ((0.0, 1.0), (0.3, -0.5), (-0.3, -0.5)):
            posture[joint] = angle + turned
            frames = chain.frames(posture)
            beside += share * float(np.linalg.norm(frames[-1, :3, 3] - frames[before, :3, 3]))
    return beside > 0.0


def _postures(chain: Foldable) -> Floats:
    """Return fixed pseudo-random postures within the limits."""
    return np.random.default_rng(1).uniform(*_range(chain), (POSTURES, chain.n))


def _range(chain: Foldable) -> tuple[Floats, Floats]:
    """Return the limits of the joints, clipped to one turn."""
    low, high = np.maximum(chain.lower, -math.pi), np.minimum(chain.upper, math.pi)
    return np.minimum(low, high), high


class _Look:
    """The Jacobian of a posture as a function of one joint's angle."""

    def __init__(self, chain: Foldable, scales: Floats, rank: int, posture: Floats, joint: int) -> None:
        self.chain, self.scales, self.rank, self.joint = chain, scales[:, None], rank, joint
        self.posture = posture.copy()

    def jacobian(self, angle: float) -> Floats:
        self.posture[self.joint] = angle
        return self.scales * self.chain.jacobian(self.posture)

    def volume(self, angle: float) -> float:
        """Return the product of the singular values."""
        return float(np.prod(np.linalg.svd(self.jacobian(angle), compute_uv=False)[: self.rank]))

    def lows(self, low: float, high: float) -> list[float]:
        """Return the angles of local minima of the volume."""
        angles = np.linspace(low, high, GRID)
        sizes = [self.volume(angle) for angle in angles]
        falls = [b < a for a, b in pairwise(sizes)]
        return [self._lowest(angles[k], angles[k + 2]) for k in range(GRID - 2) if falls[k] and not falls[k + 1]]

    def _lowest(self, low: float, high: float) -> float:
        """Return the angle of the minimum between two angles, by golden-section search."""
        for _ in range(48):
            first, second = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
            if self.volume(first) < self.volume(second):
                high = second
            else:
                low = first
        return 0.5 * (low + high)

    def folds(self, angle: float) -> bool:
        """Return whether the arm is singular at an angle and the motion lost nearby turns the joint."""
        if self.volume(angle) > SINGULAR * max(self.volume(angle - 0.5), self.volume(angle + 0.5)):
            return False
        lost = np.linalg.svd(self.jacobian(angle + 0.01))[2][self.rank - 1]
        return bool(abs(lost[self.joint]) > TAKES_PART)
