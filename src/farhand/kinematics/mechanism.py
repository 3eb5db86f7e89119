"""The kinematics of a robot in a compiled model: a serial chain, unless its description says Delta."""

from __future__ import annotations

from typing import Any

import numpy as np

from farhand.formats.model import JointSpec, RobotModel
from farhand.kernels import Floats
from farhand.kinematics.contract import Mechanism
from farhand.kinematics.parallel.delta import Delta
from farhand.kinematics.serial.chain import SerialChain
from farhand.kinematics.serial.compiled_chain import fixed_between
from farhand.kinematics.serial.coupled import CoupledChain
from farhand.kinematics.servo.rate_bounds import JointLimits

__all__ = ["chain_of", "delta_of", "joint_limits", "mechanism_of"]


def mechanism_of(robot: RobotModel, model: Any, prefix: str = "") -> Mechanism:
    """Return the kinematics of a robot from its base to its tip.

    Args:
        robot: The robot.
        model: A compiled MuJoCo model that it is part of.
        prefix: Prefix of its names there.
    """
    if robot.delta is None:
        return chain_of(robot, model, prefix)
    return delta_of(robot, fixed_between(model, f"{prefix}{robot.delta.platform}", f"{prefix}{robot.arm.tip}"))


def chain_of(robot: RobotModel, model: Any, prefix: str = "", tip: str = "") -> SerialChain:
    """Return the serial chain of a robot; some of its joints may follow others.

    Args:
        robot: The robot.
        model: A compiled MuJoCo model that it is part of.
        prefix: Prefix of its names there.
        tip: Site or body at its end; empty for the robot's own.
    """
    base, end = f"{prefix}{robot.arm.base}", f"{prefix}{tip or robot.arm.tip}"
    if not robot.arm.followers:
        return SerialChain.from_model(model, base, end)
    ties = robot.arm.followers
    followers = {f"{prefix}{tie.joint}": (f"{prefix}{tie.leader}", tie.multiplier, tie.offset) for tie in ties}
    return CoupledChain.from_model(model, base, end, followers)


def delta_of(robot: RobotModel, tool: Floats | None = None, scale: float = 1.0) -> Delta:
    """Return the kinematics of a Delta robot.

    Args:
        robot: The robot.
        tool: Pose (4, 4) of the tip on the platform; None for its centre.
        scale: Factor on all lengths.
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
    """Return the limits of some joints as arrays.

    Args:
        joints: The joints, as their robot's description has them.
    """
    return JointLimits(
        lower=np.array([joint.lower for joint in joints]),
        upper=np.array([joint.upper for joint in joints]),
        velocity=np.array([joint.velocity for joint in joints]),
        acceleration=np.array([joint.acceleration for joint in joints]),
        jerk=np.array([joint.jerk for joint in joints]),
    )
