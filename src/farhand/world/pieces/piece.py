"""What every piece has: a name, a place on the ground, and which way it looks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated, Any

from msgspec import Meta, Struct

from farhand.config import ConfigError
from farhand.poses import Pose, Quaternion, Vec3, compose, from_rpy
from farhand.registry import Registry
from farhand.types import ObjectSpec, Vector
from farhand.world.object_kinds import check_object, check_surface
from farhand.world.surface_kinds import SURFACES

__all__ = [
    "CONCRETE",
    "LIGHT",
    "PIECES",
    "WOOD",
    "Colour",
    "Ground",
    "Length",
    "Stand",
    "Wide",
    "fixed",
    "piece_objects",
]

Colour = tuple[float, float, float, float]
Length = Annotated[float, Meta(ge=0.001, le=100.0)]
Wide = Annotated[float, Meta(ge=0.1, le=100.0)]
Metres = Annotated[float, Meta(ge=-1000.0, le=1000.0)]
CONCRETE: Colour = (0.36, 0.38, 0.40, 1.0)
LIGHT: Colour = (0.44, 0.46, 0.48, 1.0)
WOOD: Colour = (0.52, 0.40, 0.25, 1.0)
UNTURNED: Quaternion = (1.0, 0.0, 0.0, 0.0)


class Stand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where a piece stands. In its own frame it begins at x = 0 and leads ahead, y is to the left, z up.

    Args:
        name: Of the piece; the names of its objects begin with it.
        position: Of its origin, m, world frame.
        heading_deg: How far it is turned to the left.
        surface: Name of its surface; empty for dry concrete.
    """

    name: str
    position: tuple[Metres, Metres, Metres] = (0.0, 0.0, 0.0)
    heading_deg: Annotated[float, Meta(ge=-360.0, le=360.0)] = 0.0
    surface: str = ""

    def placed(self, position: Vec3, rotation: Quaternion = UNTURNED) -> Pose:
        """Return where something of the piece's own frame is in the world."""
        stands = Pose(self.position, from_rpy(0.0, 0.0, math.radians(self.heading_deg)))
        return compose(stands, Pose(position, rotation))

    def coefficient(self) -> float | None:
        """Return the friction that the cell file gives what is fixed of the piece, if it does."""
        return None


class Ground(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece that robots drive on.

    Args:
        friction: Coulomb's coefficient of it; left out: that of its surface.
    """

    friction: Annotated[float, Meta(ge=0.0, le=10.0)] | None = None

    def coefficient(self) -> float | None:
        """Return the friction that the cell file gives it."""
        return self.friction


Piece = Callable[[dict[str, Any]], tuple[ObjectSpec, ...]]
PIECES: Registry[Piece] = Registry("piece")


def piece_objects(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """Return the objects of a piece.

    Args:
        table: Its kind and settings, as a cell file has them.

    Raises:
        ConfigError: If no piece is of that kind, or its settings do not fit.
    """
    kind, known = table.get("kind"), tuple(PIECES)
    if not isinstance(kind, str):
        raise ConfigError("kind", f"is missing; expected one of {', '.join(known)}")
    if kind not in known:
        raise ConfigError("kind", f"no piece is called {kind!r}; there are: {', '.join(known)}", kind, known)
    objects = PIECES[kind]({key: value for key, value in table.items() if key != "kind"})
    for item in objects:
        if problem := check_object(item):
            raise ConfigError("", f"its object {item.name!r} cannot be: {problem}")
    return objects


def fixed(
    stand: Stand,
    what: str,
    size: Vector,
    middle: Vec3,
    rotation: Quaternion = UNTURNED,
    colour: Colour = CONCRETE,
) -> ObjectSpec:
    """Return a box of a piece that cannot move.

    Args:
        stand: Of the piece.
        what: It is, after the piece's name; empty for the only one.
        size: Edge lengths, m.
        middle: In the piece's frame.
        rotation: Likewise.
        colour: Of it, unless its surface has one.
    """
    if problem := check_surface(stand.surface, stand.coefficient()):
        raise ConfigError("surface", problem)
    tint = SURFACES[stand.surface].colour if stand.surface else None
    place = stand.placed(middle, rotation)
    return ObjectSpec(
        name=f"{stand.name} {what}".strip(),
        size=size,
        position=place.position,
        rotation=place.rotation,
        mass=0.0,
        colour=tint or colour,
        friction=stand.coefficient(),
        surface=stand.surface,
    )
