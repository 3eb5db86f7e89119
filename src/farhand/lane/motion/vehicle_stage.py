"""The vehicle stage of a robot on tracks: set-points of belts and flippers, their limits, and notes on the driving."""

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

__all__ = ["move_vehicle"]


def move_vehicle(
    tracks: BaseStage,
    arena: Arena | None,
    demand: Demand,
    robot: RobotState,
    memory: LaneMemory,
    dt: float,
    *,
    stop: bool,
) -> tuple[dict[str, Setpoint], LaneMemory, tuple[Note, ...]]:
    """Return the set-points of belts and flippers within the parking brake and the arm's clearance, memory and notes.

    Args:
        tracks: The base stage.
        arena: The arm among its obstacles; None without avoidance.
        demand: The demand after the filters.
        robot: The measured state.
        memory: The memory of the last tick.
        dt: Seconds per tick.
        stop: Brake as hard as the accelerations allow, whatever is demanded.
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
    """Return the function that limits the vehicle for its arm's clearance; None without avoidance."""
    if not isinstance(arena, VehicleArena) or memory.seen is None:
        return None
    return functools.partial(limit_vehicle, arena, memory.setpoints["arm"].positions)
