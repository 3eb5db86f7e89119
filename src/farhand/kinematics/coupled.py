"""Chains in which some joints follow others (mimic joints): the driven ones move them all, q_all = C·q + c.

It fulfils the contract of every mechanism on top of a plain chain. Its inverse is a search in Python: milliseconds
where a plain chain takes microseconds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError, UnknownNameError
from farhand.kernels import Floats
from farhand.kinematics.chain import SerialChain
from farhand.kinematics.checks import check_pose, check_vector
from farhand.kinematics.contract import Reason, Solution
from farhand.kinematics.rigid import TURNS

__all__ = ["CoupledChain"]

ITERATIONS, RESTARTS = 60, 30
LONGEST = 0.1  # radians, or arm lengths of a slide, in one step of `follow`
HALVINGS = 8


class CoupledChain:
    """A serial chain some of whose joints follow others.

    Args:
        chain: The whole chain.
        followers: By name of each joint that follows: (name of its leader, multiplier, offset),
            q_follower = multiplier·q_leader + offset.

    Raises:
        UnknownNameError: If the chain has no such joint.
        CommandError: If a leader follows itself, or leader and follower have no position in common.
    """

    def __init__(self, chain: SerialChain, followers: Mapping[str, tuple[str, float, float]]) -> None:
        self.chain = chain
        for name in [*followers, *(leader for leader, _, _ in followers.values())]:
            if name not in chain.names:
                raise UnknownNameError("joint", name, chain.names)
        driven = [name for name in chain.names if name not in followers]
        for name, (leader, _, _) in followers.items():
            if leader in followers:
                raise CommandError(f"joint {name!r} follows {leader!r}, which follows another one itself")
        self.n, self.names = len(driven), tuple(driven)
        self._C, self._c = np.zeros((chain.n, self.n)), np.zeros(chain.n)
        for i, name in enumerate(chain.names):
            leader, multiplier, offset = followers.get(name, (name, 1.0, 0.0))
            self._C[i, driven.index(leader)], self._c[i] = multiplier, offset
        self.lower, self.upper = self._limits()
        kinds = [int(chain.arrays.kinds[chain.names.index(name)]) for name in driven]
        self._scale = np.array([1.0 if kind == TURNS else chain.length for kind in kinds])

    @classmethod
    def from_model(cls, model: Any, base: str, tip: str) -> CoupledChain:
        """Return the chain of a compiled MuJoCo model whose joint equalities tell which joints follow.

        Raises:
            UnknownNameError: If there is no such body or site.
            CommandError: If there is no chain, or a joint follows another one in a curve instead of a line.
        """
        import mujoco

        chain = SerialChain.from_model(model, base, tip)
        followers = {}
        for k in range(model.neq):
            if int(model.eq_type[k]) != int(mujoco.mjtEq.mjEQ_JOINT) or not model.eq_active0[k]:
                continue
            first, second = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
            name, leader = str(model.joint(first).name), str(model.joint(second).name) if second >= 0 else ""
            if name not in chain.names or leader not in chain.names:
                continue
            c0, c1, *curve = model.eq_data[k, :5].tolist()
            if any(curve):
                raise CommandError(f"joint {name!r} follows {leader!r} in a curve; a chain can follow lines only")
            rest, rest_leader = (float(model.qpos0[model.jnt_qposadr[joint]]) for joint in (first, second))
            followers[name] = (leader, c1, rest + c0 - c1 * rest_leader)
        return cls(chain, followers)

    def joints(self, q: ArrayLike) -> Floats:
        """Return the positions of all joints of the chain for those of the driven ones: C·q + c."""
        return np.asarray(self._C @ check_vector(q, self.n, "joint positions") + self._c)

    def forward(self, q: ArrayLike) -> Floats:
        """Return the tip's pose (4, 4) in the base frame."""
        return self.chain.forward(self.joints(q))

    def jacobian(self, q: ArrayLike) -> Floats:
        """Return J·C (6, n): the tip's velocity for the rates of the driven joints."""
        return np.asarray(self.chain.jacobian(self.joints(q)) @ self._C)

    def inverse(self, T: ArrayLike, seed: ArrayLike, tolerance: float = 1e-5) -> Solution:
        """Return joints that bring the tip to a pose, near the seed; or the nearest found, position first."""
        target, start = check_pose(T), check_vector(seed, self.n, "the seed")
        if not 0.0 < tolerance < np.inf:
            raise CommandError(f"the tolerance must be positive, found {tolerance}")
        rng = np.random.default_rng(0)
        low = np.where(np.isfinite(self.lower), self.lower, start - np.pi)
        high = np.where(np.isfinite(self.upper), self.upper, start + np.pi)
        best: tuple[float, Floats] = (np.inf, start)
        for attempt in range(1 + RESTARTS):
            q = np.clip(start, self.lower, self.upper) if attempt == 0 else rng.uniform(low, high)
            q = self._descend(target, q, tolerance)
            shift, turn = self._errors(target, q)
            if shift <= tolerance and turn <= tolerance:
                return Solution(q, True, shift, turn)  # noqa: FBT003  reached
            cost = shift + 0.03 * self.chain.length * turn
            best = min(best, (cost, q), key=lambda pair: pair[0])
        shift, turn = self._errors(target, best[1])
        return Solution(best[1], False, shift, turn, self._reason(best[1], target, shift, tolerance))  # noqa: FBT003

    def follow(self, T: ArrayLike, q: ArrayLike) -> Floats:
        """Return the joints after one step towards a pose that moves; a step never makes the error larger."""
        target, here = check_pose(T), check_vector(q, self.n, "joint positions")
        step = self._step(target, here, 1e-4)
        step *= min(1.0, LONGEST / max(float(np.abs(step / self._scale).max()), 1e-12))
        before = self._cost(target, here)
        for _ in range(HALVINGS):
            moved = np.clip(here + step, self.lower, self.upper)
            if self._cost(target, moved) <= before * (1.0 + 1e-9) + 1e-18:
                return np.asarray(moved)
            step *= 0.5
        return np.asarray(np.clip(here, self.lower, self.upper))

    def _descend(self, target: Floats, q: Floats, tolerance: float) -> Floats:
        """Return the end of a Levenberg–Marquardt descent inside the limits."""
        damping, cost = 1e-2, self._cost(target, q)
        for _ in range(ITERATIONS):
            if max(self._errors(target, q)) <= 0.1 * tolerance:
                break
            moved = np.clip(q + self._step(target, q, damping * cost + 1e-12), self.lower, self.upper)
            after = self._cost(target, moved)
            if after < cost:
                q, cost, damping = moved, after, max(0.3 * damping, 1e-5)
            elif damping > 1e3:
                break
            else:
                damping *= 8.0
        return np.asarray(q)

    def _step(self, target: Floats, q: Floats, damping: float) -> Floats:
        J, e = self.jacobian(q), self._error(target, q)
        J[:3] /= self.chain.length
        e[:3] /= self.chain.length
        J = J * self._scale
        g = J.T @ e
        # joints at a limit that would be pushed through it stay
        free = ~(((q <= self.lower) & (g < 0.0)) | ((q >= self.upper) & (g > 0.0)))
        step = np.zeros(self.n)
        if free.any():
            H = J[:, free].T @ J[:, free] + damping * np.eye(int(free.sum()))
            step[free] = np.linalg.solve(H, g[free])
        return np.asarray(step * self._scale)

    def _error(self, target: Floats, q: Floats) -> Floats:
        """Return shift and turn from the tip to the target, base axes."""
        T = self.forward(q)
        R = target[:3, :3] @ T[:3, :3].T
        axis = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
        sine, cosine = 0.5 * float(np.linalg.norm(axis)), 0.5 * (float(np.trace(R)) - 1.0)
        if sine > 1e-9:
            axis *= np.arctan2(sine, cosine) / (2.0 * sine)
        elif cosine < 0.0:
            # half a turn: any column of R + 1 points along its axis
            column = (R + np.eye(3))[:, int(np.argmax(np.diag(R)))]
            axis = np.pi * column / np.linalg.norm(column)
        return np.concatenate((target[:3, 3] - T[:3, 3], axis))

    def _errors(self, target: Floats, q: Floats) -> tuple[float, float]:
        e = self._error(target, q)
        return float(np.linalg.norm(e[:3])), float(np.linalg.norm(e[3:]))

    def _cost(self, target: Floats, q: Floats) -> float:
        shift, turn = self._errors(target, q)
        return (shift / self.chain.length) ** 2 + turn**2

    def _reason(self, q: Floats, target: Floats, shift: float, tolerance: float) -> Reason:
        if shift <= tolerance:
            return "orientation"
        offset = target[:3, 3] - self.chain.arrays.fixed[0, :, 3]
        at_limit = (q <= self.lower + 1e-9) | (q >= self.upper - 1e-9)
        too_far = float(np.linalg.norm(offset)) > self.chain.reach
        return "too far" if too_far or not at_limit.any() else "joint limit"

    def _limits(self) -> tuple[Floats, Floats]:
        """Return limits of the driven joints within which their followers keep theirs too."""
        lower, upper = np.full(self.n, -np.inf), np.full(self.n, np.inf)
        for i in range(self.chain.n):
            k = int(np.flatnonzero(self._C[i])[0]) if self._C[i].any() else -1
            if k < 0:
                continue
            ends = (np.array([self.chain.lower[i], self.chain.upper[i]]) - self._c[i]) / self._C[i, k]
            lower[k], upper[k] = max(lower[k], ends.min()), min(upper[k], ends.max())
        for k in np.flatnonzero(lower > upper).tolist():
            raise CommandError(f"joint {self.names[k]!r} and those that follow it have no position in common")
        return lower, upper
