"""A briefcase with a handle."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.types import ObjectPart, ObjectSpec
from farhand.world.pieces.piece import PIECES, Colour, Length, Stand

__all__ = ["Briefcase"]

LEATHER: Colour = (0.20, 0.16, 0.14, 1.0)
STEEL: Colour = (0.62, 0.60, 0.55, 1.0)
BAR, GRASP, ABOVE = 0.022, 0.13, 0.045  # m: thickness and length of the handle, and its height above the case


class Briefcase(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A briefcase that stands upright.

    Args:
        length: m.
        width: m.
        height: Without the handle, m.
        mass: kg.
    """

    length: Length = 0.40
    width: Length = 0.10
    height: Length = 0.28
    mass: Annotated[float, Meta(ge=0.1, le=100.0)] = 4.0


@PIECES.register("case")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A briefcase with a handle."""
    case = convert(table, Briefcase)
    place, top = case.placed((0.0, 0.0, 0.5 * case.height)), 0.5 * case.height
    arms = tuple(
        ObjectPart(size=(BAR, BAR, ABOVE), position=(x, 0.0, top + 0.5 * ABOVE), colour=STEEL)
        for x in (-0.5 * GRASP, 0.5 * GRASP)
    )
    bar = ObjectPart(size=(GRASP + BAR, BAR, BAR), position=(0.0, 0.0, top + ABOVE + 0.5 * BAR), colour=LEATHER)
    locks = tuple(
        ObjectPart(size=(0.03, 0.004, 0.03), position=(x, y, top - 0.05), colour=STEEL, collides=False)
        for x in (-0.3 * case.length, 0.3 * case.length)
        for y in (-0.5 * case.width, 0.5 * case.width)
    )
    return (
        ObjectSpec(
            name=case.name,
            size=(case.length, case.width, case.height),
            position=place.position,
            rotation=place.rotation,
            mass=case.mass,
            colour=LEATHER,
            friction=None if case.surface else 0.6,
            surface=case.surface,
            parts=(bar, *arms, *locks),
        ),
    )
