"""A pallet of boards on runners."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.types import ObjectPart, ObjectSpec
from farhand.world.pieces.piece import PIECES, WOOD, Stand

__all__ = ["Pallet"]

LONG, ACROSS, HIGH, BOARD = 1.2, 0.8, 0.144, 0.022  # m, a European pallet
RUNNER, BOARDS = 0.10, 5


class Pallet(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A pallet, 1.2 by 0.8 m. Its origin is the middle of its foot.

    Args:
        mass: kg; 0: it is fixed.
    """

    mass: Annotated[float, Meta(ge=0.0, le=200.0)] = 22.0


@PIECES.register("pallet")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A pallet of boards on runners."""
    pallet = convert(table, Pallet)
    low = 0.5 * (HIGH - BOARD)
    place = pallet.placed((0.0, 0.0, low))
    runners = tuple(
        ObjectPart(size=(LONG, RUNNER, HIGH - BOARD), position=(0.0, y, 0.0))
        for y in (0.5 * (ACROSS - RUNNER), -0.5 * (ACROSS - RUNNER))
    )
    wide = 0.145
    boards = tuple(
        ObjectPart(size=(wide, ACROSS, BOARD), position=(x, 0.0, low + 0.5 * BOARD), colour=(0.60, 0.47, 0.30, 1.0))
        for x in ((LONG - wide) * (i / (BOARDS - 1) - 0.5) for i in range(BOARDS))
    )
    return (
        ObjectSpec(
            name=pallet.name,
            size=(LONG, RUNNER, HIGH - BOARD),
            position=place.position,
            rotation=place.rotation,
            mass=pallet.mass,
            colour=WOOD,
            friction=None if pallet.surface else 0.6,
            surface=pallet.surface,
            parts=(*runners, *boards),
        ),
    )
