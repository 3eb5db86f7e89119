"""A ramp, up to a plateau."""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.poses import from_rpy
from farhand.types import ObjectSpec
from farhand.world.pieces.piece import CONCRETE, LIGHT, PIECES, Ground, Length, Wide, fixed

__all__ = ["Ramp"]

THICK = 0.2  # m, of the slab


class Ramp(Ground, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A ramp.

    Args:
        angle_deg: Its slope.
        height: Height of its upper end, m.
        width: m.
        plateau: Depth of the plateau, m; 0 for none.
    """

    angle_deg: Annotated[float, Meta(ge=1.0, le=60.0)] = 30.0
    height: Length = 1.0
    width: Wide = 1.2
    plateau: Annotated[float, Meta(ge=0.0, le=100.0)] = 1.5


@PIECES.register("ramp")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A ramp, up to a plateau."""
    ramp = convert(table, Ramp)
    angle = math.radians(ramp.angle_deg)
    up, out, length = math.sin(angle), math.cos(angle), ramp.height / math.sin(angle)
    # the middle of the slab lies half its thickness below its upper face
    middle = (0.5 * (length * out + THICK * up), 0.0, 0.5 * (length * up - THICK * out))
    slope = fixed(ramp, "", (length, ramp.width, THICK), middle, from_rpy(0.0, -angle, 0.0), LIGHT)
    if not ramp.plateau:
        return (slope,)
    size, up_there = (ramp.plateau, ramp.width, ramp.height), length * out + 0.5 * ramp.plateau
    return slope, fixed(ramp, "plateau", size, (up_there, 0.0, 0.5 * ramp.height), colour=CONCRETE)
