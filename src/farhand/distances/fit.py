"""Kernels that fit the smallest capsule around some balls, which are a link's shapes.

With an axis through o along u, a ball at p with radius ρ has its height s = (p − o)·u and its distance δ from the axis.
A capsule of radius r encloses it if r ≥ δ + ρ and its ends reach to within w = √((r − ρ)² − δ²) of s. So for a given
axis and radius the ends are the highest s − w and the lowest s + w, and the volume is π·r²·(length + 4·r/3).
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel

__all__ = ["fit_along"]

ROUNDS = 400
FINEST = 1e-3  # step, in radians and as a share of the size, at which the search ends
SAFE = 1e-9  # share added to the radius against rounding


@kernel()
def ends_of(points: Floats, radii: Floats, x: Floats, r: float) -> tuple[float, float]:
    """Return the lowest and highest end of the axis for a radius, along u from o."""
    # each ball bounds both ends
    low, high = np.inf, -np.inf
    for i in range(points.shape[0]):
        s, square = height_of(points, i, x)
        w = math.sqrt(max((r - radii[i]) ** 2 - square, 0.0))
        low, high = min(low, s + w), max(high, s - w)
    if low > high:
        # shorter than its caps: a ball is enough
        return 0.5 * (low + high), 0.5 * (low + high)
    return low, high


@kernel()
def height_of(points: Floats, i: int, x: Floats) -> tuple[float, float]:
    """Return the height of a point along the axis and its squared distance from it; x is (o, u, extra)."""
    # height along u, then Pythagoras
    dx, dy, dz = points[i, 0] - x[0], points[i, 1] - x[1], points[i, 2] - x[2]
    s = dx * x[3] + dy * x[4] + dz * x[5]
    return s, max(dx * dx + dy * dy + dz * dz - s * s, 0.0)


@kernel()
def least_radius(points: Floats, radii: Floats, x: Floats) -> float:
    """Return the radius of the thinnest capsule about an axis."""
    # the ball that reaches farthest from the axis
    r = 0.0
    for i in range(points.shape[0]):
        _, square = height_of(points, i, x)
        r = max(r, math.sqrt(square) + radii[i])
    return float(r)


@kernel()
def volume_along(points: Floats, radii: Floats, x: Floats) -> float:
    """Return the volume of the capsule about an axis, its radius larger by the share `extra`."""
    # radius, ends, volume
    r = least_radius(points, radii, x) * (1.0 + max(x[6], 0.0))
    low, high = ends_of(points, radii, x, r)
    return float(math.pi * r * r * (high - low + 4.0 / 3.0 * r))


@kernel()
def nudge(x: Floats, which: int, amount: float, y: Floats) -> None:
    """Write the axis after a small change: two shifts across it, two tilts, or one of the radius."""
    # two directions perpendicular to u
    hx, hy = (1.0, 0.0) if abs(x[3]) < 0.6 else (0.0, 1.0)
    ax, ay, az = -x[5] * hy, x[5] * hx, x[3] * hy - x[4] * hx
    length = math.sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = ax / length, ay / length, az / length
    bx, by, bz = x[4] * az - x[5] * ay, x[5] * ax - x[3] * az, x[3] * ay - x[4] * ax
    # the radius
    for c in range(7):
        y[c] = x[c]
    if which == 4:
        y[6] = max(x[6] + amount, 0.0)
        return
    # a shift of o, or a tilt of u
    vx, vy, vz = (ax, ay, az) if which % 2 == 0 else (bx, by, bz)
    first = 0 if which < 2 else 3
    y[first], y[first + 1], y[first + 2] = (
        x[first] + amount * vx,
        x[first + 1] + amount * vy,
        x[first + 2] + amount * vz,
    )
    # keep u a unit vector
    length = math.sqrt(y[3] ** 2 + y[4] ** 2 + y[5] ** 2)
    y[3], y[4], y[5] = y[3] / length, y[4] / length, y[5] / length


@kernel("f8(f8[:, ::1], f8[::1], f8[::1], f8[::1])")
def fit_along(points: Floats, radii: Floats, direction: Floats, capsule: Floats) -> float:
    """Write the capsule found by descent from an axis through the middle; return its volume (m³).

    Each round tries steps of both signs in shift, tilt and radius; if none helps, the steps are halved.

    Args:
        points: (k, 3) centres of the balls.
        radii: (k,) their radii.
        direction: (3,) unit vector to start from.
        capsule: (7,) result: start, end, radius.
    """
    # start: axis through the middle of the bounding box
    x, y = np.zeros(7), np.zeros(7)
    low, high = np.full(3, np.inf), np.full(3, -np.inf)
    for i in range(points.shape[0]):
        for c in range(3):
            low[c], high[c] = min(low[c], points[i, c] - radii[i]), max(high[c], points[i, c] + radii[i])
    size = 0.0
    for c in range(3):
        x[c], x[3 + c] = 0.5 * (low[c] + high[c]), direction[c]
        size = max(size, high[c] - low[c])
    # coordinate descent with shrinking steps
    best, step = volume_along(points, radii, x), 0.25
    for _ in range(ROUNDS):
        helped = False
        for which in range(5):
            scale = size if which < 2 else 1.0
            for sign in (1.0, -1.0):
                nudge(x, which, sign * step * scale, y)
                volume = volume_along(points, radii, y)
                if volume < best * (1.0 - 1e-12):
                    best, helped = volume, True
                    for c in range(7):
                        x[c] = y[c]
        if not helped:
            step *= 0.5
            if step < FINEST:
                break
    # the capsule, its radius rounded up
    r = least_radius(points, radii, x) * (1.0 + max(x[6], 0.0)) * (1.0 + SAFE)
    bottom, top = ends_of(points, radii, x, r)
    for c in range(3):
        capsule[c], capsule[3 + c] = x[c] + bottom * x[3 + c], x[c] + top * x[3 + c]
    capsule[6] = r
    return best
