"""Cameras whose pictures are worse on purpose: the events that made them so, one for each camera.

It is part of the cell, although no tick depends on it: it is set by an event, kept in snapshots and checkpoints, and
whoever draws the pictures reads it from the cell's frames.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from farhand.types import DegradeCamera

__all__ = ["UNHARMED", "Degraded", "with_degraded"]

Degraded = tuple[DegradeCamera, ...]
UNHARMED: Degraded = ()


def with_degraded(before: Degraded, event: DegradeCamera, cameras: Iterable[str]) -> Degraded:
    """Return what is degraded after an event.

    Args:
        before: What was.
        event: Checked already.
        cameras: All of the robot.
    """
    names = [event.camera] if event.camera else list(cameras)
    kept = [one for one in before if not (one.robot == event.robot and one.camera in names)]
    if event != DegradeCamera(event.robot, event.camera):
        kept += [replace(event, camera=name) for name in names]
    return tuple(kept)
