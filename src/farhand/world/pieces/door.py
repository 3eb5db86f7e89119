"""A door in its frame, with a handle that draws a bolt.

The leaf turns on its hinges; a bolt in its edge catches behind a strike of the frame. The handle springs back, and the
bolt follows it: pressed down by about 0.6 rad, it frees the bolt from the strike. To shut the door, press the handle
too.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta

from farhand.config import convert
from farhand.poses import Vec3
from farhand.types import ObjectJoint, ObjectPart, ObjectSpec, Vector
from farhand.world.pieces.piece import LIGHT, PIECES, Colour, Length, Stand

__all__ = ["DoorPiece"]

POST, THICK, GAP = 0.08, 0.04, 0.01  # m: thickness of frame and leaf, and the gap between them
BOLT, REACH = 0.02, 0.02  # m: thickness and projection of the bolt
PRESSED = 0.8  # rad: range of the handle
LEVER, SIDE = 0.13, 0.07  # m: length of the handle, and its distance from the middle of the leaf
PAINT: Colour = (0.30, 0.42, 0.46, 1.0)
STEEL: Colour = (0.70, 0.72, 0.74, 1.0)


class DoorPiece(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A door that opens along x when pushed; the hinges are on the left.

    Args:
        width: Of the opening, m.
        height: Of the opening, m.
        handle: Height of the handle, m.
        mass: Of the leaf, kg.
        friction: Of the hinges, Nm.
        open_deg: Greatest opening angle.
        latch: Whether a bolt holds it; without, a push is enough.
    """

    width: Annotated[float, Meta(ge=0.5, le=3.0)] = 0.9
    height: Annotated[float, Meta(ge=0.5, le=4.0)] = 2.0
    handle: Length = 0.9
    mass: Annotated[float, Meta(ge=1.0, le=200.0)] = 15.0
    friction: Annotated[float, Meta(ge=0.0, le=100.0)] = 1.0
    open_deg: Annotated[float, Meta(ge=10.0, le=170.0)] = 110.0
    latch: bool = True

    @property
    def wide(self) -> float:
        """Width of the leaf, m."""
        return self.width - 2.0 * GAP


@PIECES.register("door")
def _make(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """A door with a handle that draws its bolt."""
    door = convert(table, DoorPiece)
    found = [_frame(door), _leaf(door), _handle(door)]
    return tuple([*found, _bolt(door)] if door.latch else found)


def _frame(door: DoorPiece) -> ObjectSpec:
    """Return posts and lintel; in the right post is a pocket for the bolt, between two strikes."""
    aside, top = 0.5 * (door.width + POST), door.height + 0.5 * POST
    pocket = 3.0 * BOLT
    below, above = door.handle - 0.5 * pocket, door.height - door.handle - 0.5 * pocket
    strike = (0.5 * POST - 0.5 * THICK, POST, pocket)
    middle = 0.5 * (0.5 * POST + 0.5 * THICK)
    place = door.placed((0.0, aside, 0.5 * door.height))
    # positions of the parts are relative to the middle of the left post
    shapes: tuple[tuple[Vector, Vec3], ...] = (
        ((POST, door.width + 2.0 * POST, POST), (0.0, 0.0, top)),
        ((POST, POST, below), (0.0, -aside, 0.5 * below)),
        ((POST, POST, above), (0.0, -aside, door.height - 0.5 * above)),
        (strike, (middle, -aside, door.handle)),
        (strike, (-middle, -aside, door.handle)),
    )
    return ObjectSpec(
        name=f"{door.name} frame",
        size=(POST, POST, door.height),
        position=place.position,
        rotation=place.rotation,
        mass=0.0,
        colour=LIGHT,
        surface=door.surface,
        parts=tuple(ObjectPart(size=s, position=(x, y - aside, z - 0.5 * door.height)) for s, (x, y, z) in shapes),
    )


def _leaf(door: DoorPiece) -> ObjectSpec:
    high = door.height - 2.0 * GAP
    place = door.placed((0.0, 0.0, 0.5 * door.height))
    hinges = ObjectJoint(
        # at the face, so that the edge of the leaf turns clear of the post
        at=(0.5 * THICK, 0.5 * door.wide, 0.0),
        range=(0.0, math.radians(door.open_deg)),
        friction=door.friction,
        damping=1.0,
    )
    return ObjectSpec(
        name=door.name,
        size=(THICK, door.wide, high),
        position=place.position,
        rotation=place.rotation,
        mass=door.mass,
        colour=PAINT,
        joint=hinges,
    )


def _handle(door: DoorPiece) -> ObjectSpec:
    levers = tuple(
        ObjectPart(shape="box", size=(0.02, LEVER, 0.022), position=(x, 0.5 * LEVER - 0.01, 0.0)) for x in (SIDE, -SIDE)
    )
    return ObjectSpec(
        name=f"{door.name} handle",
        size=(2.0 * SIDE, 0.022, 0.022),
        position=(0.0, 0.10 - 0.5 * door.wide, door.handle - 0.5 * door.height),
        mass=0.6,
        colour=STEEL,
        parts=levers,
        joint=ObjectJoint(
            axis=(-1.0, 0.0, 0.0),
            range=(0.0, PRESSED),
            friction=0.05,
            damping=0.05,
            spring=1.5,
            rest=-0.4,
            on=door.name,
        ),
    )


def _bolt(door: DoorPiece) -> ObjectSpec:
    out = GAP + REACH - 0.01
    long = out + 0.04
    return ObjectSpec(
        name=f"{door.name} bolt",
        size=(BOLT, long, BOLT),
        position=(0.0, -0.5 * door.wide - out + 0.5 * long, door.handle - 0.5 * door.height),
        mass=0.2,
        colour=STEEL,
        joint=ObjectJoint(
            kind="slide",
            axis=(0.0, 1.0, 0.0),
            damping=2.0,
            on=door.name,
            follows=f"{door.name} handle",
            ratio=1.25 * out / PRESSED,
        ),
    )
