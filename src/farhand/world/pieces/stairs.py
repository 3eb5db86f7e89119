"""Stairs with a constant rise and run, up to a landing."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.types import ObjectSpec
from farhand.world.pieces.piece import CONCRETE, LIGHT, PIECES, Ground, Length, Wide, fixed

__all__ = ["Stairs"]


class Stairs(Ground, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A flight of stairs.

    Args:
        steps: Number of steps; the last one is the landing.
        rise: Height of each, m.
        run: Depth of each, m.
        width: m.
        landing: Depth of the last one, m.
    """

    steps: Annotated[int, Meta(ge=1, le=100)] = 5
    rise: Length = 0.18
    run: Length = 0.27
    width: Wide = 1.2
    landing: Length = 1.5


@PIECES.register("stairs")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """Stairs with a constant rise and run, up to a landing."""
    stairs = convert(table, Stairs)
    found = []
    for i in range(stairs.steps):
        depth = stairs.run if i < stairs.steps - 1 else stairs.landing
        height = stairs.rise * (i + 1)
        middle = (stairs.run * i + 0.5 * depth, 0.0, 0.5 * height)
        colour = LIGHT if i % 2 else CONCRETE
        found.append(fixed(stairs, str(i + 1), (depth, stairs.width, height), middle, colour=colour))
    return tuple(found)
