"""Pack numbers into bytes, in the formats of `farhand.server.protocol.messages`."""

from __future__ import annotations

import struct

import numpy as np
from numpy.typing import NDArray

from farhand.poses import Pose

__all__ = ["floats", "pack_pose", "pack_poses"]

INT16_SCALE = 32767.0  # from a quaternion's component to int16
Floats = NDArray[np.float64]


def pack_poses(positions: Floats, quaternions: Floats) -> bytes:
    """Return poses as rows of three float32 and four int16."""
    rows = np.empty(len(positions), dtype=[("p", "<f4", 3), ("q", "<i2", 4)])
    rows["p"] = positions
    rows["q"] = np.rint(quaternions * INT16_SCALE)
    return rows.tobytes()


def pack_pose(pose: Pose | None) -> bytes:
    """Return position and quaternion wxyz as seven float32; empty for None."""
    return b"" if pose is None else floats((*pose.position, *pose.rotation))


def floats(values: tuple[float, ...]) -> bytes:
    """Return numbers as float32."""
    return struct.pack(f"<{len(values)}f", *values)
