"""The last frames of a cell, and the frame that each camera shows: an older one if it is late, rare or frozen.

Everything counts in the cell's own time, so the same frames give the same pictures.
"""

from __future__ import annotations

import math
from collections import deque

from farhand.cell.camera_validation import MAX_DELAY_S, MIN_RATE_HZ
from farhand.server.protocol.internal_messages import Frame
from farhand.types import DegradeCamera

__all__ = ["FrameHistory"]

HISTORY_S = MAX_DELAY_S + 1.0 / MIN_RATE_HZ + 0.5
ROUNDING_S = 1e-6  # by which rounding may put a frame after its time


class FrameHistory:
    """The newest frames of one scene of one cell."""

    def __init__(self) -> None:
        self._frames: deque[Frame] = deque()
        self._frozen: dict[tuple[str, str], Frame] = {}

    def take(self, frame: Frame) -> None:
        """Add the newest frame; forget frames of another process or scene of the cell."""
        newest = self._frames[-1] if self._frames else frame
        if (newest.run, newest.scene) != (frame.run, frame.scene) or frame.time < newest.time:
            self._frames.clear()
        self._frames.append(frame)
        while frame.time - self._frames[0].time > HISTORY_S:
            self._frames.popleft()
        frozen = {(one.robot, one.camera): one for one in frame.degraded if one.frozen}
        # A frozen camera keeps the frame that it showed when it froze.
        self._frozen = {
            key: self._frozen.get(key) or self._late(one.delay, one.rate) or frame for key, one in frozen.items()
        }

    def shown(self, robot: str, camera: str) -> tuple[Frame, DegradeCamera] | None:
        """Return the frame that a camera shows now, and its degradation; None before the first frame."""
        if not self._frames:
            return None
        newest = self._frames[-1]
        worse = next((o for o in newest.degraded if (o.robot, o.camera) == (robot, camera)), None)
        if worse is None:
            return newest, DegradeCamera(robot, camera)
        return self._frozen.get((robot, camera)) or self._late(worse.delay, worse.rate) or newest, worse

    def refreeze(self, robot: str, camera: str) -> None:
        """Freeze a camera again, at the newest frame, because its frozen frame can no longer be drawn."""
        if (robot, camera) in self._frozen and self._frames:
            self._frozen[robot, camera] = self._frames[-1]

    def _late(self, delay: float, rate: float) -> Frame | None:
        """Return the newest frame that is at least `delay` (s) old and not newer than the last due at `rate` (Hz)."""
        if not self._frames:
            return None
        due = self._frames[-1].time - delay
        if rate > 0.0:
            due = math.floor(due * rate + ROUNDING_S) / rate
        for frame in reversed(self._frames):
            if frame.time <= due + ROUNDING_S:
                return frame
        return self._frames[0]
