"""From what a cell file says to a blueprint, lanes and masters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import numpy as np
from msgspec.structs import replace

from farhand.cell.files import kind_of, settings_of
from farhand.cell.spec import CellSpec, RobotSpec
from farhand.config import ConfigError, read_regular
from farhand.errors import CellFileError, DriveError, FarhandError, UnknownNameError, WorldError
from farhand.filters import FILTERS, Filter, Placed, Surroundings
from farhand.formats import DEFAULT_LIMITS
from farhand.formats.meshes import Part, load_mesh, to_stl
from farhand.formats.model import RobotModel
from farhand.lane import Lane
from farhand.mapping import MAPPINGS, Driven
from farhand.masters import MASTERS, Master
from farhand.poses import Pose, normalized
from farhand.robots import load_robot
from farhand.types import ObjectSpec
from farhand.world import Blueprint, Compiled, Placement, World, compile_world, loose

__all__ = ["blueprint_of", "compiled_of", "lanes_of", "masters_of"]

T = TypeVar("T")


def blueprint_of(spec: CellSpec, path: Path, seed: int, models: Mapping[str, RobotModel]) -> Blueprint:
    """Return what the cell's world is made of; the seed decides where loose objects are scattered.

    Models that have been read already are taken from `models`, by robot name.

    Raises:
        CellFileError: If a robot or mesh that the file names cannot be had, or does not fit.
    """
    random = Random(seed)
    objects = tuple(_scattered(item, spec.world.scatter, random) for item in spec.world.objects)
    meshes = {o.mesh: _mesh(path, i, o) for i, o in enumerate(objects) if o.shape == "mesh"}
    robots = tuple(_placement(name, robot, path, models.get(name)) for name, robot in spec.robots.items())
    return Blueprint(objects, robots, meshes, spec.world.floor, spec.timestep)


def compiled_of(blueprint: Blueprint, path: Path) -> Compiled:
    """Return the compiled world of a cell file.

    Raises:
        CellFileError: If it makes no world, or a drive would be unstable.
    """
    try:
        return compile_world(blueprint)
    except DriveError as error:
        raise CellFileError(path, error.problem, field=f"robots.{error.robot}.drive") from error
    except WorldError as error:
        raise CellFileError(path, str(error), field="world") from error


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
        raise CellFileError(path, f"{item.mesh!r} cannot be read: {reason}", field=field) from error
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
    pose = Pose(robot.position, normalized(robot.rotation))
    return Placement(name, model, pose, robot.drive, robot.home)


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
        CellFileError: If a mapping's or filter's settings do not fit.
    """
    masters = masters_of(spec, path)
    return {
        name: _lane(name, robot, spec, path, world, masters.get(robot.master or next(iter(masters), "")))
        for name, robot in spec.robots.items()
    }


def _lane(name: str, robot: RobotSpec, spec: CellSpec, path: Path, world: World, master: Master | None) -> Lane:
    placement, field = world.rig(name).placement, f"robots.{name}"
    model, gripper = placement.model, placement.model.gripper
    driven = Driven(
        velocity=tuple(joint.velocity for joint in model.arm.joints),
        opening=gripper.opening if gripper else 0.0,
        grip_speed=gripper.speed if gripper else 0.0,
        joints=tuple(joint.name for joint in model.arm.joints),
        device=getattr(master, "device", None),  # only masters that have joints have one
        dt=spec.timestep,
    )
    mappings = {
        title: _made(
            lambda t: MAPPINGS[kind_of(t, MAPPINGS, "")](settings_of(t), driven),
            table,
            path,
            f"{field}.mappings.{title}",
        )
        for title, table in robot.mappings.items()
    }
    around = Surroundings(
        placement.T_world_base, {item.name: item for item in world.blueprint.objects}, world.blueprint.meshes
    )
    filters = {
        title: _made(lambda t: _filter(t, around), table, path, f"{field}.filters[{i}]")
        for i, (title, table) in enumerate(zip(_titles(robot.filters), robot.filters, strict=True))
    }
    return Lane(
        name=name,
        model=model,
        chain=world.rig(name).chain,
        mappings=mappings,
        filters=filters,
        watchdog=robot.watchdog,
        speeds=spec.speeds,
        home=placement.home_joints(),
        leads=world.rig(name).leads(),
        grip_lead=world.rig(name).grip_lead(),
        dt=spec.timestep,
        base=placement.T_world_base.rotation,
        reflection=robot.feedback,
        power=robot.power,
        scales=robot.scales,
        avoid=robot.avoid,
    )


def _filter(table: dict[str, Any], around: Surroundings) -> Filter:
    made = FILTERS[kind_of(table, FILTERS, "")](settings_of(table))
    return made.placed(around) if isinstance(made, Placed) else made


def _titles(tables: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield a name for each filter: its kind, and its number from the second of a kind on."""
    seen: Counter[str] = Counter()
    for table in tables:
        kind = kind_of(table, FILTERS, "")
        seen[kind] += 1
        yield kind if seen[kind] == 1 else f"{kind} {seen[kind]}"


def masters_of(spec: CellSpec, path: Path) -> dict[str, Master]:
    """Return the masters that the cell file describes, by name.

    Raises:
        CellFileError: If a master's settings do not fit.
    """
    return {
        name: _made(
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


def _made(make: Callable[[dict[str, Any]], T], table: dict[str, Any], path: Path, field: str) -> T:
    try:
        return make(table)
    except ConfigError as error:
        raise error.within(field).in_file(path, CellFileError) from error
    except FarhandError as error:
        raise CellFileError(path, str(error), field=field) from error
