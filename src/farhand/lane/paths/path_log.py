"""The log of an arm's motion: the trail for backing out, and a path that is being recorded."""

from __future__ import annotations

from msgspec.structs import replace

from farhand.lane.memory import LaneMemory
from farhand.lane.paths.teaching import extended
from farhand.lane.paths.trail import Trail
from farhand.types import Note, RobotState

__all__ = ["log_motion"]


def log_motion(
    trail: Trail, robot: RobotState, memory: LaneMemory, dt: float, *, retracing: bool
) -> tuple[LaneMemory, tuple[Note, ...]]:
    """Return the memory with the arm's position logged, and notes about a recording.

    Args:
        trail: The trail of the arm.
        robot: The measured state.
        memory: The memory of this tick.
        dt: Seconds per tick.
        retracing: Whether the arm is backing out along its trail.
    """
    if not retracing:
        points = trail.longer(memory.trail, robot.groups["arm"].positions)
        memory = memory if points is memory.trail else replace(memory, trail=points)
    if memory.lesson is None:
        return memory, ()
    lesson, notes = extended(memory.lesson, memory.setpoints["arm"], dt)
    return memory if lesson is memory.lesson else replace(memory, lesson=lesson), notes
