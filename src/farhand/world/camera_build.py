"""Cameras in MuJoCo's model: the camera itself, a small visible housing, and a head with joints that turn it.

A head pans about the camera's y axis and then tilts about its x axis, both through one point; the lens sits a little in
front of it. The moving parts are light and balanced about both axes, so no posture of the robot makes the head sag.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco

from farhand.formats.model import CameraSpec
from farhand.poses import Vec3
from farhand.world.attach import body_of_link
from farhand.world.blueprint import Placement

__all__ = ["HEAD_EFFORT", "add_camera", "camera_name", "head_joints"]

HEAD_EFFORT = 5.0  # Nm
LENS_OFFSET_M = 0.045  # from a head's axes to its lens
NECK_KG, HEAD_KG = 0.15, 0.25
ROTOR, FRICTION = 0.01, 0.05  # kg·m² and Nm·s of a head's axis
DARK, GREY, GLASS = (0.10, 0.11, 0.12), (0.30, 0.32, 0.34), (0.16, 0.24, 0.34)


def camera_name(robot: str, camera: str) -> str:
    """Return the name of a robot's camera in the compiled model."""
    return f"{robot}/camera/{camera}"


def head_joints(camera: CameraSpec) -> tuple[str, ...]:
    """Return the joints that turn a camera, without the robot's name: pan and tilt, as far as the head has them."""
    if camera.head is None:
        return ()
    axes = (("pan", camera.head.pan), ("tilt", camera.head.tilt))
    return tuple(f"camera/{camera.name}/{axis}" for axis, limits in axes if limits != (0.0, 0.0))


def add_camera(spec: Any, placement: Placement, camera: CameraSpec) -> None:
    """Add a camera to a robot that is already part of the model.

    Raises:
        UnknownNameError: If the robot has no such link.
    """
    name = camera_name(placement.name, camera.name)
    link = spec.body(f"{placement.name}/{body_of_link(placement.model, camera.link or 'base')}")
    if camera.head is None:
        frame = link.add_frame(pos=camera.position, quat=camera.rotation)
        _add_lens(link, camera, name, 0.0, frame)
        _add_box(link, (0.016, 0.014, 0.018), (0.0, 0.0, 0.022), DARK, frame)
        return
    neck = link.add_body(name=f"{name}/neck", pos=camera.position, quat=camera.rotation)
    _add_round(neck, 0.030, 0.008, (0.0, -0.050, 0.0), GREY, turned=True)
    for side in (-0.045, 0.045):
        _add_box(neck, (0.005, 0.035, 0.014), (side, -0.012, 0.0), GREY)
    _set_mass(neck, NECK_KG)
    head = neck.add_body(name=f"{name}/head")
    _add_box(head, (0.036, 0.028, 0.036), (0.0, 0.0, 0.002), DARK)
    _add_lens(head, camera, name, -LENS_OFFSET_M, None)
    _set_mass(head, HEAD_KG)
    for body, axis, limits in ((neck, "pan", camera.head.pan), (head, "tilt", camera.head.tilt)):
        if limits != (0.0, 0.0):
            _add_axis(body, f"{name}/{axis}", (0.0, 1.0, 0.0) if axis == "pan" else (1.0, 0.0, 0.0))


def _add_axis(body: Any, name: str, axis: Vec3) -> None:
    joint = body.add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, axis=axis)
    joint.armature = ROTOR
    joint.damping[0] = FRICTION


def _add_lens(body: Any, camera: CameraSpec, name: str, at: float, frame: Any) -> None:
    lens = body.add_camera(name=name, pos=(0.0, 0.0, at), fovy=math.degrees(camera.fov))
    lens.resolution = [camera.width, camera.height]
    if frame is not None:
        lens.set_frame(frame)
    _add_round(body, 0.011, 0.003, (0.0, 0.0, at + 0.004), GLASS, frame)


def _add_box(body: Any, half: Vec3, at: Vec3, colour: Vec3, frame: Any = None) -> None:
    _add_look(body, mujoco.mjtGeom.mjGEOM_BOX, half, at, colour, frame)


def _add_round(
    body: Any, radius: float, half: float, at: Vec3, colour: Vec3, frame: Any = None, *, turned: bool = False
) -> None:
    geom = _add_look(body, mujoco.mjtGeom.mjGEOM_CYLINDER, (radius, half, 0.0), at, colour, frame)
    if turned:
        geom.quat = [0.5**0.5, 0.5**0.5, 0.0, 0.0]


def _add_look(body: Any, kind: Any, size: Vec3, at: Vec3, colour: Vec3, frame: Any) -> Any:
    """Add a visible shape without mass and collisions, so that cameras do not get caught."""
    geom = body.add_geom(type=kind, size=size, pos=at, rgba=(*colour, 1.0), mass=0.0, group=2, contype=0, conaffinity=0)
    if frame is not None:
        geom.set_frame(frame)
    return geom


def _set_mass(body: Any, mass: float) -> None:
    """Set the mass of a part of a head, with the inertia of a ball of 4 cm radius."""
    body.explicitinertial = True
    body.mass, body.ipos = mass, [0.0, 0.0, 0.0]
    body.inertia = [0.4 * mass * 0.04**2] * 3
