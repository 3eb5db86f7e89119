"""Whether a drive is stiff enough for its arm.

Without feed-forward it carries the weight alone, which may bend a joint only so far. With it, the weight is carried as
long as a joint is where it was told to be; beside that place a drive that is softer than the weight lets it fall on and
on. And a joint that nothing weighs on must still be brought to where it shall be.
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
from farhand.world.drives.kinds import Tuned
from farhand.world.drives.position_drive import PositionGains
from farhand.world.drives.velocity_drive import VelocityGains

__all__ = ["check_holding", "weights"]

BEND = {"hinge": 0.1, "slide": 0.02}  # rad, m
CARRIED = 5.0  # times that, where feed-forward carries the weight
SLOWEST = 0.3  # rad/s: of a joint's own swing on its drive
POSTURES = 30


def weights(model: Any, qpos: Floats, at: Ints, dofs: Ints, joints: tuple[JointSpec, ...]) -> Floats:
    """Return the largest torque (force) that gravity asks of each joint of an arm, at home and in random postures.

    Args:
        model: MuJoCo's compiled model.
        qpos: Where everything is at home.
        at: Where the arm's joints lie among those.
        dofs: Where they lie among the velocities.
        joints: Of the arm.
    """
    data, random, asked = mujoco.MjData(model), Random(0), np.zeros(model.nv)
    most = np.zeros(len(joints))
    for number in range(POSTURES + 1):
        data.qpos[:] = qpos
        if number:
            data.qpos[at] = [random.uniform(max(joint.lower, -math.pi), min(joint.upper, math.pi)) for joint in joints]
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        mujoco.mj_rne(model, data, 0, asked)
        most = np.maximum(most, np.abs(asked[dofs]))
    return most


def check_holding(placement: Placement, tuned: Tuned, weight: Floats, inertia: Floats) -> None:
    """Check that no joint bends too far under its weight, or can hardly be moved.

    kp ≥ weight/bend, and kp ≥ SLOWEST²·Mᵢᵢ.

    Args:
        placement: The robot.
        tuned: The gains of its drive.
        weight: What gravity asks of each joint at most.
        inertia: Of the joints, at home.

    Raises:
        DriveError: If one does; names it and the least that would do.
    """
    more = CARRIED if placement.drive.feedforward else 1.0
    joints, masses = placement.model.arm.joints, np.diag(inertia).tolist()
    rows = zip(joints, weight.tolist(), masses, tuned.stiffness().tolist(), strict=True)
    for i, (joint, load, mass, stiffness) in enumerate(rows):
        least = max(load / (more * BEND[joint.kind]), SLOWEST**2 * mass)
        if stiffness < least:
            turns = joint.kind == "hinge"
            found = f"{load:.3g} {'Nm' if turns else 'N'} of weight and {mass:.3g} {'kg·m²' if turns else 'kg'}"
            what, needed = _needed(tuned, i, stiffness, least)
            text = f"too soft for {joint.label or joint.name}, which carries up to {found}"
            raise DriveError(placement.name, f"{text}; {what} of at least {needed:.3g} would hold it")


def _needed(tuned: Tuned, joint: int, stiffness: float, least: float) -> tuple[str, float]:
    """Return what must be larger, and how large."""
    if isinstance(tuned, VelocityGains):
        return "a proportional gain", tuned.loops[joint].proportional * least / stiffness
    return ("a stiffness" if isinstance(tuned, PositionGains) else "a proportional gain"), least
