"""Convex hulls: vertices, faces, planes and volume, computed by MuJoCo's compiler."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints

__all__ = ["Hull", "hull_of", "hull_of_mesh"]

SAME_PLANE = 1e-7


class Hull(NamedTuple):
    """A convex polyhedron.

    Args:
        vertices: (v, 3) metres.
        faces: (f, 3) vertex indices of triangles, counter-clockwise seen from outside.
    """

    vertices: Floats
    faces: Ints

    def planes(self) -> Floats:
        """Return (k, 4) outward unit normals and offsets, n·x ≤ offset inside; one row for all triangles of a plane."""
        a, b, c = (self.vertices[self.faces[:, i]] for i in range(3))
        normals = np.cross(b - a, c - a)
        lengths = np.linalg.norm(normals, axis=1)
        solid = lengths > 1e-12 * lengths.max()
        normals = normals[solid] / lengths[solid, None]
        # the middle is inside, whatever the orientation of the triangles
        middle = self.vertices.mean(axis=0)
        outward = np.sign(((a[solid] - middle) * normals).sum(axis=1))
        normals *= np.where(outward == 0.0, 1.0, outward)[:, None]
        offsets = (normals @ self.vertices.T).max(axis=1)
        rows = np.column_stack((normals, offsets))
        _, first = np.unique(np.round(rows / SAME_PLANE), axis=0, return_index=True)
        return np.asarray(rows[np.sort(first)], dtype=np.float64)

    def volume(self) -> float:
        """Return the volume, m³: the tetrahedra between the middle and each face."""
        middle = self.vertices.mean(axis=0)
        a, b, c = (self.vertices[self.faces[:, i]] - middle for i in range(3))
        return float(np.abs((a * np.cross(b, c)).sum(axis=1)).sum() / 6.0)


def hull_of_mesh(model: Any, mesh: int) -> Hull:
    """Return the hull of a mesh of a compiled model, in the frame of the compiled mesh.

    Raises:
        CommandError: If the model has no hull of it, because nothing collides with it.
    """
    start = int(model.mesh_graphadr[mesh])
    if start < 0:
        raise CommandError(f"mesh {model.mesh(mesh).name!r} has no hull in the compiled model")
    graph = model.mesh_graph
    v, f = int(graph[start]), int(graph[start + 1])
    known = graph[start + 2 + v : start + 2 + 2 * v]
    faces = graph[start + 2 + 3 * v + 3 * f : start + 2 + 3 * v + 6 * f].reshape(f, 3)
    place = {int(number): i for i, number in enumerate(known)}
    first = int(model.mesh_vertadr[mesh])
    vertices = model.mesh_vert[first + known].astype(np.float64)
    return Hull(vertices, np.array([[place[int(i)] for i in face] for face in faces], dtype=np.int64))


def hull_of(points: ArrayLike) -> Hull:
    """Return the convex hull of points.

    Args:
        points: (k, 3) metres.

    Raises:
        CommandError: If they are fewer than four, not finite, or span no volume.
    """
    import mujoco

    rows = np.asarray(points, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != 3 or len(rows) < 4 or not np.isfinite(rows).all():
        raise CommandError(f"a hull needs at least four finite points of three numbers, found shape {rows.shape}")
    spec = mujoco.MjSpec()
    spec.add_mesh(name="hull", uservert=rows.reshape(-1).tolist(), inertia=mujoco.mjtMeshInertia.mjMESH_INERTIA_CONVEX)
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_MESH, meshname="hull")
    try:
        model = spec.compile()
    except (ValueError, RuntimeError) as error:
        raise CommandError(f"these points have no convex hull: {error}") from error
    found = hull_of_mesh(model, 0)
    R = np.empty(9)
    mujoco.mju_quat2Mat(R, model.mesh_quat[0])
    # the compiler works in single precision: take the original points
    vertices = found.vertices @ R.reshape(3, 3).T + model.mesh_pos[0]
    nearest = [int(np.argmin(((rows - vertex) ** 2).sum(axis=1))) for vertex in vertices]
    return Hull(rows[nearest].copy(), found.faces)
