"""The poses that have changed since a viewer's last update: complete tables come in, only changes go out."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from farhand.server.protocol.messages import POSE_ROW

__all__ = ["PoseTable"]

ROW = np.dtype([("index", "<u2"), ("pose", "u1", POSE_ROW)])


class PoseTable:
    """The newest pose of every moving body, and the frame at which it last changed."""

    def __init__(self) -> None:
        self.frame = 0
        self._poses: NDArray[np.uint8] = np.zeros((0, POSE_ROW), dtype=np.uint8)
        self._changed: NDArray[np.int64] = np.zeros(0, dtype=np.int64)
        self._packed: tuple[int, int, bytes] = (-1, -1, b"")

    def take(self, bodies: bytes) -> None:
        """Take the poses of a frame."""
        rows = np.frombuffer(bodies, dtype=np.uint8).reshape(-1, POSE_ROW)
        self.frame += 1
        if len(rows) != len(self._poses):
            self._changed = np.full(len(rows), self.frame, dtype=np.int64)
        else:
            self._changed[(rows != self._poses).any(axis=1)] = self.frame
        self._poses = rows

    def since(self, frame: int) -> bytes:
        """Return rows of index and pose of the bodies that changed after a frame; frame 0: all bodies."""
        if self._packed[:2] != (frame, self.frame):
            moved = np.flatnonzero(self._changed > frame)
            rows = np.empty(len(moved), dtype=ROW)
            rows["index"], rows["pose"] = moved, self._poses[moved]
            self._packed = (frame, self.frame, rows.tobytes())
        return self._packed[2]
