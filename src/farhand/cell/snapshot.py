"""A snapshot of a cell between two ticks, within its process: the cell continues from it bit for bit."""

from __future__ import annotations

from msgspec import Struct

from farhand.cell.degraded_cameras import Degraded
from farhand.cell.robot_configs import RobotConfigs
from farhand.lane import LaneMemory
from farhand.poses import Vec3
from farhand.types import Note
from farhand.world import Snapshot

__all__ = ["CellSnapshot"]


class CellSnapshot(Struct, frozen=True):
    """Everything that a cell needs to continue bit for bit."""

    number: int
    lanes: dict[str, LaneMemory]
    loads: dict[str, Vec3]
    world: Snapshot
    fault: Note | None
    configs: RobotConfigs
    degraded: Degraded
