"""Ghosts: the poses of a robot's bodies at the end of its move, for the page to draw."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from farhand.cell import Cell
from farhand.kinematics import SerialChain
from farhand.poses import Pose, matrix
from farhand.server.cell_process.packing import pack_poses
from farhand.types import Vector

__all__ = ["Ghosts"]

Goal = Vector | Pose | None


class Ghosts:
    """The ghosts of a cell's robots, each computed once per move; make a new one for every new world or lane.

    Args:
        cell: The cell.
    """

    def __init__(self, cell: Cell) -> None:
        self._cell, look = cell, cell.world.compiled.look
        bodies = tuple(zip(look.body_ids, look.bodies, strict=True))
        self._bodies: dict[str, NDArray[np.int64]] = {
            name: np.array([i for i, body in bodies if body.robot == name], np.int64)
            for name, lane in cell.lanes.items()
            if isinstance(lane.chain, SerialChain)  # a goal does not give the passive joints of other mechanisms
        }
        self._known: dict[str, tuple[Goal, bytes]] = {}

    def poses(self, robot: str) -> bytes:
        """Return the poses of a robot's bodies at the end of its move, packed; empty without a move."""
        goal = self._cell.lanes[robot].arbiter.goal(self._cell.memory[robot])
        if goal is None or robot not in self._bodies:
            return b""
        known = self._known.get(robot)
        if known is None or known[0] != goal:
            known = self._known[robot] = (goal, self._posed(robot, goal))
        return known[1]

    def _posed(self, robot: str, goal: Vector | Pose) -> bytes:
        joints = goal if not isinstance(goal, Pose) else self._reaching(robot, goal)
        if joints is None:
            return b""
        return pack_poses(*self._cell.world.body_poses_with(robot, joints, self._bodies[robot]))

    def _reaching(self, robot: str, pose: Pose) -> Vector | None:
        """Return joint positions near the present ones that reach a pose; None if there are none."""
        lane = self._cell.lanes[robot]
        found = lane.chain.inverse(matrix(pose), self._cell.memory[robot].setpoints["arm"].positions)
        return tuple(found.q.tolist()) if found.reached else None
