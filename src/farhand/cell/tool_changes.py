"""Changes of tools and drives: which are possible, when, and the blueprint that results."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from msgspec.structs import replace

from farhand.cell.assemble import with_tool
from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell.model_store import ModelStore
from farhand.errors import UnknownNameError
from farhand.filters.wrist_wrench import carries
from farhand.formats.model import GripperSpec
from farhand.lane import LaneMemory
from farhand.notes import RefusedError
from farhand.types import ChangeTool, Note, RobotState, Subject
from farhand.world import Blueprint, DriveSpec

__all__ = ["after_change", "no_change", "rest_problem", "tools_of", "tools_on", "with_drives", "with_tools"]

STILL = 0.01  # rad/s or m/s: slower than this an arm is at rest
STILL_ACCELERATION = 0.1  # rad/s² or m/s² of a set-point: below this an arm does not start to move
AT_REST = ("idle", "stopped", "off")
MOVING, DRIVING, HOLDING = Note("change.moving"), Note("change.driving"), Note("change.holding")


def tools_of(robot: RobotSpec) -> tuple[str, ...]:
    """Return the tools that a robot can change to, including its first; none without a quick change."""
    return tuple(dict.fromkeys(filter(None, (robot.tool, *robot.tools)))) if robot.tools else ()


def tools_on(blueprint: Blueprint) -> tuple[str, ...]:
    """Return the tool of each robot, in order."""
    return tuple(placement.tool for placement in blueprint.robots)


def with_tools(
    blueprint: Blueprint, tools: Mapping[str, str], spec: CellSpec, path: Path, models: ModelStore
) -> Blueprint:
    """Return the blueprint with other tools on some robots.

    Args:
        blueprint: The present blueprint.
        tools: The new tools, by robot.
        spec: The content of the cell file.
        path: The cell file.
        models: Robot models that are already read.

    Raises:
        FarhandError: If there is no such tool, or a robot cannot mount it.
    """
    robots = list(blueprint.robots)
    for i, placement in enumerate(robots):
        name, tool = placement.name, tools.get(placement.name, placement.tool)
        if tool != placement.tool:
            robots[i] = with_tool(placement, spec.robots[name], path, tool, models)
    return replace(blueprint, robots=tuple(robots))


def after_change(blueprint: Blueprint, event: ChangeTool, spec: CellSpec, path: Path, models: ModelStore) -> Blueprint:
    """Return the blueprint after a change of tools.

    Args:
        blueprint: The present blueprint.
        event: The change.
        spec: The content of the cell file.
        path: The cell file.
        models: Robot models that are already read.

    Raises:
        FarhandError: If the robot has no such tool.
    """
    known = tools_of(spec.robots[event.robot])
    if not known:
        raise RefusedError(Note("refused.quick-change", about=(Subject("robot", event.robot),)))
    if event.tool and event.tool not in known:
        raise UnknownNameError("tool", event.tool, known)
    return with_tools(blueprint, {event.robot: event.tool}, spec, path, models)


def with_drives(blueprint: Blueprint, drives: Mapping[str, DriveSpec]) -> Blueprint:
    """Return the blueprint with other drives in some robots.

    Args:
        blueprint: The present blueprint.
        drives: The new drives, by robot.
    """
    robots = tuple(replace(p, drive=drives.get(p.name, p.drive)) for p in blueprint.robots)
    return replace(blueprint, robots=robots)


def rest_problem(robot: RobotState, memory: LaneMemory, gripper: GripperSpec | None) -> Note | None:
    """Return the reason why a robot cannot change its tool or drive now, or None.

    Args:
        robot: The measured state.
        memory: The memory of its lane.
        gripper: The present gripper, if there is one.
    """
    if memory.mode.mode not in AT_REST:
        return Note("change.mode", about=(Subject("mode", memory.mode.mode),))
    setpoint = memory.setpoints["arm"]
    if max(map(abs, (*robot.groups["arm"].rates, *setpoint.rates))) > STILL:
        return MOVING
    if max(map(abs, setpoint.accelerations)) > STILL_ACCELERATION:  # it is just starting, or turning round
        return MOVING
    if _drives(robot, memory):
        return DRIVING
    if carries(robot, gripper, memory.wrist):
        return HOLDING
    return None


def no_change(robot: str, equipment: str, cause: Note) -> Note:
    """Return the refusal of a change of tool or drive."""
    return Note("refused.change", about=(Subject("robot", robot), Subject("equipment", equipment)), cause=cause)


def _drives(robot: RobotState, memory: LaneMemory) -> bool:
    """Return whether a tracked robot drives, turns, falls or moves its flippers."""
    if robot.base_twist is None:
        return False
    rates = [*robot.base_twist.linear, *robot.base_twist.angular]
    for group in ("base", "flippers"):
        rates += [*robot.groups[group].rates, *memory.setpoints[group].rates]
    return max(map(abs, rates)) > STILL
