"""Kernels of the distance of a segment to a convex solid, given its support points (Gilbert, Johnson, Keerthi 1988).

The differences x − y of a point x of the segment and a point y of the solid fill a convex set; its point v nearest to
the origin is the vector from the solid to the segment. v is the nearest point of a simplex of up to four corners of
that set, and each round adds the corner farthest against v, until none is farther than v itself.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel

__all__ = ["segment_convex"]

ROUNDS = 64
CLOSE = 1e-12  # relative progress of |v|² below which v is the nearest point
TOUCHING = 1e-18  # m²: below this the two overlap


@kernel()
def far_point(
    flat: Floats, first: int, count: int, rx: float, ry: float, rz: float, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Return the point of a solid farthest along (x, y, z): a vertex, or r²·n/|r·n| of an ellipsoid."""
    # ellipsoid
    if count == 0:
        ux, uy, uz = rx * x, ry * y, rz * z
        length = math.sqrt(ux * ux + uy * uy + uz * uz)
        return rx * ux / length, ry * uy / length, rz * uz / length
    # hull: the vertex farthest along the direction
    best, k = -np.inf, first
    for i in range(first, first + 3 * count, 3):
        along = flat[i] * x + flat[i + 1] * y + flat[i + 2] * z
        if along > best:
            best, k = along, i
    return flat[k], flat[k + 1], flat[k + 2]


@kernel()
def segment_convex(
    ax: float, ay: float, az: float, dx: float, dy: float, dz: float,
    flat: Floats, first: int, count: int, rx: float, ry: float, rz: float,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Return the squared distance of a segment to a convex solid, its place on the segment, and v.

    The segment is a + t·d. The solid is a hull of `count` vertices, whose numbers begin at `first`;
    with a count of 0 it is an ellipsoid with radii r.

    Returns:
        Squared distance (0 if they overlap), t, and the vector from the solid to the segment.
    """
    # rows: a corner of the set of differences, its t on the segment, and its share of v
    S = np.empty((4, 5))
    vx, vy, vz = ax + 0.5 * dx, ay + 0.5 * dy, az + 0.5 * dz
    if vx * vx + vy * vy + vz * vz < TOUCHING:
        vx = 1.0
    size, squared = 0, np.inf
    for _ in range(ROUNDS):
        # the corner of the difference set farthest against v
        px, py, pz = far_point(flat, first, count, rx, ry, rz, vx, vy, vz)
        t = 1.0 if dx * vx + dy * vy + dz * vz < 0.0 else 0.0
        wx, wy, wz = ax + t * dx - px, ay + t * dy - py, az + t * dz - pz
        # no corner is farther: v is the nearest point
        if size > 0 and squared - (vx * wx + vy * wy + vz * wz) <= CLOSE * squared:
            break
        # add it, and reduce the simplex to the part nearest to the origin
        S[size, 0], S[size, 1], S[size, 2], S[size, 3], S[size, 4] = wx, wy, wz, t, 1.0
        size = nearest_of_simplex(S, size + 1)
        if size == 0:
            return 0.0, 0.5, 0.0, 0.0, 0.0
        # the new v; stop without progress
        vx, vy, vz = blend(S, size, 0), blend(S, size, 1), blend(S, size, 2)
        before, squared = squared, vx * vx + vy * vy + vz * vz
        if squared < TOUCHING or squared >= before:
            break
    return (squared if squared > TOUCHING else 0.0), blend(S, size, 3), vx, vy, vz


@kernel()
def blend(S: Floats, size: int, column: int) -> float:
    """Return the mean of a column, weighted by the shares of the corners."""
    # weighted sum
    total = 0.0
    for i in range(size):
        total += S[i, 4] * S[i, column]
    return total


@kernel()
def nearest_of_simplex(S: Floats, size: int) -> int:
    """Reduce a simplex to the corners that span its point nearest to the origin; write their shares.

    Returns:
        The number of remaining corners; 0 if the origin is inside.
    """
    # by the number of corners
    if size == 1:
        return 1
    if size == 2:
        return nearest_of_edge(S, 0, 1)
    if size == 3:
        return nearest_of_triangle(S)
    return nearest_of_tetrahedron(S)


@kernel()
def keep(S: Floats, to: int, i: int, share: float) -> None:
    """Move corner i to row `to` (never behind it) and set its share."""
    # position and t, then the share
    for c in range(4):
        S[to, c] = S[i, c]
    S[to, 4] = share


@kernel()
def dot(S: Floats, i: int, j: int) -> float:
    """Return the scalar product of two corners."""
    # of their positions
    return float(S[i, 0] * S[j, 0] + S[i, 1] * S[j, 1] + S[i, 2] * S[j, 2])


@kernel()
def nearest_of_edge(S: Floats, i: int, j: int) -> int:
    """Reduce to the part of the edge between corners i < j nearest to the origin; return the number of corners."""
    # where the origin's foot falls on the edge
    ii, ij, jj = dot(S, i, i), dot(S, i, j), dot(S, j, j)
    length = ii - 2.0 * ij + jj
    share = (ii - ij) / length if length > 0.0 else 0.0
    # either end, or between
    if share <= 0.0:
        keep(S, 0, i, 1.0)
        return 1
    if share >= 1.0:
        keep(S, 0, j, 1.0)
        return 1
    keep(S, 0, i, 1.0 - share)
    keep(S, 1, j, share)
    return 2


@kernel()
def triangle_shares(S: Floats, i: int, j: int, k: int) -> tuple[float, float, float]:
    """Return the shares of three corners in the point of their triangle nearest to the origin (Ericson's regions)."""
    ii, ij, ik, jj, jk, kk = dot(S, i, i), dot(S, i, j), dot(S, i, k), dot(S, j, j), dot(S, j, k), dot(S, k, k)
    # products with the edges from each corner: is a corner nearest?
    d1, d2 = ii - ij, ii - ik
    if d1 <= 0.0 and d2 <= 0.0:
        return 1.0, 0.0, 0.0
    d3, d4 = ij - jj, ij - jk
    if d3 >= 0.0 and d4 <= d3:
        return 0.0, 1.0, 0.0
    d5, d6 = ik - jk, ik - kk
    if d6 >= 0.0 and d5 <= d6:
        return 0.0, 0.0, 1.0
    # is an edge nearest?
    vk = d1 * d4 - d3 * d2
    if vk <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        share = d1 / (d1 - d3) if d1 > d3 else 0.0
        return 1.0 - share, share, 0.0
    vj = d5 * d2 - d1 * d6
    if vj <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        share = d2 / (d2 - d6) if d2 > d6 else 0.0
        return 1.0 - share, 0.0, share
    vi = d3 * d6 - d5 * d4
    if vi <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        both = (d4 - d3) + (d5 - d6)
        share = (d4 - d3) / both if both > 0.0 else 0.0
        return 0.0, 1.0 - share, share
    # else the inside of the triangle
    total = vi + vj + vk
    return vi / total, vj / total, vk / total


@kernel()
def reduce_to(S: Floats, i: int, j: int, k: int, si: float, sj: float, sk: float) -> int:
    """Keep those of three corners i < j < k that have a share; return their number."""
    # in order, so that no corner is overwritten too soon
    size = 0
    if si > 0.0:
        keep(S, size, i, si)
        size += 1
    if sj > 0.0:
        keep(S, size, j, sj)
        size += 1
    if sk > 0.0:
        keep(S, size, k, sk)
        size += 1
    return size


@kernel()
def nearest_of_triangle(S: Floats) -> int:
    """Reduce three corners to those that span the nearest point; return their number."""
    # shares, then the corners that have one
    si, sj, sk = triangle_shares(S, 0, 1, 2)
    return reduce_to(S, 0, 1, 2, si, sj, sk)


@kernel()
def faces_away(S: Floats, i: int, j: int, k: int, other: int) -> bool:
    """Return whether the origin and the other corner are on different sides of a face, or the four are coplanar."""
    # normal of the face
    ux, uy, uz = S[j, 0] - S[i, 0], S[j, 1] - S[i, 1], S[j, 2] - S[i, 2]
    vx, vy, vz = S[k, 0] - S[i, 0], S[k, 1] - S[i, 1], S[k, 2] - S[i, 2]
    nx, ny, nz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    # heights of both above it
    origin = -(nx * S[i, 0] + ny * S[i, 1] + nz * S[i, 2])
    corner = nx * (S[other, 0] - S[i, 0]) + ny * (S[other, 1] - S[i, 1]) + nz * (S[other, 2] - S[i, 2])
    return bool(origin * corner <= 0.0)


@kernel()
def nearest_of_tetrahedron(S: Floats) -> int:
    """Reduce four corners to those that span the nearest point; return their number, 0 if the origin is inside."""
    # faces that separate the origin from the fourth corner; the nearest one counts
    best, inside = np.inf, True
    bi, bj, bk, bsi, bsj, bsk = 0, 1, 2, 1.0, 0.0, 0.0
    for face in range(4):
        i, j, k = (1 if face == 0 else 0), (2 if face < 2 else 1), (3 if face < 3 else 2)
        if not faces_away(S, i, j, k, face):
            continue
        inside = False
        si, sj, sk = triangle_shares(S, i, j, k)
        x = si * S[i, 0] + sj * S[j, 0] + sk * S[k, 0]
        y = si * S[i, 1] + sj * S[j, 1] + sk * S[k, 1]
        z = si * S[i, 2] + sj * S[j, 2] + sk * S[k, 2]
        squared = x * x + y * y + z * z
        if squared < best:
            best, bi, bj, bk, bsi, bsj, bsk = squared, i, j, k, si, sj, sk
    return 0 if inside else reduce_to(S, bi, bj, bk, bsi, bsj, bsk)
