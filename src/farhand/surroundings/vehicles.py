"""The vehicle that carries an arm, as solids made from the compiled world."""

from __future__ import annotations

import mujoco
import numpy as np
from msgspec.structs import replace

from farhand.distances import Carrier, CarrierFlipper, Flipper, Item, Solid, Vehicle, base_pieces
from farhand.poses import Vec3, inverse, rotate, transform_point
from farhand.surroundings.avoid_spec import AvoidSpec
from farhand.world import Compiled, Placement

__all__ = ["BODY", "carrier_of", "parts_of", "vehicle_of"]

BODY = "body"


def parts_of(placement: Placement) -> tuple[str, ...]:
    """Return the names of the parts of a robot's vehicle; none for a fixed robot."""
    tracks = placement.model.tracks
    return (BODY, *[joint.link for joint in tracks.flippers]) if tracks else ()


def carrier_of(placement: Placement, compiled: Compiled) -> Carrier | None:
    """Return the vehicle that carries a robot's arm, for other arms; None for a fixed robot.

    Args:
        placement: The robot.
        compiled: The compiled world.
    """
    tracks = placement.model.tracks
    if tracks is None:
        return None
    model, name = compiled.model, placement.name
    data, base = _level(placement, compiled), f"{name}/{placement.model.arm.base}"
    of_flipper = {f"{name}/{joint.name}": k for k, joint in enumerate(tracks.flippers)}
    parts: list[list[Solid]] = [[] for _ in range(len(of_flipper) + 1)]
    titles = parts_of(placement)
    arm = placement.model.arm
    chain = [f"{name}/{joint}" for joint in (*[j.name for j in arm.joints], *[t.joint for t in arm.followers])]
    for piece in base_pieces(model, data, base, chain):
        part = of_flipper.get(_mover(model, piece.body), -1) + 1
        parts[part].append(replace(piece.solid, name=titles[part]))
    T_base_world, flippers = inverse(compiled.bases[name]), []
    for joint, solids in zip(tracks.flippers, parts[1:], strict=True):
        number = model.joint(f"{name}/{joint.name}").id
        hub, axis = _vector(data.xanchor[number]), _vector(data.xaxis[number])
        hub, axis = transform_point(T_base_world, hub), rotate(T_base_world.rotation, axis)
        flippers.append(CarrierFlipper(hub, axis, tuple(solids)))
    return Carrier(tuple(parts[0]), tuple(flippers))


def vehicle_of(placement: Placement, carrier: Carrier, avoid: AvoidSpec, speed: float) -> Vehicle:
    """Return the vehicle that carries a robot's arm, for the arm itself.

    Args:
        placement: The robot.
        carrier: The vehicle, as other arms see it.
        avoid: The settings of collision avoidance.
        speed: Top speed of contact with parts that may be touched, m/s.
    """
    tracks = placement.model.tracks
    assert tracks is not None

    def items(solids: tuple[Solid, ...]) -> tuple[Item, ...]:
        return tuple([Item(solid, speed if solid.name in avoid.may else 0.0) for solid in solids])

    flippers = [
        Flipper(turning.hub, turning.axis, items(turning.solids), joint.acceleration, joint.jerk)
        for joint, turning in zip(tracks.flippers, carrier.flippers, strict=True)
    ]
    return Vehicle(items(carrier.body), tuple(flippers), tracks.gauge, tracks.acceleration, tracks.jerk)


def _level(placement: Placement, compiled: Compiled) -> mujoco.MjData:
    """Return the world at the start, with a robot's flippers at angle zero."""
    data, tracks = mujoco.MjData(compiled.model), placement.model.tracks
    assert tracks is not None
    data.qpos[:] = compiled.qpos_start
    for joint in tracks.flippers:
        data.joint(f"{placement.name}/{joint.name}").qpos[0] = 0.0
    mujoco.mj_kinematics(compiled.model, data)
    return data


def _mover(model: mujoco.MjModel, body: str) -> str:
    """Return the body that moves a body: itself, or its nearest parent with a joint."""
    at = int(model.body(body).id)
    while model.body_jntnum[at] == 0 and model.body_parentid[at] != 0:
        at = int(model.body_parentid[at])
    return str(model.body(at).name)


def _vector(values: np.ndarray) -> Vec3:
    x, y, z = values.tolist()
    return (x, y, z)
