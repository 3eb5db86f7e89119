"""From what a cell file says to a blueprint, lanes and masters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import msgspec
import numpy as np
from msgspec.structs import replace

from farhand.cell.files import kind_of, objects_of, settings_of
from farhand.cell.limits import check_limits, check_noise
from farhand.cell.respec import filter_titles
from farhand.cell.spec import CellSpec, RobotSpec
from farhand.config import ConfigError, read_regular
from farhand.devices import Device
from farhand.errors import CellFileError, DriveError, FarhandError, UnknownNameError, WorldError, shown
from farhand.filters import FILTERS, Filter, Placed, Surroundings
from farhand.filters.wrist import Mount, Wrist
from farhand.formats import DEFAULT_LIMITS
from farhand.formats.cameras import cameras_of
from farhand.formats.compiling import forget_meshes
from farhand.formats.meshes import Part, load_mesh, to_stl
from farhand.formats.model import RobotModel
from farhand.lane import Lane
from farhand.lane.setup import Setup
from farhand.mapping import MAPPINGS, Driven
from farhand.mapping import Mapping as Mapped
from farhand.masters import MASTERS, Master
from farhand.poses import Pose, normalized
from farhand.robots import load_robot, tool_names
from farhand.types import ObjectSpec
from farhand.world import Blueprint, Compiled, Placement, World, compile_world, loose
from farhand.world.attach import body_of_link
from farhand.world.surfaces import SURFACES

__all__ = [
    "around_of",
    "blueprint_of",
    "compiled_of",
    "lane_of",
    "lanes_of",
    "masters_of",
    "setup_of",
    "with_tool",
]

T = TypeVar("T")


def blueprint_of(spec: CellSpec, path: Path, seed: int, models: Mapping[str, RobotModel]) -> Blueprint:
    """Return what the cell's world is made of; the seed decides where loose objects are scattered.

    Models that have been read already are taken from `models`, by robot name.

    Raises:
        CellFileError: If a robot or mesh that the file names cannot be had, or does not fit.
    """
    random = Random(seed)
    try:
        found = objects_of(spec)
    except ConfigError as error:
        raise error.in_file(path, CellFileError) from error
    objects = tuple(_scattered(item, spec.world.scatter, random) for _, item in found)
    meshes = {o.mesh: _mesh(path, i, o) for i, o in enumerate(objects) if o.shape == "mesh"}
    robots = tuple(_placement(name, robot, path, models.get(name)) for name, robot in spec.robots.items())
    ground = SURFACES[spec.world.surface].friction if spec.world.surface else spec.world.friction
    return Blueprint(objects, robots, meshes, spec.world.floor, spec.timestep, seed, ground)


def compiled_of(blueprint: Blueprint, path: Path) -> Compiled:
    """Return the compiled world of a cell file.

    Raises:
        CellFileError: If it makes no world, or a drive would be unstable.
    """
    try:
        made = compile_world(blueprint)
    except DriveError as error:
        raise CellFileError(path, error.problem, field=f"robots.{error.robot}.drive") from error
    except WorldError as error:
        raise CellFileError(path, str(error), field="world") from error
    forget_meshes()
    return made


def _scattered(item: ObjectSpec, scatter: float, random: Random) -> ObjectSpec:
    if not scatter or not loose(item):
        return item
    x, y, z = item.position
    return replace(item, position=(x + random.uniform(-scatter, scatter), y + random.uniform(-scatter, scatter), z))


def _mesh(path: Path, number: int, item: ObjectSpec) -> bytes:
    """Return an object's mesh file as one binary STL."""
    file, field = path.parent / item.mesh, f"world.objects[{number}].mesh"
    try:
        parts = load_mesh(read_regular(file, DEFAULT_LIMITS.total_bytes), file, DEFAULT_LIMITS)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CellFileError(path, f"{shown(item.mesh)} cannot be read: {reason}", field=field) from error
    except FarhandError as error:
        raise CellFileError(path, str(error), field=field) from error
    offsets = np.cumsum([0] + [len(part.vertices) for part in parts[:-1]])
    faces = np.vstack([part.faces + offset for part, offset in zip(parts, offsets, strict=True)])
    return to_stl(Part(np.vstack([part.vertices for part in parts]), faces))


def _placement(name: str, robot: RobotSpec, path: Path, model: RobotModel | None) -> Placement:
    field = f"robots.{name}"
    try:
        model = model or load_robot(_model_path(robot.model, path), tip=robot.tip, base=robot.base, tool=robot.tool)
    except UnknownNameError as error:
        raise CellFileError(path, str(error), field=f"{field}.{'tool' if error.kind == 'tool' else 'model'}") from error
    except FarhandError as error:
        raise CellFileError(path, str(error), field=f"{field}.model") from error
    _check_home(robot, model, path, field)
    for i, tool in enumerate(robot.tools):
        if tool not in tool_names():
            raise CellFileError(path, str(UnknownNameError("tool", tool, tool_names())), field=f"{field}.tools[{i}]")
    links = {f"attach[{i}]": item.link for i, item in enumerate(robot.attach)}
    links |= {f"cameras[{i}]": camera.link or "base" for i, camera in enumerate(robot.cameras)}
    for item, link in links.items():
        try:
            body_of_link(model, link)
        except UnknownNameError as error:
            raise CellFileError(path, str(error), field=f"{field}.{item}.link") from error
    pose = Pose(robot.position, normalized(robot.rotation))
    try:
        added = cameras_of(robot.cameras, frozenset(camera.name for camera in model.cameras))
    except ConfigError as error:
        raise error.within(field).in_file(path, CellFileError) from None
    wrist, tool = robot.wrist or model.wrist, robot.tool or ""
    clear = robot.avoid is not None and robot.avoid.surroundings
    return Placement(name, model, pose, robot.drive, robot.home, wrist, tool, added, robot.attach, keeps_clear=clear)


def with_tool(placement: Placement, robot: RobotSpec, path: Path, tool: str) -> Placement:
    """Return a robot with another tool, or with none.

    Raises:
        FarhandError: If there is no such tool, or the robot cannot take it.
    """
    model = load_robot(_model_path(robot.model, path), tip=robot.tip, base=robot.base, tool=tool or None)
    return replace(placement, model=model, tool=tool)


def _model_path(model: str, path: Path) -> str:
    """Return a path relative to the cell file as one that can be opened; names of the catalogue as they are."""
    try:
        near = path.parent / model
        return str(near) if near.is_file() else model
    except (OSError, ValueError):  # too long, or no path at all: then it can only be a name
        return model


def _check_home(robot: RobotSpec, model: RobotModel, path: Path, field: str) -> None:
    joints = model.arm.joints
    if robot.home and len(robot.home) != len(joints):
        problem = f"found {len(robot.home)} numbers, expected one for each of the {len(joints)} joints"
        raise CellFileError(path, problem, field=f"{field}.home")
    for i, (at, joint) in enumerate(zip(robot.home, joints, strict=False)):
        if not joint.lower <= at <= joint.upper:
            problem = f"found {at:g}, expected {joint.lower:g} to {joint.upper:g} ({joint.label or joint.name})"
            raise CellFileError(path, problem, field=f"{field}.home[{i}]")


def lanes_of(spec: CellSpec, path: Path, world: World) -> dict[str, Lane]:
    """Return a lane for each robot.

    Raises:
        CellFileError: If a mapping's or filter's settings do not fit, or limits contradict each other.
    """
    masters = masters_of(spec, path)
    lanes = {name: lane_of(name, spec, path, world, masters) for name in spec.robots}
    for name, lane in lanes.items():
        try:
            check_limits(lane, around_of(name, world))
            check_noise(lane.setup.filters.values(), world.rig(name).placement.wrist)
        except ConfigError as error:
            raise error.within(f"robots.{name}").in_file(path, CellFileError) from error
    return lanes


def lane_of(
    name: str, spec: CellSpec, path: Path, world: World, masters: Mapping[str, Master], robot: RobotSpec | None = None
) -> Lane:
    """Return the lane of one robot.

    Args:
        name: Of the robot.
        spec: What the cell file says.
        path: Where that is.
        world: The robot stands in.
        masters: By name.
        robot: What is said of the robot, if that is not what the file says.

    Raises:
        CellFileError: If a mapping's or filter's settings do not fit.
    """
    robot = robot or spec.robots[name]
    try:
        return _lane(name, robot, spec, world, masters.get(robot.master or next(iter(masters), "")))
    except ConfigError as error:
        raise error.within(f"robots.{name}").in_file(path, CellFileError) from error


def _lane(name: str, robot: RobotSpec, spec: CellSpec, world: World, master: Master | None) -> Lane:
    placement, model = world.rig(name).placement, world.rig(name).placement.model
    driven = driven_of(model, getattr(master, "device", None), spec.timestep)  # only masters with joints have one
    setup = setup_of(robot, spec, driven, around_of(name, world))
    return Lane(
        name=name,
        model=model,
        chain=world.rig(name).chain,
        mappings=setup.mappings,
        filters=setup.filters,
        watchdog=setup.watchdog,
        speeds=setup.speeds,
        home=placement.home_joints(),
        leads=world.rig(name).leads(),
        grip_lead=world.rig(name).grip_lead(),
        dt=spec.timestep,
        base=world.compiled.bases[name].rotation,
        reflection=setup.reflection,
        power=robot.power,
        scales=setup.scales,
        driven=driven,
        avoid=setup.avoid,
        wrist=_wrist(placement, world, spec.timestep),
        flipper_leads=world.rig(name).flipper_leads(),
    )


def _wrist(placement: Placement, world: World, dt: float) -> Wrist | None:
    """Return what makes sense of a robot's wrist sensor, if it has one."""
    if placement.wrist is None:
        return None
    hanging, base = world.rig(placement.name).hanging(), world.compiled.bases[placement.name].rotation
    payload, gripper = placement.wrist.payload, placement.model.gripper
    mount = Mount(hanging.T_tip_sensor, hanging.mass, hanging.centre, payload, base, gripper, hanging.solid)
    return Wrist(mount, dt)


def driven_of(model: RobotModel, device: Device | None, dt: float) -> Driven:
    """Return what mappings must know of a robot."""
    joints, gripper = model.arm.joints, model.gripper
    return Driven(
        velocity=tuple(joint.velocity for joint in joints),
        opening=gripper.opening if gripper else 0.0,
        grip_speed=gripper.speed if gripper else 0.0,
        joints=tuple(joint.name for joint in joints),
        device=device,
        dt=dt,
        tracks=model.tracks,
        slides=tuple(joint.name for joint in joints if joint.kind == "slide"),
    )


def around_of(name: str, world: World, objects: Iterable[ObjectSpec] | None = None) -> Surroundings:
    """Return what filters must know of where a robot is, among the world's objects or others."""
    blueprint = world.blueprint
    there = blueprint.objects if objects is None else objects
    return Surroundings(world.compiled.bases[name], {item.name: item for item in there}, blueprint.meshes)


def setup_of(
    robot: RobotSpec,
    spec: CellSpec,
    driven: Driven,
    around: Surroundings,
    before: tuple[RobotSpec, Setup] | None = None,
) -> Setup:
    """Return how a robot is driven.

    Args:
        robot: What its table says.
        spec: What the cell file says.
        driven: For its mappings.
        around: For its filters.
        before: What its table said before, and what came of it: what has not changed is taken over as it is.

    Raises:
        ConfigError: If a mapping's or filter's settings do not fit.
    """
    mappings, filters = _known(before)
    return Setup(
        mappings={
            title: mappings.get((title, _key(table)))
            or _made(lambda t: MAPPINGS[kind_of(t, MAPPINGS, "")](settings_of(t), driven), table, f"mappings.{title}")
            for title, table in robot.mappings.items()
        },
        filters={
            title: _again(filters, table) or _made(lambda t: _filter(t, around), table, f"filters[{i}]")
            for i, (title, table) in enumerate(zip(filter_titles(robot.filters), robot.filters, strict=True))
        },
        watchdog=robot.watchdog,
        speeds=robot.speeds or spec.speeds,
        scales=robot.scales,
        reflection=robot.feedback,
        avoid=robot.avoid,
    )


Key = bytes


def _key(table: dict[str, Any]) -> Key:
    return msgspec.msgpack.encode(table, order="deterministic")


def _known(
    before: tuple[RobotSpec, Setup] | None,
) -> tuple[dict[tuple[str, Key], Mapped], list[tuple[Key, Filter]]]:
    """Return what there is already, by the tables it was made from."""
    if before is None:
        return {}, []
    robot, setup = before
    mappings = {(title, _key(table)): setup.mappings[title] for title, table in robot.mappings.items()}
    made = [setup.filters[title] for title in filter_titles(robot.filters)]
    return mappings, [(_key(table), stage) for table, stage in zip(robot.filters, made, strict=True)]


def _again(known: list[tuple[Key, Filter]], table: dict[str, Any]) -> Filter | None:
    """Return the first filter that was made from a table, once."""
    key = _key(table)
    for i, (other, stage) in enumerate(known):
        if other == key:
            del known[i]
            return stage
    return None


def _filter(table: dict[str, Any], around: Surroundings) -> Filter:
    made = FILTERS[kind_of(table, FILTERS, "")](settings_of(table))
    return made.placed(around) if isinstance(made, Placed) else made


def masters_of(spec: CellSpec, path: Path) -> dict[str, Master]:
    """Return the masters that the cell file describes, by name.

    Raises:
        CellFileError: If a master's settings do not fit.
    """
    return {
        name: _in_file(
            lambda t: MASTERS[kind_of(t, MASTERS, "")](settings_of(_with_model(t, path)), path.parent),
            table,
            path,
            f"masters.{name}",
        )
        for name, table in spec.masters.items()
    }


def _with_model(table: dict[str, Any], path: Path) -> dict[str, Any]:
    """Return a master's table with the robot that its settings name, read: masters know no catalogue."""
    settings = table.get("settings")
    name = settings.get("model") if isinstance(settings, dict) else None
    if not isinstance(settings, dict) or not isinstance(name, str):
        return table
    try:
        model = load_robot(_model_path(name, path))
    except FarhandError as error:
        raise ConfigError("settings.model", str(error)) from error
    return {**table, "settings": {**settings, "model": model}}


def _made(make: Callable[[dict[str, Any]], T], table: dict[str, Any], field: str) -> T:
    try:
        return make(table)
    except ConfigError as error:
        raise error.within(field) from error
    except FarhandError as error:
        raise ConfigError(field, str(error)) from error


def _in_file(make: Callable[[dict[str, Any]], T], table: dict[str, Any], path: Path, field: str) -> T:
    try:
        return _made(make, table, field)
    except ConfigError as error:
        raise error.in_file(path, CellFileError) from error
