"""How many numbers each part of a robot keeps from one tick to the next, in MuJoCo's user data, one after the other."""

from __future__ import annotations

from farhand.world.blueprint import Placement, drive_memory
from farhand.world.wrist import KEPT

__all__ = ["BELTS", "kept_by", "kept_by_drive", "kept_by_wrist"]

BELTS = 6
"""Of belts: speeds of the left one and of the right one, their travels, and their loads."""


def kept_by_drive(placement: Placement) -> int:
    """Return what the arm's drive keeps; it comes first."""
    return drive_memory(placement)


def kept_by_wrist(placement: Placement) -> int:
    """Return what the wrist sensor keeps; it comes second."""
    return KEPT if placement.wrist is not None else 0


def kept_by(placement: Placement) -> int:
    """Return what the whole robot keeps; that of the belts comes last."""
    belts = BELTS if placement.model.tracks is not None else 0
    return kept_by_drive(placement) + kept_by_wrist(placement) + belts
