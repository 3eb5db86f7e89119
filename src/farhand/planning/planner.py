"""The planner: free paths from joints to joints or along a line, timed within the joints' limits."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from farhand.distances import Clearance
from farhand.errors import PlanningCancelledError, PlanningError
from farhand.kernels import Floats, Ints
from farhand.kinematics import JointLimits
from farhand.kinematics.argument_checks import check_pose, check_vector
from farhand.kinematics.arithmetic.link_frames import LEADS, SLIDES
from farhand.planning.plan import Plan
from farhand.planning.proof import prove
from farhand.planning.shortcuts import shorten
from farhand.planning.straight_lines import line_of
from farhand.planning.timing import rounded, straight_pieces, within
from farhand.planning.trees import FULL, GROWING, Bits, grow

__all__ = ["DEEPEST", "Cancelled", "Planner", "never"]

REACH = 0.8  # longest edge of a tree, radians
ATTEMPTS = (1000, 3000, 10_000, 30_000)  # rounds of each attempt: a new tree is better than an unlucky one
CHUNK = 250  # rounds between two checks for cancellation
SHORTCUTS = 85
NODES = 20_000
DEEPEST = -0.025  # least clearance, metres: hulls may overlap so far where the arm touches something
HEADROOM = 0.9  # share of the limits that a plan uses; servo and guard need the rest to follow
Cancelled = Callable[[], bool]


def never() -> bool:
    """Return false: never cancel."""
    return False


class Planner:
    """Finds motions of an arm that are proven free; keeps no state between plans.

    Args:
        clearance: The arm among solids.
        limits: Limits of its joints.
        keep: Clearance that every plan keeps, metres; slightly negative for an arm that touches something.
        tolerance: Motion below which an edge is abandoned, metres: an arm with less clearance than this (beyond `keep`)
            counts as blocked. A smaller value finds narrower paths and takes longer.

    Raises:
        PlanningError: If the limits do not match the arm, or room or tolerance is out of range.
    """

    def __init__(self, clearance: Clearance, limits: JointLimits, keep: float = 0.0, tolerance: float = 0.002) -> None:
        if limits.lower.shape != (clearance.chain.n,):
            raise PlanningError(f"the chain has {clearance.chain.n} joints, the limits are for {limits.lower.size}")
        if not (DEEPEST <= keep < 1.0 and 0.0 < tolerance < 0.1):
            problem = f"keep must be {DEEPEST} to 1 m and tolerance 0 to 0.1 m, found {keep} and {tolerance}"
            raise PlanningError(problem)
        self.clearance, self.limits, self.keep, self.tolerance = clearance, limits, keep, tolerance
        kinds = clearance.chain.arrays.kinds
        self.units = np.where(kinds % LEADS == SLIDES, 1.0 / clearance.chain.length, 1.0)
        self._scene = clearance.flat, clearance.whole, np.ascontiguousarray(clearance.link_levers), keep, tolerance

    def plan(self, start: ArrayLike, goal: ArrayLike, seed: int = 0, cancelled: Cancelled = never) -> Plan:
        """Return a motion from joints to joints, from rest to rest.

        Args:
            start: (n,) joints to start from, radians or metres.
            goal: (n,) joints to end at.
            seed: Seed of all random choices: the same problem and seed have the same answer.
            cancelled: Called from time to time; planning stops when it returns True.

        Raises:
            PlanningError: If start or goal is blocked (names the pair), or no free path was found.
            PlanningCancelledError: If it was cancelled.
        """
        return self.timed(*self.path(start, goal, seed, cancelled))

    def timed(self, path: Floats, checks: int = 0) -> Plan:
        """Return the motion along a path that is known to be free, from rest to rest, its corners rounded.

        Args:
            path: (m, n) corners of the path.
            checks: Number of joint positions checked to find it.
        """
        pieces = rounded(straight_pieces(path, self.limits, HEADROOM), self.limits, HEADROOM, self._corner_free)
        return Plan(_vector(path[0]), _vector(path[-1]), pieces, self.length(path), checks)

    def path(
        self, start: ArrayLike, goal: ArrayLike, seed: int = 0, cancelled: Cancelled = never
    ) -> tuple[Floats, int]:
        """Return the corners (m, n) of a free path, and the number of joint positions checked; see `plan`.

        Args:
            start: See `plan`, as for the others.
            goal: Joints to end at.
            seed: Seed of all random choices.
            cancelled: Called from time to time.
        """
        a, b = self._end(start, "start"), self._end(goal, "goal")
        random = np.array([_scrambled(seed)], dtype=np.uint64)
        direct = np.ascontiguousarray([a, b])
        if prove(*self._scene, direct):
            return direct, 2
        bounds = self.bounds(a, b)
        checks = np.zeros(1, np.int64)
        for rounds in ATTEMPTS:
            found = self._attempt(a, b, bounds, rounds, random, checks, cancelled)
            if found is not None:
                path, count = found
                count = shorten(*self._scene, self.units, SHORTCUTS, random, path, count)
                return path[:count].copy(), int(checks[0])
        raise PlanningError(f"no free path was found from {_text(a)} to {_text(b)} in {sum(ATTEMPTS)} rounds")

    def straight(self, start: ArrayLike, T_goal: ArrayLike, speed: float = math.inf) -> Plan:
        """Return a motion that takes the tip along a straight line to a pose, turning evenly.

        Args:
            start: (n,) joints to start from, radians or metres.
            T_goal: (4, 4) or (3, 4) pose of the tip in the base frame.
            speed: Largest speed of the tip, m/s.

        Raises:
            PlanningError: If the start is blocked, the line cannot be followed, or the line is blocked.
        """
        a, chain = self._end(start, "start"), self.clearance.chain
        goal = np.vstack((check_pose(T_goal)[:3], (0.0, 0.0, 0.0, 1.0)))
        piece = line_of(chain, a, goal)
        length = math.dist(chain.forward(a)[:3, 3].tolist(), goal[:3, 3].tolist())
        top = speed / length if length > 1e-9 else math.inf
        knots = np.array(piece.knots)
        for k, q in enumerate(knots):
            self._refuse_near(q, f"the line is blocked at {100 * k / (len(knots) - 1):.0f} % of its length")
        if not self._curve_free(knots, np.array(piece.bends)):
            self._refuse_curve(knots)
        piece = within(piece, self.limits, HEADROOM, min(top, 1e3))
        return Plan(_vector(a), piece.knots[-1], (piece,), self.length(knots), len(knots))

    def length(self, path: Floats) -> float:
        """Return the length of a path: radians, and arm lengths of slides.

        Args:
            path: (m, n) joint positions.
        """
        return float(np.linalg.norm(np.diff(path, axis=0) * self.units, axis=1).sum())

    def _attempt(
        self, a: Floats, b: Floats, bounds: Floats, rounds: int, random: Bits, checks: Ints, cancelled: Cancelled
    ) -> tuple[Floats, int] | None:
        most = min(NODES, 5 * rounds)
        nodes, parents = np.empty((2, most, len(a))), np.empty((2, most), np.int64)
        nodes[0, 0], nodes[1, 0], parents[:, 0] = a, b, -1
        counts, path = np.array([1, 1, 0], dtype=np.int64), np.empty((2 * most, len(a)))
        for _ in range(0, rounds, CHUNK):
            if cancelled():
                raise PlanningCancelledError("the plan was cancelled")
            found = grow(*self._scene, bounds, REACH, min(CHUNK, rounds), random, nodes, parents, counts, path, checks)
            if found == FULL:
                return None
            if found != GROWING:
                return path, found
        return None

    def _end(self, q: ArrayLike, which: str) -> Floats:
        """Return start or goal, checked against limits and clearance.

        Raises:
            PlanningError: If it fails; names the joint, or the pair that is too near.
        """
        joints = check_vector(q, self.clearance.chain.n, f"the {which}")
        lower, upper = self.limits.lower - 1e-9, self.limits.upper + 1e-9
        for i in np.flatnonzero((joints < lower) | (joints > upper)).tolist():
            name = self.clearance.chain.names[i]
            raise PlanningError(
                f"the {which} is beyond the limits of {name}: {joints[i]:.4g} is not within"
                f" {self.limits.lower[i]:.4g} to {self.limits.upper[i]:.4g}"
            )
        self._refuse_near(joints, f"the {which} is blocked")
        return joints

    def _refuse_near(self, q: Floats, what: str) -> None:
        near = self.clearance.distance(q)
        if near.distance <= self.keep:
            how = f"overlap by {-near.distance * 1e3:.1f} mm" if near.distance <= 0.0 else self._apart(near.distance)
            raise PlanningError(f"{what}: {near.first} and {near.second} {how}", first=near.first, second=near.second)
        if near.distance < self.keep + self.tolerance:
            problem = f"{what}: {near.first} and {near.second} {self._apart(near.distance)}"
            raise PlanningError(problem, first=near.first, second=near.second)

    def _apart(self, distance: float) -> str:
        needed = (self.keep + self.tolerance) * 1e3
        return f"are {distance * 1e3:.1f} mm apart, nearer than the {needed:.1f} mm that a proof needs"

    def _refuse_curve(self, knots: Floats) -> None:
        for k in range(len(knots) - 1):
            if not prove(*self._scene, np.ascontiguousarray(knots[k : k + 2])):
                near = self.clearance.distance(0.5 * (knots[k] + knots[k + 1]))
                what = f"the line is blocked at {100 * (k + 0.5) / (len(knots) - 1):.0f} % of its length"
                names = f"{near.first} comes too near to {near.second}"
                raise PlanningError(f"{what}: {names}", first=near.first, second=near.second)
        raise PlanningError("the line comes too near to something to be proven free")

    def _curve_free(self, knots: Floats, bends: Floats) -> bool:
        """Prove a spline free: chords between its knots, with its deviation from them, M·h²/8, as extra clearance."""
        stray = np.abs(bends).max(axis=0) / (8.0 * (len(knots) - 1) ** 2)
        return self._chords_free(knots, float(self.clearance.levers.max(axis=0, initial=0.0) @ stray))

    def _corner_free(self, q: Floats, step: float) -> bool:
        """Prove a rounded corner free: chords between samples `step` seconds apart, with their deviation a·step²/8."""
        stray = self.limits.acceleration * step**2 / 8.0
        return self._chords_free(q, float(self.clearance.levers.max(axis=0, initial=0.0) @ stray))

    def _chords_free(self, q: Floats, stray: float) -> bool:
        flat, whole, levers, keep, tolerance = self._scene
        if not self.clearance.free(np.ascontiguousarray(q[0]), keep + stray):
            return False
        return bool(prove(flat, whole, levers, keep + stray, tolerance, np.ascontiguousarray(q)))

    def bounds(self, a: Floats, b: Floats) -> Floats:
        """Return (3, n) lowest and highest joints to sample, and units: the limits, or π around both ends.

        Args:
            a: (n,) one end, radians or metres.
            b: (n,) the other end.
        """
        low = np.where(np.isfinite(self.limits.lower), self.limits.lower, np.minimum(a, b) - np.pi)
        high = np.where(np.isfinite(self.limits.upper), self.limits.upper, np.maximum(a, b) + np.pi)
        return np.ascontiguousarray([low, high, self.units])


def _scrambled(seed: int) -> int:
    """Return a generator's state, never zero, that differs in many bits for seeds that differ in one (splitmix64)."""
    x = (seed * 0x9E3779B97F4A7C15 + 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return (x ^ (x >> 31)) | 1


def _vector(q: Floats) -> tuple[float, ...]:
    return tuple(q.tolist())


def _text(q: Floats) -> str:
    return "(" + ", ".join(f"{value:.3g}" for value in q) + ")"
