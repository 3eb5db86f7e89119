"""The servo step of an arm that keeps clear: distance rows beside the other limits of the quadratic program.

A pair at distance d may close at v(d) at most, the rate from which it still stops before `keep`:

    ∂d/∂q · q̇ ≥ −v(d − keep),    x = v·τ + v²/2a    so    v(x) = √((a·τ)² + 2·a·x) − a·τ,

where a is a share of what the joints can brake along the gradient, Σ |∂d/∂q_i|·a_i, and τ the time until they do: at
worst they still speed up, and their jerk must turn that round. Only the approach is bounded; going away and sliding
along are free, and standing still is always allowed. Pairs that cannot meet their bound within two ticks get no row.
"""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.distances.clearance import ROWS, Clearance, Nearest
from farhand.distances.gaps import place_into
from farhand.distances.queries import near_into
from farhand.distances.scene import layout_of
from farhand.errors import CommandError
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics import JointLimits, Servo, ServoStep
from farhand.kinematics.rates import CHAIN, finite, follow_joints, follow_tip, stand_still
from farhand.kinematics.rigid import frames_into
from farhand.kinematics.scratch import Count, Scratch, carve, scratch_size
from farhand.kinematics.servo import NO_WALLS, ONES

__all__ = ["AvoidingServo", "ClearStep"]

SHARE = 0.35  # of the braking that the joints have along a gradient: other rows, and the bend of the way, want some too
TICKS = 2.0  # a pair that cannot reach its bound within so many ticks is left out
LEAST_MARGIN = 0.01  # metres beyond `keep` at which pairs are looked at, also at rest


class ClearStep(Struct, frozen=True):
    """What the avoiding servo chose for one tick.

    Args:
        step: Rates and what limits them.
        distance: Metres to the nearest pair, or to where it stopped looking.
        blocking: Pairs that bound the motion, with their distances.
    """

    step: ServoStep
    distance: float
    blocking: tuple[Nearest, ...]


@kernel()
def look_ahead(limits: Floats, rates: Floats, reaches: Floats, dt: float, keep: float) -> float:
    """Return the distance from which on no pair can need a row.

    Joints at rates q̇ close a pair at no more than v = Σ reach_i·|q̇_i|, and as its braking is at least 1/T of its rate
    with T = max |q̇_i|/(share·a_i), it stops within v·(T/2 + a tick + the ramps of the braking).
    """
    closing, braking = 0.0, 0.0
    for i in range(rates.shape[0]):
        rate = abs(rates[i]) + TICKS * limits[3, i] * dt
        closing += reaches[i] * rate
        braking = max(braking, rate / (SHARE * limits[3, i]))
    return keep + LEAST_MARGIN + closing * (0.5 * braking + delay_of(limits, dt))


@kernel()
def delay_of(limits: Floats, dt: float) -> float:
    """Return how long it takes at worst until all joints brake fully: from full speeding up, and a tick to notice."""
    slowest = 0.0
    for i in range(limits.shape[1]):
        slowest = max(slowest, limits[3, i] / limits[4, i])
    return dt + 2.0 * slowest


@kernel()
def closing_rate(distance: float, acceleration: float, delay: float) -> float:
    """Return v(x): how fast a pair may close that has a distance left; zero where it is used up."""
    if distance <= 0.0:
        return 0.0
    h = acceleration * delay
    return math.sqrt(h * h + 2.0 * acceleration * distance) - h


@kernel()
def rows_into(
    limits: Floats, rates: Floats, dt: float, keep: float, found: int, D: Floats, A: Floats, who: Ints, rows: Floats
) -> int:
    """Write the rows of the pairs found that could bind; their distances, names move up with them. Return how many."""
    n, count, delay = rates.shape[0], 0, delay_of(limits, dt)
    for k in range(found):
        acceleration, closing = 0.0, 0.0
        for i in range(n):
            acceleration += abs(A[k, i]) * limits[3, i]
            closing -= A[k, i] * rates[i]
        speed = closing_rate(D[k] - keep, SHARE * acceleration, delay)
        if closing + TICKS * acceleration * dt < speed or acceleration == 0.0:
            continue
        for i in range(n):
            rows[count, i] = A[k, i]
        rows[count, n] = -speed
        D[count], who[count, 0], who[count, 1] = D[k], who[k, 0], who[k, 1]
        count += 1
    return count


@kernel()
def distance_rows(
    flat: Floats, whole: Ints, reaches: Floats, limits: Floats, rates: Floats, dt: float, keep: float,
    frames: Floats, space: Floats, who: Ints, rows: Floats,
) -> tuple[int, float]:  # fmt: skip
    """Write the rows of all pairs that could bind; return how many, and the least distance.

    Args:
        flat: Numbers of the scene.
        whole: Whole numbers of the scene.
        reaches: (n,) how far each joint carries anything of the arm at most.
        limits: (5, n) joint limits.
        rates: (n,) rates of the last tick.
        dt: Seconds of a tick.
        keep: Metres to keep.
        frames: (n + 1, 3, 4) frames at the joints.
        space: Scratch for the placed capsules and r distances with their gradients.
        who: (r, 2) result: capsule and partner of each row.
        rows: (r, n + 1) result.
    """
    at, n, r = layout_of(whole), rates.shape[0], who.shape[0]
    first = 6 * at.capsule_count
    W = space[:first].reshape((at.capsule_count, 6))
    D, A = space[first : first + r], space[first + r : first + r + r * n].reshape((r, n))
    place_into(flat, whole, at, frames, W)
    margin = look_ahead(limits, rates, reaches, dt, keep)
    found, nearest = near_into(flat, whole, at, frames, W, margin, D, A, who)
    return rows_into(limits, rates, dt, keep, found, D, A, who, rows), nearest


SCENE = "f8[::1], i8[::1], f8[::1], f8"
SPACE = "f8[::1], i8[:, ::1], f8[:, ::1]"


@kernel(
    f"Tuple((f8, b1, i8, f8))({SCENE}, {CHAIN}, f8[:, ::1], f8[::1], f8[::1], f8[:, ::1], f8[::1], f8[:, ::1], f8[::1],"
    f" f8, f8, f8, f8[::1], {SPACE}, f8[::1], f8[::1], i8[::1], i8[::1])"
)
def clear_tip_rates(
    flat: Floats, whole: Ints, reaches: Floats, keep: float, fixed: Floats, kinds: Ints, tool: Floats,
    limits: Floats, q: Floats, rates: Floats, target: Floats, twist: Floats, walls: Floats, tasks: Floats,
    dt: float, gain: float, length: float, scratch: Floats, space: Floats, who: Ints, rows: Floats,
    chosen: Floats, error: Floats, active: Ints, hits: Ints,
) -> tuple[float, bool, int, float]:  # fmt: skip
    """Choose rates that follow a tip pose and keep clear; see `AvoidingServo.tip`.

    Returns:
        Damping, whether it was feasible, how many distance rows bind (their names are first), and the least distance.
    """
    n = q.shape[0]
    frames = scratch[: 12 * (n + 1)].reshape((n + 1, 3, 4))  # where the scratch has them too
    frames_into(fixed, kinds, tool, q, frames)
    count, nearest = distance_rows(flat, whole, reaches, limits, rates, dt, keep, frames, space, who, rows)
    s: Scratch = carve(scratch, n, walls.shape[0] + count)
    damping, feasible = follow_tip(
        kinds, limits, q, rates, target, twist, walls, rows, count, tasks, dt, gain, length, s, chosen, error,
        active, hits,
    )  # fmt: skip
    return damping, feasible, blocking_first(hits, walls.shape[0], count, who), nearest


@kernel()
def blocking_first(hits: Ints, first: Count, count: int, who: Ints) -> int:
    """Move the names of the rows that bind to the front, their numbers after them; return how many bind."""
    found = 0
    for k in range(count):
        if hits[first + k] == 1:
            who[found, 0], who[found, 1], hits[first + found] = who[k, 0], who[k, 1], k
            found += 1
    return found


@kernel(
    f"Tuple((b1, i8, f8))({SCENE}, {CHAIN}, f8[:, ::1], f8[::1], f8[::1], f8[::1], f8[:, ::1],"
    f" f8, f8, f8[::1], {SPACE}, f8[::1], i8[::1], i8[::1])"
)
def clear_joint_rates(
    flat: Floats, whole: Ints, reaches: Floats, keep: float, fixed: Floats, kinds: Ints, tool: Floats,
    limits: Floats, q: Floats, rates: Floats, wanted: Floats, walls: Floats,
    dt: float, length: float, scratch: Floats, space: Floats, who: Ints, rows: Floats,
    chosen: Floats, active: Ints, hits: Ints,
) -> tuple[bool, int, float]:  # fmt: skip
    """Choose the rates nearest to wanted ones that keep clear; see `AvoidingServo.joints`."""
    n = q.shape[0]
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen, active)
        return False, 0, 0.0
    frames = scratch[: 12 * (n + 1)].reshape((n + 1, 3, 4))  # where the scratch has them too
    frames_into(fixed, kinds, tool, q, frames)
    count, nearest = distance_rows(flat, whole, reaches, limits, rates, dt, keep, frames, space, who, rows)
    s: Scratch = carve(scratch, n, walls.shape[0] + count)
    feasible = follow_joints(kinds, limits, q, rates, wanted, walls, rows, count, dt, length, s, chosen, active, hits)
    return feasible, blocking_first(hits, walls.shape[0], count, who), nearest


class AvoidingServo(Servo):
    """A servo that keeps the whole arm clear of solids and of itself; keeps no state between calls, only scratch.

    Args:
        clearance: The arm among solids.
        limits: Limits of its joints.
        dt: Seconds of a tick.
        keep: Metres that every pair keeps; more than the arm may be off its set-point.
        gain: As for `Servo`.
        weights: As for `Servo`.
        posture: As for `Servo`.
        posture_weight: As for `Servo`.

    Raises:
        CommandError: If an argument does not fit the arm or is out of range.
    """

    def __init__(
        self,
        clearance: Clearance,
        limits: JointLimits,
        dt: float,
        keep: float = 0.005,
        gain: float = 20.0,
        weights: ArrayLike = ONES,
        posture: ArrayLike | None = None,
        posture_weight: float = 1e-3,
    ) -> None:
        super().__init__(clearance.chain, limits, dt, gain, weights, posture, posture_weight)
        if not 0.0 <= keep < 1.0:
            raise CommandError(f"the distance to keep must be between 0 and 1 m, found {keep}")
        self.clearance, self.keep = clearance, keep
        self._reserve_space()

    def among(self, clearance: Clearance) -> None:
        """Take other solids or another load into account from the next step on."""
        self.clearance = clearance
        self._reserve_space()

    def clear_tip(
        self, q: Floats, rates: Floats, T_target: Floats, twist: Floats, walls: Floats = NO_WALLS
    ) -> ClearStep:
        """Return the rates that bring the tip nearest to twist + gain·error without coming too near to anything.

        Arguments as for `Servo.tip`.
        """
        if len(walls) > self._most_walls:
            self._reserve_space(len(walls))
        n, m = self.chain.n, len(walls)
        chosen, error, active = np.empty(n), np.empty(12), np.empty(n, np.int64)
        hits = np.zeros(m + ROWS, np.int64)
        damping, feasible, count, nearest = clear_tip_rates(
            self.clearance.flat, self.clearance.whole, self._reaches, self.keep,
            *self.chain.arrays, self._table, q, rates, T_target, twist, walls, self._tasks,
            self.dt, self.gain, self.chain.length, self._room, self._space, self._who, self._rows,
            chosen, error, active, hits,
        )  # fmt: skip
        step = ServoStep(chosen, error[:6], active, hits[:m], damping, feasible, error[6:])
        return ClearStep(step, nearest, self._blocking(hits, m, count))

    def clear_joints(self, q: Floats, rates: Floats, wanted: Floats, walls: Floats = NO_WALLS) -> ClearStep:
        """Return the rates nearest to wanted ones that keep clear. Arguments as for `Servo.joints`."""
        if len(walls) > self._most_walls:
            self._reserve_space(len(walls))
        n, m = self.chain.n, len(walls)
        chosen, active, hits = np.empty(n), np.empty(n, np.int64), np.zeros(m + ROWS, np.int64)
        feasible, count, nearest = clear_joint_rates(
            self.clearance.flat, self.clearance.whole, self._reaches, self.keep,
            *self.chain.arrays, self._table, q, rates, wanted, walls,
            self.dt, self.chain.length, self._room, self._space, self._who, self._rows, chosen, active, hits,
        )  # fmt: skip
        step = ServoStep(chosen, np.zeros(6), active, hits[:m], 0.0, feasible)
        return ClearStep(step, nearest, self._blocking(hits, m, count))

    def _blocking(self, hits: Ints, m: int, count: int) -> tuple[Nearest, ...]:
        if not count:
            return ()
        first = 6 * len(self.clearance.capsules)
        return tuple(
            Nearest(float(self._space[first + hits[m + k]]), *self.clearance.names(self._who[k, 0], self._who[k, 1]))
            for k in range(count)
        )

    def _reserve_space(self, walls: int = 16) -> None:
        n, c = self.chain.n, len(self.clearance.capsules)
        self._most_walls = walls
        self._reaches = np.ascontiguousarray(self.clearance.levers.max(axis=0, initial=0.0))
        self._room = np.zeros(scratch_size(n, walls + ROWS))
        self._space = np.zeros(6 * c + ROWS * (1 + n))
        self._who, self._rows = np.zeros((ROWS, 2), np.int64), np.zeros((ROWS, n + 1))
