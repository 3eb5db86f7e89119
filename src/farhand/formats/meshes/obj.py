"""Wavefront OBJ: vertices and faces; faces of more than three corners become fans. Textures are not read."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.meshes.mesh import MeshPart

__all__ = ["read_obj"]


def read_obj(data: bytes, path: Path) -> list[MeshPart]:
    """Return the mesh of an OBJ file."""
    vertices: list[list[bytes]] = []
    faces: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if words[0] == b"v":
            vertices.append(words[1:4])
        elif words[0] == b"f":
            faces += _fan(words[1:], len(vertices), path, number)
    try:
        points = np.array(vertices, dtype=np.float64).reshape(-1, 3)
    except ValueError:
        raise RobotFileError(path, "is an OBJ file with a vertex that is not three numbers") from None
    return [MeshPart(points, np.array(faces, dtype=np.int64).reshape(-1, 3))]


def _fan(words: list[bytes], count: int, path: Path, line: int) -> list[tuple[int, int, int]]:
    try:
        corners = [int(word.split(b"/")[0]) for word in words]
    except ValueError:
        raise RobotFileError(path, "a face is not made of vertex numbers", field=f"line {line}") from None
    # Vertices count from 1; negative numbers count back from the last one.
    corners = [c - 1 if c > 0 else count + c for c in corners]
    if any(not 0 <= c < count for c in corners):
        raise RobotFileError(path, f"a face names a missing vertex; there are {count}", field=f"line {line}")
    return [(corners[0], corners[i], corners[i + 1]) for i in range(1, len(corners) - 1)]
