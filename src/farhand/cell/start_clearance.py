"""Check that the robots of a cell file do not start inside other bodies."""

from __future__ import annotations

from pathlib import Path

from farhand.errors import CellFileError
from farhand.world import World

__all__ = ["check_standing"]

MAX_OVERLAP = 0.005  # m: drawings are no more accurate than this


def check_standing(world: World, path: Path) -> None:
    """Check that no robot starts inside another body: the physics would throw it out in the first tick.

    The base may overlap the body it is mounted on, and belts may sink into the ground a little. A shape attached to a
    link may overlap the neighbouring links, with which it never collides, but no other link.

    Args:
        world: The world at the start.
        path: The cell file.

    Raises:
        CellFileError: If a robot starts inside a body; names both.
    """
    for placement in world.blueprint.robots:
        if inside := world.overlaps.of_robot(placement.name, MAX_OVERLAP):
            met, own = inside
            problem = f"{placement.name} would start with its {own} inside {met}; give it another position or home"
            raise CellFileError(path, problem, field=f"robots.{placement.name}")
        if found := world.overlaps.of_attached(placement.name, MAX_OVERLAP):
            number, link = found
            problem = (
                f"it would be inside the {link} at the start and push it off; "
                "give it another position or size, or collides = false"
            )
            raise CellFileError(path, problem, field=f"robots.{placement.name}.attach[{number}]")
