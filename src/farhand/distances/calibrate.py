"""How much nearer an arm's capsules are to each other than its links: measured once, on the compiled model.

Links with a short one between them are always near each other, and the capsules around them nearer still: watched as
they are, they would hold the arm back for good. So the true distance d of two links is compared with that of their
capsules, d_c, at many joint positions, and the pair is given a slack back. Where only two joints lie between the
links, so that the samples are dense, it is the largest one with which every bad position (d < BAD) still counts as
nearer than `keep`; links without bad positions are left out. For others it is the least difference d − d_c.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from farhand.distances.clearance import Clearance
from farhand.distances.models import link_shapes
from farhand.distances.pairs import LeftOut, random_joints
from farhand.distances.queries import pair_distances
from farhand.kernels import Floats, Ints

__all__ = ["calibrated"]

SAMPLES = 600
NEAR = 0.06  # metres of capsules within which the links themselves are measured
BAD = 0.005  # metres that links must keep
SAFE = 0.002  # metres less than the least difference found: the samples are not all there is
BETWEEN = 2  # joints between links up to which the samples are dense


def calibrated(
    clearance: Clearance, model: Any, base: str, keep: float, sweeps: Mapping[str, tuple[float, float]] | None = None
) -> Clearance:
    """Return the arm, alone, with the slack of its own pairs.

    Args:
        clearance: The arm in capsules, alone.
        model: Compiled model (``mujoco.MjModel``) that has it.
        base: Body whose frame is the base frame.
        keep: Metres that pairs will have to keep.
        sweeps: Joints beside the chain, such as fingers, and the ends of their way.
    """
    links = np.array([capsule.link for capsule in clearance.capsules])
    rows = np.column_stack((links[clearance.pairs[:, 0]], links[clearance.pairs[:, 1]]))
    couples = sorted(set(map(tuple, rows.tolist())))
    if not couples:
        return clearance
    own = _Links(clearance, model, base, sweeps or {})
    slacks, dense = np.full(len(couples), np.inf), [second - first <= BETWEEN for first, second in couples]
    apart = np.empty(len(rows))
    of_couple = [np.flatnonzero((rows == couple).all(axis=1)) for couple in couples]
    for q in random_joints(clearance.chain, SAMPLES):
        pair_distances(clearance.flat, clearance.whole, q, apart)
        near = [k for k, at in enumerate(of_couple) if apart[at].min() < NEAR]
        own.put(q)
        for k in near:
            capsules, true = float(apart[of_couple[k]].min()), own.distance(*couples[k])
            if not dense[k]:
                slacks[k] = min(slacks[k], max(true, 0.0) - capsules)
            elif true < BAD:
                slacks[k] = min(slacks[k], keep - capsules)
    return _with(clearance, couples, of_couple, slacks, dense)


def _with(
    clearance: Clearance, couples: list[tuple[int, int]], of_couple: list[Ints], slacks: Floats, dense: list[bool]
) -> Clearance:
    """Return the arm with slacks, without the pairs that never come near each other."""
    kept, given, left = [], [], list(clearance.left_out)
    names = {capsule.link: capsule.name for capsule in clearance.capsules}
    for (first, second), rows, slack, everywhere in zip(couples, of_couple, slacks, dense, strict=True):
        if everywhere and not np.isfinite(slack):
            left.append(LeftOut(names[first], names[second], "never touching"))
            continue
        kept += rows.tolist()
        given += [max(slack - SAFE, 0.0) if np.isfinite(slack) else 0.0] * len(rows)
    pairs = np.ascontiguousarray(clearance.pairs[kept].reshape(-1, 2))
    other = Clearance(clearance.chain, clearance.capsules, clearance.solids, pairs, slacks=np.array(given))
    other.left_out = tuple(left)
    return other


class _Links:
    """The arm's links as the model has them."""

    def __init__(self, clearance: Clearance, model: Any, base: str, sweeps: Mapping[str, tuple[float, float]]) -> None:
        import mujoco

        self._mujoco, self._model = mujoco, model
        self._ends = [mujoco.MjData(model), mujoco.MjData(model)]
        for end, data in enumerate(self._ends):
            for name, way in sweeps.items():
                data.joint(name).qpos[0] = way[end]
        self._ends = self._ends if sweeps else self._ends[:1]
        self._at = [int(model.joint(name).qposadr[0]) for name in clearance.chain.names]
        self._shapes = link_shapes(model, base, clearance.chain.names)
        self._nothing = np.zeros(6)

    def put(self, q: Floats) -> None:
        """Put the arm somewhere."""
        for data in self._ends:
            data.qpos[self._at] = q
            self._mujoco.mj_kinematics(self._model, data)

    def distance(self, first: int, second: int) -> float:
        """Return how far two links are apart, their fingers at either end."""
        return min(
            float(self._mujoco.mj_geomDistance(self._model, data, a, b, 2.0 * NEAR, self._nothing))
            for data in self._ends
            for a in self._shapes.get(first, ())
            for b in self._shapes.get(second, ())
        )
