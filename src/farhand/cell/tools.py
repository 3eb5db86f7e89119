"""Which tools a robot may be given, and when."""

from __future__ import annotations

from farhand.cell.spec import RobotSpec
from farhand.filters.wrist import holds
from farhand.formats.model import GripperSpec
from farhand.lane import LaneMemory
from farhand.types import RobotState

__all__ = ["tool_problem", "tools_of"]

STILL = 0.01  # rad/s or m/s: slower than this an arm is at rest
AT_REST = ("idle", "stopped", "off")


def tools_of(robot: RobotSpec) -> tuple[str, ...]:
    """Return the tools that a robot can be given while it runs, its first one among them; none without quick change."""
    return tuple(dict.fromkeys(filter(None, (robot.tool, *robot.tools)))) if robot.tools else ()


def tool_problem(robot: RobotState, memory: LaneMemory, gripper: GripperSpec | None) -> str:
    """Return why a robot cannot be given another tool now, or an empty text.

    Args:
        robot: As measured.
        memory: Of its lane.
        gripper: What it has at present.
    """
    if memory.mode.mode not in AT_REST:
        return f"it is in the mode {memory.mode.mode}; it must rest and be driven by nobody"
    if max(map(abs, (*robot.groups["arm"].rates, *memory.setpoints["arm"].rates))) > STILL:
        return "it is moving"
    if _drives(robot, memory):
        return "it drives"
    if memory.wrist.payload is not None or holds(robot, gripper):
        return "it holds something; put that down first"
    return ""


def _drives(robot: RobotState, memory: LaneMemory) -> bool:
    """Return whether a robot on tracks rolls, turns, falls, or moves its flippers."""
    if robot.base_twist is None:
        return False
    rates = [*robot.base_twist.linear, *robot.base_twist.angular]
    for group in ("base", "flippers"):
        rates += [*robot.groups[group].rates, *memory.setpoints[group].rates]
    return max(map(abs, rates)) > STILL
