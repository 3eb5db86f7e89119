"""Checks that a drive is stiff enough for its arm.

Without feed-forward the drive alone carries the weight, which may bend a joint only a little. With feed-forward the
weight is carried at the set-point; beside it, a drive softer than the weight lets the joint fall further and further.
And a joint without load must still reach its set-point in reasonable time.
"""

from __future__ import annotations

import math
from random import Random
from typing import Any

import mujoco
import numpy as np

from farhand.errors import DriveError
from farhand.formats.model import JointSpec
from farhand.world.blueprint import Placement
from farhand.world.drives.drive import Floats, Ints
from farhand.world.drives.kinds import DriveGains
from farhand.world.drives.position_drive import PositionGains
from farhand.world.drives.velocity_drive import VelocityGains

__all__ = ["check_holding", "weights"]

BEND = {"hinge": 0.1, "slide": 0.02}  # rad, m: greatest bend under the weight
CARRIED = 5.0  # factor on the bend with feed-forward
SLOWEST_RADPS = 0.3  # least natural frequency of a joint on its drive
RANDOM_POSTURES = 30


def weights(model: Any, qpos: Floats, at: Ints, dofs: Ints, joints: tuple[JointSpec, ...]) -> Floats:
    """Return the largest torque (force) of gravity at each joint of an arm, at home and in random postures.

    Args:
        model: MuJoCo's compiled model.
        qpos: All positions at home.
        at: Places of the arm's joints in the positions.
        dofs: Their places in the rates.
        joints: Of the arm.
    """
    data, random, asked = mujoco.MjData(model), Random(0), np.zeros(model.nv)
    most = np.zeros(len(joints))
    for number in range(RANDOM_POSTURES + 1):
        data.qpos[:] = qpos
        if number:
            data.qpos[at] = [random.uniform(max(joint.lower, -math.pi), min(joint.upper, math.pi)) for joint in joints]
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, asked)
        most = np.maximum(most, np.abs(asked[dofs]))
    return most


def check_holding(placement: Placement, tuned: DriveGains, weight: Floats, inertia: Floats) -> None:
    """Check that no joint bends too far under its weight or moves too slowly.

    kp ≥ weight/bend, and kp ≥ SLOWEST_RADPS²·Mᵢᵢ.

    Args:
        placement: The robot.
        tuned: The gains of its drive.
        weight: Largest torque of gravity at each joint.
        inertia: Of the joints, at home.

    Raises:
        DriveError: If one does; names the joint and the least gain that holds it.
    """
    more = CARRIED if placement.drive.feedforward else 1.0
    joints, masses = placement.model.arm.joints, np.diag(inertia).tolist()
    rows = zip(joints, weight.tolist(), masses, tuned.stiffness().tolist(), strict=True)
    for i, (joint, load, mass, stiffness) in enumerate(rows):
        least = max(load / (more * BEND[joint.kind]), SLOWEST_RADPS**2 * mass)
        if stiffness < least:
            turns = joint.kind == "hinge"
            found = f"{load:.3g} {'Nm' if turns else 'N'} of weight and {mass:.3g} {'kg·m²' if turns else 'kg'}"
            gain, needed = _needed(tuned, i, stiffness, least)
            text = f"too soft for {joint.label or joint.name}, which carries up to {found}"
            raise DriveError(placement.name, f"{text}; {gain} of at least {needed:.3g} would hold it")


def _needed(tuned: DriveGains, joint: int, stiffness: float, least: float) -> tuple[str, float]:
    """Return the name of the gain that is too small, and its least value."""
    if isinstance(tuned, VelocityGains):
        return "a proportional gain", tuned.loops[joint].proportional * least / stiffness
    return ("a stiffness" if isinstance(tuned, PositionGains) else "a proportional gain"), least
