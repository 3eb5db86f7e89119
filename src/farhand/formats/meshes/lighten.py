"""Meshes of a robot that has very many faces, thinned out: MuJoCo takes about a kilobyte of memory for each of them."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from farhand.formats.draft import Draft
from farhand.formats.meshes.mesh import thinned, to_stl
from farhand.formats.meshes.mesh_files import load_mesh
from farhand.formats.meshes.stl import face_count, is_binary
from farhand.formats.size_limits import DEFAULT_LIMITS

__all__ = ["MANY_FACES", "lighten"]

MANY_FACES = 200_000  # of all meshes together: a humanoid looks the same with so many
FEW_FACES = 1_000  # of one mesh that stays as it is


def lighten(draft: Draft) -> None:
    """Thin out the meshes of a robot whose faces are too many together, each in proportion; a note says so.

    Of the vertices that become one the outermost is kept, so that convex hulls hardly change.
    """
    counts = {name: count for name, data in draft.assets.items() if (count := _faces(name, data))}
    total = sum(counts.values())
    if total <= MANY_FACES:
        return
    after = 0
    for name, count in counts.items():
        most = max(FEW_FACES, count * MANY_FACES // total)
        after += _thin(draft, name, most) if count > most else count
    draft.note("meshes", f"Its meshes have {total} faces together; they are thinned to {after}.")


def _faces(name: str, data: bytes) -> int:
    """Return how many faces a mesh file has, or 0 for other files."""
    if name.endswith(".stl") and is_binary(data):
        return face_count(data)
    return data.count(b"\nf ") if name.endswith(".obj") else 0


def _thin(draft: Draft, name: str, most: int) -> int:
    """Thin out one mesh file, which is an STL file from then on; return how many faces it has left."""
    part = thinned(load_mesh(draft.assets.pop(name), Path(name), DEFAULT_LIMITS)[0], most, outermost=True)
    thin = str(PurePosixPath(name).with_suffix(".stl"))
    draft.assets[thin] = to_stl(part)
    if thin != name:
        for element in [mesh for mesh in draft.mjcf.iter("mesh") if mesh.get("file") == name]:
            element.set("file", thin)
    return len(part.faces)
