"""Robots from files: URDF, MJCF, DH tables, Deltas, tracked vehicles.

`read_robot` reads in this process, `read_robot_guarded` in a child process with limits, for files from outside.
"""

from __future__ import annotations

from farhand.formats.guarded import read_robot_guarded
from farhand.formats.model import ArmSpec, DeltaSpec, GripperSpec, JointSpec, RobotModel
from farhand.formats.read import read_robot
from farhand.formats.size_limits import DEFAULT_LIMITS, SizeLimits

__all__ = [
    "DEFAULT_LIMITS",
    "ArmSpec",
    "DeltaSpec",
    "GripperSpec",
    "JointSpec",
    "RobotModel",
    "SizeLimits",
    "read_robot",
    "read_robot_guarded",
]
