"""A straight motion of the joints that ignores obstacles, like a taught path; for tests of protection."""

from __future__ import annotations

from farhand.cell import Cell
from farhand.types import FollowPath, Trajectory, Vector

__all__ = ["straight_to"]


def straight_to(cell: Cell, robot: str, goal: Vector) -> FollowPath:
    """Return the command to move from the arm's last set-point straight to joint positions (rad, m)."""
    here = cell.memory[robot].setpoints["arm"].positions
    return FollowPath(robot, Trajectory("straight", (here, goal)))
