"""Degraded cameras: the event that degraded each camera.

No tick depends on them, yet the cell keeps them: an event sets them, snapshots and checkpoints carry them, and the
processes that draw pictures read them from the cell's frames.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from farhand.types import DegradeCamera

__all__ = ["NONE_DEGRADED", "Degraded", "with_degraded"]

Degraded = tuple[DegradeCamera, ...]
NONE_DEGRADED: Degraded = ()


def with_degraded(before: Degraded, event: DegradeCamera, cameras: Iterable[str]) -> Degraded:
    """Return the degraded cameras after an event.

    Args:
        before: The degraded cameras before it.
        event: The event, already checked.
        cameras: Names of all cameras of the robot.
    """
    names = [event.camera] if event.camera else list(cameras)
    kept = [one for one in before if not (one.robot == event.robot and one.camera in names)]
    if event != DegradeCamera(event.robot, event.camera):
        kept += [replace(event, camera=name) for name in names]
    return tuple(kept)
