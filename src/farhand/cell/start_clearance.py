"""Whether the robots of a cell file stand where there is room for them."""

from __future__ import annotations

from pathlib import Path

from farhand.errors import CellFileError
from farhand.world import World

__all__ = ["check_standing"]

DEEP = 0.005  # m: what a drawing may be wrong by


def check_standing(world: World, path: Path) -> None:
    """Check that no robot starts inside of something: it would be thrown out of there in the first tick.

    Its base may be inside of what it is mounted on, and its belts may sink into the ground a little. What is attached
    to one of its links may be inside of the links beside that one, which it does not touch, but of no other.

    Args:
        world: As it starts.
        path: Of the cell file.

    Raises:
        CellFileError: If one does; names both.
    """
    for placement in world.blueprint.robots:
        if inside := world.inside.of_robot(placement.name, DEEP):
            met, own = inside
            problem = f"{placement.name} would start with its {own} inside {met}; give it another position or home"
            raise CellFileError(path, problem, field=f"robots.{placement.name}")
        if found := world.inside.of_attached(placement.name, DEEP):
            number, link = found
            problem = (
                f"it would be inside the {link} at the start and push it off; "
                "give it another position or size, or collides = false"
            )
            raise CellFileError(path, problem, field=f"robots.{placement.name}.attach[{number}]")
