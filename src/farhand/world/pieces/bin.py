"""An open box to put objects into."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.types import ObjectPart, ObjectSpec
from farhand.world.pieces.piece import PIECES, Colour, Length, Stand

__all__ = ["Bin"]


class Bin(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An open box. Its origin is the middle of its foot.

    Args:
        length: Outside, along x, m.
        width: Outside, m.
        height: m.
        wall: Thickness, m.
        mass: kg; 0: it is fixed.
        colour: Its colour.
    """

    length: Length = 0.30
    width: Length = 0.30
    height: Length = 0.12
    wall: Annotated[float, Meta(ge=0.002, le=0.1)] = 0.012
    mass: Annotated[float, Meta(ge=0.0, le=100.0)] = 2.0
    colour: Colour = (0.22, 0.36, 0.50, 1.0)


@PIECES.register("bin")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """An open box."""
    box = convert(table, Bin)
    wall, high = box.wall, box.height - box.wall
    place = box.placed((0.0, 0.0, 0.5 * wall))
    up = 0.5 * box.height
    ends = tuple(
        ObjectPart(size=(wall, box.width, high), position=(x, 0.0, up))
        for x in (0.5 * (box.length - wall), -0.5 * (box.length - wall))
    )
    sides = tuple(
        ObjectPart(size=(box.length - 2.0 * wall, wall, high), position=(0.0, y, up))
        for y in (0.5 * (box.width - wall), -0.5 * (box.width - wall))
    )
    return (
        ObjectSpec(
            name=box.name,
            size=(box.length, box.width, wall),
            position=place.position,
            rotation=place.rotation,
            mass=box.mass,
            colour=box.colour,
            surface=box.surface,
            parts=(*ends, *sides),
        ),
    )
