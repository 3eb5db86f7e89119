"""A robot on tracks in its lane: what is asked of belts and flippers, what holds them back, what is felt of driving."""

from __future__ import annotations

import functools
from collections.abc import Callable

from msgspec.structs import replace

from farhand.distances import Arena, VehicleArena
from farhand.lane.memory import LaneMemory
from farhand.lane.motion.base_notes import PARKED, sense_base
from farhand.lane.motion.base_stage import BASE, FLIPPERS, BaseStage, asks_to_drive
from farhand.lane.motion.vehicle_limits import Held, limit_vehicle
from farhand.types import Demand, Note, RobotState, Setpoint, Vector

__all__ = ["carry"]


def carry(
    tracks: BaseStage,
    arena: Arena | None,
    demand: Demand,
    robot: RobotState,
    memory: LaneMemory,
    dt: float,
    *,
    stop: bool,
) -> tuple[dict[str, Setpoint], LaneMemory, tuple[Note, ...]]:
    """Lead belts and flippers, as far as the parking brake and the arm's surroundings let them.

    Args:
        tracks: Leads them.
        arena: What the arm keeps clear of, if it does.
        demand: After the filters.
        robot: As measured.
        memory: Of the last tick.
        dt: Seconds per tick.
        stop: Brake as hard as the accelerations allow, whatever is asked.
    """
    last, drive, lifts = memory.setpoints, demand.motions.get(BASE), demand.motions.get(FLIPPERS)
    parked = (PARKED,) if memory.parked and asks_to_drive(drive) else ()
    drive = None if memory.parked else drive
    clear = None if drive is None and lifts is None else _restraint(arena, memory)
    setpoints, stuck = tracks(drive, lifts, last, robot, stop=stop, restrain=clear)
    base, sensed = sense_base(robot, last[BASE], memory.base, tracks.tracks.gauge, dt)
    memory = memory if base is memory.base else replace(memory, base=base)
    return setpoints, memory, (*parked, *stuck, *sensed)


def _restraint(arena: Arena | None, memory: LaneMemory) -> Callable[[tuple[float, float], Vector], Held] | None:
    """Return what holds the vehicle back for its arm's sake; nothing where the arm does not look around."""
    if not isinstance(arena, VehicleArena) or memory.seen is None:
        return None
    return functools.partial(limit_vehicle, arena, memory.setpoints["arm"].positions)
