"""Distance rows for the servo's quadratic program: the closing speed of each near pair.

A pair at distance d may close at v at most, the speed from which it still stops before `keep`:

    ∂d/∂q · q̇ ≥ −v(d − keep),    x = v·τ + v²/2a    so    v(x) = √((a·τ)² + 2·a·x) − a·τ,

where a is a share of the joints' braking along the gradient, Σ |∂d/∂q_i|·a_i, and τ the time until they brake: at worst
they still accelerate, and their jerk must reverse that. Only the approach is bounded; moving away and sliding along are
free. Pairs that cannot reach their bound within two ticks get no row. A turning link brings down its far end: so either
end of a capsule has a row of its own beside that of its nearest point.

- d is the smaller one of set-point and measured joints: a joint that lags counts at its measured position.
- A pair that may touch may close at its contact speed, with no clearance to keep. A link is not its capsule: inside it,
  edges turn towards the solid. So the same bound holds at points all around either end of the capsule.
- Friction can turn sliding into pressing within a tick: a pair that slides fast may hardly close.
- The speed of an approaching solid is subtracted from v; if it exceeds v, the arm retreats as well as it can.
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

__all__ = ["CLOSE", "LEAST_MARGIN", "around_size", "clear_joint_rates", "clear_tip_rates", "row_scratch_size"]

SHARE = 0.35  # share of the joints' braking along a gradient; other rows and the path's curvature need the rest
TICKS = 2.0  # a pair that cannot reach its bound within so many ticks gets no row
LEAST_MARGIN = 0.01  # metres beyond `keep` within which pairs are checked even at rest
APPROACH_S = 0.3  # s before contact at which approaching solids are checked
SPREAD = math.sqrt(2.0)  # distance, in radii, at which four points around an end enclose all of it
SLOW = 0.02  # m/s: a slower end stops within a millimetre and needs no row of its own
LEAST_CONTACT_SHARE = 0.1  # share of its contact speed at which a pair may close however fast it slides
SAME = 1e-4  # metres within which two points of a capsule coincide
CLOSE = 9  # numbers about the pair with the least clearance


@kernel()
def look_ahead(
    flat: Floats, whole: Ints, at: Layout, c: ServoConstants, reaches: Floats, rates: Floats, frames: Floats, W: Floats,
    keep: float, around: Floats, margins: Floats, of_ends: Floats,
) -> None:  # fmt: skip
    """Write the distance beyond which no pair of a capsule can need a row, for each capsule and either end of it.

    Its core moves no faster than the faster one of its ends, v. As its braking along any gradient is at least 1/T of
    its rate there, with T = max |q̇_i|/(share·a_i), it stops within v·(T/2 + a tick + the ramps of the braking). The
    distance grows with the speed of approaching solids and with the lag behind the set-point.
    """
    # worst braking time, extra speed within the ticks, and lag, over all joints
    n, delay, fastest = rates.shape[0], delay_of(c.limits, c.dt), around[0]
    braking, spurt, lag, moving = 0.0, 0.0, 0.0, 0.0
    for i in range(n):
        moving += abs(rates[i])
        more = TICKS * c.limits[3, i] * c.dt
        braking = max(braking, (abs(rates[i]) + more) / (SHARE * c.limits[3, i]))
        spurt += reaches[i] * more
        lag += reaches[i] * abs(around[1 + i])
    # margin at rest
    always = keep + LEAST_MARGIN + (spurt + fastest) * (0.5 * braking + delay) + fastest * APPROACH_S + lag
    for k in range(margins.shape[0]):
        margins[k], of_ends[k, 0], of_ends[k, 1] = always, 0.0, 0.0
        if moving == 0.0:
            continue
        # ends that move: their braking distance on top
        for end, speed in enumerate(end_speeds(flat, whole, at, rates, frames, W, k, whole[at.links + k])):
            far = always + speed * (0.5 * braking + delay)
            margins[k] = max(margins[k], far)
            of_ends[k, end] = far if speed > SLOW else 0.0


@kernel(inline=True)
def link_motion(
    flat: Floats, whole: Ints, at: Layout, rates: Floats, frames: Floats, link: int
) -> tuple[float, float, float, float, float, float]:
    """Return ω and u of a link, whose points move with v(p) = ω × p + u: u = Σ o_i × ω_i, and Σ q̇_i·z_i for slides."""
    # sum over the joints that carry the link
    wx = wy = wz = ux = uy = uz = 0.0
    for i in range(link + 1):
        # rate of the joint, by its driver
        rate = rates[driver_of(flat, at, i)]
        if at.tied == 1:
            rate *= multiplier_of(flat, at, i)
        x, y, z = rate * frames[i, 0, 2], rate * frames[i, 1, 2], rate * frames[i, 2, 2]
        # a slide adds to u alone
        if whole[COUNTS + i] != TURNS:
            ux, uy, uz = ux + x, uy + y, uz + z
            continue
        # a turn adds to ω, and to u by its lever
        ox, oy, oz = frames[i, 0, 3], frames[i, 1, 3], frames[i, 2, 3]
        wx, wy, wz = wx + x, wy + y, wz + z
        ux, uy, uz = ux + oy * z - oz * y, uy + oz * x - ox * z, uz + ox * y - oy * x
    return wx, wy, wz, ux, uy, uz


@kernel(inline=True)
def end_speeds(
    flat: Floats, whole: Ints, at: Layout, rates: Floats, frames: Floats, W: Floats, k: int, link: int
) -> tuple[float, float]:
    """Return the speeds of the ends of capsule k."""
    # velocity of the link, then of its start
    wx, wy, wz, ux, uy, uz = link_motion(flat, whole, at, rates, frames, link)
    px, py, pz, dx, dy, dz = W[k, 0], W[k, 1], W[k, 2], W[k, 3], W[k, 4], W[k, 5]
    vx, vy, vz = ux + wy * pz - wz * py, uy + wz * px - wx * pz, uz + wx * py - wy * px
    first = math.sqrt(vx * vx + vy * vy + vz * vz)
    # velocity of its end
    vx, vy, vz = vx + wy * dz - wz * dy, vy + wz * dx - wx * dz, vz + wx * dy - wy * dx
    return first, math.sqrt(vx * vx + vy * vy + vz * vz)


@kernel()
def delay_of(limits: Floats, dt: float) -> float:
    """Return the worst time until all joints brake fully: from full acceleration, plus one tick to react."""
    # the slowest joint's ramp to full acceleration, there and back
    slowest = 0.0
    for i in range(limits.shape[1]):
        slowest = max(slowest, limits[3, i] / limits[4, i])
    return dt + 2.0 * slowest


@kernel()
def closing_rate(distance: float, acceleration: float, delay: float) -> float:
    """Return v(x), the closing speed of a pair with a distance x left; zero where none is left."""
    # no distance left
    if distance <= 0.0:
        return 0.0
    # speed whose braking distance, with delay, is the distance left
    h = acceleration * delay
    return math.sqrt(h * h + 2.0 * acceleration * distance) - h


@kernel(inline=True)
def pair_speed(around: Floats, n: int, c: int, first: int, partner: int) -> float:
    """Return the contact speed of a pair: the slower one of both partners; 0 if it must not touch."""
    # capsules of the arm never touch each other
    if partner < 0:
        return 0.0
    return float(min(around[1 + n + first], around[1 + n + c + partner]))


@kernel(inline=True)
def approach_speed(
    flat: Floats, at: Layout, around: Floats, motions: int, k: int, partner: int, where: Floats
) -> float:
    """Return the speed at which a solid approaches the point of row k: n·(v + ω × (p − centre))."""
    # only solids move by themselves
    if partner < 0 or around[0] == 0.0:
        return 0.0
    # velocity of the solid at the point, along the normal
    o, m = at.solids + SOLID * partner, motions + 6 * partner
    x, y, z = where[k, 0] - flat[o], where[k, 1] - flat[o + 1], where[k, 2] - flat[o + 2]
    vx = around[m] + around[m + 4] * z - around[m + 5] * y
    vy = around[m + 1] + around[m + 5] * x - around[m + 3] * z
    vz = around[m + 2] + around[m + 3] * y - around[m + 4] * x
    return float(where[k, 3] * vx + where[k, 4] * vy + where[k, 5] * vz)


class TouchApproach(NamedTuple):
    """The approach of a pair that may touch.

    Args:
        approach: Closing speed that is allowed without touching, m/s.
        touch: Contact speed, m/s; 0 if it must not touch.
        slides: Largest sliding speed at contact, m/s.
        turn: ω of its capsule relative to the solid.
        shift: u of its capsule relative to the solid, see `link_motion`.
    """

    approach: float
    touch: float
    slides: float
    turn: tuple[float, float, float]
    shift: tuple[float, float, float]


@kernel(inline=True)
def touch_approach(
    flat: Floats, whole: Ints, at: Layout, around: Floats, motions: int, rates: Floats, frames: Floats,
    c: int, partner: int, approach: float, touch: float, slides: float,
) -> TouchApproach:  # fmt: skip
    """Return the approach of capsule c to a solid that it may touch."""
    # motion of the link, less that of the solid
    wx, wy, wz, ux, uy, uz = link_motion(flat, whole, at, rates, frames, whole[at.links + c])
    if around[0] > 0.0:
        o, m = at.solids + SOLID * partner, motions + 6 * partner
        sx, sy, sz = around[m + 3], around[m + 4], around[m + 5]
        ux -= around[m] - (sy * flat[o + 2] - sz * flat[o + 1])
        uy -= around[m + 1] - (sz * flat[o] - sx * flat[o + 2])
        uz -= around[m + 2] - (sx * flat[o + 1] - sy * flat[o])
        wx, wy, wz = wx - sx, wy - sy, wz - sz
    return TouchApproach(approach, touch, slides * touch, (wx, wy, wz), (ux, uy, uz))


@kernel(inline=True)
def touch_closing_rate(g: TouchApproach, where: Floats, radius: float, nx: float, ny: float, nz: float) -> float:
    """Return the closing speed of such a pair along a normal; it falls with the sliding speed across the normal."""
    # relative velocity at the point
    (wx, wy, wz), (ux, uy, uz), px, py, pz = g.turn, g.shift, where[0], where[1], where[2]
    vx, vy, vz = ux + wy * pz - wz * py, uy + wz * px - wx * pz, uz + wx * py - wy * px
    # sliding speed: the part across the normal, and the spin about it
    along = nx * vx + ny * vy + nz * vz
    slid = radius * abs(nx * wx + ny * wy + nz * wz)
    slid += math.sqrt(max(vx * vx + vy * vy + vz * vz - along * along, 0.0))
    # full contact speed up to the sliding limit, then falling
    return max(g.approach, g.touch * min(max(2.0 - slid / g.slides, LEAST_CONTACT_SHARE), 1.0))


@kernel()
def add_ends(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, of_ends: Floats,
    found: int, D: Floats, A: Floats, where: Floats, who: Ints,
) -> int:  # fmt: skip
    """Add the ends of capsules near a solid to the pairs found, unless the end is their point; return the total."""
    count = found
    for k in range(found):
        c, partner = who[k, 0], who[k, 1]
        if partner < 0:
            continue
        # reduce the capsule to one end at a time
        x, y, z, dx, dy, dz = W[c, 0], W[c, 1], W[c, 2], W[c, 3], W[c, 4], W[c, 5]
        W[c, 3] = W[c, 4] = W[c, 5] = 0.0  # an end alone is a capsule without length
        for end in range(2):
            margin = of_ends[c, end]
            if D[k] >= margin:  # the end is no nearer than the nearest point
                continue
            # skip an end that is the nearest point, or finds no free row
            px, py, pz = x + end * dx, y + end * dy, z + end * dz
            off = (px - where[k, 0]) ** 2 + (py - where[k, 1]) ** 2 + (pz - where[k, 2]) ** 2
            if off < SAME * SAME or count >= D.shape[0]:
                continue
            # distance of the end
            W[c, 0], W[c, 1], W[c, 2] = px, py, pz
            radii = rounded(flat, at, c, partner)
            gap, _, lx, ly, lz = solid_gap(flat, whole, at, W, c, partner, margin + radii)
            if gap - radii >= margin:
                continue
            # add it as a row of its own: distance, point, normal, gradient
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
        # restore the capsule
        W[c, 0], W[c, 1], W[c, 2], W[c, 3], W[c, 4], W[c, 5] = x, y, z, dx, dy, dz
    return count


@kernel(inline=True)
def across(nx: float, ny: float, nz: float, side: int) -> tuple[float, float, float]:
    """Return one of four directions perpendicular to a normal, at right angles to each other."""
    # any perpendicular vector
    if abs(nz) < 0.9:
        x, y, z = -ny, nx, 0.0
    else:
        x, y, z = 0.0, -nz, ny
    size = 1.0 / math.sqrt(x * x + y * y + z * z)
    x, y, z = x * size, y * size, z * size
    # odd sides are perpendicular to it too
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
    """Write rows for the points around either end of a capsule that may touch; return the number that could bind."""
    n, count, radius, link = rates.shape[0], 0, flat[at.capsules + CAPSULE * c + 6], whole[at.links + c]
    # four points around each end
    for end in range(2):
        for side in range(4):
            row = first + count
            if row >= rows.shape[0]:
                return count
            x, y, z = across(nx, ny, nz, side)
            px = W[c, 0] + end * W[c, 3] + SPREAD * radius * x
            py = W[c, 1] + end * W[c, 4] + SPREAD * radius * y
            pz = W[c, 2] + end * W[c, 5] + SPREAD * radius * z
            # gradient at the point, with its braking and closing speed
            acceleration, closing = 0.0, 0.0
            for i in range(n):
                if at.tied == 1:
                    rows[row, i] = tied_along(flat, whole, at, frames, -1, link, i, px, py, pz, nx, ny, nz)
                else:
                    rows[row, i] = moves_along(frames, whole, i, px, py, pz, nx, ny, nz) if i <= link else 0.0
                acceleration += abs(rows[row, i]) * limits[3, i]
                closing -= rows[row, i] * rates[i]
            # keep the row if it could bind within the ticks
            rows[row, n] = -speed
            if acceleration > 0.0 and closing + TICKS * acceleration * dt >= speed:
                count += 1
    return count


@kernel()
def face_rows(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats, c: int, k: int, where: Floats, g: TouchApproach,
    limits: Floats, rates: Floats, dt: float, first: int, rows: Floats,
) -> int:  # fmt: skip
    """Write such rows for the faces of box k that part of the capsule is in front of: two or three at an edge.

    Where a capsule overlaps an edge, the link inside it may touch either face, whatever the capsule's own normal is.
    """
    # position relative to the box
    o, count, radius = at.solids + SOLID * k, 0, flat[at.capsules + CAPSULE * c + 6]
    x, y, z = where[0] - flat[o], where[1] - flat[o + 1], where[2] - flat[o + 2]
    # faces that the capsule reaches beyond
    for axis in range(3):
        nx, ny, nz = flat[o + 3 + axis], flat[o + 6 + axis], flat[o + 9 + axis]
        along = nx * x + ny * y + nz * z
        if abs(along) + radius <= flat[o + 12 + axis]:
            continue
        # the face on the capsule's side, with its own speed limit
        if along < 0.0:
            nx, ny, nz = -nx, -ny, -nz
        row, speed = first + count, touch_closing_rate(g, where, radius, nx, ny, nz)
        count += edge_rows(flat, whole, at, frames, W, c, nx, ny, nz, speed, limits, rates, dt, row, rows)
    return count


@kernel(inline=True)
def copy_pair(D: Floats, where: Floats, who: Ints, source: int, to: int) -> None:
    """Copy one row's pair to another row."""
    # distance, partners, point and normal
    D[to], who[to, 0], who[to, 1] = D[source], who[source, 0], who[source, 1]
    for r in range(6):
        where[to, r] = where[source, r]


@kernel()
def touch_rows(
    flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats,
    k: int, left: float, speed: float, g: TouchApproach, limits: Floats, rates: Floats, dt: float,
    first: int, D: Floats, where: Floats, who: Ints, rows: Floats,
) -> int:  # fmt: skip
    """Write further rows of pair k, which may touch, from row `first` on; return their number."""
    # points around the capsule's ends
    c, partner, nx, ny, nz = who[k, 0], who[k, 1], where[k, 3], where[k, 4], where[k, 5]
    count = edge_rows(flat, whole, at, frames, W, c, nx, ny, nz, speed, limits, rates, dt, first, rows)
    # overlapping a box: its faces too
    if left < 0.0 and whole[at.shapes + partner] == BOX:
        row = first + count
        count += face_rows(flat, whole, at, frames, W, c, partner, where[k], g, limits, rates, dt, row, rows)
    # all of them belong to the pair
    for e in range(first, first + count):
        copy_pair(D, where, who, k, e)
    return count


@kernel()
def rows_into(
    flat: Floats, whole: Ints, at: Layout, limits: Floats, rates: Floats, dt: float, keep: float, slides: float,
    around: Floats, frames: Floats, W: Floats,
    found: int, D: Floats, A: Floats, where: Floats, who: Ints, rows: Floats, close: Floats,
) -> int:  # fmt: skip
    """Write the rows of the pairs found that could bind, and move their pairs up with them; return their number.

    Return −1 if not all of them fit: a row that is left out could be one that binds.

    `close` gets the least clearance left of a pair that must not touch, its point, normal and partners.
    """
    n, count, delay, solids = rates.shape[0], 0, delay_of(limits, dt), whole[3]
    c = at.capsule_count
    motions = 1 + n + c + solids
    close[0] = np.inf
    edges = found  # rows of edges are written behind all others, and moved up at the end
    for k in range(found):
        # braking, closing speed and lag along the pair's gradient
        acceleration, closing, lagging = 0.0, 0.0, 0.0
        for i in range(n):
            acceleration += abs(A[k, i]) * limits[3, i]
            closing -= A[k, i] * rates[i]
            lagging += A[k, i] * around[1 + i]
        # clearance left, beyond the one to keep unless it may touch
        first, partner = who[k, 0], who[k, 1]
        touch = pair_speed(around, n, c, first, partner)
        left = D[k] + min(lagging, 0.0) - (keep if touch == 0.0 else 0.0)
        # remember the least clearance of a pair that must not touch
        if touch == 0.0 and left < close[0]:
            close[0], close[7], close[8] = left, first, partner
            for r in range(6):
                close[1 + r] = where[k, r]
        # closing speed that still allows stopping, less the solid's own
        speed = closing_rate(left, SHARE * acceleration, delay)
        speed -= max(approach_speed(flat, at, around, motions, k, partner, where), 0.0)
        # a pair that may touch: contact speed, and rows for the capsule's edges
        if touch > 0.0:
            g = touch_approach(
                flat, whole, at, around, motions, rates, frames, first, partner, speed, touch, slides
            )  # fmt: skip
            radius = flat[at.capsules + CAPSULE * first + 6]
            speed = touch_closing_rate(g, where[k], radius, where[k, 3], where[k, 4], where[k, 5])
            edges += touch_rows(
                flat, whole, at, frames, W, k, left, speed, g, limits, rates, dt, edges, D, where, who, rows
            )  # fmt: skip
        # skip a row that cannot bind within the ticks
        if closing + TICKS * acceleration * dt < speed or acceleration == 0.0:
            continue
        if speed < 0.0:  # retreat, as far as one tick can change the rate
            speed = max(speed, min(closing - SHARE * acceleration * dt, 0.0))
        # write the row and its pair
        for i in range(n):
            rows[count, i] = A[k, i]
        rows[count, n] = -speed
        copy_pair(D, where, who, k, count)
        count += 1
    if edges >= rows.shape[0]:
        return -1
    # move the rows of edges up
    for e in range(found, edges):
        for i in range(n + 1):
            rows[count, i] = rows[e, i]
        copy_pair(D, where, who, e, count)
        count += 1
    return count


class RowScratch(NamedTuple):
    """The avoiding servo's memory between the servo constants and the servo scratch.

    Args:
        keep: Clearance to keep, metres.
        slides: Sliding limit as a multiple of the contact speed, see `AvoidingServo`.
        reaches: (n,) largest lever of each joint, metres.
        W: (c, 6) placed capsules.
        margins: (c,) search distance around each of them.
        of_ends: (c, 2) search distance around each end of them.
        D: (r,) distances.
        A: (r, n) their gradients.
        where: (r, 6) points and normals.
        rows: (r, n + 1) rows a·q̇ ≥ b.
        close: (9,) least clearance left of a pair that must not touch, point, normal, capsule, partner.
        frames: (m + 1, 3, 4) frames of all joints and the tip.
        scratch: Scratch of the servo.
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
def row_scratch_size(n: int, c: int, r: int, m: int) -> int:
    """Return the size of `RowScratch` without the servo's scratch, for n driven of m joints, c capsules and r rows."""
    # the parts in the order of `row_scratch`
    linked = 12 * (m + 1) if m > n else 0
    return int(2 + n + 9 * c + r + r * n + 6 * r + r * (n + 1) + CLOSE + linked)


@kernel(inline=True)
def row_scratch(memory: Floats, n: int, c: int, r: int, m: int) -> RowScratch:
    """Name the parts of the memory behind the servo's constants."""
    # where each part begins
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
    scratch = first + row_scratch_size(n, c, r, m)
    # without followers the servo's own frames are those of all joints
    frames = linked if m > n else scratch
    # name the parts; nothing is copied
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
    own: RowScratch,
    around: Floats,
    rates: Floats,
    frames: Floats,
    who: Ints,
) -> tuple[int, float]:
    """Write the rows of all pairs that could bind; return their number (−1: more than fit) and the least distance.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        at: Layout of the scene.
        c: The servo's constants.
        own: Memory for the rows.
        around: State of the surroundings in this tick, see `around_size`.
        rates: (n,) rates of the last tick.
        frames: (n + 1, 3, 4) frames at the joints.
        who: (r, 2) result: capsule and partner of each row.
    """
    # place the capsules
    place_into(flat, whole, at, frames, own.W)
    # search distances
    look_ahead(flat, whole, at, c, own.reaches, rates, frames, own.W, own.keep, around, own.margins, own.of_ends)
    # near pairs
    found, nearest = near_into(
        flat, whole, at, frames, own.W, own.margins, 1.0, own.D, own.A, own.where, who
    )  # fmt: skip
    # ends of capsules
    found = add_ends(flat, whole, at, frames, own.W, own.of_ends, found, own.D, own.A, own.where, who)
    # rows that could bind
    count = rows_into(
        flat, whole, at, c.limits, rates, c.dt, own.keep, own.slides, around, frames, own.W,
        found, own.D, own.A, own.where, who, own.rows, own.close,
    )  # fmt: skip
    return count, nearest


@kernel("i8(i8, i8, i8)")
def around_size(n: int, c: int, m: int) -> int:
    """Return the size of the state of the surroundings of n joints and c capsules among m solids in a tick.

    It holds the speed of the fastest solid; the lag of each joint behind its set-point (measured − set-point); the
    contact speed of each capsule, then of each solid (0: must not touch); each solid's velocity and turn rate, in base
    axes.
    """
    # fastest, lags, contact speeds of capsules and solids, motions
    return int(1 + n + c + m + 6 * m)


SCENE = "f8[::1], i8[::1], f8[::1]"


@kernel(f"Tuple((f8, b1, i8, f8))({SCENE}, {STATE}, f8[:, ::1], f8[::1], f8[:, ::1], {RESULT}, i8[:, ::1])")
def clear_tip_rates(
    flat: Floats, whole: Ints, around: Floats,
    memory: Floats, q: Floats, rates: Floats, target: Floats, twist: Floats, walls: Floats,
    out: Floats, flags: Ints, who: Ints,
) -> tuple[float, bool, int, float]:  # fmt: skip
    """Choose joint rates that follow a tip pose and keep clear; see `AvoidingServo.clear_tip` and `tip_rates`.

    Returns:
        Damping, whether it was feasible, the number of distance rows that bind (listed first), and the least distance.
        −1 rows if they did not all fit: then nothing was chosen.
    """
    # memory
    n, m, at = q.shape[0], walls.shape[0], layout_of(whole)
    c, own = setup_of(memory, n), row_scratch(memory, n, at.capsule_count, who.shape[0], at.joints)
    frames = view(own.scratch, 0, (n + 1, 3, 4))  # where the servo scratch has them too
    # frames at the joints, and those of followers
    frames_into(c.fixed, c.kinds, c.tool, q, frames)
    if at.tied == 1:
        scene_frames(flat, whole, at, q, own.frames)
    # distance rows
    count, nearest = distance_rows(flat, whole, at, c, own, around, rates, own.frames, who)
    if count < 0:
        return 0.0, False, count, nearest
    # the servo step with these rows
    s: Scratch = carve(own.scratch, n, m + count)
    damping, feasible = follow_tip(c, q, rates, target, twist, walls, own.rows, count, s, out, flags)
    return damping, feasible, blocking_first(flags, n + m, count, who), nearest


@kernel(inline=True)
def blocking_first(flags: Ints, first: Count, count: int, who: Ints) -> int:
    """Move the pairs of rows that bind to the front, with their row numbers in the flags; return how many bind."""
    # a row only moves forward, so nothing is overwritten too soon
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
    """Choose the joint rates nearest to the wanted ones that keep clear; see `AvoidingServo.clear_joints`."""
    # memory
    n, m, at = q.shape[0], walls.shape[0], layout_of(whole)
    c, own = setup_of(memory, n), row_scratch(memory, n, at.capsule_count, who.shape[0], at.joints)
    # clear the flags; anything that is not finite means standing still
    for k in range(flags.shape[0]):
        flags[k] = 0
    if not (finite(q) and finite(rates) and finite(wanted)):
        stand_still(chosen)
        return False, 0, 0.0
    frames = view(own.scratch, 0, (n + 1, 3, 4))  # where the servo scratch has them too
    # frames at the joints, and those of followers
    frames_into(c.fixed, c.kinds, c.tool, q, frames)
    if at.tied == 1:
        scene_frames(flat, whole, at, q, own.frames)
    # distance rows
    count, nearest = distance_rows(flat, whole, at, c, own, around, rates, own.frames, who)
    if count < 0:
        return False, count, nearest
    # the servo step with these rows
    s: Scratch = carve(own.scratch, n, m + count)
    feasible = follow_joints(c, q, rates, wanted, walls, own.rows, count, s, chosen, flags)
    return feasible, blocking_first(flags, n + m, count, who), nearest
