"""Solids around an arm as values, and their rows in a scene."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from msgspec import Struct

from farhand.distances.hulls import Hull, hull_of
from farhand.distances.packed_scene import BOX, CYLINDER, ELLIPSOID, HULL, PLANE, ROD
from farhand.errors import CommandError
from farhand.kernels import Floats, Ints
from farhand.poses import IDENTITY, Pose, matrix
from farhand.types import Vector

__all__ = ["Solid", "SolidRows", "rows_of_solids"]

SolidShape = Literal["box", "sphere", "cylinder", "capsule", "ellipsoid", "plane", "mesh"]
KINDS: dict[str, int] = {
    "box": BOX, "sphere": ROD, "capsule": ROD, "cylinder": CYLINDER, "ellipsoid": ELLIPSOID, "plane": PLANE,
    "mesh": HULL,
}  # fmt: skip
SIZES = {"box": 3, "sphere": 1, "capsule": 2, "cylinder": 2, "ellipsoid": 3, "plane": 0, "mesh": 0}
BUNCH = 6  # largest number of solids in a bunch
ENDLESS = 1e9  # metres: bounding radius of a plane


class Solid(Struct, frozen=True):
    """A solid in the arm's base frame.

    Args:
        name: Name for the operator.
        shape: "box", "sphere", "cylinder", "capsule", "ellipsoid", "plane" (all below its z = 0) or "mesh" (its hull).
        pose: Its pose.
        size: Metres. box: three half lengths; sphere: radius; cylinder and capsule: radius and half length along z
            (a capsule's without its caps); ellipsoid: three radii; plane and mesh: none.
        vertices: (v, 3) vertices of a mesh in its own frame, metres; its convex hull counts.
        least_link: First joint whose capsules it counts for (0: all that move); the solid that an arm stands on always
            touches its first link.
        moves: True if its pose will change; it then shares no bunch with others.
    """

    name: str
    shape: SolidShape
    pose: Pose = IDENTITY
    size: Vector = ()
    vertices: tuple[tuple[float, float, float], ...] = ()
    least_link: int = 0
    moves: bool = False


class SolidRows(Struct, frozen=True):
    """Solids as rows of a scene, ordered by bunches; `order` lists the index of each row's solid."""

    order: tuple[int, ...]
    shapes: Ints
    solids: Floats
    spans: Ints
    bunches: Floats
    ranges: Ints
    vertices: Floats
    planes: Floats


def rows_of_solids(solids: Sequence[Solid]) -> SolidRows:
    """Return the rows of some solids.

    Raises:
        CommandError: If a size or a mesh does not fit its shape.
    """
    hulls = [hull_of(s.vertices) if s.shape == "mesh" else None for s in solids]
    rows = np.array([_row(s, h) for s, h in zip(solids, hulls, strict=True)]).reshape(-1, 17)
    groups = _bunches(rows, [s.moves for s in solids])
    order = [k for group in groups for k in group]
    spans, vertices, planes = [], [np.zeros((0, 3))], [np.zeros((0, 4))]
    v = f = 0
    for k in order:
        hull = hulls[k]
        points, faces = (np.zeros((0, 3)), np.zeros((0, 4))) if hull is None else (hull.vertices, hull.planes())
        spans.append((v, len(points), f, len(faces), solids[k].least_link))
        vertices.append(points)
        planes.append(faces)
        v, f = v + len(points), f + len(faces)
    ends = np.cumsum([0, *[len(group) for group in groups]])
    return SolidRows(
        order=tuple(order),
        shapes=np.array([KINDS[solids[k].shape] for k in order], dtype=np.int64),
        solids=np.ascontiguousarray(rows[order]),
        spans=np.array(spans, dtype=np.int64).reshape(-1, 5),
        bunches=np.array([_sphere_around(rows[group]) for group in groups]).reshape(-1, 4),
        ranges=np.column_stack((ends[:-1], ends[1:])).astype(np.int64),
        vertices=np.vstack(vertices),
        planes=np.vstack(planes),
    )


def _row(solid: Solid, hull: Hull | None) -> Floats:
    if solid.shape not in KINDS:
        raise CommandError(f"solid {solid.name!r}: unknown shape {solid.shape!r}; available: {', '.join(KINDS)}")
    size = solid.size[: SIZES[solid.shape]]
    if len(size) != SIZES[solid.shape] or not all(math.isfinite(s) and s > 0.0 for s in size):
        problem = f"needs {SIZES[solid.shape]} positive sizes in metres, found {list(solid.size)}"
        raise CommandError(f"solid {solid.name!r}: a {solid.shape} {problem}")
    T = matrix(solid.pose)
    if not np.isfinite(T).all():
        raise CommandError(f"solid {solid.name!r}: its pose must be finite")
    core, rounding, bound = _core(solid.shape, size, hull)
    return np.concatenate((T[:3, 3], T[:3, :3].reshape(-1), core, (rounding, bound)))


def _core(shape: str, size: Vector, hull: Hull | None) -> tuple[Vector, float, float]:
    """Return the three sizes of the core, the rounding radius and the radius of the sphere around the solid."""
    if shape == "box":
        return size, 0.0, math.hypot(*size)
    if shape == "sphere":
        return (0.0, 0.0, 0.0), size[0], size[0]
    if shape == "capsule":
        return (size[1], 0.0, 0.0), size[0], size[0] + size[1]
    if shape == "cylinder":
        return (size[0], size[1], 0.0), 0.0, math.hypot(*size)
    if shape == "ellipsoid":
        return size, 0.0, max(size)
    if shape == "plane":
        return (0.0, 0.0, 0.0), 0.0, ENDLESS
    assert hull is not None
    return (0.0, 0.0, 0.0), 0.0, float(np.linalg.norm(hull.vertices, axis=1).max())


def _bunches(rows: Floats, moving: Sequence[bool]) -> list[list[int]]:
    """Return the solids in groups of neighbours, halved across the widest extent until they are small.

    Planes come first; moving solids come last, each on its own.
    """
    endless = [k for k in range(len(rows)) if rows[k, 16] >= ENDLESS and not moving[k]]
    groups = [endless] if endless else []
    todo = [[k for k in range(len(rows)) if rows[k, 16] < ENDLESS and not moving[k]]]
    while todo:
        group = todo.pop()
        if len(group) <= BUNCH:
            groups += [group] if group else []
            continue
        centres = rows[group, :3]
        axis = int(np.argmax(np.ptp(centres, axis=0)))
        ranked = [group[i] for i in np.argsort(centres[:, axis], kind="stable")]
        todo += [ranked[len(ranked) // 2 :], ranked[: len(ranked) // 2]]
    return groups + [[k] for k in range(len(rows)) if moving[k]]


def _sphere_around(rows: Floats) -> Floats:
    """Return centre and radius of a sphere around all the spheres of some rows."""
    if rows[0, 16] >= ENDLESS:
        return np.array([0.0, 0.0, 0.0, ENDLESS])
    low, high = (rows[:, :3] - rows[:, 16:]).min(axis=0), (rows[:, :3] + rows[:, 16:]).max(axis=0)
    centre = 0.5 * (low + high)
    radius = float((np.linalg.norm(rows[:, :3] - centre, axis=1) + rows[:, 16]).max())
    return np.array([*centre, radius])
