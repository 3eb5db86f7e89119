"""Kernels of an arm on a driving base: the world moves in its frame, flippers turn beside it.

Everything is in the base frame. A solid fixed in the world moves there opposite to the base: where the base
has velocity v and turn rate ω, a point p of the world has −(v + ω × p).
"""

from __future__ import annotations

import math

from farhand.distances.distance_rows import closing_rate, pair_speed
from farhand.distances.gaps import place_into, rounded, solid_gap, solid_normal
from farhand.distances.moving import FAR_AWAY, bunch_of, put_row, times_into, turn_into
from farhand.distances.packed_scene import CAPSULE, PLANE, SOLID, SPAN, layout_of, scene_frames
from farhand.distances.queries import farther
from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view

__all__ = ["less_base", "other_from", "put_carrier", "put_vehicle", "shares_into", "shares_size", "world_from"]

SHARE = 0.6  # share of the braking of belts and flippers
ALONG = 0.01  # share of a motion against a solid below which it counts as sliding along it


@kernel(inline=True)
def size_of(v: Floats, reach: float) -> float:
    """Return the largest speed of any point within reach under a motion (6,) about the origin."""
    # shift, plus turn at the farthest point
    fast = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    return fast + reach * math.sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5])


@kernel()
def put_still(
    flat: Floats, whole: Ints, around: Floats, rows: Ints, places: Floats, T_base_world: Floats,
    twist: Floats, reach: float, scratch: Floats,
) -> None:  # fmt: skip
    """Update the solids fixed in the world, seen from the base; those out of reach are moved far away."""
    # layout, and names of the motion
    at = layout_of(whole)
    first, fast = 1 + at.driven + at.capsule_count + whole[3], size_of(twist, reach)
    T = view(scratch, 0, (3, 4))
    wx, wy, wz = twist[3], twist[4], twist[5]
    for j in range(rows.shape[0]):
        row = rows[j]
        # pose in the base frame
        solid, bunch, o = at.solids + SOLID * row, bunch_of(whole, at, row), first + 6 * row
        times_into(T_base_world, places[j], T)
        # out of reach: far away, and at rest
        x, y, z, far = T[0, 3], T[1, 3], T[2, 3], reach + flat[solid + 16]
        if whole[at.shapes + row] != PLANE and x * x + y * y + z * z > far * far:
            flat[bunch] = FAR_AWAY
            for r in range(6):
                around[o + r] = 0.0
            continue
        # in reach: pose, and the base's motion reversed
        put_row(flat, solid, bunch, T)
        around[o] = -twist[0] - wy * z + wz * y
        around[o + 1] = -twist[1] - wz * x + wx * z
        around[o + 2] = -twist[2] - wx * y + wy * x
        around[o + 3], around[o + 4], around[o + 5] = -wx, -wy, -wz
        around[0] = max(around[0], fast)


@kernel("void(f8[::1], i8[::1], f8[::1], i8[::1], f8[::1], f8)")
def less_base(flat: Floats, whole: Ints, around: Floats, rows: Ints, twist: Floats, reach: float) -> None:
    """Subtract a base's motion from that of solids; see `put_vehicle` for the arguments."""
    # layout, and names of the motion
    at = layout_of(whole)
    first = 1 + at.driven + at.capsule_count + whole[3]
    wx, wy, wz = twist[3], twist[4], twist[5]
    for j in range(rows.shape[0]):
        # skip solids that are far away
        if flat[bunch_of(whole, at, rows[j])] >= FAR_AWAY:
            continue
        # velocity of the base at the solid's centre
        solid, o = at.solids + SOLID * rows[j], first + 6 * rows[j]
        x, y, z = flat[solid], flat[solid + 1], flat[solid + 2]
        around[o] -= twist[0] + wy * z - wz * y
        around[o + 1] -= twist[1] + wz * x - wx * z
        around[o + 2] -= twist[2] + wx * y - wy * x
        around[o + 3] -= wx
        around[o + 4] -= wy
        around[o + 5] -= wz
    # the fastest solid may be faster by as much
    if rows.shape[0] > 0:
        around[0] += size_of(twist, reach)


@kernel()
def put_turned(
    flat: Floats, whole: Ints, around: Floats, rows: Ints, which: Ints, places: Floats, axles: Floats,
    angles: Floats, rates: Floats, scratch: Floats,
) -> None:  # fmt: skip
    """Update solids that turn on axles, such as flippers."""
    # layout and scratch
    at = layout_of(whole)
    first = 1 + at.driven + at.capsule_count + whole[3]
    turn, T = view(scratch, 0, (3, 4)), view(scratch, 12, (3, 4))
    for j in range(rows.shape[0]):
        row = rows[j]
        solid, o = at.solids + SOLID * row, first + 6 * row
        # rotation about the axle (Rodrigues)
        f = which[j]
        hx, hy, hz, x, y, z = axles[f, 0], axles[f, 1], axles[f, 2], axles[f, 3], axles[f, 4], axles[f, 5]
        c, s = math.cos(angles[f]), math.sin(angles[f])
        k = 1.0 - c
        turn[0, 0], turn[0, 1], turn[0, 2] = c + k * x * x, k * x * y - s * z, k * x * z + s * y
        turn[1, 0], turn[1, 1], turn[1, 2] = k * x * y + s * z, c + k * y * y, k * y * z - s * x
        turn[2, 0], turn[2, 1], turn[2, 2] = k * x * z - s * y, k * y * z + s * x, c + k * z * z
        # an axle that does not pass through the origin shifts it
        turn[0, 3] = hx - turn[0, 0] * hx - turn[0, 1] * hy - turn[0, 2] * hz
        turn[1, 3] = hy - turn[1, 0] * hx - turn[1, 1] * hy - turn[1, 2] * hz
        turn[2, 3] = hz - turn[2, 0] * hx - turn[2, 1] * hy - turn[2, 2] * hz
        # pose
        times_into(turn, places[j], T)
        put_row(flat, solid, bunch_of(whole, at, row), T)
        # motion: the axle's rate, and the velocity of the centre
        wx, wy, wz = rates[f] * x, rates[f] * y, rates[f] * z
        px, py, pz = T[0, 3] - hx, T[1, 3] - hy, T[2, 3] - hz
        around[o], around[o + 1], around[o + 2] = wy * pz - wz * py, wz * px - wx * pz, wx * py - wy * px
        around[o + 3], around[o + 4], around[o + 5] = wx, wy, wz
        # the fastest point
        far = math.sqrt(px * px + py * py + pz * pz) + flat[solid + 16]
        around[0] = max(around[0], abs(rates[f]) * far)


@kernel("void(f8[::1], i8[::1], f8[::1], i8[::1], f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[:, ::1], f8[::1])")
def put_carrier(
    flat: Floats, whole: Ints, around: Floats, rows: Ints, places: Floats, which: Ints, axles: Floats, turned: Floats,
    T_base_other: Floats, scratch: Floats,
) -> None:  # fmt: skip
    """Update the vehicle that carries another arm, with its flippers; its driving is added by `less_base`.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        around: State of the surroundings, see `around_size`.
        rows: (b + t,) rows of its solids: of b that are fixed to it, then of t that turn.
        places: (b + t, 3, 4) their poses in its own base frame, the flippers at angle zero.
        which: (t,) index of the flipper that each of those t is part of.
        axles: (f, 6) a point on each flipper's axle and its direction, in its own base frame.
        turned: (2·f,) the flippers' angles, then their rates.
        T_base_other: (3, 4) pose of its base in this arm's base frame.
        scratch: (24 + 12·(b + t) + 6·f,) numbers.
    """
    # layout and scratch
    at, f, k = layout_of(whole), axles.shape[0], rows.shape[0]
    first, b = 1 + at.driven + at.capsule_count + whole[3], k - which.shape[0]
    here, on = view(scratch, 24, (k, 3, 4)), view(scratch, 24 + 12 * k, (f, 6))
    # poses in this arm's frame
    for j in range(k):
        times_into(T_base_other, places[j], here[j])
    # axles in this arm's frame
    for j in range(f):
        for r in range(3):
            on[j, r], on[j, 3 + r] = T_base_other[r, 3], 0.0
            for c in range(3):
                on[j, r] += T_base_other[r, c] * axles[j, c]
                on[j, 3 + r] += T_base_other[r, c] * axles[j, 3 + c]
    # fixed solids, at rest on the vehicle
    for j in range(b):
        put_row(flat, at.solids + SOLID * rows[j], bunch_of(whole, at, rows[j]), here[j])
        for r in range(6):
            around[first + 6 * rows[j] + r] = 0.0
    # solids that turn
    places_here = view(scratch, 24 + 12 * b, (k - b, 3, 4))
    put_turned(flat, whole, around, rows[b:], which, places_here, on, turned[:f], turned[f:], scratch)


@kernel("void(f8[::1], f8[:, ::1])")
def world_from(base: Floats, T_base_world: Floats) -> None:
    """Write the pose of the world (3, 4) in a base frame, from the base's position and quaternion."""
    # inverse rotation, then inverse shift
    turn_into(base[3], -base[4], -base[5], -base[6], T_base_world)
    for r in range(3):
        x, y, z = T_base_world[r, 0], T_base_world[r, 1], T_base_world[r, 2]
        T_base_world[r, 3] = -(x * base[0] + y * base[1] + z * base[2])


@kernel("void(f8[::1], f8[:, ::1], f8[:, ::1], f8[::1])")
def other_from(base: Floats, T_base_world: Floats, T_base_other: Floats, twist: Floats) -> None:
    """Write the pose of another robot's base in this arm's frame, and its motion for `less_base`.

    `less_base` subtracts a motion, so it is written with the opposite sign: −v − p × ω at the arm's origin, and −ω.

    Args:
        base: (13,) position and quaternion of the other base in the world, velocity and turn rate in its own axes.
        T_base_world: (3, 4) pose of the world in this arm's base frame.
        T_base_other: (3, 4) result: pose of the other base.
        twist: (6,) result.
    """
    turn_into(base[3], base[4], base[5], base[6], T_base_other)  # in the world's axes so far
    # its rotation in this arm's axes
    for c in range(3):
        x, y, z = T_base_other[0, c], T_base_other[1, c], T_base_other[2, c]
        for r in range(3):
            T_base_other[r, c] = T_base_world[r, 0] * x + T_base_world[r, 1] * y + T_base_world[r, 2] * z
    # its position, and its motion with the opposite sign
    for r in range(3):
        T_base_other[r, 3], twist[r], twist[3 + r] = T_base_world[r, 3], 0.0, 0.0
        for c in range(3):
            T_base_other[r, 3] += T_base_world[r, c] * base[c]
            twist[r] -= T_base_other[r, c] * base[7 + c]
            twist[3 + r] -= T_base_other[r, c] * base[10 + c]
    # motion at this arm's origin
    x, y, z = T_base_other[0, 3], T_base_other[1, 3], T_base_other[2, 3]
    a, b, c = twist[3], twist[4], twist[5]
    twist[0] += y * c - z * b
    twist[1] += z * a - x * c
    twist[2] += x * b - y * a


@kernel(
    "void(f8[::1], i8[::1], f8[::1], i8[::1], i8[::1], f8[:, :, ::1], i8[::1], i8[::1], f8[:, :, ::1], f8[:, ::1],"
    " f8[:, ::1], f8[::1], f8, f8[::1])"
)
def put_vehicle(
    flat: Floats, whole: Ints, around: Floats, free: Ints, still: Ints, still_at: Floats,
    turning: Ints, which: Ints, turned_at: Floats, axles: Floats, T_base_world: Floats, now: Floats, reach: float,
    scratch: Floats,
) -> None:  # fmt: skip
    """Update all solids that move in a vehicle's frame, except those that move in the world by themselves.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        around: State of the surroundings, see `around_size`.
        free: Rows of solids that move in the world; their poses are up to date, and the base's motion is subtracted.
        still: (k,) rows of solids fixed in the world.
        still_at: (k, 3, 4) their poses in the world.
        turning: (t,) rows of solids that turn on the vehicle, such as flippers.
        which: (t,) index of the flipper that each is part of.
        turned_at: (t, 3, 4) their poses at angle zero, base frame.
        axles: (f, 6) a point on each flipper's axle and its direction, base frame.
        T_base_world: (3, 4) pose of the world in the base frame.
        now: (13 + 2·f,) the base's pose, velocity and turn rate (base axes), the flippers' angles, then their rates.
        reach: Metres from the base within which solids count.
        scratch: (24,) numbers.
    """
    # free solids, fixed solids, flippers
    f, twist = axles.shape[0], now[7:13]
    less_base(flat, whole, around, free, twist, reach)
    put_still(flat, whole, around, still, still_at, T_base_world, twist, reach, scratch)
    put_turned(flat, whole, around, turning, which, turned_at, axles, now[13 : 13 + f], now[13 + f :], scratch)


@kernel("i8(i8, i8, i8)")
def shares_size(n: int, c: int, f: int) -> int:
    """Return the scratch size of `shares_into` for n joints, c capsules and f flippers."""
    # frames, placed capsules, motions
    return int(12 * (n + 1) + 6 * c + 8 * (f + 1))


@kernel()
def motions_into(asked: Floats, limits: Floats, axles: Floats, motions: Floats) -> None:
    """Write the motion of each sort of solids in the base frame if the command is executed in full.

    See `shares_into`; motions (s, 8) are velocity and turn rate about the base's origin, the share of the command that
    can be removed in one second (0: no command), and the delay of braking, s.
    """
    # driving: mean belt speed and yaw rate, seen from the base
    left, right = asked[0], asked[1]
    top = max(abs(left), abs(right))
    for r in range(8):
        motions[0, r] = 0.0
    if top > 0.0:
        motions[0, 0], motions[0, 5] = -0.5 * (left + right), (left - right) / limits[0, 2]
        motions[0, 6], motions[0, 7] = limits[0, 0] / top, limits[0, 1]
    # each flipper: its rate about its axle
    for k in range(axles.shape[0]):
        rate, s = asked[2 + k], 1 + k
        hx, hy, hz = axles[k, 0], axles[k, 1], axles[k, 2]
        x, y, z = rate * axles[k, 3], rate * axles[k, 4], rate * axles[k, 5]
        motions[s, 0], motions[s, 1], motions[s, 2] = hy * z - hz * y, hz * x - hx * z, hx * y - hy * x
        motions[s, 3], motions[s, 4], motions[s, 5] = x, y, z
        motions[s, 6], motions[s, 7] = limits[s, 0] / abs(rate) if rate != 0.0 else 0.0, limits[s, 1]


@kernel("i8(f8[::1], i8[::1], f8[::1], f8[::1], i8[::1], f8[::1], f8[:, ::1], f8[:, ::1], f8, f8, f8[::1], f8[:, ::1])")
def shares_into(
    flat: Floats, whole: Ints, around: Floats, q: Floats, sorts: Ints, asked: Floats, limits: Floats, axles: Floats,
    keep: float, reach: float, scratch: Floats, out: Floats,
) -> int:  # fmt: skip
    """Write the share of a vehicle's command that still lets it stop before the arm; return how often it was reduced.

    A pair at distance d that closes at c under the full command brakes at a = c·b, with b the share of the command that
    can be removed in one second. So it may close at v(d − keep) like the arm's own pairs; see `distance_rows`.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        around: State of the surroundings, see `around_size`.
        q: (n,) joints.
        sorts: (m,) for each row: 0 if driving moves the solid, 1 + k if flipper k does, −1 if neither does.
        asked: (2 + f,) commanded speeds of the left and right belt, m/s, and rates of the flippers, rad/s.
        limits: (1 + f, 3) acceleration and delay (s) of belts and flippers; the belts' gauge, m.
        axles: (f, 6) a point on each flipper's axle and its direction, base frame.
        keep: Clearance to keep from everything that must not be touched, metres.
        reach: Reach of the arm from its base, metres.
        scratch: (`shares_size(n, c, f)`,) numbers.
        out: (1 + f, 4) result: share, deciding capsule and row, their distance.
    """
    # place the capsules
    at = layout_of(whole)
    n, count = at.joints, at.capsule_count
    frames, W = view(scratch, 0, (n + 1, 3, 4)), view(scratch, 12 * (n + 1), (count, 6))
    scene_frames(flat, whole, at, q, frames)
    place_into(flat, whole, at, frames, W)
    # motions of the command
    motions, reduced = view(scratch, 12 * (n + 1) + 6 * count, (limits.shape[0], 8)), 0
    motions_into(asked, limits, axles, motions)
    # full share until a pair says less
    for s in range(motions.shape[0]):
        out[s, 0], out[s, 1], out[s, 2], out[s, 3] = 1.0, -1.0, -1.0, 0.0
    # solids that the command moves
    for k in range(whole[3]):
        s, o = sorts[k], at.solids + SOLID * k
        if s < 0 or motions[s, 6] == 0.0 or flat[bunch_of(whole, at, k)] >= FAR_AWAY:
            continue
        # distance within which it matters
        braking, delay = SHARE * motions[s, 6], motions[s, 7]
        margin = keep + size_of(motions[s], reach) * (delay + 0.5 / braking)
        # capsules that may touch the solid, sorted out by bounding spheres
        for c in range(count):
            if whole[at.links + c] < max(whole[at.spans + SPAN * k + 4], 0):
                continue
            mx, my, mz = W[c, 0] + 0.5 * W[c, 3], W[c, 1] + 0.5 * W[c, 4], W[c, 2] + 0.5 * W[c, 5]
            if farther(flat, o, o + 16, mx, my, mz, flat[at.capsules + CAPSULE * c + 7] + margin):
                continue
            # distance
            radii = rounded(flat, at, c, k)
            gap, t, lx, ly, lz = solid_gap(flat, whole, at, W, c, k, margin + radii)
            distance = gap - radii
            if not distance < margin:
                continue
            # closing speed at the nearest point
            nx, ny, nz = solid_normal(flat, at, k, lx, ly, lz)
            px, py, pz = W[c, 0] + t * W[c, 3], W[c, 1] + t * W[c, 4], W[c, 2] + t * W[c, 5]
            vx = motions[s, 0] + motions[s, 4] * pz - motions[s, 5] * py
            vy = motions[s, 1] + motions[s, 5] * px - motions[s, 3] * pz
            vz = motions[s, 2] + motions[s, 3] * py - motions[s, 4] * px
            closing = nx * vx + ny * vy + nz * vz
            # sliding along is free
            if closing <= ALONG * math.sqrt(vx * vx + vy * vy + vz * vz):
                continue
            # the share that still stops in time
            touch = pair_speed(around, at.driven, count, c, k)
            room = distance - (keep if touch == 0.0 else 0.0)
            allowed = max(closing_rate(room, braking * closing, delay), touch)
            if allowed < out[s, 0] * closing:
                out[s, 0], out[s, 1], out[s, 2], out[s, 3] = allowed / closing, c, k, distance
                reduced += 1
    return reduced
