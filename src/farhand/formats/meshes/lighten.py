"""Thinning of the meshes of a robot with very many faces: MuJoCo needs about a kilobyte of memory for each."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from farhand.formats.draft import Draft
from farhand.formats.meshes.mesh import thinned, to_stl
from farhand.formats.meshes.mesh_files import load_mesh
from farhand.formats.meshes.stl import face_count, is_binary
from farhand.formats.size_limits import DEFAULT_LIMITS

__all__ = ["MANY_FACES", "lighten"]

MANY_FACES = 200_000  # of all meshes together: enough for a humanoid to look the same
FEW_FACES = 1_000  # of one mesh: smaller ones are kept


def lighten(draft: Draft) -> None:
    """Thin the meshes of a robot with too many faces in total, each in proportion, with a note.

    Of the vertices that merge, the outermost is kept, so that convex hulls hardly change.
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
    """Return the number of faces of a mesh file, or 0 for other files."""
    if name.endswith(".stl") and is_binary(data):
        return face_count(data)
    return data.count(b"\nf ") if name.endswith(".obj") else 0


def _thin(draft: Draft, name: str, most: int) -> int:
    """Thin one mesh file, which becomes an STL file; return its number of faces."""
    part = thinned(load_mesh(draft.assets.pop(name), Path(name), DEFAULT_LIMITS)[0], most, outermost=True)
    thin = str(PurePosixPath(name).with_suffix(".stl"))
    draft.assets[thin] = to_stl(part)
    if thin != name:
        for element in [mesh for mesh in draft.mjcf.iter("mesh") if mesh.get("file") == name]:
            element.set("file", thin)
    return len(part.faces)
