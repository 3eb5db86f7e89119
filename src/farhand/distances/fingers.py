"""Positions of a hand's fingers between closed and open: driven joints, and those coupled to them by an equality.

A joint equality of the compiled model says q₁ = q₁⁰ + p(q₂ − q₂⁰) with a polynomial p of degree four: joint 1 follows
joint 2. Only one of a Panda's fingers is driven; the other follows it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from farhand.kernels import Floats

__all__ = ["FingerSweep"]

LEAST_POSITIONS = 5  # from end to end, both included
MOST_POSITIONS = 65
TURN = 0.2  # largest turn of all joints of a finger together between two positions, radians
PLAY = 1.8 / 8.0  # 1/m, times the square of a step: deviation of a sliding finger on a soft drive
Ends = Mapping[str, tuple[float, float]]


class FingerSweep:
    """The finger joints of a compiled model, and the bodies that they move.

    Args:
        model: Compiled model (``mujoco.MjModel``).
        sweeps: Driven finger joints and their two ends, by name.
    """

    def __init__(self, model: Any, sweeps: Ends) -> None:
        self._model = model
        self._ends = {int(model.joint(name).id): ends for name, ends in sweeps.items()}
        self._ties = _ties(model, self._ends)
        moved = {*self._ends, *[follower for follower, _, _ in self._ties]}
        self._joints = {body: _own(model, body) & moved for body in range(model.nbody)}
        self._shut, self._wide = self._at(0.0), self._at(1.0)

    def put(self, data: Any, share: float) -> None:
        """Set all finger joints to a share of their ranges; the kinematics are not updated."""
        for joint, value in self._at(share).items():
            data.qpos[self._model.jnt_qposadr[joint]] = value

    def root(self, body: int) -> int | None:
        """Return the first body of the finger that a body belongs to; None if no finger joint moves it."""
        found = None
        while body:
            found = body if self._joints[body] else found
            body = int(self._model.body_parentid[body])
        return found

    def shares(self, bodies: Iterable[int]) -> Floats:
        """Return shares from end to end, so close that no body turns by more than `TURN` between two."""
        turn = max((self._travel(body)[0] for body in bodies), default=0.0)
        if not self._ends:
            return np.zeros(1)
        return np.linspace(0.0, 1.0, min(max(LEAST_POSITIONS, math.ceil(turn / TURN) + 1), MOST_POSITIONS))

    def bulge(self, body: int, reach: float, count: int) -> float:
        """Return the largest deviation (m) of a body's point from the line between two positions, play included.

        With joints that turn by θ and slide by s in all, |p''| ≤ r·θ² + 2·s·θ, and the deviation is |p''|/8.

        Args:
            body: The body.
            reach: Distance (r) from any joint of its finger to its farthest point, metres.
            count: Number of positions from end to end.
        """
        turn, slide = (travel / max(count - 1, 1) for travel in self._travel(body))
        return (reach * turn + 2.0 * slide) * turn / 8.0 + PLAY * slide * slide

    def reach(self, data: Any, body: int, points: Floats) -> float:
        """Return the largest distance of points (k, 3) of a body from the finger joints that move it (m)."""
        joints = self._above(body)
        return max((float(np.linalg.norm(points - data.xanchor[j], axis=1).max()) for j in joints), default=0.0)

    def _travel(self, body: int) -> tuple[float, float]:
        """Return the total turn (rad) and slide (m), from end to end, of the finger joints that move a body."""
        import mujoco

        travel = {True: 0.0, False: 0.0}
        for joint in self._above(body):
            slides = int(self._model.jnt_type[joint]) == int(mujoco.mjtJoint.mjJNT_SLIDE)
            travel[slides] += abs(self._wide[joint] - self._shut[joint])
        return travel[False], travel[True]

    def _above(self, body: int) -> list[int]:
        """Return the finger joints that move a body."""
        found: list[int] = []
        while body:
            found += self._joints[body]
            body = int(self._model.body_parentid[body])
        return found

    def _at(self, share: float) -> dict[int, float]:
        found = {joint: first + share * (last - first) for joint, (first, last) in self._ends.items()}
        rest = self._model.qpos0[self._model.jnt_qposadr]
        for follower, leader, curve in self._ties:
            value = float(rest[follower] + np.polyval(curve[::-1], found[leader] - rest[leader]))
            if self._model.jnt_limited[follower]:
                value = float(np.clip(value, *self._model.jnt_range[follower]))
            found[follower] = value
        return found


def _own(model: Any, body: int) -> set[int]:
    first = int(model.body_jntadr[body])
    return set(range(first, first + int(model.body_jntnum[body])))


def _ties(model: Any, driven: Iterable[int]) -> list[tuple[int, int, Floats]]:
    """Return (follower, leader, polynomial) of the joints that follow driven ones, leaders first."""
    import mujoco

    pairs = {
        int(model.eq_obj1id[e]): (int(model.eq_obj2id[e]), np.array(model.eq_data[e, :5], dtype=np.float64))
        for e in range(model.neq)
        if model.eq_active0[e] and int(model.eq_type[e]) == int(mujoco.mjtEq.mjEQ_JOINT)
    }
    known, ties = set(driven), []
    while ready := [f for f, (leader, _) in pairs.items() if f not in known and leader in known]:
        ties += [(follower, *pairs[follower]) for follower in ready]
        known.update(ready)
    return ties
