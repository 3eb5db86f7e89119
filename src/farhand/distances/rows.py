"""Distance rows for the servo's quadratic program: how fast each near pair may close.

A pair at distance d may close at v(d) at most, the rate from which it still stops before `keep`:

    ∂d/∂q · q̇ ≥ −v(d − keep),    x = v·τ + v²/2a    so    v(x) = √((a·τ)² + 2·a·x) − a·τ,

where a is a share of what the joints can brake along the gradient, Σ |∂d/∂q_i|·a_i, and τ the time until they do: at
worst they still speed up, and their jerk must turn that round. Only the approach is bounded; going away and sliding
along are free. Pairs that cannot meet their bound within two ticks get no row.

- d is the smaller one of set-point and measured joints: what lags behind counts where it is.
- A pair that may touch has its contact speed instead of standing still, and nothing to keep.
- A solid that comes nearer by itself takes from v; where it is faster than v, the arm makes way as well as it can.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.distances.gaps import place_into
from farhand.distances.queries import near_into
from farhand.distances.scene import SOLID, Layout, layout_of
from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.rates import RESULT, STATE, finite, follow_joints, follow_tip, stand_still
from farhand.kinematics.rigid import frames_into
from farhand.kinematics.scratch import Count, Scratch, carve
from farhand.kinematics.setup import Setup, setup_of, setup_size

__all__ = ["CLOSE", "LEAST_MARGIN", "around_size", "clear_joint_rates", "clear_tip_rates", "room_size"]

SHARE = 0.35  # of the braking that the joints have along a gradient: other rows, and the bend of the way, want some too
TICKS = 2.0  # a pair that cannot reach its bound within so many ticks is left out
LEAST_MARGIN = 0.01  # metres beyond `keep` at which pairs are looked at, also at rest
NOTICE = 0.3  # s ahead in which something that comes by itself is looked at
CLOSE = 9  # numbers about the pair with least room


@kernel()
def look_ahead(limits: Floats, rates: Floats, reaches: Floats, dt: float, keep: float, fastest: float) -> float:
    """Return the distance from which on no pair can need a row.

    Joints at rates q̇ close a pair at no more than v = Σ reach_i·|q̇_i|, and as its braking is at least 1/T of its rate
    with T = max |q̇_i|/(share·a_i), it stops within v·(T/2 + a tick + the ramps of the braking). What comes by itself,
    at `fastest` at most, is met as much earlier.
    """
    closing, braking = 0.0, 0.0
    for i in range(rates.shape[0]):
        rate = abs(rates[i]) + TICKS * limits[3, i] * dt
        closing += reaches[i] * rate
        braking = max(braking, rate / (SHARE * limits[3, i]))
    return keep + LEAST_MARGIN + (closing + fastest) * (0.5 * braking + delay_of(limits, dt)) + fastest * NOTICE


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


@kernel(inline=True)
def pair_speed(around: Floats, n: int, c: int, first: int, partner: int) -> float:
    """Return how fast a pair may touch: the slower of what either allows; 0 if it must not."""
    if partner < 0:
        return 0.0
    return float(min(around[1 + n + first], around[1 + n + c + partner]))


@kernel(inline=True)
def coming(flat: Floats, at: Layout, around: Floats, motions: int, k: int, partner: int, where: Floats) -> float:
    """Return how fast a solid comes towards the arm at the point of row k: −n·(v + ω × (p − centre))."""
    if partner < 0 or around[0] == 0.0:
        return 0.0
    o, m = at.solids + SOLID * partner, motions + 6 * partner
    x, y, z = where[k, 0] - flat[o], where[k, 1] - flat[o + 1], where[k, 2] - flat[o + 2]
    vx = around[m] + around[m + 4] * z - around[m + 5] * y
    vy = around[m + 1] + around[m + 5] * x - around[m + 3] * z
    vz = around[m + 2] + around[m + 3] * y - around[m + 4] * x
    return float(-(where[k, 3] * vx + where[k, 4] * vy + where[k, 5] * vz))


@kernel()
def rows_into(
    flat: Floats, whole: Ints, at: Layout, limits: Floats, rates: Floats, dt: float, keep: float, around: Floats,
    found: int, D: Floats, A: Floats, where: Floats, who: Ints, rows: Floats, close: Floats,
) -> int:  # fmt: skip
    """Write the rows of the pairs found that could bind; what is known of them moves up with them. Return how many.

    `close` gets the room left to the pair that must not touch and has least of it, where, and who they are.
    """
    n, count, delay, solids = rates.shape[0], 0, delay_of(limits, dt), whole[3]
    c = at.capsule_count
    motions = 1 + n + c + solids
    close[0] = np.inf
    for k in range(found):
        acceleration, closing, lagging = 0.0, 0.0, 0.0
        for i in range(n):
            acceleration += abs(A[k, i]) * limits[3, i]
            closing -= A[k, i] * rates[i]
            lagging += A[k, i] * around[1 + i]
        first, partner = who[k, 0], who[k, 1]
        touch = pair_speed(around, n, c, first, partner)
        room = D[k] + min(lagging, 0.0) - (keep if touch == 0.0 else 0.0)
        if touch == 0.0 and room < close[0]:
            close[0], close[7], close[8] = room, first, partner
            for r in range(6):
                close[1 + r] = where[k, r]
        speed = closing_rate(room, SHARE * acceleration, delay)
        speed = max(speed - max(coming(flat, at, around, motions, k, partner, where), 0.0), touch)
        if closing + TICKS * acceleration * dt < speed or acceleration == 0.0:
            continue
        if speed < 0.0:  # makes way, as far as a tick can change what it does
            speed = max(speed, min(closing - SHARE * acceleration * dt, 0.0))
        for i in range(n):
            rows[count, i] = A[k, i]
        rows[count, n] = -speed
        D[count], who[count, 0], who[count, 1] = D[k], first, partner
        for r in range(6):
            where[count, r] = where[k, r]
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
        where: (r, 6) points and normals.
        rows: (r, n + 1) rows a·q̇ ≥ b.
        close: (9,) room left to the pair that must not touch and has least of it, point, normal, capsule, partner.
        scratch: Of the servo.
    """

    keep: float
    reaches: Floats
    W: Floats
    D: Floats
    A: Floats
    where: Floats
    rows: Floats
    close: Floats
    scratch: Floats


@kernel("i8(i8, i8, i8)")
def room_size(n: int, c: int, r: int) -> int:
    """Return how many numbers a room without scratch is, for n joints, c capsules and r rows."""
    return int(1 + n + 6 * c + r + r * n + 6 * r + r * (n + 1) + CLOSE)


@kernel(inline=True)
def room_of(memory: Floats, n: int, c: int, r: int) -> Room:
    """Name the parts of the memory behind the servo's constants."""
    first = setup_size(n)
    placed = first + 1 + n
    distances = placed + 6 * c
    gradients = distances + r
    where = gradients + r * n
    rows = where + 6 * r
    close = rows + r * (n + 1)
    scratch = first + room_size(n, c, r)
    return Room(
        memory[first],
        view(memory, first + 1, (n,)),
        view(memory, placed, (c, 6)),
        view(memory, distances, (r,)),
        view(memory, gradients, (r, n)),
        view(memory, where, (r, 6)),
        view(memory, rows, (r, n + 1)),
        view(memory, close, (CLOSE,)),
        view(memory, scratch, (memory.shape[0] - scratch,)),
    )


@kernel(inline=True)
def distance_rows(
    flat: Floats,
    whole: Ints,
    at: Layout,
    c: Setup,
    room: Room,
    around: Floats,
    rates: Floats,
    frames: Floats,
    who: Ints,
) -> tuple[int, float]:
    """Write the rows of all pairs that could bind; return how many, and the least distance.

    Args:
        flat: Numbers of the scene.
        whole: Whole numbers of the scene.
        at: Where they are.
        c: The servo's constants.
        room: Where the rows are written.
        around: How it stands with the surroundings in this tick, see `around_size`.
        rates: (n,) rates of the last tick.
        frames: (n + 1, 3, 4) frames at the joints.
        who: (r, 2) result: capsule and partner of each row.
    """
    place_into(flat, whole, at, frames, room.W)
    margin = look_ahead(c.limits, rates, room.reaches, c.dt, room.keep, around[0])
    for i in range(rates.shape[0]):
        margin += room.reaches[i] * abs(around[1 + i])
    found, nearest = near_into(flat, whole, at, frames, room.W, margin, room.D, room.A, room.where, who)
    count = rows_into(
        flat, whole, at, c.limits, rates, c.dt, room.keep, around,
        found, room.D, room.A, room.where, who, room.rows, room.close,
    )  # fmt: skip
    return count, nearest


@kernel("i8(i8, i8, i8)")
def around_size(n: int, c: int, m: int) -> int:
    """Return how many numbers say how an arm of n joints and c capsules stands with m solids in a tick.

    These are: how fast the fastest solid moves; how far each joint lags behind its set-point (measured − told); how
    fast each capsule, then each solid may touch (0: must not); each solid's velocity and turn rate, base axes.
    """
    return int(1 + n + c + m + 6 * m)


SCENE = "f8[::1], i8[::1], f8[::1]"


@kernel(f"Tuple((f8, b1, i8, f8))({SCENE}, {STATE}, f8[:, ::1], f8[::1], f8[:, ::1], {RESULT}, i8[:, ::1])")
def clear_tip_rates(
    flat: Floats, whole: Ints, around: Floats,
    memory: Floats, q: Floats, rates: Floats, target: Floats, twist: Floats, walls: Floats,
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
    count, nearest = distance_rows(flat, whole, at, c, room, around, rates, frames, who)
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
    flat: Floats, whole: Ints, around: Floats,
    memory: Floats, q: Floats, rates: Floats, wanted: Floats, walls: Floats,
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
    count, nearest = distance_rows(flat, whole, at, c, room, around, rates, frames, who)
    s: Scratch = carve(room.scratch, n, m + count)
    feasible = follow_joints(c, q, rates, wanted, walls, room.rows, count, s, chosen, flags)
    return feasible, blocking_first(flags, n + m, count, who), nearest
