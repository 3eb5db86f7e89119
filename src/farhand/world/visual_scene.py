"""The visible scene of a compiled world: all its shapes, on the bodies that move them. Constant.

Bodies that are welded together count as one here, and fixed shapes are on no body. So a viewer needs only the poses of
the moving bodies, without kinematics or a model.
"""

from __future__ import annotations

import hashlib
from typing import Any, Literal

import mujoco
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.poses import Pose, from_matrix
from farhand.types import Vector

__all__ = ["FIXED", "BodyLook", "GeomLook", "Look", "MeshLook", "look_of"]

FIXED = -1
"""Body index of fixed shapes."""
GeomShape = Literal["plane", "box", "sphere", "cylinder", "capsule", "ellipsoid", "mesh"]
SHAPES: dict[int, GeomShape] = {
    int(mujoco.mjtGeom.mjGEOM_PLANE): "plane",
    int(mujoco.mjtGeom.mjGEOM_SPHERE): "sphere",
    int(mujoco.mjtGeom.mjGEOM_CAPSULE): "capsule",
    int(mujoco.mjtGeom.mjGEOM_ELLIPSOID): "ellipsoid",
    int(mujoco.mjtGeom.mjGEOM_CYLINDER): "cylinder",
    int(mujoco.mjtGeom.mjGEOM_BOX): "box",
    int(mujoco.mjtGeom.mjGEOM_MESH): "mesh",
}
HIDDEN_GROUP = 3  # by MuJoCo's convention shapes of this and higher groups are hidden
Floats = NDArray[np.float64]


class BodyLook(Struct, frozen=True):
    """A moving body.

    Args:
        name: Of the body in the compiled model.
        robot: Name of its robot; empty for a loose object.
    """

    name: str
    robot: str = ""


class GeomLook(Struct, frozen=True):
    """A shape on a body.

    Args:
        body: Index of the moving body that carries it, or -1 if it is fixed to the world.
        shape: Its form.
        size: Metres. plane: half lengths, 0 for endless; box: three half lengths; sphere: radius; cylinder and capsule:
            radius and half length along z; ellipsoid: three radii; mesh: none.
        pose: In the body's frame, or in the world's if it is fixed.
        colour: Red, green, blue, opacity, 0 to 1.
        mesh: Hash of the mesh's content, for the shape "mesh".
        seen: Whether it is visible.
        touched: Whether it collides.
        name: Name of its object or link, for the operator.
        virtual: It is only drawn to help the operator: no robot's camera sees it.
    """

    body: int
    shape: GeomShape
    size: Vector
    pose: Pose
    colour: tuple[float, float, float, float]
    mesh: str = ""
    seen: bool = True
    touched: bool = True
    name: str = ""
    virtual: bool = False


class MeshLook(Struct, frozen=True):
    """A triangle mesh as little-endian bytes: three float32 per vertex, three uint32 per face."""

    vertices: bytes
    faces: bytes


class Look(Struct, frozen=True):
    """The visible scene.

    Args:
        bodies: The moving ones, in the order of their poses in the stream.
        body_ids: Their numbers in the compiled model.
        geoms: Every shape.
        meshes: By hash of their content.
    """

    bodies: tuple[BodyLook, ...]
    body_ids: tuple[int, ...]
    geoms: tuple[GeomLook, ...]
    meshes: dict[str, MeshLook]


def look_of(model: Any, robots: tuple[str, ...]) -> Look:
    """Return the visible scene of a compiled model.

    Args:
        model: MuJoCo's compiled model.
        robots: Names of the robots; their bodies' names start with them and a slash.
    """
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    moving = [i for i in range(1, model.nbody) if model.body_weldid[i] == i]
    place = {body: number for number, body in enumerate(moving)}
    meshes: dict[str, MeshLook] = {}
    hashes = [_mesh(model, i, meshes) for i in range(model.nmesh)]
    geoms = [_geom(model, data, i, place, hashes) for i in range(model.ngeom) if int(model.geom_type[i]) in SHAPES]
    bodies = tuple(BodyLook(model.body(i).name, _robot_of(model.body(i).name, robots)) for i in moving)
    return Look(bodies, tuple(moving), tuple(geoms), meshes)


def _robot_of(name: str, robots: tuple[str, ...]) -> str:
    owner = name.partition("/")[0]
    return owner if "/" in name and owner in robots else ""


def _geom(model: Any, data: Any, i: int, place: dict[int, int], hashes: list[str]) -> GeomLook:
    body = int(model.geom_bodyid[i])
    carrier = int(model.body_weldid[body])
    shape, rgba = SHAPES[int(model.geom_type[i])], model.geom_rgba[i]
    if model.geom_matid[i] >= 0:
        rgba = model.mat_rgba[model.geom_matid[i]]
    r, g, b, a = (round(float(c), 3) for c in rgba)
    T_world_geom = _frame(data.geom_xpos[i], data.geom_xmat[i])
    if carrier == 0:
        pose = from_matrix(T_world_geom)
    else:
        pose = from_matrix(np.linalg.inv(_frame(data.xpos[carrier], data.xmat[carrier])) @ T_world_geom)
    return GeomLook(
        body=place.get(carrier, FIXED),
        shape=shape,
        size=() if shape == "mesh" else tuple(model.geom_size[i].tolist()),
        pose=pose,
        colour=(r, g, b, a),
        mesh=hashes[int(model.geom_dataid[i])] if shape == "mesh" else "",
        seen=bool(model.geom_group[i] < HIDDEN_GROUP),
        touched=bool(model.geom_contype[i] or model.geom_conaffinity[i]),
        name=model.body(body).name if body else model.geom(i).name,
    )


def _frame(position: Floats, turn: Floats) -> Floats:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = position, turn.reshape(3, 3)
    return T


def _mesh(model: Any, i: int, meshes: dict[str, MeshLook]) -> str:
    """Add a mesh of the model to the meshes; return its hash."""
    first, count = int(model.mesh_vertadr[i]), int(model.mesh_vertnum[i])
    at, faces = int(model.mesh_faceadr[i]), int(model.mesh_facenum[i])
    look = MeshLook(
        model.mesh_vert[first : first + count].astype("<f4").tobytes(),
        model.mesh_face[at : at + faces].astype("<u4").tobytes(),
    )
    name = hashlib.sha256(look.vertices + look.faces).hexdigest()[:24]
    meshes[name] = look
    return name
