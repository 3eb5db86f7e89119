"""Denavit–Hartenberg frames along a chain of joint axes, as in textbooks.

Frame i is on the axis of joint i + 1 and moves with link i: z along that axis, x along the common normal from the
previous axis. Where two axes are parallel the normal has no unique place and goes through the previous origin (d = 0);
where they meet, x is perpendicular to both.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["dh_frames"]

Floats = NDArray[np.float64]
PARALLEL = 1e-6  # sine of the angle between two axes below which they count as parallel


def dh_frames(points: Sequence[Floats], axes: Sequence[Floats], T_base: Floats) -> list[Floats]:
    """Return a frame for each joint axis, as 4×4 matrices in the frame of the given axes.

    Args:
        points: A point on each joint's axis, base first.
        axes: The axes' directions.
        T_base: The base frame; x of the first frame is as near to its x as possible.
    """
    frames: list[Floats] = []
    for point, axis in zip(points, axes, strict=True):
        z = axis / np.linalg.norm(axis)
        if not frames:
            origin, x = _foot(T_base[:3, 3], point, z), _across(T_base[:3, 0], T_base[:3, 1], z)
        else:
            origin, x = _normal(frames[-1], point, z)
        T = np.eye(4)
        T[:3, 0], T[:3, 1], T[:3, 2], T[:3, 3] = x, np.cross(z, x), z, origin
        frames.append(T)
    return frames


def _normal(before: Floats, point: Floats, z: Floats) -> tuple[Floats, Floats]:
    """Return the point where the common normal from the previous axis meets this one, and its direction."""
    z0, origin0 = before[:3, 2], before[:3, 3]
    across = np.cross(z0, z)
    sine = np.linalg.norm(across)
    if sine < PARALLEL:
        origin = _foot(origin0, point, z)
        step = origin - origin0
        length = np.linalg.norm(step)
        return origin, step / length if length > PARALLEL else before[:3, 0]
    x = across / sine
    # The foot on this axis, point + s·z, lies in the plane through the previous axis and x: (…) ⟂ (z0 × x).
    plane = np.cross(z0, x)
    origin = point - z * (plane @ (point - origin0)) / (plane @ z)
    gap = (origin - origin0) @ x
    return origin, x if gap >= -PARALLEL else -x


def _foot(of: Floats, point: Floats, z: Floats) -> Floats:
    """Return the foot of the perpendicular from a point to an axis."""
    foot: Floats = point + z * ((of - point) @ z)
    return foot


def _across(x: Floats, y: Floats, z: Floats) -> Floats:
    """Return the direction perpendicular to an axis that is nearest to x, or to y where x is along the axis."""
    across = x - z * (x @ z)
    length = np.linalg.norm(across)
    if length < 0.1:
        return _across(y, x, z)
    across /= length
    return across
