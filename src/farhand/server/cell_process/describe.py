"""Describe a cell to its viewers: everything that stays the same until the world is edited."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec
import mujoco
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.cell import Cell
from farhand.cell.apply_change import filter_titles
from farhand.cell.cell_spec import RobotSpec
from farhand.cell.signals import Signal
from farhand.cell.tool_changes import tools_of
from farhand.formats.model import JointSpec, TracksSpec
from farhand.kinematics import SerialChain
from farhand.kinematics.arithmetic.dh_frames import dh_frames
from farhand.lane import Lane
from farhand.masters import Master, driven_by_operator
from farhand.poses import IDENTITY, Pose, compose, from_matrix
from farhand.server.cell_process.fixture_shapes import fixture_geoms
from farhand.server.cell_process.master_views import views_of
from farhand.server.protocol.messages import (
    CameraInfo,
    GripperInfo,
    JointInfo,
    MappingInfo,
    PartInfo,
    Place,
    RobotInfo,
    Scene,
    SignalInfo,
    TracksInfo,
)
from farhand.world.visual_scene import FIXED

__all__ = ["describe"]

Floats = NDArray[np.float64]
STILL = (0.0, 0.0)


def describe(cell: Cell, name: str, number: int, signals: tuple[Signal, ...], masters: Mapping[str, Master]) -> Scene:
    """Return the present scene of a cell.

    Args:
        cell: The cell.
        name: Name under which the server shows it.
        number: Number of the scene.
        signals: Signals to plot.
        masters: The masters that drive it, by name.
    """
    look = cell.world.compiled.look
    return Scene(
        cell=name,
        summary=cell.spec.summary,
        number=number,
        timestep=cell.dt,
        bodies=look.bodies,
        geoms=(*look.geoms, *fixture_geoms(cell)),
        robots=tuple(_robot(cell, robot, lane, masters) for robot, lane in cell.lanes.items()),
        signals=tuple(SignalInfo(name=s.name, label=s.label, unit=s.unit, group=s.group) for s in signals),
        masters=tuple(show.describe() for show in views_of(cell, masters)),
    )


def _robot(cell: Cell, name: str, lane: Lane, masters: Mapping[str, Master]) -> RobotInfo:
    gripper, master = lane.model.gripper, cell.master_of(name)
    return RobotInfo(
        name=name,
        model=lane.model.name,
        joints=tuple(_joint(joint, home) for joint, home in zip(lane.model.arm.joints, lane.home, strict=True)),
        gripper=GripperInfo(opening=gripper.opening) if gripper else None,
        base=_base(cell, name),
        tip=_tip(cell, name),
        frames=_frames(cell, name),
        mappings=tuple(
            MappingInfo(name=title, kind=m.kind, feel=m.feel, axes=m.axes, frame=m.frame, scalable=m.scalable)
            for title, m in lane.mappings.items()
        ),
        filters=tuple(lane.filter_names),
        master=master,
        by_hand=master in masters and driven_by_operator(masters[master]),
        switch=lane.power is not None,
        wrist=lane.wrist is not None,
        tool=cell.world.rig(name).placement.tool,
        tools=tools_of(cell.spec.robots[name]),
        scales=lane.scales,
        speeds=lane.speeds,
        parts=tuple(_parts(cell.robots[name], lane)),
        tracks=_tracks(lane.model.tracks) if lane.model.tracks else None,
        cameras=tuple(_cameras(cell, name)),
    )


def _cameras(cell: Cell, name: str) -> Iterator[CameraInfo]:
    rig, model = cell.world.rig(name), cell.world.compiled.model
    for spec, index in zip(rig.placement.cameras, rig.index.cameras, strict=True):
        position, rotation = model.cam_pos[index.number].tolist(), model.cam_quat[index.number].tolist()
        pan, tilt = (spec.head.pan, spec.head.tilt) if spec.head else (STILL, STILL)
        yield CameraInfo(
            name=spec.name,
            label=spec.label,
            place=_placed(cell, int(model.cam_bodyid[index.number]), Pose(tuple(position), tuple(rotation)), spec.name),
            fov=spec.fov,
            width=spec.width,
            height=spec.height,
            pan=None if pan == STILL else pan,
            tilt=None if tilt == STILL else tilt,
            zoom=spec.head.zoom if spec.head else 1.0,
        )


def _parts(robot: RobotSpec, lane: Lane) -> Iterator[PartInfo]:
    """Yield the parts of a robot's set-up that can be changed."""
    for title, table in zip(filter_titles(robot.filters), robot.filters, strict=True):
        yield PartInfo(part="filter", name=title, settings=table)
    for title, table in robot.mappings.items():
        yield PartInfo(part="mapping", name=title, settings=table)
    yield PartInfo(part="watchdog", name="", settings=_settings(lane.watchdog))
    yield PartInfo(part="speeds", name="", settings={"values": lane.speeds})
    yield PartInfo(part="scales", name="", settings={"values": lane.scales})
    yield PartInfo(part="feedback", name="", settings=_settings(lane.reflection))
    if lane.avoid:
        yield PartInfo(part="avoid", name="", settings=_settings(lane.avoid))
    yield PartInfo(part="drive", name="", settings={"kind": robot.drive.kind, **msgspec.to_builtins(robot.drive)})


def _settings(spec: Struct) -> dict[str, Any]:
    """Return all settings of a table, including those with default values."""
    return {name: value for name in spec.__struct_fields__ if (value := getattr(spec, name)) is not None}


def _joint(joint: JointSpec, home: float) -> JointInfo:
    return JointInfo(
        name=joint.name,
        label=joint.label or joint.name,
        kind=joint.kind,
        lower=joint.lower if math.isfinite(joint.lower) else None,
        upper=joint.upper if math.isfinite(joint.upper) else None,
        home=home,
        velocity=joint.velocity,
    )


def _tracks(tracks: TracksSpec) -> TracksInfo:
    return TracksInfo(
        flippers=tuple(_joint(joint, joint.home) for joint in tracks.flippers),
        speed=tracks.speed,
        wheelbase=tracks.wheelbase,
        gauge=tracks.gauge,
        length=tracks.length,
        hub=tracks.hub,
        tip=tracks.tip,
    )


def _base(cell: Cell, name: str) -> Place:
    """Return the base frame: in the world, or on the moving base of a robot on tracks."""
    rig = cell.world.rig(name)
    if rig.tracks is None:
        return Place(body=FIXED, pose=rig.T_world_base, name="base")
    return _placed(cell, int(rig.index.base_body), IDENTITY, "base")


def _tip(cell: Cell, name: str) -> Place:
    """Return the tip frame, on the moving body that carries it."""
    compiled = cell.world.compiled
    index, model = compiled.index.robots[name], compiled.model
    return _placed(cell, int(index.tip_body), _site_pose(model, int(index.tip_site)), "tip")


def _site_pose(model: Any, site: int) -> Pose:
    position, rotation = model.site_pos[site].tolist(), model.site_quat[site].tolist()
    return Pose(tuple(position), tuple(rotation))


def _frames(cell: Cell, name: str) -> tuple[Place, ...]:
    """Return the Denavit–Hartenberg frames, each on the link that carries it, base first; empty for a Delta robot."""
    if cell.lanes[name].model.delta is not None:
        return ()
    compiled = cell.world.compiled
    model, data = compiled.model, mujoco.MjData(compiled.model)
    mujoco.mj_kinematics(model, data)
    chain = cell.lanes[name].chain
    joints = chain.links.names if isinstance(chain, SerialChain) else chain.names
    numbers = [int(model.joint(joint).id) for joint in joints]
    base = int(compiled.index.robots[name].base_body)
    # Frame i moves with link i: the first with the base, each other one with the body that the previous joint moves.
    links = [base, *(int(model.jnt_bodyid[number]) for number in numbers[:-1])]
    frames = dh_frames(data.xanchor[numbers], data.xaxis[numbers], _frame_of(data, base))
    return tuple(
        _placed(cell, body, from_matrix(np.linalg.inv(_frame_of(data, body)) @ frame), str(i))
        for i, (body, frame) in enumerate(zip(links, frames, strict=True))
    )


def _frame_of(data: Any, body: int) -> Floats:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = data.xmat[body].reshape(3, 3), data.xpos[body]
    return T


def _placed(cell: Cell, body: int, pose: Pose, name: str) -> Place:
    """Return a frame on any body as a frame on the moving body to which it is welded."""
    compiled = cell.world.compiled
    carrier = int(compiled.model.body_weldid[body])
    if carrier == 0:
        return Place(body=FIXED, pose=_in_carrier(compiled.model, body, 0, pose), name=name)
    return Place(
        body=compiled.look.body_ids.index(carrier),
        pose=_in_carrier(compiled.model, body, carrier, pose),
        name=name,
    )


def _in_carrier(model: Any, body: int, carrier: int, pose: Pose) -> Pose:
    """Return a pose on a body in the frame of an ancestor to which the body is fixed."""
    T = pose
    while body != carrier:
        position, rotation = model.body_pos[body].tolist(), model.body_quat[body].tolist()
        T = compose(Pose(tuple(position), tuple(rotation)), T)
        body = int(model.body_parentid[body])
    return T
