"""A blueprint with its compiled model: prepared by a worker and swapped in between two ticks."""

from __future__ import annotations

import math
import pickle
from typing import Any

import mujoco
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.distances import ShapePiece, pieces_around
from farhand.kinematics import Mechanism
from farhand.kinematics.mechanism import mechanism_of
from farhand.poses import Pose
from farhand.types import Vector
from farhand.world.blueprint import Blueprint, DriveSpec, Placement
from farhand.world.build import compile_model
from farhand.world.drives import DriveGains, check_holding, gains_for, inertia_matrix, set_actuator_gains, weights
from farhand.world.index import GroupIndex, Index, index_model
from farhand.world.passive_joints import loop_of
from farhand.world.visual_scene import Look, look_of

__all__ = ["Compiled", "compile_world", "fresh_data", "from_bytes", "to_bytes"]

Floats = NDArray[np.float64]
SOFT = 0.3  # kp·dt²/inertia of finger and held joints
BEND = math.radians(2.0)  # of a flipper at full effort


class Compiled(Struct, frozen=True):
    """A model ready to run: compiled and indexed, with its drives' gains and its start state.

    Args:
        blueprint: The blueprint that it was made from.
        model: MuJoCo's compiled model.
        index: Places of everything in its arrays.
        drives: Gains of each robot's arm drive, by robot name.
        qpos_start: The start state, to which a reset returns.
        chains: Each robot's kinematics from base to tip.
        bases: Start pose of each robot's base body in the world, the frame of its kinematics. A driving base is
            measured from then on.
        look: The visible scene.
        around: The shapes around each robot whose arm keeps clear, at the start.
    """

    blueprint: Blueprint
    model: Any
    index: Index
    drives: dict[str, DriveGains]
    qpos_start: Vector
    chains: dict[str, Mechanism]
    bases: dict[str, Pose]
    look: Look
    around: dict[str, tuple[ShapePiece, ...]]

    def beside(self, robot: str) -> tuple[ShapePiece, ...]:
        """Return the shapes around a robot at the start; collect them now if its arm did not keep clear at first."""
        if robot in self.around:
            return self.around[robot]
        data = mujoco.MjData(self.model)
        data.qpos[:] = self.qpos_start
        mujoco.mj_forward(self.model, data)
        arm = next(placement.model.arm for placement in self.blueprint.robots if placement.name == robot)
        return pieces_around(self.model, data, f"{robot}/{arm.base}")


def compile_world(blueprint: Blueprint) -> Compiled:
    """Compile a blueprint; the same one always gives the same physics.

    Raises:
        WorldError: If MuJoCo cannot compile it.
        DriveError: If a drive would be unstable, or too soft to hold its arm.
        CommandError: If there is a shape that an arm cannot keep clear of.
    """
    model = compile_model(blueprint)
    index = index_model(model, blueprint)
    chains = {p.name: mechanism_of(p.model, model, f"{p.name}/") for p in blueprint.robots}
    loops = {name: loop_of(chain, index.robots[name]) for name, chain in chains.items()}
    data = mujoco.MjData(model)
    for placement in blueprint.robots:
        _put_home(data, index, placement)
        if loop := loops[placement.name]:
            loop.close(data.qpos)
    mujoco.mj_forward(model, data)
    clear = [p for p in blueprint.robots if p.keeps_clear]
    around = {p.name: pieces_around(model, data, f"{p.name}/{p.model.arm.base}") for p in clear}
    drives = {}
    for placement in blueprint.robots:
        group = index.robots[placement.name]
        loop = loops[placement.name]
        inertia = loop.inertia(model, data) if loop else inertia_matrix(model, data, group.arm.dofs)
        drives[placement.name] = gains_for(placement, inertia, blueprint.timestep)
        if placement.drive != DriveSpec() and not loop:  # the default drive is never too soft
            joints, arm = placement.model.arm.joints, group.arm
            weight = weights(model, data.qpos, arm.qpos, arm.dofs, joints)
            check_holding(placement, drives[placement.name], weight, inertia)
        set_actuator_gains(model, group.arm.actuators, drives[placement.name])
        for other in (group.gripper, group.held, *(camera.head for camera in group.cameras)):
            if other.dofs.size:
                _set_gains(model, other, *_soft_gains(inertia_matrix(model, data, other.dofs), blueprint.timestep))
        if group.tracks and placement.model.tracks:
            flippers, efforts = group.tracks.flippers, [joint.effort for joint in placement.model.tracks.flippers]
            inertia = inertia_matrix(model, data, flippers.dofs)
            _set_gains(model, flippers, *_firm_gains(inertia, efforts, blueprint.timestep))
    bases = {name: _pose_of(data, robot.base_body) for name, robot in index.robots.items()}
    look = look_of(model, tuple(p.name for p in blueprint.robots))
    return Compiled(blueprint, model, index, drives, tuple(data.qpos.tolist()), chains, bases, look, around)


def _pose_of(data: Any, body: int) -> Pose:
    (x, y, z), (w, i, j, k) = data.xpos[body].tolist(), data.xquat[body].tolist()
    return Pose((x, y, z), (w, i, j, k))


def _put_home(data: Any, index: Index, placement: Placement) -> None:
    robot, gripper = index.robots[placement.name], placement.model.gripper
    for joint, position in placement.model.rest.items():
        data.joint(f"{placement.name}/{joint}").qpos[0] = position
    data.qpos[robot.arm.qpos] = placement.home_joints()
    if gripper:
        data.qpos[robot.gripper.qpos] = gripper.opened


def _soft_gains(inertia: Floats, dt: float) -> tuple[Floats, Floats]:
    kp = SOFT / np.diag(np.linalg.inv(inertia)) / dt**2
    return kp, 2.0 * np.sqrt(kp * np.diag(inertia))


def _firm_gains(inertia: Floats, efforts: list[float], dt: float) -> tuple[Floats, Floats]:
    """Return gains with which full effort bends a flipper by BEND, or softer ones if its inertia is too small."""
    kp = np.minimum(np.array(efforts) / BEND, SOFT / np.diag(np.linalg.inv(inertia)) / dt**2)
    return kp, 2.0 * np.sqrt(kp * np.diag(inertia))


def _set_gains(model: Any, group: GroupIndex, kp: Floats, kd: Floats) -> None:
    model.actuator_gainprm[group.actuators, 0] = kp
    model.actuator_biasprm[group.actuators, 1] = -kp
    model.actuator_biasprm[group.actuators, 2] = -kd


def fresh_data(compiled: Compiled) -> Any:
    """Return new MuJoCo data for a compiled world."""
    return mujoco.MjData(compiled.model)


def to_bytes(compiled: Compiled) -> bytes:
    """Return the compiled world as bytes for another process of this program."""
    return pickle.dumps(compiled)


def from_bytes(content: bytes) -> Compiled:
    """Return the world from the bytes of `to_bytes`. Only for bytes from a worker that this process started."""
    compiled = pickle.loads(content)  # noqa: S301 - never from outside, see above
    assert isinstance(compiled, Compiled)
    return compiled
