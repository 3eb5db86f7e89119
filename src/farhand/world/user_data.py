"""Sizes of the state that each part of a robot keeps in MuJoCo's user data, one after the other."""

from __future__ import annotations

from farhand.world.blueprint import Placement, drive_memory
from farhand.world.wrist_sensor import KEPT

__all__ = ["BELTS", "HEAD", "kept_by", "kept_by_belts", "kept_by_drive", "kept_by_wrist"]

BELTS = 7
"""Belts: speed, travel and load of left and right, and the share of the sideways motion that is faded out."""

HEAD = 9
"""A camera's head: target pan, tilt and zoom, their present set-points, and their rates."""


def kept_by_drive(placement: Placement) -> int:
    """Return the size of the arm's drive; it comes first."""
    return drive_memory(placement)


def kept_by_wrist(placement: Placement) -> int:
    """Return the size of the wrist sensor; it comes second."""
    return KEPT if placement.wrist is not None else 0


def kept_by_belts(placement: Placement) -> int:
    """Return the size of the belts; they come third."""
    return BELTS if placement.model.tracks is not None else 0


def kept_by(placement: Placement) -> int:
    """Return the size of the whole robot; its cameras' heads come last."""
    heads = HEAD * sum(camera.head is not None for camera in placement.cameras)
    return kept_by_drive(placement) + kept_by_wrist(placement) + kept_by_belts(placement) + heads
