"""The servo step of an arm that keeps clear: distance rows beside the other limits of the quadratic program.

A pair at distance d may close at v(d) at most, the rate from which it still stops before `keep`:

    ∂d/∂q · q̇ ≥ −v(d − keep),    x = v·τ + v²/2a    so    v(x) = √((a·τ)² + 2·a·x) − a·τ,

where a is a share of what the joints can brake along the gradient, Σ |∂d/∂q_i|·a_i, and τ the time until they do: at
worst they still speed up, and their jerk must turn that round. Only the approach is bounded; going away and sliding
along are free, and standing still is always allowed. Pairs that cannot meet their bound within two ticks get no row.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from msgspec import Struct
from numpy.typing import ArrayLike

from farhand.distances.clearance import ROWS, Clearance, Nearest
from farhand.distances.gaps import place_into
from farhand.distances.queries import near_into
from farhand.distances.scene import Layout, layout_of
from farhand.errors import CommandError
from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics import JointLimits, Servo, ServoStep
from farhand.kinematics.rates import RESULT, STATE, finite, follow_joints, follow_tip, stand_still
from farhand.kinematics.rigid import frames_into
from farhand.kinematics.scratch import Count, Scratch, carve, scratch_size
from farhand.kinematics.servo import NO_WALLS, NOTHING_TOLD, ONES
from farhand.kinematics.setup import Setup, setup_of, setup_size

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


class Room(NamedTuple):
    """What the avoiding servo's memory holds between the constants of every servo and its scratch.

    Args:
        keep: Metres to keep.
        reaches: (n,) how far each joint carries anything of the arm at most.
        W: (c, 6) placed capsules.
        D: (r,) distances.
        A: (r, n) their gradients.
        rows: (r, n + 1) rows a·q̇ ≥ b.
        scratch: Of the servo.
    """

    keep: float
    reaches: Floats
    W: Floats
    D: Floats
    A: Floats
    rows: Floats
    scratch: Floats


@kernel("i8(i8, i8, i8)")
def room_size(n: int, c: int, r: int) -> int:
    """Return how many numbers a room without scratch is, for n joints, c capsules and r rows."""
    return int(1 + n + 6 * c + r + r * n + r * (n + 1))


@kernel(inline=True)
def room_of(memory: Floats, n: int, c: int, r: int) -> Room:
    """Name the parts of the memory behind the servo's constants."""
    first = setup_size(n)
    placed = first + 1 + n
    distances = placed + 6 * c
    gradients = distances + r
    rows = gradients + r * n
    scratch = first + room_size(n, c, r)
    return Room(
        memory[first],
        view(memory, first + 1, (n,)),
        view(memory, placed, (c, 6)),
        view(memory, distances, (r,)),
        view(memory, gradients, (r, n)),
        view(memory, rows, (r, n + 1)),
        view(memory, scratch, (memory.shape[0] - scratch,)),
    )


@kernel(inline=True)
def distance_rows(
    flat: Floats, whole: Ints, at: Layout, c: Setup, room: Room, rates: Floats, frames: Floats, who: Ints
) -> tuple[int, float]:
    """Write the rows of all pairs that could bind; return how many, and the least distance.

    Args:
        flat: Numbers of the scene.
        whole: Whole numbers of the scene.
        at: Where they are.
        c: The servo's constants.
        room: Where the rows are written.
        rates: (n,) rates of the last tick.
        frames: (n + 1, 3, 4) frames at the joints.
        who: (r, 2) result: capsule and partner of each row.
    """
    place_into(flat, whole, at, frames, room.W)
    margin = look_ahead(c.limits, rates, room.reaches, c.dt, room.keep)
    found, nearest = near_into(flat, whole, at, frames, room.W, margin, room.D, room.A, who)
    return rows_into(c.limits, rates, c.dt, room.keep, found, room.D, room.A, who, room.rows), nearest


SCENE = "f8[::1], i8[::1]"


@kernel(f"Tuple((f8, b1, i8, f8))({SCENE}, {STATE}, f8[:, ::1], f8[::1], f8[:, ::1], {RESULT}, i8[:, ::1])")
def clear_tip_rates(
    flat: Floats, whole: Ints, memory: Floats, q: Floats, rates: Floats, target: Floats, twist: Floats, walls: Floats,
    out: Floats, flags: Ints, who: Ints,
) -> tuple[float, bool, int, float]:  # fmt: skip
    """Choose rates that follow a tip pose and keep clear; see `AvoidingServo.clear_tip` and `tip_rates`.

    Returns:
        Damping, whether it was feasible, how many distance rows bind (their names are first), and the least distance.
    """
    n, m, at = q.shape[0], walls.shape[0], layout_of(whole)
    c, room = setup_of(memory, n), room_of(memory, n, at.capsule_count, who.shape[0])
    frames = view(room.scratch, 0, (n + 1, 3, 4))  # where the scratch has them too
    frames_into(c.fixed, c.kinds, c.tool, q, frames)
    count, nearest = distance_rows(flat, whole, at, c, room, rates, frames, who)
    s: Scratch = carve(room.scratch, n, m + count)
    damping, feasible = follow_tip(c, q, rates, target, twist, walls, room.rows, count, s, out, flags)
    return damping, feasible, blocking_first(flags, n + m, count, who), nearest


@kernel(inline=True)
def blocking_first(flags: Ints, first: Count, count: int, who: Ints) -> int:
    """Move the names of the rows that bind to the front, their numbers after them; return how many bind."""
    found = 0
    for k in range(count):
        if flags[first + k] == 1:
            who[found, 0], who[found, 1], flags[first + found] = who[k, 0], who[k, 1], k
            found += 1
    return found


@kernel(f"Tuple((b1, i8, f8))({SCENE}, {STATE}, f8[::1], f8[:, ::1], {RESULT}, i8[:, ::1])")
def clear_joint_rates(
    flat: Floats, whole: Ints, memory: Floats, q: Floats, rates: Floats, wanted: Floats, walls: Floats,
    chosen: Floats, flags: Ints, who: Ints,
) -> tuple[bool, int, float]:  # fmt: skip
    """Choose the rates nearest to wanted ones that keep clear; see `AvoidingServo.clear_joints`."""
    n, m, at = q.shape[0], walls.shape[0], layout_of(whole)
    c, room = setup_of(memory, n), room_of(memory, n, at.capsule_count, who.shape[0])
    for k in range(flags.shape[0]):
        flags[k] = 0
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen)
        return False, 0, 0.0
    frames = view(room.scratch, 0, (n + 1, 3, 4))  # where the scratch has them too
    frames_into(c.fixed, c.kinds, c.tool, q, frames)
    count, nearest = distance_rows(flat, whole, at, c, room, rates, frames, who)
    s: Scratch = carve(room.scratch, n, m + count)
    feasible = follow_joints(c, q, rates, wanted, walls, room.rows, count, s, chosen, flags)
    return feasible, blocking_first(flags, n + m, count, who), nearest


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
        n, m = self._n, len(walls)
        if m > self._most_walls:
            self._reserve_space(m)
        out, flags = np.empty(n + 12), np.empty(n + m + ROWS, np.int64)
        damping, feasible, count, nearest = clear_tip_rates(
            self.clearance.flat, self.clearance.whole, self._room, q, rates, T_target, twist, walls, out, flags,
            self._who,
        )  # fmt: skip
        step = ServoStep(out[:n], out, flags[:n], flags[n : n + m], damping, feasible)
        return ClearStep(step, nearest, self._blocking(flags, n + m, count) if count else ())

    def clear_joints(self, q: Floats, rates: Floats, wanted: Floats, walls: Floats = NO_WALLS) -> ClearStep:
        """Return the rates nearest to wanted ones that keep clear. Arguments as for `Servo.joints`."""
        n, m = self._n, len(walls)
        if m > self._most_walls:
            self._reserve_space(m)
        chosen, flags = np.empty(n), np.empty(n + m + ROWS, np.int64)
        feasible, count, nearest = clear_joint_rates(
            self.clearance.flat, self.clearance.whole, self._room, q, rates, wanted, walls, chosen, flags, self._who
        )
        step = ServoStep(chosen, NOTHING_TOLD, flags[:n], flags[n : n + m], 0.0, feasible)
        return ClearStep(step, nearest, self._blocking(flags, n + m, count) if count else ())

    def _blocking(self, flags: Ints, first: int, count: int) -> tuple[Nearest, ...]:
        rows, pairs = flags[first : first + count].tolist(), self._who[:count].tolist()
        return tuple(
            Nearest(float(self._distances[row]), *self.clearance.names(capsule, partner))
            for row, (capsule, partner) in zip(rows, pairs, strict=True)
        )

    def _reserve_space(self, walls: int = 16) -> None:
        n, c = self._n, len(self.clearance.capsules)
        first = setup_size(n)
        self._most_walls = walls
        self._room = self._constants(room_size(n, c, ROWS) + scratch_size(n, walls + ROWS))
        self._room[first] = self.keep
        self._room[first + 1 : first + 1 + n] = self.clearance.levers.max(axis=0, initial=0.0)
        self._distances = self._room[first + 1 + n + 6 * c :][:ROWS]
        self._who = np.zeros((ROWS, 2), np.int64)
