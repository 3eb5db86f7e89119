"""Places of robots and objects in MuJoCo's arrays, found by name once after compiling."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.formats.model import RobotModel
from farhand.types import Vector
from farhand.world.blueprint import Blueprint, Placement
from farhand.world.build import actuator_name, sensor_name, wrist_names
from farhand.world.camera_build import camera_name, head_joints
from farhand.world.object_kinds import moving
from farhand.world.user_data import HEAD, kept_by, kept_by_belts, kept_by_drive, kept_by_wrist

__all__ = [
    "CameraIndex",
    "GroupIndex",
    "Index",
    "ObjectIndex",
    "RobotIndex",
    "TracksIndex",
    "WristIndex",
    "index_model",
]

Ints = NDArray[np.int64]


class GroupIndex(Struct, frozen=True):
    """A group of driven joints: their places in qpos and qvel, and their actuators."""

    qpos: Ints
    dofs: Ints
    actuators: Ints


class WristIndex(Struct, frozen=True):
    """A wrist sensor: its site, the start of its forces and torques, and of its state in the user data."""

    site: int
    force_at: int
    torque_at: int
    kept_at: int


class CameraIndex(Struct, frozen=True):
    """A camera: its number in the model, the joints that turn it, and the start of its head's state in user data."""

    number: int
    head: GroupIndex
    kept_at: int


class TracksIndex(Struct, frozen=True):
    """The tracks of a robot.

    Args:
        flippers: Their joints.
        belts: Shapes whose surface is a belt.
        sides: Side of each of them: 0 left, 1 right.
        field: (k, 6) surface velocity of each at a belt speed of 1 m/s, in its own axes. The model has it only until
            belts run.
        base_at: Start of the base's seven numbers in qpos.
        base_dof: Start of its six in qvel.
        kept_at: Start of the belts' state in the user data.
    """

    flippers: GroupIndex
    belts: Ints
    sides: Ints
    field: NDArray[np.float64]
    base_at: int
    base_dof: int
    kept_at: int


class RobotIndex(Struct, frozen=True):
    """One robot.

    Args:
        arm: The chain's joints.
        gripper: Finger joints; empty arrays if there are none.
        held: Joints that are held still.
        held_at: Their positions.
        undriven: Joints that move with the driven ones, of a closed mechanism or an arm: positions and rates.
        tip_site: Site at the tip.
        tip_body: Body of that site.
        base_body: Body whose frame is the robot's base frame.
        contact_at: Start of the contact sensor's numbers.
        kept_at: Start of its drive's state in the user data.
        wrist: Its force sensor, if it has one.
        tracks: Its tracks, if it has any.
        cameras: Its cameras.
    """

    arm: GroupIndex
    gripper: GroupIndex
    held: GroupIndex
    held_at: Vector
    undriven: GroupIndex
    tip_site: int
    tip_body: int
    base_body: int
    contact_at: int
    kept_at: int
    wrist: WristIndex | None = None
    tracks: TracksIndex | None = None
    cameras: tuple[CameraIndex, ...] = ()


class ObjectIndex(Struct, frozen=True):
    """One object that moves.

    Args:
        name: Of the object.
        body: Its number in the model.
        qpos: Start of its position in qpos: seven numbers of a loose one, one of a joint.
        dof: Start of its six or one in qvel.
        tree: Its kinematic tree, which sleeps as a whole.
        loose: Whether it is loose; otherwise it is on a joint.
    """

    name: str
    body: int
    qpos: int
    dof: int
    tree: int
    loose: bool

    @property
    def at(self) -> slice:
        """Its part of qpos."""
        return slice(self.qpos, self.qpos + (7 if self.loose else 1))

    @property
    def rates(self) -> slice:
        """Its part of qvel."""
        return slice(self.dof, self.dof + (6 if self.loose else 1))


class Index(Struct, frozen=True):
    """All robots and moving objects of a compiled model."""

    robots: dict[str, RobotIndex]
    objects: tuple[ObjectIndex, ...]


def index_model(model: Any, blueprint: Blueprint) -> Index:
    """Return the places of the blueprint's robots and objects in the compiled model."""
    robots, kept_at = {}, 0
    for placement in blueprint.robots:
        robots[placement.name] = _robot(model, placement, kept_at)
        kept_at += kept_by(placement)
    return Index(
        robots=robots,
        objects=tuple(_object(model, o.name) for o in blueprint.objects if moving(o)),
    )


def _robot(model: Any, placement: Placement, kept_at: int) -> RobotIndex:
    robot, name = placement.model, placement.name
    undriven = robot.delta.undriven if robot.delta else tuple(tie.joint for tie in robot.arm.followers)
    held, sensed_at = _group(model, name, robot.held), kept_at + kept_by_drive(placement)
    site = int(model.site(f"{name}/{robot.arm.tip}").id)
    return RobotIndex(
        arm=_group(model, name, tuple(joint.name for joint in robot.arm.joints)),
        gripper=_group(model, name, robot.gripper.joints if robot.gripper else ()),
        held=held,
        held_at=tuple(robot.rest.get(name, 0.0) for name in robot.held),
        undriven=_group(model, name, undriven, driven=False),
        tip_site=site,
        tip_body=int(model.site_bodyid[site]),
        base_body=int(model.body(f"{name}/{robot.arm.base}").id),
        contact_at=int(model.sensor(sensor_name(name)).adr[0]),
        kept_at=kept_at,
        wrist=_wrist(model, name, sensed_at) if placement.wrist else None,
        tracks=_tracks(model, name, robot, sensed_at + kept_by_wrist(placement)),
        cameras=_cameras(model, placement, sensed_at + kept_by_wrist(placement) + kept_by_belts(placement)),
    )


def _cameras(model: Any, placement: Placement, kept_at: int) -> tuple[CameraIndex, ...]:
    found = []
    for camera in placement.cameras:
        number = int(model.camera(camera_name(placement.name, camera.name)).id)
        found.append(CameraIndex(number, _group(model, placement.name, head_joints(camera)), kept_at))
        kept_at += HEAD if camera.head else 0
    return tuple(found)


def _tracks(model: Any, name: str, robot: RobotModel, kept_at: int) -> TracksIndex | None:
    tracks = robot.tracks
    if tracks is None:
        return None
    body = model.body(f"{name}/{robot.arm.base}")
    base = int(body.jntadr[0])
    belts = [int(model.geom(f"{name}/{belt}").id) for belt in (*tracks.left, *tracks.right)]
    return TracksIndex(
        flippers=_group(model, name, tuple(joint.name for joint in tracks.flippers)),
        belts=np.array(belts, dtype=np.int64),
        sides=np.array([0] * len(tracks.left) + [1] * len(tracks.right), dtype=np.int64),
        field=model.geom_surfacevel[belts].copy(),
        base_at=int(model.jnt_qposadr[base]),
        base_dof=int(model.jnt_dofadr[base]),
        kept_at=kept_at,
    )


def _wrist(model: Any, name: str, kept_at: int) -> WristIndex:
    site, force, torque = wrist_names(name)
    return WristIndex(
        site=int(model.site(site).id),
        force_at=int(model.sensor(force).adr[0]),
        torque_at=int(model.sensor(torque).adr[0]),
        kept_at=kept_at,
    )


def _group(model: Any, robot: str, joints: tuple[str, ...], *, driven: bool = True) -> GroupIndex:
    actuators = [model.actuator(actuator_name(robot, name)).id for name in joints] if driven else []
    ids = [model.joint(f"{robot}/{name}").id for name in joints]
    return GroupIndex(
        qpos=np.array([model.jnt_qposadr[i] for i in ids], dtype=np.int64),
        dofs=np.array([model.jnt_dofadr[i] for i in ids], dtype=np.int64),
        actuators=np.array(actuators, dtype=np.int64),
    )


def _object(model: Any, name: str) -> ObjectIndex:
    joint = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name)
    body = int(model.jnt_bodyid[joint])
    return ObjectIndex(
        name=name,
        body=body,
        qpos=int(model.jnt_qposadr[joint]),
        dof=int(model.jnt_dofadr[joint]),
        tree=int(model.body_treeid[body]),
        loose=bool(model.jnt_type[joint] == mujoco.mjtJoint.mjJNT_FREE),
    )
