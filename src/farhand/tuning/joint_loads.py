"""The loads of an arm's joints: inertia and weight over many postures."""

from __future__ import annotations

import math
from random import Random

import mujoco
import numpy as np
from msgspec import Struct

from farhand.formats.model import JointSpec
from farhand.kernels import Floats
from farhand.world import Blueprint, Placement, Posture, World, compile_world
from farhand.world.drives import inertia_matrix
from farhand.world.drives.drive import least_inertia
from farhand.world.passive_joints import loop_of

__all__ = ["JointLoads", "joint_loads"]

POSTURES = 200


class JointLoads(Struct, frozen=True):
    """The loads of an arm's joints over many postures.

    Args:
        least: The smallest inertia of each joint, with the others free to move (kg·m², kg).
        most: The largest inertia of each joint, with the others held.
        weight: The largest torque or force of gravity on each joint (Nm, N).
        inertias: The inertia matrices, home first.
        heaviest: For each joint, the posture with its largest inertia.
    """

    least: Floats
    most: Floats
    weight: Floats
    inertias: tuple[Floats, ...]
    heaviest: tuple[Posture, ...]


def joint_loads(placement: Placement, seed: int = 0, postures: int = POSTURES) -> JointLoads:
    """Return the loads of a robot's joints at home and in random postures within their limits.

    Args:
        placement: The robot, with any stable drive.
        seed: The seed of the postures.
        postures: Number of random postures.
    """
    compiled = compile_world(Blueprint(robots=(placement,), floor=False))
    rig, model = World(compiled).rig(placement.name), compiled.model
    index, joints = compiled.index.robots[placement.name], placement.model.arm.joints
    loop = loop_of(rig.chain, index)
    data, random = mujoco.MjData(model), Random(seed)
    inertias, weights, found = [], [], []
    for number in range(postures + 1):
        data.qpos[:] = compiled.qpos_start
        if number:
            data.qpos[index.arm.qpos] = [_random_position(joint, random) for joint in joints]
        if loop:
            loop.close(data.qpos)
        if not np.isfinite(data.qpos).all():
            continue  # a Delta cannot close its loop here
        mujoco.mj_forward(model, data)
        inertias.append(loop.inertia(model, data) if loop else inertia_matrix(model, data, index.arm.dofs))
        weight = data.qfrc_bias.copy()
        if loop:
            loop.project_forces(weight)
        weights.append(np.abs(weight[index.arm.dofs]))
        found.append(rig.posture(data.qpos))
    own = np.array([np.diag(inertia) for inertia in inertias])
    return JointLoads(
        np.min([least_inertia(inertia) for inertia in inertias], axis=0),
        own.max(axis=0),
        np.max(weights, axis=0),
        tuple(inertias),
        tuple(found[i] for i in own.argmax(axis=0).tolist()),
    )


def _random_position(joint: JointSpec, random: Random) -> float:
    lower, upper = max(joint.lower, -math.pi), min(joint.upper, math.pi)
    return random.uniform(lower, upper)
