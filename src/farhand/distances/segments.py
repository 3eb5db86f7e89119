"""Kernels of the distance of a segment to simple solids, each in the solid's own frame.

A capsule is a segment with a radius, so the distance of two capsules, or of a capsule and a solid, is that of their
cores less the radii. A segment is given by its start a and its vector d: a + t·d, 0 ≤ t ≤ 1. Distances are squared
where no root is needed yet; zero means that the segment touches or enters the solid.
"""

from __future__ import annotations

import math

from farhand.kernels import kernel

__all__ = ["beyond", "radial_beyond", "segment_box", "segment_cylinder", "segment_segment"]

PARALLEL = 1e-12  # squared sine below which two segments count as parallel
ROOT_STEPS = 60
ROOT = 1e-13  # accuracy of the nearest point, as a share of the segment's length


@kernel()
def beyond(x: float, h: float) -> float:
    """Return the signed distance of x beyond [−h, h], 0 inside."""
    # above, below, or inside
    return x - h if x > h else (x + h if x < -h else 0.0)


@kernel()
def segment_segment(
    ax: float, ay: float, az: float, dx: float, dy: float, dz: float,
    bx: float, by: float, bz: float, ex: float, ey: float, ez: float,
) -> tuple[float, float, float]:  # fmt: skip
    """Return the squared distance of a + s·d and b + t·e, and the s and t of the nearest points.

    With r = a − b the free minimum is at s = ((d·e)(e·r) − (d·r)(e·e)) / ((d·d)(e·e) − (d·e)²); it is clamped to the
    first segment, t follows and is clamped to the second, and s follows once more.
    """
    # products of the two vectors and the one between the starts
    rx, ry, rz = ax - bx, ay - by, az - bz
    dd, ee = dx * dx + dy * dy + dz * dz, ex * ex + ey * ey + ez * ez
    de, dr, er = dx * ex + dy * ey + dz * ez, dx * rx + dy * ry + dz * rz, ex * rx + ey * ry + ez * rz
    # free minimum on the first segment
    s, across = 0.0, dd * ee - de * de
    if across > PARALLEL * dd * ee:
        s = min(max((de * er - dr * ee) / across, 0.0), 1.0)
    # the second segment follows; clamped, it moves the first point once more
    t = (de * s + er) / ee if ee > 0.0 else 0.0
    if t < 0.0 or t > 1.0 or ee == 0.0:
        t = min(max(t, 0.0), 1.0)
        s = min(max((t * de - dr) / dd, 0.0), 1.0) if dd > 0.0 else 0.0
    # vector between the nearest points
    x, y, z = rx + s * dx - t * ex, ry + s * dy - t * ey, rz + s * dz - t * ez
    return x * x + y * y + z * z, s, t


@kernel()
def box_slope(
    t: float, ax: float, ay: float, az: float, dx: float, dy: float, dz: float, hx: float, hy: float, hz: float
) -> float:
    """Return half the slope of the squared distance to a box along the segment."""
    # gradient of the distance along d
    return beyond(ax + t * dx, hx) * dx + beyond(ay + t * dy, hy) * dy + beyond(az + t * dz, hz) * dz


@kernel()
def segment_box(
    ax: float, ay: float, az: float, dx: float, dy: float, dz: float, hx: float, hy: float, hz: float
) -> tuple[float, float]:
    """Return the squared distance of a segment to the box |x| ≤ hx, |y| ≤ hy, |z| ≤ hz, and its place on the segment.

    The slope along the segment is non-decreasing, and linear between the six planes of the faces. So the root is found
    exactly, by narrowing the bracket at those planes and then along the remaining linear piece.
    """
    # slopes at both ends
    low, high = 0.0, 1.0
    slope_low = box_slope(0.0, ax, ay, az, dx, dy, dz, hx, hy, hz)
    slope_high = box_slope(1.0, ax, ay, az, dx, dy, dz, hx, hy, hz)
    # nearest at an end
    if slope_low >= 0.0:
        t = 0.0
    elif slope_high <= 0.0:
        t = 1.0
    # between: narrow the bracket at each plane that the segment crosses
    else:
        for axis in range(3):
            a, d, h = (ax, dx, hx) if axis == 0 else ((ay, dy, hy) if axis == 1 else (az, dz, hz))
            if abs(d) < 1e-15:
                continue
            for side in (-h, h):
                cut = (side - a) / d
                if low < cut < high:
                    slope = box_slope(cut, ax, ay, az, dx, dy, dz, hx, hy, hz)
                    if slope <= 0.0:
                        low, slope_low = cut, slope
                    else:
                        high, slope_high = cut, slope
        # root of the linear piece
        t = low - slope_low * (high - low) / (slope_high - slope_low) if slope_high > slope_low else low
    # vector to the box
    x, y, z = beyond(ax + t * dx, hx), beyond(ay + t * dy, hy), beyond(az + t * dz, hz)
    return x * x + y * y + z * z, t


@kernel()
def radial_beyond(x: float, y: float, radius: float) -> tuple[float, float]:
    """Return the vector by which a point is outside a circle about the origin, 0 inside."""
    # inside
    away = math.sqrt(x * x + y * y)
    if away <= radius:
        return 0.0, 0.0
    # the part beyond the radius
    share = 1.0 - radius / away
    return share * x, share * y


@kernel()
def cylinder_slope(
    t: float, ax: float, ay: float, az: float, dx: float, dy: float, dz: float, radius: float, h: float
) -> float:
    """Return half the slope of the squared distance to a cylinder along the segment."""
    # gradient of the distance along d
    x, y = radial_beyond(ax + t * dx, ay + t * dy, radius)
    return x * dx + y * dy + beyond(az + t * dz, h) * dz


@kernel()
def segment_cylinder(
    ax: float, ay: float, az: float, dx: float, dy: float, dz: float, radius: float, h: float
) -> tuple[float, float]:
    """Return the squared distance of a segment to the cylinder √(x² + y²) ≤ radius, |z| ≤ h, and its place on it.

    The squared distance is convex along the segment; the root of its slope is found by false position with the
    Illinois rule, which halves the slope at an end that stays.
    """
    # slopes at both ends
    low, high = 0.0, 1.0
    slope_low = cylinder_slope(0.0, ax, ay, az, dx, dy, dz, radius, h)
    slope_high = cylinder_slope(1.0, ax, ay, az, dx, dy, dz, radius, h)
    # nearest at an end, or between
    t = 0.0 if slope_low >= 0.0 else 1.0
    if slope_low < 0.0 < slope_high:
        kept = 0
        for _ in range(ROOT_STEPS):
            # false position
            t = low - slope_low * (high - low) / (slope_high - slope_low)
            slope = cylinder_slope(t, ax, ay, az, dx, dy, dz, radius, h)
            if slope == 0.0 or high - low < ROOT:
                break
            # replace an end; halve the slope at one that stays twice
            if slope < 0.0:
                low, slope_low = t, slope
                slope_high *= 0.5 if kept == 1 else 1.0
                kept = 1
            else:
                high, slope_high = t, slope
                slope_low *= 0.5 if kept == -1 else 1.0
                kept = -1
    # vector to the cylinder
    x, y = radial_beyond(ax + t * dx, ay + t * dy, radius)
    z = beyond(az + t * dz, h)
    return x * x + y * y + z * z, t
