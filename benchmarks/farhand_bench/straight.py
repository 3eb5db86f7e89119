"""A motion straight in the joints whatever is in the way, as a taught path is: for what tries protection."""

from __future__ import annotations

from farhand.cell import Cell
from farhand.types import FollowPath, Trajectory, Vector

__all__ = ["straight_to"]


def straight_to(cell: Cell, robot: str, goal: Vector) -> FollowPath:
    """Return the command to go from where an arm was told to be last straight to joint positions (rad, m)."""
    here = cell.memory[robot].setpoints["arm"].positions
    return FollowPath(robot, Trajectory("straight", (here, goal)))
