"""Kernels that shorten paths: two points are joined directly wherever that edge is proven free."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from farhand.distances.packed_scene import layout_of
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.inverse import draw
from farhand.planning.edge_checker import edge_free, make_checker

__all__ = ["shorten"]

Bits = NDArray[np.uint64]


@kernel("i8(f8[::1], i8[::1], f8[:, ::1], f8, f8, f8[::1], i8, u8[::1], f8[:, ::1], i8)")
def shorten(
    flat: Floats,
    whole: Ints,
    levers: Floats,
    keep: float,
    tolerance: float,
    units: Floats,
    rounds: int,
    random: Bits,
    path: Floats,
    count: int,
) -> int:
    """Shorten a path in place; return the number of points left.

    Each round draws two points, uniformly by length, and joins them if the edge is free and shorter.

    Args:
        flat: Numbers of the scene.
        whole: Integers of the scene.
        levers: (c, m) lever of each joint on each capsule, per unit of its driven joint.
        keep: Clearance to keep, metres.
        tolerance: Motion below which an edge is abandoned, metres.
        units: (n,) weight of a motion of each joint.
        rounds: Number of pairs to try.
        random: (1,) state of the generator.
        path: (≥ count + 2, n) the points.
        count: Number of points.
    """
    # scratch
    at, n = layout_of(whole), path.shape[1]
    k = make_checker(flat, whole, levers, keep, tolerance)
    a, b, lengths = np.empty(n), np.empty(n), np.empty(path.shape[0])
    for _ in range(rounds):
        if count <= 2:
            break
        # two random points by length
        total = measure(units, path, count, lengths)
        u, v = draw(random) * total, draw(random) * total
        i, j = point_at(path, count, lengths, min(u, v), a), point_at(path, count, lengths, max(u, v), b)
        # join them if that is shorter and free
        if i == j or abs(u - v) - distance_of(units, a, b) < 1e-6 * total or not edge_free(k, at, a, b):
            continue
        count = splice(path, count, i, j, a, b)
    return count


@kernel()
def distance_of(units: Floats, a: Floats, b: Floats) -> float:
    """Return the weighted distance of two joint positions."""
    # weighted sum of squares
    squared = 0.0
    for i in range(a.shape[0]):
        squared += (units[i] * (b[i] - a[i])) ** 2
    return math.sqrt(squared)


@kernel()
def measure(units: Floats, path: Floats, count: int, lengths: Floats) -> float:
    """Write the length of the path up to each point; return the whole length."""
    # running sum of the edges
    lengths[0] = 0.0
    for i in range(1, count):
        lengths[i] = lengths[i - 1] + distance_of(units, path[i - 1], path[i])
    return float(lengths[count - 1])


@kernel()
def point_at(path: Floats, count: int, lengths: Floats, along: float, q: Floats) -> int:
    """Write the point at a length along the path; return the index of its edge."""
    # the edge
    i = 0
    while i < count - 2 and lengths[i + 1] <= along:
        i += 1
    # the share of it
    size = lengths[i + 1] - lengths[i]
    share = (along - lengths[i]) / size if size > 0.0 else 0.0
    for r in range(q.shape[0]):
        q[r] = path[i, r] + share * (path[i + 1, r] - path[i, r])
    return i


@kernel()
def splice(path: Floats, count: int, i: int, j: int, a: Floats, b: Floats) -> int:
    """Replace all points between edge i and edge j by a on the first and b on the second; return the new count."""
    # not enough space: leave the path as it is
    shift, n = i + 3 - (j + 1), path.shape[1]
    if count + shift > path.shape[0]:
        return count
    # move the tail, in the order that overwrites nothing
    places = range(count - 1, j, -1) if shift > 0 else range(j + 1, count, 1)
    for place in places:
        for r in range(n):
            path[place + shift, r] = path[place, r]
    # insert the two points
    for r in range(n):
        path[i + 1, r], path[i + 2, r] = a[r], b[r]
    return count + shift
