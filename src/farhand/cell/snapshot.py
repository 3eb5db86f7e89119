"""A snapshot: a cell between two ticks, from which it goes on to the bit; it lives in its process."""

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
    """Everything needed to go on from here to the bit."""

    number: int
    lanes: dict[str, LaneMemory]
    loads: dict[str, Vec3]
    world: Snapshot
    fault: Note | None
    configs: RobotConfigs
    degraded: Degraded
