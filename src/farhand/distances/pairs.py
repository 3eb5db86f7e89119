"""Choice of the pairs of an arm's capsules that can collide; adjacent and always-touching ones are left out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from farhand.distances.capsules import Capsule
from farhand.distances.packed_scene import PackedScene
from farhand.distances.queries import pair_distances
from farhand.kernels import Floats, Ints
from farhand.kinematics import SerialChain

__all__ = ["LeftOut", "choose_pairs", "random_joints"]

SAMPLES = 2000  # number of random joint positions at which pairs are tested
ALMOST_ALWAYS = 0.98
Cause = Literal["adjacent", "always touching", "touching at rest", "never touching"]


class LeftOut(Struct, frozen=True):
    """A pair of links that is not checked for collision, and the cause."""

    first: str
    second: str
    cause: Cause


def choose_pairs(
    chain: SerialChain, capsules: Sequence[Capsule], scene: PackedScene, rest: Floats | None = None, carried: int = 0
) -> tuple[Ints, tuple[LeftOut, ...]]:
    """Return the pairs (p, 2) of capsules to check, the one nearer to the base first, and the links left out.

    Two links on either side of one joint always touch there. So do links separated by short ones; they are found by
    trying random joints. Pairs that touch at rest are attributed to the capsules' excess.

    Args:
        chain: The arm.
        capsules: Its capsules.
        scene: Those capsules as a scene; its pairs and solids are ignored.
        rest: (n,) joints at which the arm does not touch itself.
        carried: Number of capsules at the end that belong to an object in the gripper, which has no adjacent link.
    """
    candidates: list[tuple[int, int]] = []
    left: dict[tuple[str, str], LeftOut] = {}
    for i, first in enumerate(capsules):
        for j, second in enumerate(capsules):
            if second.link - first.link == 1 and j < len(capsules) - carried:
                left[first.name, second.name] = LeftOut(first.name, second.name, "adjacent")
            elif second.link > first.link:
                candidates.append((i, j))
    if not candidates:
        return np.zeros((0, 2), np.int64), tuple(left.values())
    pairs = np.array(candidates, dtype=np.int64)
    flat, whole = scene._replace(pairs=pairs, slacks=np.zeros(len(pairs))).packed()
    counts, at_rest = np.zeros(len(pairs)), np.full(len(pairs), np.inf)
    distances = np.empty(len(pairs))
    for q in random_joints(chain, SAMPLES):
        pair_distances(flat, whole, q, distances)
        counts += distances <= 0.0
    if rest is not None:
        pair_distances(flat, whole, np.ascontiguousarray(rest, dtype=np.float64), at_rest)
    kept = []
    for k, (i, j) in enumerate(candidates):
        names = capsules[i].name, capsules[j].name
        if counts[k] >= ALMOST_ALWAYS * SAMPLES:
            left[names] = LeftOut(*names, "always touching")
        elif at_rest[k] <= 0.0:
            left[names] = LeftOut(*names, "touching at rest")
        else:
            kept.append((i, j))
    return np.array(kept, dtype=np.int64).reshape(-1, 2), tuple(left.values())


def random_joints(chain: SerialChain, count: int) -> Floats:
    """Return (count, n) random joint positions within the limits, or within 2π for a joint without limits."""
    low = np.where(np.isfinite(chain.lower), chain.lower, -np.pi)
    high = np.where(np.isfinite(chain.upper), chain.upper, low + 2.0 * np.pi)
    return np.random.default_rng(0).uniform(np.minimum(low, high), high, (count, chain.n))
