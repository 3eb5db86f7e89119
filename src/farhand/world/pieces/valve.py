"""A valve: a hand wheel on a post, with dry friction."""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.poses import from_rpy
from farhand.types import ObjectJoint, ObjectPart, ObjectSpec
from farhand.world.pieces.piece import LIGHT, PIECES, Colour, Length, Stand, fixed

__all__ = ["Valve"]

POST, STEM = 0.10, 0.10  # m: thickness of the post, and length of the stem to the wheel
RED: Colour = (0.78, 0.16, 0.12, 1.0)
STEEL: Colour = (0.55, 0.57, 0.59, 1.0)
SIDES, SPOKES = 12, 3


class Valve(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A valve. Its wheel faces back along x, towards an approaching robot.

    Args:
        height: Of the wheel's middle, m.
        radius: Of the wheel, m.
        rim: Radius of the rod of its rim, m.
        friction: Friction torque, Nm.
        turns: From shut to open; it starts shut.
        mass: Of the wheel, kg.
    """

    height: Length = 0.6
    radius: Annotated[float, Meta(ge=0.03, le=1.0)] = 0.11
    rim: Annotated[float, Meta(ge=0.003, le=0.1)] = 0.011
    friction: Annotated[float, Meta(ge=0.0, le=100.0)] = 1.5
    turns: Annotated[float, Meta(ge=0.1, le=100.0)] = 3.0
    mass: Annotated[float, Meta(ge=0.1, le=50.0)] = 1.5


@PIECES.register("valve")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A hand wheel on a post, with dry friction."""
    valve = convert(table, Valve)
    high = valve.height + 0.15
    stem = fixed(valve, "stem", (STEM, 0.03, 0.03), (-0.5 * (POST + STEM) + 0.01, 0.0, valve.height), colour=STEEL)
    return fixed(valve, "post", (POST, POST, high), (0.0, 0.0, 0.5 * high), colour=LIGHT), stem, _wheel(valve)


def _wheel(valve: Valve) -> ObjectSpec:
    """Return the wheel; it turns about its z axis."""
    place = valve.placed((-0.5 * POST - STEM - 0.005, 0.0, valve.height), from_rpy(0.0, -0.5 * math.pi, 0.0))
    return ObjectSpec(
        name=valve.name,
        shape="cylinder",
        size=(0.022, 0.03),
        position=place.position,
        rotation=place.rotation,
        mass=valve.mass,
        colour=RED,
        parts=(*_rim(valve), *_spokes(valve)),
        joint=ObjectJoint(range=(0.0, 2.0 * math.pi * valve.turns), friction=valve.friction, damping=0.02),
    )


def _rim(valve: Valve) -> tuple[ObjectPart, ...]:
    long = 2.0 * valve.radius * math.tan(math.pi / SIDES)
    return tuple(
        ObjectPart(
            shape="capsule",
            size=(valve.rim, long),
            position=(valve.radius * math.cos(a), valve.radius * math.sin(a), 0.0),
            rotation=from_rpy(0.5 * math.pi, 0.0, a),
        )
        for a in (2.0 * math.pi * i / SIDES for i in range(SIDES))
    )


def _spokes(valve: Valve) -> tuple[ObjectPart, ...]:
    return tuple(
        ObjectPart(
            size=(valve.radius, 0.016, 0.012),
            position=(0.5 * valve.radius * math.cos(a), 0.5 * valve.radius * math.sin(a), 0.0),
            rotation=from_rpy(0.0, 0.0, a),
        )
        for a in (2.0 * math.pi * i / SPOKES for i in range(SPOKES))
    )
