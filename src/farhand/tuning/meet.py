"""What each joint of an arm meets: its inertia and its weight, over many postures."""

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

__all__ = ["Met", "met_by"]

POSTURES = 200


class Met(Struct, frozen=True):
    """What the joints of an arm meet.

    Args:
        least: The smallest inertia of each, the others free to move (kg·m², kg).
        most: The largest, the others held.
        weight: The largest torque (force) that gravity asks of each.
        inertias: The whole matrices, home first.
        heaviest: For each joint the posture in which its inertia is largest.
    """

    least: Floats
    most: Floats
    weight: Floats
    inertias: tuple[Floats, ...]
    heaviest: tuple[Posture, ...]


def met_by(placement: Placement, seed: int = 0, postures: int = POSTURES) -> Met:
    """Return what the joints of a robot meet in random postures within their limits, and at home.

    Args:
        placement: The robot, with any drive that is stable.
        seed: Decides the postures.
        postures: How many.
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
            data.qpos[index.arm.qpos] = [_somewhere(joint, random) for joint in joints]
        if loop:
            loop.close(data.qpos)
        if not np.isfinite(data.qpos).all():
            continue  # a Delta whose arms do not meet
        mujoco.mj_forward(model, data)
        inertias.append(loop.inertia(model, data) if loop else inertia_matrix(model, data, index.arm.dofs))
        weight = data.qfrc_bias.copy()
        if loop:
            loop.felt(weight)
        weights.append(np.abs(weight[index.arm.dofs]))
        found.append(rig.posture(data.qpos))
    own = np.array([np.diag(inertia) for inertia in inertias])
    return Met(
        np.min([least_inertia(inertia) for inertia in inertias], axis=0),
        own.max(axis=0),
        np.max(weights, axis=0),
        tuple(inertias),
        tuple(found[i] for i in own.argmax(axis=0).tolist()),
    )


def _somewhere(joint: JointSpec, random: Random) -> float:
    lower, upper = max(joint.lower, -math.pi), min(joint.upper, math.pi)
    return random.uniform(lower, upper)
