"""The mechanism of a robot in a compiled model: a serial chain, or what its description says it is instead."""

from __future__ import annotations

from typing import Any

import numpy as np

from farhand.formats.model import JointSpec, RobotModel
from farhand.kernels import Floats
from farhand.kinematics.bounds import JointLimits
from farhand.kinematics.chain import SerialChain
from farhand.kinematics.contract import Mechanism
from farhand.kinematics.delta import Delta
from farhand.kinematics.models import fixed_between

__all__ = ["delta_of", "joint_limits", "mechanism_of"]


def mechanism_of(robot: RobotModel, model: Any, prefix: str = "") -> Mechanism:
    """Return the kinematics of a robot from its base to its tip.

    Args:
        robot: The robot.
        model: A compiled MuJoCo model that it is part of.
        prefix: What its names begin with there.
    """
    if robot.delta is None:
        return SerialChain.from_model(model, f"{prefix}{robot.arm.base}", f"{prefix}{robot.arm.tip}")
    return delta_of(robot, fixed_between(model, f"{prefix}{robot.delta.platform}", f"{prefix}{robot.arm.tip}"))


def delta_of(robot: RobotModel, tool: Floats | None = None, scale: float = 1.0) -> Delta:
    """Return the kinematics of a robot that is a Delta.

    Args:
        robot: The robot.
        tool: Pose (4, 4) of the tip on the platform; None for its centre.
        scale: All lengths are multiplied by it.
    """
    spec, joints = robot.delta, robot.arm.joints
    assert spec is not None
    limits = max(joint.lower for joint in joints), min(joint.upper for joint in joints)
    end = np.eye(4) if tool is None else tool.copy()
    end[:3, 3] *= scale
    return Delta(
        scale * spec.base_radius,
        scale * spec.platform_radius,
        scale * spec.upper,
        scale * spec.lower,
        limits=limits,
        tool=end,
    )


def joint_limits(joints: tuple[JointSpec, ...]) -> JointLimits:
    """Return the limits of some joints as arrays."""
    return JointLimits(
        lower=np.array([joint.lower for joint in joints]),
        upper=np.array([joint.upper for joint in joints]),
        velocity=np.array([joint.velocity for joint in joints]),
        acceleration=np.array([joint.acceleration for joint in joints]),
        jerk=np.array([joint.jerk for joint in joints]),
    )
