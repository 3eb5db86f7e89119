"""The way that an arm goes, kept: for who must back out of it, and for a lesson."""

from __future__ import annotations

from msgspec.structs import replace

from farhand.lane.memory import LaneMemory
from farhand.lane.paths.teaching import learnt
from farhand.lane.paths.trail import Trail
from farhand.types import Note, RobotState

__all__ = ["keep_way"]


def keep_way(
    trail: Trail, robot: RobotState, memory: LaneMemory, dt: float, *, retracing: bool
) -> tuple[LaneMemory, tuple[Note, ...]]:
    """Return the memory with where the arm is, and what there is to say of a lesson.

    Args:
        trail: Knows how far apart points of the way in are.
        robot: As measured.
        memory: Of this tick.
        dt: Seconds per tick.
        retracing: The arm is being led back along its trail.
    """
    if not retracing:
        points = trail.longer(memory.trail, robot.groups["arm"].positions)
        memory = memory if points is memory.trail else replace(memory, trail=points)
    if memory.lesson is None:
        return memory, ()
    lesson, notes = learnt(memory.lesson, memory.setpoints["arm"], dt)
    return memory if lesson is memory.lesson else replace(memory, lesson=lesson), notes
