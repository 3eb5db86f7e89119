"""Snapshots of a cell between two ticks, from which it continues bit for bit."""

from __future__ import annotations

from msgspec import Struct

from farhand.cell.degraded_cameras import Degraded
from farhand.cell.robot_configs import RobotConfigs
from farhand.lane import LaneMemory
from farhand.poses import Vec3
from farhand.types import Note, State
from farhand.world import Snapshot

__all__ = ["CellSnapshot", "CellValues"]


class CellSnapshot(Struct, frozen=True):
    """Everything that a cell needs to continue bit for bit, within its process."""

    number: int
    lanes: dict[str, LaneMemory]
    loads: dict[str, Vec3]
    world: Snapshot
    fault: Note | None
    configs: RobotConfigs
    degraded: Degraded


class CellValues(Struct, frozen=True):
    """The plain values of a cell between two ticks: everything but the world and the robots' configuration.

    Args:
        number: Number of the last tick.
        lanes: Memory of each robot's lane.
        loads: Injected forces, by robot.
        state: The state as measured.
        fault: The fault that keeps the robots from moving, if there is one.
    """

    number: int
    lanes: dict[str, LaneMemory]
    loads: dict[str, Vec3]
    state: State
    fault: Note | None
