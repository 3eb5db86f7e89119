"""Make the blueprint of a world from a cell file."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
from msgspec.structs import replace

from farhand.cell.cell_files import objects_of
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell.model_store import ModelKey, ModelStore
from farhand.config import ConfigError, read_regular
from farhand.errors import CellFileError, DriveError, FarhandError, UnknownNameError, WorldError, shown
from farhand.formats import DEFAULT_LIMITS
from farhand.formats.camera_tables import cameras_of
from farhand.formats.compiling import forget_meshes
from farhand.formats.meshes import MeshPart, load_mesh, to_stl
from farhand.formats.model import RobotModel
from farhand.poses import Pose, normalized
from farhand.robots import tool_names
from farhand.types import ObjectSpec
from farhand.world import Blueprint, Compiled, Placement, compile_world, loose
from farhand.world.attach import body_of_link
from farhand.world.surface_kinds import SURFACES

__all__ = ["blueprint_of", "compiled_of", "with_tool"]


def blueprint_of(spec: CellSpec, path: Path, seed: int, models: ModelStore) -> Blueprint:
    """Return the blueprint of the cell's world.

    Args:
        spec: The content of the cell file.
        path: The cell file.
        seed: The seed that scatters loose objects.
        models: Robot models that are already read; others are read and added.

    Raises:
        CellFileError: If a robot or mesh named in the file cannot be read, or does not fit.
    """
    random = Random(seed)
    try:
        found = objects_of(spec)
    except ConfigError as error:
        raise error.in_file(path, CellFileError) from error
    objects = tuple(_scattered(item, spec.world.scatter, random) for _, item in found)
    meshes = {o.mesh: _mesh(path, i, o) for i, o in enumerate(objects) if o.shape == "mesh"}
    robots = tuple(_placement(name, robot, path, models) for name, robot in spec.robots.items())
    ground = SURFACES[spec.world.surface].friction if spec.world.surface else spec.world.friction
    return Blueprint(objects, robots, meshes, spec.world.floor, spec.timestep, seed, ground)


def compiled_of(blueprint: Blueprint, path: Path) -> Compiled:
    """Return the compiled world of a cell file.

    Raises:
        CellFileError: If the physics refuses it, or a drive would be unstable.
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
    return to_stl(MeshPart(np.vstack([part.vertices for part in parts]), faces))


def _placement(name: str, robot: RobotSpec, path: Path, models: ModelStore) -> Placement:
    field = f"robots.{name}"
    try:
        model = models.load(_key(robot, robot.tool), path, name)
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


def with_tool(placement: Placement, robot: RobotSpec, path: Path, tool: str, models: ModelStore) -> Placement:
    """Return a robot with another tool, or without one if `tool` is empty.

    Raises:
        FarhandError: If there is no such tool, or the robot cannot mount it.
    """
    return replace(placement, model=models.load(_key(robot, tool or None), path), tool=tool)


def _key(robot: RobotSpec, tool: str | None) -> ModelKey:
    return ModelKey(robot.model, robot.tip, robot.base, tool)


def _check_home(robot: RobotSpec, model: RobotModel, path: Path, field: str) -> None:
    joints = model.arm.joints
    if robot.home and len(robot.home) != len(joints):
        problem = f"found {len(robot.home)} numbers, expected one for each of the {len(joints)} joints"
        raise CellFileError(path, problem, field=f"{field}.home")
    for i, (at, joint) in enumerate(zip(robot.home, joints, strict=False)):
        if not joint.lower <= at <= joint.upper:
            problem = f"found {at:g}, expected {joint.lower:g} to {joint.upper:g} ({joint.label or joint.name})"
            raise CellFileError(path, problem, field=f"{field}.home[{i}]")
