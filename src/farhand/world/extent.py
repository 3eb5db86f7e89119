"""The extent of a robot below its base, and the clearance below its moving parts, to stand it on the floor."""

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
    """Return the depth of the robot's lowest point at home below z = 0, metres.

    Raises:
        WorldError: If MuJoCo cannot compile the robot.
    """
    return -min(0.0, _lowest(model, moved_by=0))


def clearance(model: RobotModel) -> float:
    """Return the height above z = 0 of the lowest point at home that more than one joint moves, metres."""
    return _lowest(model, moved_by=2)


def _lowest(model: RobotModel, moved_by: int) -> float:
    """Return the lowest z of all shapes that at least this number of joints moves."""
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
