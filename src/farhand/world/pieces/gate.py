"""A gate: two posts to drive between."""

from __future__ import annotations

from typing import Any

from farhand.config import convert
from farhand.types import ObjectSpec
from farhand.world.pieces.piece import PIECES, Colour, Length, Stand, Wide, fixed

__all__ = ["Gate"]

POST = 0.08  # m, square
ORANGE: Colour = (0.80, 0.36, 0.16, 1.0)


class Gate(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A gate.

    Args:
        width: Clear width between the posts, m.
        height: m.
    """

    width: Wide = 0.9
    height: Length = 0.8


@PIECES.register("gate")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """Two posts to drive between."""
    gate = convert(table, Gate)
    size, aside = (POST, POST, gate.height), 0.5 * (gate.width + POST)
    return tuple(
        fixed(gate, side, size, (0.0, y, 0.5 * gate.height), colour=ORANGE)
        for side, y in (("left", aside), ("right", -aside))
    )
