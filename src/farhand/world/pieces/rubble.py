"""Rubble: a field of fixed broken slabs, placed at random by a seed."""

from __future__ import annotations

import math
from random import Random
from typing import Annotated, Any

from msgspec import Meta

from farhand.config import ConfigError, convert
from farhand.poses import from_rpy
from farhand.types import ObjectSpec
from farhand.world.pieces.piece import PIECES, Ground, Length, Wide, fixed

__all__ = ["Rubble"]


class Rubble(Ground, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A field of slabs, one in each place of a grid, turned and tilted at random.

    Args:
        length: Along x, m.
        width: m.
        height: Greatest height of a slab, m.
        size: Edge of a place in the grid, m.
        tilt_deg: Greatest tilt of a slab.
        seed: Seed of the random placement.
    """

    length: Wide = 2.4
    width: Wide = 1.5
    height: Length = 0.16
    size: Annotated[float, Meta(ge=0.1, le=10.0)] = 0.4
    tilt_deg: Annotated[float, Meta(ge=0.0, le=45.0)] = 18.0
    seed: int = 0


MAX_SLABS = 400


@PIECES.register("rubble")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """Fixed broken slabs."""
    rubble, found = convert(table, Rubble), []
    random = Random(rubble.seed)
    rows, columns = (max(1, round(extent / rubble.size)) for extent in (rubble.length, rubble.width))
    if rows * columns > MAX_SLABS:
        raise ConfigError("size", f"makes {rows * columns} slabs; expected at most {MAX_SLABS}")
    for i in range(rows * columns):
        x = (i // columns + 0.5) * rubble.length / rows
        y = (i % columns + 0.5) * rubble.width / columns - 0.5 * rubble.width
        edges = tuple(random.uniform(0.7, 1.15) * rubble.size for _ in range(2))
        thick, top = 0.5 * rubble.size, random.uniform(0.25, 1.0) * rubble.height
        lean = math.radians(rubble.tilt_deg)
        tilt, turn = (random.uniform(-lean, lean), random.uniform(-lean, lean)), random.uniform(0.0, math.pi)
        # the highest corner is at the wanted height
        lift = 0.5 * (edges[0] * abs(math.sin(tilt[1])) + edges[1] * abs(math.sin(tilt[0])))
        middle = (x, y, top - lift - 0.5 * thick * math.cos(tilt[0]) * math.cos(tilt[1]))
        grey = random.uniform(0.32, 0.46)
        colour = (grey, grey * 0.98, grey * 0.94, 1.0)
        found.append(fixed(rubble, str(i + 1), (*edges, thick), middle, from_rpy(*tilt, turn), colour))
    return tuple(found)
