"""How far a robot reaches below its base, to stand it on the floor."""

from __future__ import annotations

import mujoco
import numpy as np

from farhand.formats.model import RobotModel
from farhand.world.blueprint import Blueprint, Placement
from farhand.world.compiled import compile_world

__all__ = ["depth_below_base"]


def depth_below_base(model: RobotModel) -> float:
    """Return how far the robot's lowest point at home lies below z = 0, metres.

    Raises:
        WorldError: If the physics can make nothing of the robot.
    """
    compiled = compile_world(Blueprint(robots=(Placement("robot", model),), floor=False))
    m, data = compiled.model, mujoco.MjData(compiled.model)
    data.qpos[:] = compiled.qpos_start
    mujoco.mj_kinematics(m, data)
    lowest = 0.0
    for geom in range(m.ngeom):
        centre, half = m.geom_aabb[geom, :3], m.geom_aabb[geom, 3:]
        z_axis = data.geom_xmat[geom].reshape(3, 3)[2]
        lowest = min(lowest, float(data.geom_xpos[geom, 2] + z_axis @ centre - np.abs(z_axis) @ half))
    return -lowest
