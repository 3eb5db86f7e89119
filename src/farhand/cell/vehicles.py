"""What carries an arm, as the arm keeps clear of it: from the compiled world to a vehicle of solids."""

from __future__ import annotations

import mujoco
import numpy as np
from msgspec.structs import replace

from farhand.distances import Flipper, Item, Piece, Vehicle, base_pieces
from farhand.lane.avoidance import AvoidSpec
from farhand.poses import Pose, Vec3, inverse, rotate, transform_point
from farhand.world import Compiled, Placement

__all__ = ["BODY", "parts_of", "pose_of", "vehicle_of"]

BODY = "body"


def parts_of(placement: Placement) -> tuple[str, ...]:
    """Return what the parts of a robot's vehicle are called; nothing for a robot that stands."""
    tracks = placement.model.tracks
    return (BODY, *[joint.link for joint in tracks.flippers]) if tracks else ()


def vehicle_of(placement: Placement, compiled: Compiled, avoid: AvoidSpec, speed: float) -> Vehicle:
    """Return what carries a robot's arm.

    Args:
        placement: The robot.
        compiled: The world that it is in.
        avoid: What may be touched of it, as the robot's table says.
        speed: m/s at which that is touched.
    """
    model, data, name = compiled.model, mujoco.MjData(compiled.model), placement.name
    tracks = placement.model.tracks
    assert tracks is not None
    data.qpos[:] = compiled.qpos_start
    for joint in tracks.flippers:
        data.joint(f"{name}/{joint.name}").qpos[0] = 0.0
    mujoco.mj_kinematics(model, data)
    base, joints = f"{name}/{placement.model.arm.base}", [f"{name}/{j.name}" for j in placement.model.arm.joints]
    pieces = base_pieces(model, data, base, joints)
    of_flipper = {f"{name}/{joint.name}": k for k, joint in enumerate(tracks.flippers)}
    sorted_pieces: list[list[Piece]] = [[] for _ in range(len(of_flipper) + 1)]
    for piece in pieces:
        sorted_pieces[of_flipper.get(_mover(model, piece.body), -1) + 1].append(piece)
    titles = parts_of(placement)
    items = [
        tuple([_item(piece, title, avoid, speed) for piece in some])
        for some, title in zip(sorted_pieces, titles, strict=True)
    ]
    T_base_world = inverse(pose_of(data, base))
    flippers = []
    for joint, some in zip(tracks.flippers, items[1:], strict=True):
        number = model.joint(f"{name}/{joint.name}").id
        hub, axis = _vector(data.xanchor[number]), _vector(data.xaxis[number])
        hub, axis = transform_point(T_base_world, hub), rotate(T_base_world.rotation, axis)
        flippers.append(Flipper(hub, axis, some, joint.acceleration, joint.jerk))
    return Vehicle(items[0], tuple(flippers), tracks.gauge, tracks.acceleration, tracks.jerk)


def _mover(model: mujoco.MjModel, body: str) -> str:
    """Return the body that carries a body about: itself, or the nearest one towards the base that has a joint."""
    at = int(model.body(body).id)
    while model.body_jntnum[at] == 0 and model.body_parentid[at] != 0:
        at = int(model.body_parentid[at])
    return str(model.body(at).name)


def _item(piece: Piece, title: str, avoid: AvoidSpec, speed: float) -> Item:
    may = title in avoid.may
    return Item(replace(piece.solid, name=title), speed if may else 0.0)


def pose_of(data: mujoco.MjData, body: str) -> Pose:
    """Return where a body is in the world."""
    w, x, y, z = data.body(body).xquat.tolist()
    return Pose(_vector(data.body(body).xpos), (w, x, y, z))


def _vector(values: np.ndarray) -> Vec3:
    x, y, z = values.tolist()
    return (x, y, z)
