"""Distance rows for the servo's quadratic program: how fast each near pair may close.

A pair at distance d may close at v(d) at most, the rate from which it still stops before `keep`:

    ∂d/∂q · q̇ ≥ −v(d − keep),    x = v·τ + v²/2a    so    v(x) = √((a·τ)² + 2·a·x) − a·τ,

where a is a share of what the joints can brake along the gradient, Σ |∂d/∂q_i|·a_i, and τ the time until they do: at
worst they still speed up, and their jerk must turn that round. Only the approach is bounded; going away and sliding
along are free. Pairs that cannot meet their bound within two ticks get no row. A link that turns brings down the end
that was farther away: so either end of a capsule has a row of its own beside that of its nearest point.

- d is the smaller one of set-point and measured joints: what lags behind counts where it is.
- A pair that may touch has its contact speed instead of standing still, and nothing to keep. A link is not its capsule:
  inside it, edges turn towards what they will touch. So the same bound holds at points all around either end of it.
- Friction can turn what slides into what presses, within a tick: what slides fast over something comes hardly nearer.
- A solid that comes nearer by itself takes from v; where it is faster than v, the arm makes way as well as it can.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.distances.gaps import place_into, rounded, solid_gap, solid_normal
from farhand.distances.packed_scene import (
    BOX,
    CAPSULE,
    COUNTS,
    SOLID,
    Layout,
    driver_of,
    layout_of,
    multiplier_of,
    scene_frames,
)
from farhand.distances.queries import moves_along, near_into, tied_along, write_where
from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.link_frames import TURNS, frames_into
from farhand.kinematics.servo.constants import ServoConstants, rows_of, setup_of, setup_size
from farhand.kinematics.servo.rates import RESULT, STATE, finite, follow_joints, follow_tip, stand_still
from farhand.kinematics.servo.scratch import Count, Scratch, carve

__all__ = ["CLOSE", "LEAST_MARGIN", "around_size", "clear_joint_rates", "clear_tip_rates", "room_size"]

SHARE = 0.35  # of the braking that the joints have along a gradient: other rows, and the bend of the way, want some too
TICKS = 2.0  # a pair that cannot reach its bound within so many ticks is left out
LEAST_MARGIN = 0.01  # metres beyond `keep` at which pairs are looked at, also at rest
NOTICE = 0.3  # s ahead in which something that comes by itself is looked at
SPREAD = math.sqrt(2.0)  # radii at which four points around an end have all of it between them
SLOW = 0.02  # m/s: an end that moves no faster stops within a millimetre, and needs no row of its own
BARELY = 0.1  # of its contact speed, at which a pair may close however fast it slides: less is none
SAME = 1e-4  # metres within which two points of a capsule are one
CLOSE = 9  # numbers about the pair with least room


@kernel()
def look_ahead(
    flat: Floats, whole: Ints, at: Layout, c: ServoConstants, reaches: Floats, rates: Floats, frames: Floats, W: Floats,
    keep: float, around: Floats, margins: Floats, of_ends: Floats,
) -> None:  # fmt: skip
    """Write for each capsule, and for either end of it, the distance from which on none of its pairs can need a row.

    Its core moves no faster than the faster one of its ends, v. As its braking along any gradient is at least 1/T of
    its rate there, with T = max |q̇_i|/(share·a_i), it stops within v·(T/2 + a tick + the ramps of the braking). What
    comes by itself is met as much earlier, and what lags behind its set-point may be as much nearer.
    """
    n, delay, fastest = rates.shape[0], delay_of(c.limits, c.dt), around[0]
    braking, spurt, lag, moving = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        moving += abs(rates[i])
        more = TICKS * c.limits[3, i] * c.dt
        braking = max(braking, (abs(rates[i]) + more) / (SHARE * c.limits[3, i]))
        spurt += reaches[i] * more
        lag += reaches[i] * abs(around[1 + i])
    always = keep + LEAST_MARGIN + (spurt + fastest) * (0.5 * braking + delay) + fastest * NOTICE + lag
    for k in range(margins.shape[0]):
        margins[k], of_ends[k, 0], of_ends[k, 1] = always, 0.0, 0.0
        if moving == 0.0:
            continue
        for end, speed in enumerate(end_speeds(flat, whole, at, rates, frames, W, k, whole[at.links + k])):
            far = always + speed * (0.5 * braking + delay)
            margins[k] = max(margins[k], far)
            of_ends[k, end] = far if speed > SLOW else 0.0


@kernel(inline=True)
def link_motion(
    flat: Floats, whole: Ints, at: Layout, rates: Floats, frames: Floats, link: int
) -> tuple[float, float, float, float, float, float]:
    """Return ω and u of a link, whose points move with v(p) = ω × p + u: u = Σ o_i × ω_i, for slides Σ q̇_i·z_i."""
    wx = wy = wz = ux = uy = uz = 0.0
    for i in range(link + 1):
        rate = rates[driver_of(flat, at, i)]
        if at.tied == 1:
            rate *= multiplier_of(flat, at, i)
        x, y, z = rate * frames[i, 0, 2], rate * frames[i, 1, 2], rate * frames[i, 2, 2]
        if whole[COUNTS + i] != TURNS:
            ux, uy, uz = ux + x, uy + y, uz + z
            continue
        ox, oy, oz = frames[i, 0, 3], frames[i, 1, 3], frames[i, 2, 3]
        wx, wy, wz = wx + x, wy + y, wz + z
        ux, uy, uz = ux + oy * z - oz * y, uy + oz * x - ox * z, uz + ox * y - oy * x
    return wx, wy, wz, ux, uy, uz


@kernel(inline=True)
def end_speeds(
    flat: Floats, whole: Ints, at: Layout, rates: Floats, frames: Floats, W: Floats, k: int, link: int
) -> tuple[float, float]:
    """Return how fast the ends of capsule k move."""
    wx, wy, wz, ux, uy, uz = link_motion(flat, whole, at, rates, frames, link)
    px, py, pz, dx, dy, dz = W[k, 0], W[k, 1], W[k, 2], W[k, 3], W[k, 4], W[k, 5]
    vx, vy, vz = ux + wy * pz - wz * py, uy + wz * px - wx * pz, uz + wx * py - wy * px
    first = math.sqrt(vx * vx + vy * vy + vz * vz)
    vx, vy, vz = vx + wy * dz - wz * dy, vy + wz * dx - wx * dz, vz + wx * dy - wy * dx
    return first, math.sqrt(vx * vx + vy * vy + vz * vz)


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
    """Return how fast a solid comes towards the arm at the point of row k: n·(v + ω × (p − centre))."""
    if partner < 0 or around[0] == 0.0:
        return 0.0
    o, m = at.solids + SOLID * partner, motions + 6 * partner
    x, y, z = where[k, 0] - flat[o], where[k, 1] - flat[o + 1], where[k, 2] - flat[o + 2]
    vx = around[m] + around[m + 4] * z - around[m + 5] * y
    vy = around[m + 1] + around[m + 5] * x - around[m + 3] * z
    vz = around[m + 2] + around[m + 3] * y - around[m + 4] * x
    return float(where[k, 3] * vx + where[k, 4] * vy + where[k, 5] * vz)


class Gentle(NamedTuple):
    """How a pair that may touch comes on.

    Args:
        approach: m/s at which it may close, whatever touching allows.
        touch: m/s at which it may touch; 0 if it must not.
        slides: m/s at which it may slide when it does.
        turn: ω of its capsule, less that of the solid.
        shift: u of it, see `link_motion`.
    """

    approach: float
    touch: float
    slides: float
    turn: tuple[float, float, float]
    shift: tuple[float, float, float]


@kernel(inline=True)
def gentle_of(
    flat: Floats, whole: Ints, at: Layout, around: Floats, motions: int, rates: Floats, frames: Floats,
    c: int, partner: int, approach: float, touch: float, slides: float,
) -> Gentle:  # fmt: skip
    """Return how capsule c comes on to a solid that it may touch."""
    wx, wy, wz, ux, uy, uz = link_motion(flat, whole, at, rates, frames, whole[at.links + c])
    if around[0] > 0.0:
        o, m = at.solids + SOLID * partner, motions + 6 * partner
        sx, sy, sz = around[m + 3], around[m + 4], around[m + 5]
        ux -= around[m] - (sy * flat[o + 2] - sz * flat[o + 1])
        uy -= around[m + 1] - (sz * flat[o] - sx * flat[o + 2])
        uz -= around[m + 2] - (sx * flat[o + 1] - sy * flat[o])
        wx, wy, wz = wx - sx, wy - sy, wz - sz
    return Gentle(approach, touch, slides * touch, (wx, wy, wz), (ux, uy, uz))


@kernel(inline=True)
def gentle_speed(g: Gentle, where: Floats, radius: float, nx: float, ny: float, nz: float) -> float:
    """Return how fast such a pair may close along a normal: the faster it slides square to that, the less."""
    (wx, wy, wz), (ux, uy, uz), px, py, pz = g.turn, g.shift, where[0], where[1], where[2]
    vx, vy, vz = ux + wy * pz - wz * py, uy + wz * px - wx * pz, uz + wx * py - wy * px
    along = nx * vx + ny * vy + nz * vz
    slid = radius * abs(nx * wx + ny * wy + nz * wz)
    slid += math.sqrt(max(vx * vx + vy * vy + vz * vz - along * along, 0.0))
    return max(g.approach, g.touch * min(max(2.0 - slid / g.slides, BARELY), 1.0))


@kernel()
def add_ends(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, of_ends: Floats,
    found: int, D: Floats, A: Floats, where: Floats, who: Ints,
) -> int:  # fmt: skip
    """Add the ends of capsules that are near a solid to the pairs found, where another point is nearer; return all."""
    count = found
    for k in range(found):
        c, partner = who[k, 0], who[k, 1]
        if partner < 0:
            continue
        x, y, z, dx, dy, dz = W[c, 0], W[c, 1], W[c, 2], W[c, 3], W[c, 4], W[c, 5]
        W[c, 3] = W[c, 4] = W[c, 5] = 0.0  # an end alone is a capsule without length
        for end in range(2):
            margin = of_ends[c, end]
            if D[k] >= margin:  # no point of a capsule is nearer than its nearest one
                continue
            px, py, pz = x + end * dx, y + end * dy, z + end * dz
            off = (px - where[k, 0]) ** 2 + (py - where[k, 1]) ** 2 + (pz - where[k, 2]) ** 2
            if off < SAME * SAME or count >= D.shape[0]:
                continue
            W[c, 0], W[c, 1], W[c, 2] = px, py, pz
            radii = rounded(flat, at, c, partner)
            gap, _, lx, ly, lz = solid_gap(flat, whole, at, W, c, partner, margin + radii)
            if gap - radii >= margin:
                continue
            nx, ny, nz = solid_normal(flat, at, partner, lx, ly, lz)
            D[count], who[count, 0], who[count, 1] = gap - radii, c, partner
            write_where(where, count, px, py, pz, nx, ny, nz)
            link = whole[at.links + c]
            for i in range(at.driven):
                if at.tied == 1:
                    A[count, i] = tied_along(flat, whole, at, frames, -1, link, i, px, py, pz, nx, ny, nz)
                else:
                    A[count, i] = moves_along(frames, whole, i, px, py, pz, nx, ny, nz) if i <= link else 0.0
            count += 1
        W[c, 0], W[c, 1], W[c, 2], W[c, 3], W[c, 4], W[c, 5] = x, y, z, dx, dy, dz
    return count


@kernel(inline=True)
def across(nx: float, ny: float, nz: float, side: int) -> tuple[float, float, float]:
    """Return one of four directions square to a normal, each square to the next."""
    if abs(nz) < 0.9:
        x, y, z = -ny, nx, 0.0
    else:
        x, y, z = 0.0, -nz, ny
    size = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = x * size, y * size, z * size
    if side & 1:
        x, y, z = ny * z - nz * y, nz * x - nx * z, nx * y - ny * x
    sign = 1.0 if side < 2 else -1.0
    return sign * x, sign * y, sign * z


@kernel()
def edge_rows(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, c: int,
    nx: float, ny: float, nz: float, speed: float,
    limits: Floats, rates: Floats, dt: float, first: int, rows: Floats,
) -> int:  # fmt: skip
    """Write rows for the points around either end of a capsule that may touch; return how many could bind."""
    n, count, radius, link = rates.shape[0], 0, flat[at.capsules + CAPSULE * c + 6], whole[at.links + c]
    for end in range(2):
        for side in range(4):
            row = first + count
            if row >= rows.shape[0]:
                return count
            x, y, z = across(nx, ny, nz, side)
            px = W[c, 0] + end * W[c, 3] + SPREAD * radius * x
            py = W[c, 1] + end * W[c, 4] + SPREAD * radius * y
            pz = W[c, 2] + end * W[c, 5] + SPREAD * radius * z
            acceleration, closing = 0.0, 0.0
            for i in range(n):
                if at.tied == 1:
                    rows[row, i] = tied_along(flat, whole, at, frames, -1, link, i, px, py, pz, nx, ny, nz)
                else:
                    rows[row, i] = moves_along(frames, whole, i, px, py, pz, nx, ny, nz) if i <= link else 0.0
                acceleration += abs(rows[row, i]) * limits[3, i]
                closing -= rows[row, i] * rates[i]
            rows[row, n] = -speed
            if acceleration > 0.0 and closing + TICKS * acceleration * dt >= speed:
                count += 1
    return count


@kernel()
def face_rows(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, c: int, k: int, where: Floats, g: Gentle,
    limits: Floats, rates: Floats, dt: float, first: int, rows: Floats,
) -> int:  # fmt: skip
    """Write such rows for the faces of box k before which a part of the capsule is: two or three beside an edge.

    Where a capsule overlaps an edge, what is inside it may touch either face, whatever the capsule's own normal is.
    """
    o, count, radius = at.solids + SOLID * k, 0, flat[at.capsules + CAPSULE * c + 6]
    x, y, z = where[0] - flat[o], where[1] - flat[o + 1], where[2] - flat[o + 2]
    for axis in range(3):
        nx, ny, nz = flat[o + 3 + axis], flat[o + 6 + axis], flat[o + 9 + axis]
        along = nx * x + ny * y + nz * z
        if abs(along) + radius <= flat[o + 12 + axis]:
            continue
        if along < 0.0:
            nx, ny, nz = -nx, -ny, -nz
        row, speed = first + count, gentle_speed(g, where, radius, nx, ny, nz)
        count += edge_rows(flat, whole, at, frames, W, c, nx, ny, nz, speed, limits, rates, dt, row, rows)
    return count


@kernel(inline=True)
def copy_pair(D: Floats, where: Floats, who: Ints, source: int, to: int) -> None:
    """Write what is known of one row's pair to another row."""
    D[to], who[to, 0], who[to, 1] = D[source], who[source, 0], who[source, 1]
    for r in range(6):
        where[to, r] = where[source, r]


@kernel()
def touch_rows(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats,
    k: int, room: float, speed: float, g: Gentle, limits: Floats, rates: Floats, dt: float,
    first: int, D: Floats, where: Floats, who: Ints, rows: Floats,
) -> int:  # fmt: skip
    """Write, from a row on, what else bounds pair k, which may touch; return how many rows that are."""
    c, partner, nx, ny, nz = who[k, 0], who[k, 1], where[k, 3], where[k, 4], where[k, 5]
    count = edge_rows(flat, whole, at, frames, W, c, nx, ny, nz, speed, limits, rates, dt, first, rows)
    if room < 0.0 and whole[at.shapes + partner] == BOX:
        row = first + count
        count += face_rows(flat, whole, at, frames, W, c, partner, where[k], g, limits, rates, dt, row, rows)
    for e in range(first, first + count):
        copy_pair(D, where, who, k, e)
    return count


@kernel()
def rows_into(
    flat: Floats, whole: Ints, at: Layout, limits: Floats, rates: Floats, dt: float, keep: float, slides: float,
    around: Floats, frames: Floats, W: Floats,
    found: int, D: Floats, A: Floats, where: Floats, who: Ints, rows: Floats, close: Floats,
) -> int:  # fmt: skip
    """Write the rows of the pairs found that could bind; what is known of them moves up with them. Return how many.

    Where there is no room for all of them, return −1: those that are left out could be the ones that bind.

    `close` gets the room left to the pair that must not touch and has least of it, where, and who they are.
    """
    n, count, delay, solids = rates.shape[0], 0, delay_of(limits, dt), whole[3]
    c = at.capsule_count
    motions = 1 + n + c + solids
    close[0] = np.inf
    edges = found  # rows of edges come behind all others, and are moved up to them in the end
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
        speed -= max(coming(flat, at, around, motions, k, partner, where), 0.0)
        if touch > 0.0:
            g = gentle_of(
                flat, whole, at, around, motions, rates, frames, first, partner, speed, touch, slides
            )  # fmt: skip
            radius = flat[at.capsules + CAPSULE * first + 6]
            speed = gentle_speed(g, where[k], radius, where[k, 3], where[k, 4], where[k, 5])
            edges += touch_rows(
                flat, whole, at, frames, W, k, room, speed, g, limits, rates, dt, edges, D, where, who, rows
            )  # fmt: skip
        if closing + TICKS * acceleration * dt < speed or acceleration == 0.0:
            continue
        if speed < 0.0:  # makes way, as far as a tick can change what it does
            speed = max(speed, min(closing - SHARE * acceleration * dt, 0.0))
        for i in range(n):
            rows[count, i] = A[k, i]
        rows[count, n] = -speed
        copy_pair(D, where, who, k, count)
        count += 1
    if edges >= rows.shape[0]:
        return -1
    for e in range(found, edges):
        for i in range(n + 1):
            rows[count, i] = rows[e, i]
        copy_pair(D, where, who, e, count)
        count += 1
    return count


class RowScratch(NamedTuple):
    """What the avoiding servo's memory holds between the constants of every servo and its scratch.

    Args:
        keep: Metres to keep.
        slides: Times its contact speed at which a pair may slide when it touches; at twice as much it hardly comes on.
        reaches: (n,) how far each joint carries anything of the arm at most.
        W: (c, 6) placed capsules.
        margins: (c,) how far around each of them is looked.
        of_ends: (c, 2) how far around each end of them.
        D: (r,) distances.
        A: (r, n) their gradients.
        where: (r, 6) points and normals.
        rows: (r, n + 1) rows a·q̇ ≥ b.
        close: (9,) room left to the pair that must not touch and has least of it, point, normal, capsule, partner.
        frames: (m + 1, 3, 4) of all joints and the tip.
        scratch: Of the servo.
    """

    keep: float
    slides: float
    reaches: Floats
    W: Floats
    margins: Floats
    of_ends: Floats
    D: Floats
    A: Floats
    where: Floats
    rows: Floats
    close: Floats
    frames: Floats
    scratch: Floats


@kernel("i8(i8, i8, i8, i8)")
def room_size(n: int, c: int, r: int, m: int) -> int:
    """Return how many numbers a room without scratch is, for n driven of m joints, c capsules and r rows."""
    linked = 12 * (m + 1) if m > n else 0
    return int(2 + n + 9 * c + r + r * n + 6 * r + r * (n + 1) + CLOSE + linked)


@kernel(inline=True)
def room_of(memory: Floats, n: int, c: int, r: int, m: int) -> RowScratch:
    """Name the parts of the memory behind the servo's constants."""
    first = setup_size(n, rows_of(memory))
    placed = first + 2 + n
    margins = placed + 6 * c
    ends = margins + c
    distances = ends + 2 * c
    gradients = distances + r
    where = gradients + r * n
    rows = where + 6 * r
    close = rows + r * (n + 1)
    linked = close + CLOSE
    scratch = first + room_size(n, c, r, m)
    # where no joint follows another, the servo's own frames are those of all joints
    frames = linked if m > n else scratch
    return RowScratch(
        memory[first],
        memory[first + 1],
        view(memory, first + 2, (n,)),
        view(memory, placed, (c, 6)),
        view(memory, margins, (c,)),
        view(memory, ends, (c, 2)),
        view(memory, distances, (r,)),
        view(memory, gradients, (r, n)),
        view(memory, where, (r, 6)),
        view(memory, rows, (r, n + 1)),
        view(memory, close, (CLOSE,)),
        view(memory, frames, (m + 1, 3, 4)),
        view(memory, scratch, (memory.shape[0] - scratch,)),
    )


@kernel(inline=True)
def distance_rows(
    flat: Floats,
    whole: Ints,
    at: Layout,
    c: ServoConstants,
    room: RowScratch,
    around: Floats,
    rates: Floats,
    frames: Floats,
    who: Ints,
) -> tuple[int, float]:
    """Write the rows of all pairs that could bind; return how many (−1: more than fit), and the least distance.

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
    look_ahead(flat, whole, at, c, room.reaches, rates, frames, room.W, room.keep, around, room.margins, room.of_ends)
    found, nearest = near_into(
        flat, whole, at, frames, room.W, room.margins, 1.0, room.D, room.A, room.where, who
    )  # fmt: skip
    found = add_ends(flat, whole, at, frames, room.W, room.of_ends, found, room.D, room.A, room.where, who)
    count = rows_into(
        flat, whole, at, c.limits, rates, c.dt, room.keep, room.slides, around, frames, room.W,
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
        −1 rows bind where they did not all fit: nothing was chosen then.
    """
    n, m, at = q.shape[0], walls.shape[0], layout_of(whole)
    c, room = setup_of(memory, n), room_of(memory, n, at.capsule_count, who.shape[0], at.joints)
    frames = view(room.scratch, 0, (n + 1, 3, 4))  # where the scratch has them too
    frames_into(c.fixed, c.kinds, c.tool, q, frames)
    if at.tied == 1:
        scene_frames(flat, whole, at, q, room.frames)
    count, nearest = distance_rows(flat, whole, at, c, room, around, rates, room.frames, who)
    if count < 0:
        return 0.0, False, count, nearest
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
    c, room = setup_of(memory, n), room_of(memory, n, at.capsule_count, who.shape[0], at.joints)
    for k in range(flags.shape[0]):
        flags[k] = 0
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen)
        return False, 0, 0.0
    frames = view(room.scratch, 0, (n + 1, 3, 4))  # where the scratch has them too
    frames_into(c.fixed, c.kinds, c.tool, q, frames)
    if at.tied == 1:
        scene_frames(flat, whole, at, q, room.frames)
    count, nearest = distance_rows(flat, whole, at, c, room, around, rates, room.frames, who)
    if count < 0:
        return False, count, nearest
    s: Scratch = carve(room.scratch, n, m + count)
    feasible = follow_joints(c, q, rates, wanted, walls, room.rows, count, s, chosen, flags)
    return feasible, blocking_first(flags, n + m, count, who), nearest
