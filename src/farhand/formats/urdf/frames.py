"""Poses of URDF elements: ``<origin xyz= rpy=>``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from farhand.formats.xmltext import Element, numbers
from farhand.poses import IDENTITY, Pose, from_rpy, matrix

__all__ = ["moved_points", "origin_of"]


def origin_of(element: Element, path: Path, field: str) -> Pose:
    """Return the pose in the ``<origin>`` of an element, or identity."""
    origin = element.find("origin")
    if origin is None:
        return IDENTITY
    x, y, z = numbers(origin, "xyz", 3, path, field, (0.0, 0.0, 0.0))
    roll, pitch, yaw = numbers(origin, "rpy", 3, path, field, (0.0, 0.0, 0.0))
    return Pose((x, y, z), from_rpy(roll, pitch, yaw))


def moved_points(pose: Pose, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return points, given in the frame at `pose`, in the frame in which `pose` is given."""
    T = matrix(pose)
    result: NDArray[np.float64] = points @ T[:3, :3].T + T[:3, 3]
    return result
