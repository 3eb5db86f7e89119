"""Kernels of the nearest point of a triangle mesh of any form, and of the side of the mesh that a point is on.

The side follows from pseudonormals: of a face its normal, of an edge the sum of its two faces' normals, of a corner the
sum of its faces' normals weighted by their angles (Bærentzen and Aanæs, 2005). For a closed mesh that is exact.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints, kernel

__all__ = ["TriangleMesh", "nearest_triangle", "triangles_within"]

WELD = 1e-7  # m within which two corners coincide
SMALLEST = 1e-14  # m²: smaller triangles are dropped


class TriangleMesh(NamedTuple):
    """A mesh, as kernels read it.

    Args:
        corners: (f, 9) three corners of each triangle.
        balls: (f, 4) centre and radius of a ball around each triangle.
        normals: (f, 21) pseudonormals of the face, of the edges 0–1, 1–2, 2–0, and of the corners 0, 1, 2.
    """

    corners: Floats
    balls: Floats
    normals: Floats

    @classmethod
    def of(cls, vertices: ArrayLike, faces: ArrayLike) -> TriangleMesh:
        """Return a mesh of triangles (f, 3) of vertices (v, 3), counter-clockwise seen from outside.

        Raises:
            CommandError: If no triangle has an area.
        """
        points, whole = _welded(np.asarray(vertices, dtype=np.float64), np.asarray(faces, dtype=np.int64))
        corners = points[whole]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        areas = np.linalg.norm(across, axis=1)
        solid = areas > SMALLEST
        if not solid.any():
            raise CommandError("the mesh has no triangle with an area")
        whole, corners, flat = whole[solid], corners[solid], across[solid] / areas[solid, None]
        centres = corners.mean(axis=1)
        radii = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
        normals = np.concatenate([flat[:, None], _edges(whole, flat), _tips(points, whole, corners, flat)], axis=1)
        return cls(
            np.ascontiguousarray(corners.reshape(-1, 9)),
            np.column_stack([centres, radii]),
            np.ascontiguousarray(normals.reshape(-1, 21)),
        )

    def nearest(self, p: Floats, hint: int = 0) -> tuple[float, Floats, int]:
        """Return the signed distance of a point (m), the outward unit vector there, and the nearest triangle.

        Args:
            p: (3,) the point, metres.
            hint: A triangle that may be near, such as the last result.
        """
        out = np.empty(3)
        distance, triangle = nearest_triangle(self.corners, self.balls, self.normals, p, hint, out)
        return distance, out, triangle

    def within(self, p: Floats, reach: float, most: int = 8) -> Floats:
        """Return rows (k, 4) of distance and face normal of the triangles within reach, one per direction."""
        rows = np.empty((most, 4))
        count = triangles_within(self.corners, self.balls, self.normals, p, reach, rows)
        return rows[:count]


def _welded(points: Floats, faces: Ints) -> tuple[Floats, Ints]:
    """Return the mesh with coinciding corners merged: files of loose triangles share no edges."""
    if points.ndim != 2 or points.shape[1] != 3 or faces.ndim != 2 or faces.shape[1] != 3 or not len(faces):
        raise CommandError("a mesh needs vertices (v, 3) and faces (f, 3)")
    if not np.isfinite(points).all() or faces.min() < 0 or faces.max() >= len(points):
        raise CommandError("a mesh needs finite vertices, and faces of them")
    _, first, place = np.unique(np.round(points / WELD), axis=0, return_index=True, return_inverse=True)
    return points[first], np.asarray(place).reshape(-1)[faces]


def _edges(whole: Ints, flat: Floats) -> Floats:
    """Return the pseudonormals (f, 3, 3) of the edges."""
    ends = np.sort(np.stack([whole, np.roll(whole, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    _, edge = np.unique(ends, axis=0, return_inverse=True)
    edge = np.asarray(edge).reshape(-1)
    sums = np.zeros((edge.max() + 1, 3))
    np.add.at(sums, edge, np.repeat(flat, 3, axis=0))
    return sums[edge].reshape(-1, 3, 3)


def _tips(points: Floats, whole: Ints, corners: Floats, flat: Floats) -> Floats:
    """Return the pseudonormals (f, 3, 3) of the corners."""
    u = np.roll(corners, -1, axis=1) - corners
    v = np.roll(corners, 1, axis=1) - corners
    cosines = (u * v).sum(axis=2) / (np.linalg.norm(u, axis=2) * np.linalg.norm(v, axis=2))
    angles = np.arccos(np.clip(cosines, -1.0, 1.0))
    sums = np.zeros_like(points)
    np.add.at(sums, whole.reshape(-1), (angles[:, :, None] * flat[:, None]).reshape(-1, 3))
    return sums[whole]


@kernel()
def on_triangle(t: Floats, px: float, py: float, pz: float) -> tuple[float, float, float, int]:
    """Return the point of a triangle nearest to p, and the index of its pseudonormal.

    The regions are distinguished by the signs of dot products (Ericson, Real-Time Collision Detection, 5.1.5).
    """
    # edges from the first corner
    ux, uy, uz = t[3] - t[0], t[4] - t[1], t[5] - t[2]
    vx, vy, vz = t[6] - t[0], t[7] - t[1], t[8] - t[2]
    # is the first corner nearest?
    ax, ay, az = px - t[0], py - t[1], pz - t[2]
    d1, d2 = ux * ax + uy * ay + uz * az, vx * ax + vy * ay + vz * az
    if d1 <= 0.0 and d2 <= 0.0:
        return t[0], t[1], t[2], 4
    # the second?
    bx, by, bz = px - t[3], py - t[4], pz - t[5]
    d3, d4 = ux * bx + uy * by + uz * bz, vx * bx + vy * by + vz * bz
    if d3 >= 0.0 and d4 <= d3:
        return t[3], t[4], t[5], 5
    # the third?
    cx, cy, cz = px - t[6], py - t[7], pz - t[8]
    d5, d6 = ux * cx + uy * cy + uz * cz, vx * cx + vy * cy + vz * cz
    if d6 >= 0.0 and d5 <= d6:
        return t[6], t[7], t[8], 6
    # the edge 0–1?
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3)
        return t[0] + s * ux, t[1] + s * uy, t[2] + s * uz, 1
    # the edge 2–0?
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / (d2 - d6)
        return t[0] + s * vx, t[1] + s * vy, t[2] + s * vz, 3
    # the edge 1–2?
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return t[3] + s * (t[6] - t[3]), t[4] + s * (t[7] - t[4]), t[5] + s * (t[8] - t[5]), 2
    # else the inside
    share = 1.0 / (va + vb + vc)
    s, r = vb * share, vc * share
    return t[0] + s * ux + r * vx, t[1] + s * uy + r * vy, t[2] + s * uz + r * vz, 0


@kernel("Tuple((f8, i8))(f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[::1], i8, f8[::1])")
def nearest_triangle(
    corners: Floats, balls: Floats, normals: Floats, p: Floats, hint: int, out: Floats
) -> tuple[float, int]:
    """Return the signed distance of p and the nearest triangle; write the outward unit vector.

    Args:
        corners: See `TriangleMesh`.
        balls: See `TriangleMesh`.
        normals: See `TriangleMesh`.
        p: (3,) the point, metres.
        hint: A triangle that may be near; others are tested only if the ball around them is nearer.
        out: (3,) result.
    """
    # start from the hint
    px, py, pz, count = p[0], p[1], p[2], len(corners)
    best, triangle, part = np.inf, min(max(hint, 0), count - 1), 0
    nx = ny = nz = 0.0
    # triangles whose ball is nearer than the best; keep the nearest
    for i in range(-1, count):
        k = triangle if i < 0 else i
        x, y, z = px - balls[k, 0], py - balls[k, 1], pz - balls[k, 2]
        apart = math.sqrt(x * x + y * y + z * z) - balls[k, 3]
        if apart >= best:
            continue
        x, y, z, which = on_triangle(corners[k], px, py, pz)
        x, y, z = px - x, py - y, pz - z
        distance = math.sqrt(x * x + y * y + z * z)
        if distance < best:
            best, triangle, part, nx, ny, nz = distance, k, which, x, y, z
    # sign by the pseudonormal there
    m = 3 * part
    ox, oy, oz = normals[triangle, m], normals[triangle, m + 1], normals[triangle, m + 2]
    sign = 1.0 if nx * ox + ny * oy + nz * oz >= 0.0 else -1.0
    if best < 1e-9:  # on the surface: outward is the pseudonormal
        nx, ny, nz, sign = ox, oy, oz, 1.0
    # outward unit vector
    length = math.sqrt(nx * nx + ny * ny + nz * nz)
    k2 = sign / length if length > 0.0 else 0.0
    out[0], out[1], out[2] = k2 * nx, k2 * ny, k2 * nz
    return sign * best, triangle


@kernel("i8(f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[::1], f8, f8[:, ::1])")
def triangles_within(corners: Floats, balls: Floats, normals: Floats, p: Floats, reach: float, rows: Floats) -> int:
    """Write distance and face normal of the triangles within reach whose normals differ; return their number.

    Of triangles with similar normals the nearest counts. The distance is from the point to the triangle, negative
    if the point is behind its plane.
    """
    # triangles whose ball is within reach
    count = 0
    for k in range(len(corners)):
        x, y, z = p[0] - balls[k, 0], p[1] - balls[k, 1], p[2] - balls[k, 2]
        if math.sqrt(x * x + y * y + z * z) - balls[k, 3] >= reach:
            continue
        # distance
        x, y, z, _ = on_triangle(corners[k], p[0], p[1], p[2])
        x, y, z = p[0] - x, p[1] - y, p[2] - z
        distance = math.sqrt(x * x + y * y + z * z)
        if distance >= reach:
            continue
        # side of the triangle's plane
        nx, ny, nz = normals[k, 0], normals[k, 1], normals[k, 2]
        distance = distance if x * nx + y * ny + z * nz >= 0.0 else -distance
        count = put_row(rows, count, distance, nx, ny, nz)
    return count


@kernel()
def put_row(rows: Floats, count: int, distance: float, nx: float, ny: float, nz: float) -> int:
    """Insert a row: in place of one with a similar normal, or as a new one; return the number of rows."""
    # a similar normal: keep the nearer one
    for i in range(count):
        if rows[i, 1] * nx + rows[i, 2] * ny + rows[i, 3] * nz > 0.95:
            if abs(distance) < abs(rows[i, 0]):
                rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3] = distance, nx, ny, nz
            return count
    # else a new row, if there is space
    if count < len(rows):
        rows[count, 0], rows[count, 1], rows[count, 2], rows[count, 3] = distance, nx, ny, nz
        return count + 1
    return count
