"""The common parts of pieces: name, place and heading, and the registry of their kinds."""

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
    """The place of a piece. In its own frame it begins at x = 0 and extends forward, with y to the left and z up.

    Args:
        name: Of the piece; the names of its objects begin with it.
        position: Of its origin, m, world frame.
        heading_deg: Its turn to the left.
        surface: Name of its surface; empty for dry concrete.
    """

    name: str
    position: tuple[Metres, Metres, Metres] = (0.0, 0.0, 0.0)
    heading_deg: Annotated[float, Meta(ge=-360.0, le=360.0)] = 0.0
    surface: str = ""

    def placed(self, position: Vec3, rotation: Quaternion = UNTURNED) -> Pose:
        """Return the pose in the world of a pose in the piece's own frame."""
        stands = Pose(self.position, from_rpy(0.0, 0.0, math.radians(self.heading_deg)))
        return compose(stands, Pose(position, rotation))

    def coefficient(self) -> float | None:
        """Return the friction of the piece's fixed parts in the cell file, or None."""
        return None


class Ground(Stand, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A piece that robots drive on.

    Args:
        friction: Its Coulomb coefficient; left out: that of its surface.
    """

    friction: Annotated[float, Meta(ge=0.0, le=10.0)] | None = None

    def coefficient(self) -> float | None:
        """Return its friction in the cell file, or None."""
        return self.friction


Piece = Callable[[dict[str, Any]], tuple[ObjectSpec, ...]]
PIECES: Registry[Piece] = Registry("piece")


def piece_objects(table: dict[str, Any]) -> tuple[ObjectSpec, ...]:
    """Return the objects of a piece.

    Args:
        table: Its kind and settings in a cell file.

    Raises:
        ConfigError: If the kind is unknown or the settings are not valid.
    """
    kind, known = table.get("kind"), tuple(PIECES)
    if not isinstance(kind, str):
        raise ConfigError("kind", f"is missing; expected one of {', '.join(known)}")
    if kind not in known:
        raise ConfigError("kind", f"no piece is called {kind!r}; there are: {', '.join(known)}", kind, known)
    objects = PIECES[kind]({key: value for key, value in table.items() if key != "kind"})
    for item in objects:
        if problem := check_object(item):
            raise ConfigError("", f"makes an object {item.name!r} that is not valid: {problem}")
    return objects


def fixed(
    stand: Stand,
    part: str,
    size: Vector,
    middle: Vec3,
    rotation: Quaternion = UNTURNED,
    colour: Colour = CONCRETE,
) -> ObjectSpec:
    """Return a fixed box of a piece.

    Args:
        stand: The piece.
        part: Name of the part, after the piece's name; empty for the only one.
        size: Edge lengths, m.
        middle: In the piece's frame.
        rotation: In the piece's frame.
        colour: Its colour, unless its surface has one.
    """
    if problem := check_surface(stand.surface, stand.coefficient()):
        raise ConfigError("surface", problem)
    tint = SURFACES[stand.surface].colour if stand.surface else None
    place = stand.placed(middle, rotation)
    return ObjectSpec(
        name=f"{stand.name} {part}".strip(),
        size=size,
        position=place.position,
        rotation=place.rotation,
        mass=0.0,
        colour=tint or colour,
        friction=stand.coefficient(),
        surface=stand.surface,
    )
