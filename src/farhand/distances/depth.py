"""Depth of a capsule's core in a solid, and the shortest direction out.

Along a direction n, a segment with middle m and vector d overlaps a solid by

    overlap(n) = reach(n) + ½·|d·n| − m·n,    reach(n) = extent of the solid along n,

and moving the segment by that much along n separates the two. The least overlap over all n is the depth. For a box the
sum of box and segment has only six pairs of faces, so trying their normals is exact. For a hull its own faces are
tried, for a cylinder and an ellipsoid a few likely normals, which bounds the depth from above. This matters only where
a capsule is entered by more than its radius.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel

__all__ = ["box_depth", "cross_normal", "cylinder_depth", "ellipsoid_depth", "hull_depth"]

FLAT = 1e-12  # m: a shorter vector has no direction

Exit = tuple[float, float, float, float]


@kernel()
def cross_normal(dx: float, dy: float, dz: float, ex: float, ey: float, ez: float) -> tuple[float, float, float]:
    """Return a unit vector perpendicular to both d and e; where they are parallel, any one perpendicular to e."""
    # cross product
    x, y, z = dy * ez - dz * ey, dz * ex - dx * ez, dx * ey - dy * ex
    length = math.sqrt(x * x + y * y + z * z)
    # parallel: cross e with a coordinate axis
    if length < FLAT:
        x, y, z = (0.0, -ez, ey) if abs(ex) < 0.5 * math.sqrt(ex * ex + ey * ey + ez * ez) else (-ez, 0.0, ex)
        length = math.sqrt(x * x + y * y + z * z)
    if length < FLAT:
        return 1.0, 0.0, 0.0
    # normalise
    return x / length, y / length, z / length


@kernel()
def shorter_exit(
    best: float, bx: float, by: float, bz: float, reach: float, x: float, y: float, z: float,
    mx: float, my: float, mz: float, dx: float, dy: float, dz: float,
) -> Exit:  # fmt: skip
    """Return the shorter exit: the best one so far, or the one along ±(x, y, z), a unit vector."""
    # overlap along the direction, towards the nearer side
    along = mx * x + my * y + mz * z
    overlap = reach + 0.5 * abs(dx * x + dy * y + dz * z) - abs(along)
    # keep the smaller one
    if overlap >= best:
        return best, bx, by, bz
    sign = 1.0 if along >= 0.0 else -1.0
    return overlap, sign * x, sign * y, sign * z


@kernel()
def box_depth(
    mx: float, my: float, mz: float, dx: float, dy: float, dz: float, hx: float, hy: float, hz: float
) -> Exit:
    """Return the depth of a segment in a box and the unit vector of the shortest exit; exact."""
    # normals of the box's faces
    best, bx, by, bz = shorter_exit(np.inf, 0.0, 0.0, 0.0, hx, 1.0, 0.0, 0.0, mx, my, mz, dx, dy, dz)
    best, bx, by, bz = shorter_exit(best, bx, by, bz, hy, 0.0, 1.0, 0.0, mx, my, mz, dx, dy, dz)
    best, bx, by, bz = shorter_exit(best, bx, by, bz, hz, 0.0, 0.0, 1.0, mx, my, mz, dx, dy, dz)
    # normals of faces that an edge and the segment span
    for axis in range(3):
        ex, ey, ez = (1.0 if axis == 0 else 0.0), (1.0 if axis == 1 else 0.0), (1.0 if axis == 2 else 0.0)
        x, y, z = cross_normal(dx, dy, dz, ex, ey, ez)
        reach = hx * abs(x) + hy * abs(y) + hz * abs(z)
        best, bx, by, bz = shorter_exit(best, bx, by, bz, reach, x, y, z, mx, my, mz, dx, dy, dz)
    return best, bx, by, bz


@kernel()
def cylinder_depth(mx: float, my: float, mz: float, dx: float, dy: float, dz: float, radius: float, h: float) -> Exit:
    """Return a bound of the depth of a segment in a cylinder: through a lid, radially, or square to both axes."""
    # through a lid
    best, bx, by, bz = shorter_exit(np.inf, 0.0, 0.0, 0.0, h, 0.0, 0.0, 1.0, mx, my, mz, dx, dy, dz)
    # radially
    away = math.sqrt(mx * mx + my * my)
    if away > FLAT:
        best, bx, by, bz = shorter_exit(best, bx, by, bz, radius, mx / away, my / away, 0.0, mx, my, mz, dx, dy, dz)
    # perpendicular to both axes
    x, y, z = cross_normal(dx, dy, dz, 0.0, 0.0, 1.0)
    return shorter_exit(
        best, bx, by, bz, radius * math.sqrt(x * x + y * y) + h * abs(z), x, y, z, mx, my, mz, dx, dy, dz
    )


@kernel()
def ellipsoid_depth(
    mx: float, my: float, mz: float, dx: float, dy: float, dz: float, rx: float, ry: float, rz: float
) -> Exit:
    """Return a bound of the depth of a segment in an ellipsoid: along its axes, or the normal above the middle."""
    # along the ellipsoid's axes
    best, bx, by, bz = shorter_exit(np.inf, 0.0, 0.0, 0.0, rx, 1.0, 0.0, 0.0, mx, my, mz, dx, dy, dz)
    best, bx, by, bz = shorter_exit(best, bx, by, bz, ry, 0.0, 1.0, 0.0, mx, my, mz, dx, dy, dz)
    best, bx, by, bz = shorter_exit(best, bx, by, bz, rz, 0.0, 0.0, 1.0, mx, my, mz, dx, dy, dz)
    # along the surface normal above the segment's middle
    x, y, z = mx / (rx * rx), my / (ry * ry), mz / (rz * rz)
    length = math.sqrt(x * x + y * y + z * z)
    if length < FLAT:
        return best, bx, by, bz
    x, y, z = x / length, y / length, z / length
    reach = math.sqrt((rx * x) ** 2 + (ry * y) ** 2 + (rz * z) ** 2)
    return shorter_exit(best, bx, by, bz, reach, x, y, z, mx, my, mz, dx, dy, dz)


@kernel()
def hull_depth(
    mx: float, my: float, mz: float, dx: float, dy: float, dz: float, flat: Floats, first: int, count: int
) -> Exit:
    """Return a bound of the depth of a segment in a hull: through the face with the shortest exit.

    Its `count` faces have four numbers each, from `first` on: outward unit normal and offset, n·x ≤ offset inside.
    """
    # the face with the smallest overlap
    best, k = np.inf, first
    for f in range(first, first + 4 * count, 4):
        x, y, z = flat[f], flat[f + 1], flat[f + 2]
        overlap = flat[f + 3] + 0.5 * abs(dx * x + dy * y + dz * z) - (mx * x + my * y + mz * z)
        if overlap < best:
            best, k = overlap, f
    return best, flat[k], flat[k + 1], flat[k + 2]
