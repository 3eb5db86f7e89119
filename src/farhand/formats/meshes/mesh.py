"""A mesh as arrays, cleaned, thinned out and written as binary STL."""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

__all__ = ["MeshPart", "cleaned", "flat", "scaled", "thinned", "to_stl"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

_RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])

GRID = np.array([1, 1 << 20, 1 << 40], dtype=np.int64)  # one number for each cell of a grid


@dataclass(frozen=True)
class MeshPart:
    """Triangles of one colour.

    Args:
        vertices: (n, 3), metres.
        faces: (m, 3), indices of vertices.
        color: Red, green, blue, alpha from 0 to 1, if the file has one.
    """

    vertices: Floats
    faces: Ints
    color: tuple[float, float, float, float] | None = None


def cleaned(part: MeshPart) -> MeshPart:
    """Return the part without repeated vertices and without faces that have no area."""
    vertices, index = np.unique(np.round(part.vertices, 9), axis=0, return_inverse=True)
    faces = index.reshape(-1)[part.faces]
    a, b, c = faces.T
    faces = faces[(a != b) & (b != c) & (a != c)]
    used, faces = np.unique(faces, return_inverse=True)
    return replace(part, vertices=vertices[used], faces=faces.reshape(-1, 3))


def scaled(part: MeshPart, scale: tuple[float, float, float]) -> MeshPart:
    """Return the part scaled by axis; the faces of a mirrored one are reversed so that they face outwards."""
    faces = part.faces[:, ::-1] if np.prod(np.sign(scale)) < 0 else part.faces
    return replace(part, vertices=part.vertices * np.asarray(scale), faces=faces)


def thinned(part: MeshPart, most: int, *, outermost: bool = False) -> MeshPart:
    """Return a part of at most `most` faces: vertices within one cell of a growing grid become one.

    Args:
        part: The part.
        most: Faces.
        outermost: Keep the vertex of a cell that is farthest from the middle of the part, so that its hull hardly
            changes; the grid begins at a size that fits `most`.
    """
    size = float(np.ptp(part.vertices, axis=0).max()) or 1.0
    cells, result = 256.0, part
    if outermost:
        away = ((part.vertices - 0.5 * (part.vertices.min(axis=0) + part.vertices.max(axis=0))) ** 2).sum(axis=1)
        order = np.argsort(-away, kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        part = replace(part, vertices=part.vertices[order], faces=place[part.faces])
        cells = min(cells, 1.5 * float(np.sqrt(most)))
    while len(result.faces) > most and cells > 2:
        keys = np.floor((part.vertices - part.vertices.min(axis=0)) / size * cells).astype(np.int64)
        _, first, index = np.unique(keys @ GRID, return_index=True, return_inverse=True)
        moved = replace(part, vertices=part.vertices[first], faces=index.reshape(-1)[part.faces])
        result, cells = cleaned(moved), cells * 0.7
    return result


def flat(part: MeshPart) -> bool:
    """Return whether all vertices lie (nearly) in one plane, so that the convex hull has no volume."""
    if len(part.vertices) < 4:
        return True
    centred = part.vertices - part.vertices.mean(axis=0)
    values = np.linalg.svd(centred.T @ centred, compute_uv=False)
    return bool(values[2] <= 1e-10 * max(values[0], 1e-300))


def to_stl(part: MeshPart) -> bytes:
    """Return the part as a binary STL file."""
    records = np.zeros(len(part.faces), dtype=_RECORD)
    records["corners"] = part.vertices[part.faces]
    return b"farhand".ljust(80) + struct.pack("<I", len(records)) + records.tobytes()


def from_stl_records(data: bytes, count: int) -> MeshPart:
    """Return the part from the records of a binary STL file (after its header)."""
    records = np.frombuffer(data, dtype=_RECORD, count=count)
    vertices = records["corners"].reshape(-1, 3).astype(np.float64)
    return MeshPart(vertices, np.arange(3 * count, dtype=np.int64).reshape(-1, 3))
