"""Compile a blueprint to a MuJoCo model, with settings chosen by measurement."""

from __future__ import annotations

import math
import warnings
from typing import Any

import mujoco
import numpy as np

from farhand.errors import WorldError
from farhand.formats.model import RobotModel
from farhand.types import ObjectPart, ObjectSpec
from farhand.world.attach import AttachSpec, body_of_link, geom_of
from farhand.world.belt_friction import FLOOR, limit_belts
from farhand.world.blueprint import Blueprint, Placement
from farhand.world.camera_build import HEAD_EFFORT, add_camera, head_joints
from farhand.world.object_kinds import SWING, jointed, loose, shares, sprung
from farhand.world.surface_kinds import friction_of
from farhand.world.user_data import kept_by

__all__ = ["actuator_name", "compile_model", "sensor_name", "wrist_names"]

_GEOMS: dict[str, Any] = {
    "box": mujoco.mjtGeom.mjGEOM_BOX,
    "cylinder": mujoco.mjtGeom.mjGEOM_CYLINDER,
    "sphere": mujoco.mjtGeom.mjGEOM_SPHERE,
    "capsule": mujoco.mjtGeom.mjGEOM_CAPSULE,
    "mesh": mujoco.mjtGeom.mjGEOM_MESH,
}
_JOINTS: dict[str, Any] = {"hinge": mujoco.mjtJoint.mjJNT_HINGE, "slide": mujoco.mjtJoint.mjJNT_SLIDE}
# Fields of MuJoCo's contact sensor: found, force, torque, position.
_CONTACT_FIELDS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 4
_NET_FORCE = 3
ATTACHED = (0.30, 0.32, 0.34, 1.0)  # default colour of attachments
TIGHT = 0.9999  # impedance of stiff constraints (MuJoCo's solimp); 1 would be rigid


def actuator_name(robot: str, joint: str) -> str:
    """Return the name, in the compiled model, of the actuator of a robot's joint."""
    return f"{robot}/drive/{joint}"


def sensor_name(robot: str) -> str:
    """Return the name, in the compiled model, of a robot's tip contact sensor."""
    return f"{robot}/contact"


def wrist_names(robot: str) -> tuple[str, str, str]:
    """Return the names, in the compiled model, of site, force and torque of a robot's wrist sensor."""
    return f"{robot}/wrist", f"{robot}/wrist/force", f"{robot}/wrist/torque"


def compile_model(blueprint: Blueprint) -> Any:
    """Return the compiled MuJoCo model of a blueprint.

    Raises:
        WorldError: If MuJoCo cannot compile it; with MuJoCo's message.
    """
    try:
        model = _spec(blueprint).compile()
    except (ValueError, RuntimeError) as error:
        raise WorldError(f"the world cannot be compiled: {error}") from error
    for item in blueprint.objects:
        _check_swing(model, item)
    return model


def _check_swing(model: Any, item: ObjectSpec) -> None:
    """Refuse an object whose spring would oscillate too fast for the time step."""
    if item.joint is None or not item.joint.spring:
        return
    inertia = float(model.dof_M0[model.joint(item.name).dofadr[0]])
    most = inertia * (SWING / float(model.opt.timestep)) ** 2
    if item.joint.spring > most:
        raise WorldError(f"object {item.name!r}: its spring must be at most {most:.3g} for its mass and shape")


def _spec(blueprint: Blueprint) -> Any:
    spec = mujoco.MjSpec()
    spec.modelname = "farhand"
    _set_options(spec, blueprint.timestep)
    if blueprint.floor:
        floor = spec.worldbody.add_geom(
            name=FLOOR, type=mujoco.mjtGeom.mjGEOM_PLANE, size=[0, 0, 0.05], rgba=[0.24, 0.26, 0.27, 1]
        )
        if blueprint.floor_friction is not None:
            floor.friction[0] = blueprint.floor_friction
    for name, content in blueprint.meshes.items():
        spec.assets[f"{name}.stl"] = content
        spec.add_mesh(name=name, file=f"{name}.stl")
    for item in blueprint.objects:
        _add_object(spec, item)
    for placement in blueprint.robots:
        _add_robot(spec, placement)
    limit_belts(spec, blueprint)
    # drives and sensors keep their state in MuJoCo's user data, so that a copy of the data is complete
    spec.nuserdata = sum(kept_by(p) for p in blueprint.robots)
    return spec


def _set_options(spec: Any, timestep: float) -> None:
    option = spec.option
    option.timestep = timestep
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 100  # held objects creep 0.02-0.08 mm/s; with 10 up to 0.8
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP
    # on NaN MuJoCo would silently reset; here the world freezes with a note instead
    option.disableflags |= mujoco.mjtDisableBit.mjDSBL_AUTORESET
    spec.compiler.degree = False


def _add_object(spec: Any, item: ObjectSpec) -> None:
    carrier = spec.body(item.joint.on) if item.joint and item.joint.on else spec.worldbody
    body = carrier.add_body(name=item.name, pos=item.position, quat=item.rotation)
    shapes: tuple[ObjectSpec | ObjectPart, ...] = (item, *item.parts)
    geoms = [_add_shape(body, item, shape, s * item.mass) for shape, s in zip(shapes, shares(item), strict=True)]
    if loose(item):
        body.add_freejoint(name=item.name)
    elif sprung(item):
        _hold_by_springs(body, item)
    elif jointed(item):
        _hang_on_joint(spec, body, item)
    if loose(item) or jointed(item):
        for geom in geoms:
            # rolling and spinning friction bring cylinders and spheres to rest, so that they can sleep
            geom.condim = 6
            geom.friction[1:] = [0.003, 0.0005]


def _add_shape(body: Any, item: ObjectSpec, shape: ObjectSpec | ObjectPart, mass: float) -> Any:
    """Add one of an object's shapes to its body."""
    geom = body.add_geom(type=_GEOMS[shape.shape], rgba=shape.colour or item.colour)
    geom.friction[0] = friction_of(item)
    if isinstance(shape, ObjectPart):
        geom.pos, geom.quat = shape.position, shape.rotation
        if not shape.collides:
            geom.contype, geom.conaffinity = 0, 0
    else:
        geom.name = item.name
    if shape.shape == "mesh":
        geom.meshname = item.mesh
    else:
        geom.size = _half_sizes(shape)
    if item.mass > 0:
        geom.mass = mass
    return geom


def _hold_by_springs(body: Any, item: ObjectSpec) -> None:
    """Let a body move along each axis against a spring; its weight does not load the springs."""
    body.gravcomp = 1.0
    for name, axis in zip("xyz", np.eye(3), strict=True):
        joint = body.add_joint(name=f"{item.name}/{name}", type=mujoco.mjtJoint.mjJNT_SLIDE, axis=axis)
        joint.stiffness[0] = item.stiffness
        joint.damping[0] = 2.0 * item.damping * math.sqrt(item.stiffness * item.mass)


def _hang_on_joint(spec: Any, body: Any, item: ObjectSpec) -> None:
    """Let a body turn or slide in its place, and tie it to another one that it follows."""
    given = item.joint
    assert given is not None
    joint = body.add_joint(name=item.name, type=_JOINTS[given.kind], axis=given.axis, pos=given.at)
    joint.damping[0], joint.frictionloss = given.damping, given.friction
    joint.stiffness[0], joint.springref = given.spring, given.rest
    # stiff dry friction: by default a held joint would creep by some degrees a second
    joint.solimp_friction = [TIGHT, TIGHT, 0.001, 0.5, 2.0]
    if given.range is not None:
        joint.limited, joint.range = True, given.range
    if given.follows:
        tie = spec.add_equality(name=item.name, type=mujoco.mjtEq.mjEQ_JOINT, objtype=mujoco.mjtObj.mjOBJ_JOINT)
        tie.name1, tie.name2 = item.name, given.follows
        tie.data[:5] = [0.0, given.ratio, 0.0, 0.0, 0.0]
        # as stiff as the step allows: a jammed bolt must be drawn
        tie.solref, tie.solimp = [2.0 * spec.option.timestep, 1.0], [TIGHT, TIGHT, 0.001, 0.5, 2.0]


def _half_sizes(item: ObjectSpec | ObjectPart) -> list[float]:
    if item.shape == "box":
        return [0.5 * s for s in item.size]
    if item.shape == "sphere":
        return [item.size[0], 0, 0]
    return [item.size[0], 0.5 * item.size[1], 0]


def _add_robot(spec: Any, placement: Placement) -> None:
    model = placement.model
    try:
        child = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets)
    except (ValueError, RuntimeError) as error:
        raise WorldError(f"robot {placement.name!r} cannot be read: {error}") from error
    for i, item in enumerate(placement.attached):
        _attach(child, model, item, geom_of(i))
    _tighten(child, model, spec.option.timestep)
    stand = spec.worldbody.add_frame(pos=placement.T_world_stand.position, quat=placement.T_world_stand.rotation)
    with warnings.catch_warnings():
        # MuJoCo warns of assets that a later attachment might miss; each robot is attached once, with its own
        warnings.simplefilter("ignore")
        spec.attach(child, prefix=f"{placement.name}/", frame=stand)
    driven = [(joint.name, joint.effort) for joint in model.arm.joints]
    if model.gripper:
        driven += [(name, model.gripper.effort) for name in model.gripper.joints]
    driven += [(name, 0.0) for name in model.held]
    if model.tracks:
        driven += [(joint.name, joint.effort) for joint in model.tracks.flippers]
    for camera in placement.cameras:
        add_camera(spec, placement, camera)
        driven += [(name, HEAD_EFFORT) for name in head_joints(camera)]
    arm = {joint.name for joint in model.arm.joints}
    for name, effort in driven:
        _add_actuator(spec, placement.name, name, effort, placement.drive.kind if name in arm else "position")
    _add_contact_sensor(spec, placement)
    if placement.wrist is not None:
        _add_wrist_sensor(spec, placement)


def _attach(robot: Any, model: RobotModel, item: AttachSpec, name: str) -> None:
    """Add an attachment of the cell file to a robot's link."""
    geom = robot.body(body_of_link(model, item.link)).add_geom(name=name, type=_GEOMS[item.shape], pos=item.position)
    geom.quat, geom.size, geom.mass = item.rotation, _half_sizes(item), item.mass
    geom.rgba = item.colour or ATTACHED
    if not item.collides:
        geom.contype, geom.conaffinity = 0, 0


def _tighten(robot: Any, model: RobotModel, timestep: float) -> None:
    """Make loops, and ties of follower joints, as stiff as the time step allows: a gap is closed after one step.

    MuJoCo closes a gap r by r̈ = −b·ṙ − k·r. A step of dt gives v' = v − dt·(b·v + k·r) and r' = r + dt·v', so with b =
    1/dt and k = 1/dt² the next gap is zero.
    """
    loops = model.delta.loops if model.delta else ()
    tied = {tie.joint for tie in model.arm.followers}
    for loop in robot.equalities:
        if loop.name in loops or (loop.type == mujoco.mjtEq.mjEQ_JOINT and loop.name1 in tied):
            loop.solref = [-1.0 / timestep**2, -1.0 / timestep]
            loop.solimp = [TIGHT, TIGHT, 0.001, 0.5, 2.0]


def _add_actuator(spec: Any, robot: str, joint: str, effort: float, kind: str) -> None:
    actuator = spec.add_actuator(name=actuator_name(robot, joint), target=f"{robot}/{joint}")
    actuator.trntype = mujoco.mjtTrn.mjTRN_JOINT
    # the gains are set once the inertias are known
    if kind == "pid":
        actuator.set_to_motor()
    elif kind == "velocity":
        actuator.set_to_velocity(kv=1.0)
    else:
        actuator.set_to_position(kp=1.0, kv=1.0)
    actuator.ctrllimited = False
    if effort > 0 and np.isfinite(effort):
        actuator.forcelimited = True
        actuator.forcerange = [-effort, effort]


def _add_contact_sensor(spec: Any, placement: Placement) -> None:
    sensor = spec.add_sensor(name=sensor_name(placement.name), type=mujoco.mjtSensor.mjSENS_CONTACT)
    sensor.objtype = mujoco.mjtObj.mjOBJ_XBODY
    arm = placement.model.arm
    sensor.objname = f"{placement.name}/{arm.contact_body or arm.tool}"
    sensor.intprm[:] = [_CONTACT_FIELDS, _NET_FORCE, 1]


def _add_wrist_sensor(spec: Any, placement: Placement) -> None:
    """Add a site at the beginning of the tool, and MuJoCo's force and torque sensors at that site."""
    site, force, torque = wrist_names(placement.name)
    spec.body(f"{placement.name}/{placement.model.arm.tool}").add_site(name=site, group=4)
    for name, kind in ((force, mujoco.mjtSensor.mjSENS_FORCE), (torque, mujoco.mjtSensor.mjSENS_TORQUE)):
        sensor = spec.add_sensor(name=name, type=kind)
        sensor.objtype, sensor.objname = mujoco.mjtObj.mjOBJ_SITE, site
