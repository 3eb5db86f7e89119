"""STL, binary and as text."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

from farhand.errors import RobotFileError
from farhand.formats.meshes.mesh import MeshPart, from_stl_records

__all__ = ["face_count", "is_binary", "read_stl"]

_HEADER = 84
_RECORD = 50


def is_binary(data: bytes) -> bool:
    """Return whether the size fits the face count in the header; text files begin with ``solid`` and do not fit."""
    return len(data) >= _HEADER and len(data) >= _HEADER + _RECORD * face_count(data) and not _is_text(data)


def face_count(data: bytes) -> int:
    """Return the number of faces that the header of a binary file announces."""
    return int(struct.unpack_from("<I", data, 80)[0]) if len(data) >= _HEADER else 0


def read_stl(data: bytes, path: Path) -> list[MeshPart]:
    """Return the mesh of an STL file."""
    if _is_text(data):
        return [_read_text(data, path)]
    count = face_count(data)
    if len(data) < _HEADER or len(data) < _HEADER + _RECORD * count:
        found = f"the header announces {count} faces, the file holds {max(0, len(data) - _HEADER) // _RECORD}"
        raise RobotFileError(path, f"is not a complete STL file: {found}")
    return [from_stl_records(data[_HEADER:], count)]


def _is_text(data: bytes) -> bool:
    head = data[:512].lstrip().lower()
    return head.startswith(b"solid") and (b"facet" in data[:4096].lower() or b"endsolid" in data[:4096].lower())


def _read_text(data: bytes, path: Path) -> MeshPart:
    # by words, not by lines: the format allows any line breaks
    words = data[max(data.lower().find(b"facet"), 0) :].lower().split()
    corners = [words[i + 1 : i + 4] for i, word in enumerate(words) if word == b"vertex"]
    try:
        vertices = np.array(corners, dtype=np.float64).reshape(-1, 3)
    except ValueError:
        raise RobotFileError(path, "is an STL text file with a vertex that is not three numbers") from None
    if len(vertices) % 3:
        raise RobotFileError(path, f"is an STL text file with {len(vertices)} corners, which is no multiple of three")
    return MeshPart(vertices, np.arange(len(vertices), dtype=np.int64).reshape(-1, 3))
