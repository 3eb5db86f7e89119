"""How many numbers each part of a robot keeps from one tick to the next, in MuJoCo's user data, one after the other."""

from __future__ import annotations

from farhand.world.blueprint import Placement, drive_memory
from farhand.world.wrist_sensor import KEPT

__all__ = ["BELTS", "HEAD", "kept_by", "kept_by_belts", "kept_by_drive", "kept_by_wrist"]

BELTS = 7
"""Of belts: speeds of the left one and of the right one, travels, loads, and how much of a turn is withheld."""

HEAD = 9
"""Of a camera's head: pan, tilt and zoom that it was told, those that it is led to now, and their rates."""


def kept_by_drive(placement: Placement) -> int:
    """Return what the arm's drive keeps; it comes first."""
    return drive_memory(placement)


def kept_by_wrist(placement: Placement) -> int:
    """Return what the wrist sensor keeps; it comes second."""
    return KEPT if placement.wrist is not None else 0


def kept_by_belts(placement: Placement) -> int:
    """Return what the belts keep; that comes third."""
    return BELTS if placement.model.tracks is not None else 0


def kept_by(placement: Placement) -> int:
    """Return what the whole robot keeps; that of its cameras' heads comes last."""
    heads = HEAD * sum(camera.head is not None for camera in placement.cameras)
    return kept_by_drive(placement) + kept_by_wrist(placement) + kept_by_belts(placement) + heads
