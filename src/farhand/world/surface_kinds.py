"""Named surfaces: the friction of belts and objects on ice, gravel, wet concrete and the like.

A surface is one coefficient of friction. A cell file names it (``surface = "ice"``) or gives the number itself
(``friction = 0.1``). Without either the ground is usual, dry concrete: belts have the friction in their robot's file.
"""

from __future__ import annotations

from msgspec import Struct

from farhand.registry import Registry
from farhand.types import ObjectSpec

__all__ = ["SURFACES", "USUAL", "SurfaceKind", "belt_limit", "friction_of"]

USUAL = 0.8  # Coulomb's coefficient between two objects without a surface or friction of their own


class SurfaceKind(Struct, frozen=True):
    """A kind of ground.

    Args:
        summary: One sentence about it.
        friction: Coulomb's coefficient; None for the usual ground.
        colour: Colour of pieces with this surface: red, green, blue and opacity; None for the piece's own.
    """

    summary: str
    friction: float | None
    colour: tuple[float, float, float, float] | None = None


SURFACES: Registry[SurfaceKind] = Registry("surface")
for _name, _surface in {
    "concrete": SurfaceKind("Dry concrete, the usual ground: belts have the friction in their robot's file.", None),
    "gravel": SurfaceKind("Loose gravel, friction 0.6.", 0.6, (0.43, 0.40, 0.36, 1.0)),
    "wet": SurfaceKind("Wet concrete, friction 0.5.", 0.5, (0.24, 0.28, 0.32, 1.0)),
    "grass": SurfaceKind("Wet grass, friction 0.35.", 0.35, (0.25, 0.36, 0.20, 1.0)),
    "snow": SurfaceKind("Trodden snow, friction 0.25.", 0.25, (0.80, 0.82, 0.85, 1.0)),
    "oil": SurfaceKind("Concrete with spilt oil, friction 0.15.", 0.15, (0.16, 0.15, 0.14, 1.0)),
    "ice": SurfaceKind("Ice, friction 0.1.", 0.1, (0.66, 0.78, 0.86, 1.0)),
}.items():
    SURFACES.register(_name)(_surface)


def belt_limit(item: ObjectSpec) -> float | None:
    """Return the friction that an object's surface allows a belt; None if the belt's own friction counts."""
    return SURFACES[item.surface].friction if item.surface else item.friction


def friction_of(item: ObjectSpec) -> float:
    """Return Coulomb's coefficient of an object towards other objects."""
    limit = belt_limit(item)
    return USUAL if limit is None else limit
