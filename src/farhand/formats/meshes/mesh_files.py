"""Reading a mesh file of any kind, checked and counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.meshes.dae import read_dae
from farhand.formats.meshes.mesh import MeshPart, cleaned
from farhand.formats.meshes.obj import read_obj
from farhand.formats.meshes.stl import face_count, is_binary, read_stl
from farhand.formats.size_limits import SizeLimits

__all__ = ["load_mesh"]

_SUFFIXES = (".dae", ".obj", ".stl")

#: Larger coordinates (in the file's own units) are a damaged file.
_FARTHEST = 1e7


def load_mesh(data: bytes, path: Path, limits: SizeLimits) -> list[MeshPart]:
    """Return the parts of a mesh file in the file's own scale.

    Raises:
        RobotFileError: If it is of an unknown kind, damaged, empty, not finite, or has too many faces.
    """
    parts = _read(data, path, limits)
    faces = sum(len(part.faces) for part in parts)
    if faces > limits.mesh_faces:
        raise RobotFileError(path, f"has {faces} faces; the limit is {limits.mesh_faces}")
    kept = [cleaned(_checked(part, path)) for part in parts if len(part.faces)]
    kept = [part for part in kept if len(part.faces)]
    if not kept:
        raise RobotFileError(path, "has no triangles")
    return kept


def _read(data: bytes, path: Path, limits: SizeLimits) -> list[MeshPart]:
    suffix = path.suffix.lower()
    if suffix == ".stl":
        if is_binary(data) and face_count(data) > limits.mesh_faces:
            raise RobotFileError(path, f"has {face_count(data)} faces; the limit is {limits.mesh_faces}")
        return read_stl(data, path)
    if suffix == ".obj":
        return read_obj(data, path)
    if suffix == ".dae":
        return read_dae(data, path, limits)
    raise RobotFileError(path, f"meshes of kind {suffix or path.name!r} are not read; expected {', '.join(_SUFFIXES)}")


def _checked(part: MeshPart, path: Path) -> MeshPart:
    if part.faces.min() < 0 or part.faces.max() >= len(part.vertices):
        raise RobotFileError(path, f"a face names a missing vertex; there are {len(part.vertices)}")
    if not np.isfinite(part.vertices).all() or np.abs(part.vertices).max() > _FARTHEST:
        raise RobotFileError(path, f"a vertex is not finite or farther than {_FARTHEST:g} from the origin")
    return part
