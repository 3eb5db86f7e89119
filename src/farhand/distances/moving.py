"""Kernels of moving solids: poses and velocities of loose objects and other arms in this tick.

A solid that moved too far for one tick was placed by a user; it counts as standing still.
"""

from __future__ import annotations

import math

from farhand.distances.gaps import place_into
from farhand.distances.packed_scene import BUNCH, CAPSULE, SOLID, Layout, layout_of, scene_frames
from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view

__all__ = ["FAR_AWAY", "carry_at", "put_arm", "put_objects"]

FASTEST = 3.0  # m/s above which a motion counts as placement
FAR_AWAY = 1e6  # metres: position of solids that do not count


@kernel(inline=True)
def turn_into(w: float, x: float, y: float, z: float, R: Floats) -> None:
    """Write the rotation of a unit quaternion into the first three columns of R."""
    # by the usual formula
    R[0, 0], R[0, 1], R[0, 2] = 1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - z * w), 2.0 * (x * z + y * w)
    R[1, 0], R[1, 1], R[1, 2] = 2.0 * (x * y + z * w), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - x * w)
    R[2, 0], R[2, 1], R[2, 2] = 2.0 * (x * z - y * w), 2.0 * (y * z + x * w), 1.0 - 2.0 * (x * x + y * y)


@kernel(inline=True)
def times_into(A: Floats, B: Floats, out: Floats) -> None:
    """Write the product A·B of two poses (3, 4)."""
    # rotation and shift, entry by entry
    for r in range(3):
        for c in range(4):
            total = A[r, 3] if c == 3 else 0.0
            for k in range(3):
                total += A[r, k] * B[k, c]
            out[r, c] = total


@kernel(inline=True)
def put_row(flat: Floats, solid: int, bunch: int, T: Floats) -> None:
    """Set the pose of a solid that is alone in its bunch."""
    # centres of solid and bunch, and the rotation
    for r in range(3):
        flat[solid + r] = flat[bunch + r] = T[r, 3]
        for c in range(3):
            flat[solid + 3 + 3 * r + c] = T[r, c]


@kernel(inline=True)
def set_motion(around: Floats, at: int, v: Floats, radius: float) -> None:
    """Write velocity and turn rate (6,) of a solid, and update the speed of the fastest solid at the front."""
    # speed of its fastest point
    fast = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    fast += radius * math.sqrt(v[3] * v[3] + v[4] * v[4] + v[5] * v[5])
    # too fast: it was placed
    if not fast < FASTEST:
        fast = 0.0
    for r in range(6):
        around[at + r] = v[r] if fast > 0.0 else 0.0
    around[0] = max(around[0], fast)


@kernel(
    "void(f8[::1], i8[::1], f8[::1], i8[::1], f8[:, :, ::1], f8[:, ::1], f8[:, ::1], i8[::1], f8[:, ::1], f8, f8[::1])"
)
def put_objects(
    flat: Floats, whole: Ints, around: Floats, rows: Ints, offsets: Floats,
    now: Floats, before: Floats, hidden: Ints, T_base_world: Floats, dt: float, scratch: Floats,
) -> None:  # fmt: skip
    """Update the poses and motions of loose objects.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        around: State of the surroundings, see `around_size`.
        rows: (k,) row of each solid; the last bunches are theirs, in this order.
        offsets: (k, 3, 4) pose of each solid on its object.
        now: (k, 7) positions and quaternions of the objects, world frame.
        before: (k, 7) the same in the last tick.
        hidden: (k,) 1 for each solid that does not count as an obstacle.
        T_base_world: (3, 4) pose of the world in the arm's base frame.
        dt: Seconds of a tick.
        scratch: (42,) numbers.
    """
    # layout and scratch
    at = layout_of(whole)
    first = 1 + at.driven + at.capsule_count + whole[3]
    T_object, T_solid, T = view(scratch, 0, (3, 4)), view(scratch, 12, (3, 4)), view(scratch, 24, (3, 4))
    v = view(scratch, 36, (6,))
    # each solid: its pose
    for j in range(rows.shape[0]):
        solid, bunch = at.solids + SOLID * rows[j], bunch_of(whole, at, rows[j])
        w, x, y, z = now[j, 3], now[j, 4], now[j, 5], now[j, 6]
        turn_into(w, x, y, z, T_object)
        T_object[0, 3], T_object[1, 3], T_object[2, 3] = now[j, 0], now[j, 1], now[j, 2]
        times_into(T_object, offsets[j], T_solid)
        times_into(T_base_world, T_solid, T)
        put_row(flat, solid, bunch, T)
        a, b, c, d = before[j, 3], -before[j, 4], -before[j, 5], -before[j, 6]
        # turn from one tick to the next, q·q₀*: its vector part is half the angle if that is small
        real = w * a - x * b - y * c - z * d
        two = 2.0 / dt if real >= 0.0 else -2.0 / dt
        wx = two * (w * b + x * a + y * d - z * c)
        wy = two * (w * c - x * d + y * a + z * b)
        wz = two * (w * d + x * c - y * b + z * a)
        # velocity of the solid's centre on its object
        rx, ry, rz = T_solid[0, 3] - now[j, 0], T_solid[1, 3] - now[j, 1], T_solid[2, 3] - now[j, 2]
        vx = (now[j, 0] - before[j, 0]) / dt + wy * rz - wz * ry
        vy = (now[j, 1] - before[j, 1]) / dt + wz * rx - wx * rz
        vz = (now[j, 2] - before[j, 2]) / dt + wx * ry - wy * rx
        # both in base axes
        for r in range(3):
            v[r] = T_base_world[r, 0] * vx + T_base_world[r, 1] * vy + T_base_world[r, 2] * vz
            v[3 + r] = T_base_world[r, 0] * wx + T_base_world[r, 1] * wy + T_base_world[r, 2] * wz
        # hidden: far away, and at rest
        if hidden[j]:
            flat[bunch] = FAR_AWAY
            for r in range(6):
                v[r] = 0.0
        set_motion(around, first + 6 * rows[j], v, flat[solid + 16])


@kernel(inline=True)
def bunch_of(whole: Ints, at: Layout, row: int) -> int:
    """Return the index of a moving solid's bunch: each has its own, and both lists have them last."""
    # counted from the end
    return int(at.bunches + BUNCH * (at.bunch_count - (whole[3] - row)))


@kernel("void(f8[::1], i8[::1], f8[::1], i8[::1], f8[::1], i8[::1], f8[::1], f8[::1], f8[:, ::1], f8, f8[::1])")
def put_arm(
    flat: Floats, whole: Ints, around: Floats, rows: Ints, other: Floats, other_whole: Ints,
    q: Floats, before: Floats, T_base_other: Floats, dt: float, scratch: Floats,
) -> None:  # fmt: skip
    """Update the capsules of another arm.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        around: State of the surroundings, see `around_size`.
        rows: (c,) row of each capsule of the other arm.
        other: Numbers of the other arm's scene.
        other_whole: Integers of the other arm's scene.
        q: Its joint positions.
        before: Its joint positions in the last tick.
        T_base_other: (3, 4) pose of its base in this arm's base frame.
        dt: Seconds of a tick.
        scratch: 12·(joints + 1) + 12·(its capsules, including spare ones) + 18 numbers.
    """
    # layouts and scratch
    at, there = layout_of(whole), layout_of(other_whole)
    first, c = 1 + at.driven + at.capsule_count + whole[3], rows.shape[0]
    frames = view(scratch, 0, (there.joints + 1, 3, 4))
    size, every = 12 * (there.joints + 1), there.capsule_count
    W, W0 = view(scratch, size, (every, 6)), view(scratch, size + 6 * every, (every, 6))
    T, v = view(scratch, size + 12 * every, (3, 4)), view(scratch, size + 12 * every + 12, (6,))
    # its capsules in the last tick and now
    scene_frames(other, other_whole, there, before, frames)
    place_into(other, other_whole, there, frames, W0)
    scene_frames(other, other_whole, there, q, frames)
    place_into(other, other_whole, there, frames, W)
    # each capsule: middle and vector, and their rates of change
    for j in range(c):
        solid, bunch = at.solids + SOLID * rows[j], bunch_of(whole, at, rows[j])
        for r in range(3):
            middle, way, moved, turned = T_base_other[r, 3], 0.0, 0.0, 0.0
            for k in range(3):
                turn = T_base_other[r, k]
                middle += turn * (W[j, k] + 0.5 * W[j, 3 + k])
                way += turn * W[j, 3 + k]
                moved += turn * (W[j, k] - W0[j, k] + 0.5 * (W[j, 3 + k] - W0[j, 3 + k]))
                turned += turn * (W[j, 3 + k] - W0[j, 3 + k])
            T[r, 3], T[r, 2], v[r], T[r, 0] = middle, way, moved / dt, turned / dt
        # complete the frame and the turn rate
        axes_along(T, v)
        put_row(flat, solid, bunch, T)
        set_motion(around, first + 6 * rows[j], v, flat[solid + 16])


@kernel(inline=True)
def axes_along(T: Floats, v: Floats) -> None:
    """Complete a frame whose third column is a capsule's vector; write ω = e × ė, with ė in its first column."""
    # unit vector e; a ball has any
    x, y, z = T[0, 2], T[1, 2], T[2, 2]
    length = math.sqrt(x * x + y * y + z * z)
    if length < 1e-12:
        x, y, z, length = 0.0, 0.0, 1.0, 1.0
        T[0, 0] = T[1, 0] = T[2, 0] = 0.0
    x, y, z = x / length, y / length, z / length
    # turn rate
    a, b, c = T[0, 0] / length, T[1, 0] / length, T[2, 0] / length
    v[3], v[4], v[5] = y * c - z * b, z * a - x * c, x * b - y * a
    # first axis: any direction perpendicular to e
    if abs(z) < 0.9:
        ux, uy, uz = -y, x, 0.0
    else:
        ux, uy, uz = 0.0, -z, y
    # second axis: their cross product
    across = math.sqrt(ux * ux + uy * uy + uz * uz)
    ux, uy, uz = ux / across, uy / across, uz / across
    T[0, 0], T[1, 0], T[2, 0] = ux, uy, uz
    T[0, 1], T[1, 1], T[2, 1] = y * uz - z * uy, z * ux - x * uz, x * uy - y * ux
    T[0, 2], T[1, 2], T[2, 2] = x, y, z


@kernel("void(f8[::1], i8[::1], i8, f8[:, ::1], f8[:, ::1])")
def carry_at(flat: Floats, whole: Ints, first: int, fits: Floats, T_link_item: Floats) -> None:
    """Write the capsules of a carried object, from capsule `first` on.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        first: Index of the first capsule reserved for a load.
        fits: (k, 7) start, end and radius of each in the item's own frame.
        T_link_item: (3, 4) pose of the item in the frame of the last joint.
    """
    # ends in the link's frame
    at = layout_of(whole)
    for k in range(fits.shape[0]):
        o = at.capsules + CAPSULE * (first + k)
        long = 0.0
        for r in range(3):
            start, end = T_link_item[r, 3], T_link_item[r, 3]
            for i in range(3):
                start += T_link_item[r, i] * fits[k, i]
                end += T_link_item[r, i] * fits[k, 3 + i]
            flat[o + r], flat[o + 3 + r] = start, end
            long += (end - start) ** 2
        # radius, and the sphere around the capsule
        flat[o + 6], flat[o + 7] = fits[k, 6], fits[k, 6] + 0.5 * math.sqrt(long)
