"""Kernels of the signed distance of one capsule to one solid or to another capsule.

A gap is the signed distance of the cores; minus the radii it is the distance of the surfaces. Normals point from the
solid (or the second capsule) to the capsule, so moving along one opens the gap.
"""

from __future__ import annotations

import math

from farhand.distances.depth import box_depth, cross_normal, cylinder_depth, ellipsoid_depth, hull_depth
from farhand.distances.gjk import segment_convex
from farhand.distances.packed_scene import BOX, CAPSULE, CYLINDER, HULL, PLANE, ROD, SOLID, SPAN, Layout
from farhand.distances.segments import beyond, radial_beyond, segment_box, segment_cylinder, segment_segment
from farhand.kernels import Floats, Ints, kernel

__all__ = ["place_into", "rounded", "solid_gap", "solid_normal", "twin_gap"]

TOUCH = 1e-9  # m: closer cores have no direction between them; the shortest exit is used instead

Gap = tuple[float, float, float, float, float]


@kernel()
def place_into(flat: Floats, whole: Ints, at: Layout, frames: Floats, W: Floats) -> None:
    """Write every capsule's start and vector (c, 6) in the base frame."""
    for c in range(at.capsule_count):
        # in the frame of its link
        k, o = whole[at.links + c], at.capsules + CAPSULE * c
        ax, ay, az = flat[o], flat[o + 1], flat[o + 2]
        dx, dy, dz = flat[o + 3] - ax, flat[o + 4] - ay, flat[o + 5] - az
        # fixed to the base
        if k < 0:
            W[c, 0], W[c, 1], W[c, 2], W[c, 3], W[c, 4], W[c, 5] = ax, ay, az, dx, dy, dz
            continue
        # moved by the link
        for r in range(3):
            x, y, z = frames[k, r, 0], frames[k, r, 1], frames[k, r, 2]
            W[c, r] = x * ax + y * ay + z * az + frames[k, r, 3]
            W[c, 3 + r] = x * dx + y * dy + z * dz


@kernel(inline=True)
def rounded(flat: Floats, at: Layout, c: int, k: int) -> float:
    """Return the sum of the radii of capsule c and solid k."""
    # rounding radius of the core, for the solid
    return float(flat[at.capsules + CAPSULE * c + 6] + flat[at.solids + SOLID * k + 15])


@kernel(inline=True)
def solid_gap(flat: Floats, whole: Ints, at: Layout, W: Floats, c: int, k: int, enough: float) -> Gap:
    """Return the gap of capsule c and solid k, its place on the capsule (0 to 1), and its normal in the solid's axes.

    A gap of `enough` or more is not measured but may be returned as infinity.
    """
    o = at.solids + SOLID * k
    ux, uy, uz = W[c, 0] - flat[o], W[c, 1] - flat[o + 1], W[c, 2] - flat[o + 2]
    ex, ey, ez = W[c, 3], W[c, 4], W[c, 5]
    # into the solid's own frame: Rᵀ·(start − centre), Rᵀ·vector
    ax = flat[o + 3] * ux + flat[o + 6] * uy + flat[o + 9] * uz
    ay = flat[o + 4] * ux + flat[o + 7] * uy + flat[o + 10] * uz
    az = flat[o + 5] * ux + flat[o + 8] * uy + flat[o + 11] * uz
    dx = flat[o + 3] * ex + flat[o + 6] * ey + flat[o + 9] * ez
    dy = flat[o + 4] * ex + flat[o + 7] * ey + flat[o + 10] * ez
    dz = flat[o + 5] * ex + flat[o + 8] * ey + flat[o + 11] * ez
    shape, sx, sy, sz = whole[at.shapes + k], flat[o + 12], flat[o + 13], flat[o + 14]
    if shape == BOX:
        # the ball around the capsule already misses most boxes
        C = at.capsules + CAPSULE * c
        far = enough + flat[C + 7] - flat[C + 6]
        x, y, z = beyond(ax + 0.5 * dx, sx), beyond(ay + 0.5 * dy, sy), beyond(az + 0.5 * dz, sz)
        if far > 0.0 and x * x + y * y + z * z > far * far:
            return math.inf, 0.5, 0.0, 0.0, 1.0
    if shape <= PLANE:
        return simple_gap(shape, ax, ay, az, dx, dy, dz, sx, sy, sz)
    return convex_gap(flat, whole, at, k, ax, ay, az, dx, dy, dz)


@kernel()
def simple_gap(
    shape: int, ax: float, ay: float, az: float, dx: float, dy: float, dz: float, sx: float, sy: float, sz: float
) -> Gap:
    """Return the gap of a segment and a solid described by three sizes."""
    # by shape
    if shape == BOX:
        return box_gap(ax, ay, az, dx, dy, dz, sx, sy, sz)
    if shape == ROD:
        return rod_gap(ax, ay, az, dx, dy, dz, sx)
    if shape == CYLINDER:
        return cylinder_gap(ax, ay, az, dx, dy, dz, sx, sy)
    # plane: the lower end
    t = 1.0 if dz < 0.0 else 0.0
    return az + t * dz, t, 0.0, 0.0, 1.0


@kernel()
def box_gap(ax: float, ay: float, az: float, dx: float, dy: float, dz: float, hx: float, hy: float, hz: float) -> Gap:
    """Return the gap of a segment and a box."""
    # apart: the vector between the nearest points
    squared, t = segment_box(ax, ay, az, dx, dy, dz, hx, hy, hz)
    if squared > TOUCH * TOUCH:
        gap = math.sqrt(squared)
        x, y, z = beyond(ax + t * dx, hx), beyond(ay + t * dy, hy), beyond(az + t * dz, hz)
        return gap, t, x / gap, y / gap, z / gap
    # overlapping: the shortest exit
    deep, x, y, z = box_depth(ax + 0.5 * dx, ay + 0.5 * dy, az + 0.5 * dz, dx, dy, dz, hx, hy, hz)
    return -deep, lowest(dx * x + dy * y + dz * z, t), x, y, z


@kernel()
def rod_gap(ax: float, ay: float, az: float, dx: float, dy: float, dz: float, h: float) -> Gap:
    """Return the gap of a segment and the segment from −h to h on the z axis."""
    # apart: the vector between the nearest points
    squared, s, t = segment_segment(ax, ay, az, dx, dy, dz, 0.0, 0.0, -h, 0.0, 0.0, 2.0 * h)
    if squared > TOUCH * TOUCH:
        gap = math.sqrt(squared)
        return gap, s, (ax + s * dx) / gap, (ay + s * dy) / gap, (az + s * dz + h - 2.0 * h * t) / gap
    # crossing: perpendicular to both
    x, y, z = cross_normal(dx, dy, dz, 0.0, 0.0, 1.0)
    return 0.0, s, x, y, z


@kernel()
def cylinder_gap(ax: float, ay: float, az: float, dx: float, dy: float, dz: float, radius: float, h: float) -> Gap:
    """Return the gap of a segment and a cylinder."""
    # apart: the vector between the nearest points
    squared, t = segment_cylinder(ax, ay, az, dx, dy, dz, radius, h)
    if squared > TOUCH * TOUCH:
        gap = math.sqrt(squared)
        x, y = radial_beyond(ax + t * dx, ay + t * dy, radius)
        return gap, t, x / gap, y / gap, beyond(az + t * dz, h) / gap
    # overlapping: the shortest exit
    deep, x, y, z = cylinder_depth(ax + 0.5 * dx, ay + 0.5 * dy, az + 0.5 * dz, dx, dy, dz, radius, h)
    return -deep, lowest(dx * x + dy * y + dz * z, t), x, y, z


@kernel()
def convex_gap(
    flat: Floats, whole: Ints, at: Layout, k: int, ax: float, ay: float, az: float, dx: float, dy: float, dz: float
) -> Gap:
    """Return the gap of a segment and a hull or an ellipsoid."""
    # apart: GJK
    size, span = at.solids + SOLID * k + 12, at.spans + SPAN * k
    rx, ry, rz = flat[size], flat[size + 1], flat[size + 2]
    corners = whole[span + 1] if whole[at.shapes + k] == HULL else 0
    squared, t, x, y, z = segment_convex(
        ax, ay, az, dx, dy, dz, flat, at.vertices + 3 * whole[span], corners, rx, ry, rz
    )
    if squared > TOUCH * TOUCH:
        gap = math.sqrt(squared)
        return gap, t, x / gap, y / gap, z / gap
    # overlapping: the shortest exit
    mx, my, mz = ax + 0.5 * dx, ay + 0.5 * dy, az + 0.5 * dz
    if corners > 0:
        deep, x, y, z = hull_depth(mx, my, mz, dx, dy, dz, flat, at.planes + 4 * whole[span + 2], whole[span + 3])
    else:
        deep, x, y, z = ellipsoid_depth(mx, my, mz, dx, dy, dz, rx, ry, rz)
    return -deep, lowest(dx * x + dy * y + dz * z, t), x, y, z


@kernel()
def lowest(slope: float, t: float) -> float:
    """Return the deepest end of a segment (0 or 1), given its slope along the exit; t if it is level."""
    # it rises: the start; it falls: the end
    if slope > TOUCH:
        return 0.0
    return 1.0 if slope < -TOUCH else t


@kernel(inline=True)
def solid_normal(flat: Floats, at: Layout, k: int, x: float, y: float, z: float) -> tuple[float, float, float]:
    """Return a normal, given in the solid's axes, in base axes: R·n."""
    # rows of the rotation
    o = at.solids + SOLID * k
    return (
        float(flat[o + 3] * x + flat[o + 4] * y + flat[o + 5] * z),
        float(flat[o + 6] * x + flat[o + 7] * y + flat[o + 8] * z),
        float(flat[o + 9] * x + flat[o + 10] * y + flat[o + 11] * z),
    )


@kernel(inline=True)
def twin_gap(W: Floats, i: int, j: int) -> tuple[float, float, float, float, float, float]:
    """Return the gap of capsules i and j, its place on either (0 to 1), and its normal from j to i in base axes."""
    # apart: the vector between the nearest points
    squared, s, t = segment_segment(
        W[i, 0], W[i, 1], W[i, 2], W[i, 3], W[i, 4], W[i, 5], W[j, 0], W[j, 1], W[j, 2], W[j, 3], W[j, 4], W[j, 5]
    )
    if squared > TOUCH * TOUCH:
        gap = math.sqrt(squared)
        x = (W[i, 0] + s * W[i, 3] - W[j, 0] - t * W[j, 3]) / gap
        y = (W[i, 1] + s * W[i, 4] - W[j, 1] - t * W[j, 4]) / gap
        z = (W[i, 2] + s * W[i, 5] - W[j, 2] - t * W[j, 5]) / gap
        return gap, s, t, x, y, z
    # crossing: perpendicular to both
    x, y, z = cross_normal(W[i, 3], W[i, 4], W[i, 5], W[j, 3], W[j, 4], W[j, 5])
    # the middles decide the side
    side = x * (W[i, 0] + 0.5 * W[i, 3] - W[j, 0] - 0.5 * W[j, 3])
    side += y * (W[i, 1] + 0.5 * W[i, 4] - W[j, 1] - 0.5 * W[j, 4])
    side += z * (W[i, 2] + 0.5 * W[i, 5] - W[j, 2] - 0.5 * W[j, 5])
    sign = -1.0 if side < 0.0 else 1.0
    return 0.0, s, t, sign * x, sign * y, sign * z
