"""How far a robot reaches below its base, and how much room is below what moves of it, to stand it on the floor."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np

from farhand.formats.model import RobotModel
from farhand.world.blueprint import Blueprint, Placement
from farhand.world.compiled import compile_world

__all__ = ["clearance", "depth_below_base"]


def depth_below_base(model: RobotModel) -> float:
    """Return how far the robot's lowest point at home lies below z = 0, metres.

    Raises:
        WorldError: If the physics can make nothing of the robot.
    """
    return -min(0.0, _lowest(model, moved_by=0))


def clearance(model: RobotModel) -> float:
    """Return how far above z = 0 the lowest point at home is of what more than one joint moves, metres."""
    return _lowest(model, moved_by=2)


def _lowest(model: RobotModel, moved_by: int) -> float:
    """Return the lowest z of all shapes that hang on at least so many joints."""
    compiled = compile_world(Blueprint(robots=(Placement("robot", model),), floor=False))
    m, data = compiled.model, mujoco.MjData(compiled.model)
    data.qpos[:] = compiled.qpos_start
    mujoco.mj_kinematics(m, data)
    lowest = math.inf
    for geom in range(m.ngeom):
        if _joints_above(m, int(m.geom_bodyid[geom])) >= moved_by:
            centre, half = m.geom_aabb[geom, :3], m.geom_aabb[geom, 3:]
            z_axis = data.geom_xmat[geom].reshape(3, 3)[2]
            lowest = min(lowest, float(data.geom_xpos[geom, 2] + z_axis @ centre - np.abs(z_axis) @ half))
    return lowest


def _joints_above(m: Any, body: int) -> int:
    count = 0
    while body:
        count += int(m.body_jntnum[body])
        body = int(m.body_parentid[body])
    return count
