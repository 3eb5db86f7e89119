"""The last seconds of a cell, and which of its frames a camera shows: if it is late, rare or frozen, an older one.

All of it counts in the cell's own time, so the same frames give the same pictures.
"""

from __future__ import annotations

import math
from collections import deque

from farhand.cell.camera_validation import MAX_DELAY_S, MIN_RATE_HZ
from farhand.server.protocol.internal_messages import Frame
from farhand.types import DegradeCamera

__all__ = ["FrameHistory"]

KEPT = MAX_DELAY_S + 1.0 / MIN_RATE_HZ + 0.5  # s
EARLY = 1e-6  # s by which rounding may put a frame after its time


class FrameHistory:
    """The newest frames of one scene of one cell."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque()
        self._frozen: dict[tuple[str, str], Frame] = {}

    def take(self, frame: Frame) -> None:
        """Take the newest frame; those of another life or another scene of the cell are forgotten."""
        newest = self._frames[-1] if self._frames else frame
        if (newest.run, newest.scene) != (frame.run, frame.scene) or frame.time < newest.time:
            self._frames.clear()
        self._frames.append(frame)
        while frame.time - self._frames[0].time > KEPT:
            self._frames.popleft()
        frozen = {(one.robot, one.camera): one for one in frame.degraded if one.frozen}
        # What a camera shows while it is frozen is what it showed when that began.
        self._frozen = {
            key: self._frozen.get(key) or self._late(one.delay, one.rate) or frame for key, one in frozen.items()
        }

    def shown(self, robot: str, camera: str) -> tuple[Frame, DegradeCamera] | None:
        """Return the frame that a camera shows now, and how it is degraded; None before the first frame."""
        if not self._frames:
            return None
        newest = self._frames[-1]
        worse = next((o for o in newest.degraded if (o.robot, o.camera) == (robot, camera)), None)
        if worse is None:
            return newest, DegradeCamera(robot, camera)
        return self._frozen.get((robot, camera)) or self._late(worse.delay, worse.rate) or newest, worse

    def thaw(self, robot: str, camera: str) -> None:
        """Freeze a camera anew, at the newest frame: what it was frozen at can no longer be drawn."""
        if (robot, camera) in self._frozen and self._frames:
            self._frozen[robot, camera] = self._frames[-1]

    def _late(self, delay: float, rate: float) -> Frame | None:
        """Return the newest frame that is at least so old, and from the last instant at which a picture was due."""
        if not self._frames:
            return None
        due = self._frames[-1].time - delay
        if rate > 0.0:
            due = math.floor(due * rate + EARLY) / rate
        for frame in reversed(self._frames):
            if frame.time <= due + EARLY:
                return frame
        return self._frames[0]
