"""Slacks: how much nearer an arm's capsules are to each other than its links, measured once on the compiled model.

Links that are separated by a short one are always near each other, and the capsules around them are nearer still:
checked as they are, they would block the arm for good. So the true distance d of two links is compared with that of
their capsules, d_c, at many joint positions, and the pair gets a slack. If only two joints are between the links, the
samples are dense: the slack is the largest one with which every bad position (d < BAD) still counts as nearer than the
clearance to keep, and it grows with that clearance; links without bad positions are left out. For other links the slack
is the smallest difference d − d_c.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from msgspec import Struct

from farhand.distances.clearance import Clearance
from farhand.distances.compiled_shapes import link_shapes
from farhand.distances.fingers import FingerSweep
from farhand.distances.pairs import LeftOut, random_joints
from farhand.distances.queries import pair_distances
from farhand.kernels import Floats, Ints

__all__ = ["Slacks", "calibrate_slacks"]

SAMPLES = 600
NEAR = 0.06  # metres between capsules within which the links themselves are measured
BAD = 0.005  # clearance that links must keep, metres
SAFE = 0.002  # metres subtracted from the smallest difference found, because samples can miss it
BETWEEN = 2  # largest number of joints between links for which the samples are dense


class Slacks(Struct, frozen=True):
    """The least amount by which each pair of links is farther apart than its capsules.

    Args:
        least: Slack of each pair at zero clearance, metres.
        grows: True for each pair whose slack grows with the clearance to keep.
    """

    least: tuple[float, ...]
    grows: tuple[bool, ...]

    def at(self, keep: float) -> Floats:
        """Return the slack of each pair, metres.

        Args:
            keep: Clearance that the pairs have to keep, metres.
        """
        return np.maximum(np.array(self.least) + keep * np.array(self.grows, dtype=np.float64) - SAFE, 0.0)


def calibrate_slacks(
    clearance: Clearance, model: Any, base: str, sweeps: Mapping[str, tuple[float, float]] | None = None
) -> tuple[Clearance, Slacks]:
    """Return the arm with only those of its own pairs that can come near each other, and their slacks.

    Args:
        clearance: The arm as capsules, without surroundings.
        model: Compiled model (``mujoco.MjModel``) of the arm.
        base: Body whose frame is the base frame.
        sweeps: Joints beside the chain, such as fingers, and the ends of their ranges.
    """
    links = np.array([capsule.link for capsule in clearance.capsules])
    rows = np.column_stack((links[clearance.pairs[:, 0]], links[clearance.pairs[:, 1]]))
    couples = sorted(set(map(tuple, rows.tolist())))
    if not couples:
        return clearance, Slacks((), ())
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
                slacks[k] = min(slacks[k], -capsules)
    return _with(clearance, couples, of_couple, slacks, dense)


def _with(
    clearance: Clearance, couples: list[tuple[int, int]], of_couple: list[Ints], slacks: Floats, dense: list[bool]
) -> tuple[Clearance, Slacks]:
    """Return the arm without the pairs that never come near each other, and the slacks of the other pairs."""
    kept: list[int] = []
    least: list[float] = []
    grows: list[bool] = []
    left = list(clearance.left_out)
    names = {capsule.link: capsule.name for capsule in clearance.capsules}
    for (first, second), rows, slack, everywhere in zip(couples, of_couple, slacks.tolist(), dense, strict=True):
        if everywhere and not math.isfinite(slack):
            left.append(LeftOut(names[first], names[second], "never touching"))
            continue
        kept += rows.tolist()
        least += [slack if math.isfinite(slack) else 0.0] * len(rows)
        grows += [everywhere] * len(rows)
    pairs = np.ascontiguousarray(clearance.pairs[kept].reshape(-1, 2))
    other = Clearance(clearance.chain, clearance.capsules, clearance.solids, pairs)
    other.left_out = tuple(left)
    return other, Slacks(tuple(least), tuple(grows))


class _Links:
    """Exact distances between the arm's links in the compiled model."""

    def __init__(self, clearance: Clearance, model: Any, base: str, sweeps: Mapping[str, tuple[float, float]]) -> None:
        import mujoco

        self._mujoco, self._model, self._chain = mujoco, model, clearance.chain
        fingers = FingerSweep(model, sweeps)
        self._ends = [mujoco.MjData(model), mujoco.MjData(model)]
        for end, data in enumerate(self._ends):
            fingers.put(data, float(end))
        self._ends = self._ends if sweeps else self._ends[:1]
        self._at = [int(model.joint(name).qposadr[0]) for name in clearance.chain.links.names]
        self._shapes = link_shapes(model, base, clearance.chain.links.names)
        self._nothing = np.zeros(6)

    def put(self, q: Floats) -> None:
        """Set the arm's joints."""
        for data in self._ends:
            data.qpos[self._at] = self._chain.joints(q)
            self._mujoco.mj_kinematics(self._model, data)

    def distance(self, first: int, second: int) -> float:
        """Return the distance of two links, with the fingers at either end."""
        return min(
            float(self._mujoco.mj_geomDistance(self._model, data, a, b, 2.0 * NEAR, self._nothing))
            for data in self._ends
            for a in self._shapes.get(first, ())
            for b in self._shapes.get(second, ())
        )
