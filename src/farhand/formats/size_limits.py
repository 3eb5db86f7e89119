"""Limits on the size of a robot's files and on the cost of reading them."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["DEFAULT_LIMITS", "SizeLimits"]


class SizeLimits(Struct, frozen=True, kw_only=True):
    """Limits on reading one robot; a file that exceeds one is refused with an error.

    Args:
        total_bytes: All files together.
        files: Number of files.
        mesh_faces: Triangles in one mesh file.
        robot_faces: Triangles in all meshes together.
        bodies: Links or bodies.
        joints: Joints.
        elements: XML elements in one file.
        depth: Nesting of XML elements.
        seconds: Wall and processor time of a guarded read.
        memory: Address space in bytes of a guarded read.
        result_bytes: Size of the model that a guarded read returns.
    """

    total_bytes: int = 512 << 20
    files: int = 1000
    mesh_faces: int = 2_000_000
    robot_faces: int = 6_000_000
    bodies: int = 1000
    joints: int = 500
    elements: int = 100_000
    depth: int = 200
    seconds: float = 30.0
    memory: int = 4 << 30
    result_bytes: int = 256 << 20


DEFAULT_LIMITS = SizeLimits()
