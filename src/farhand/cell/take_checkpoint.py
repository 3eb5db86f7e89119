"""Take a checkpoint of a cell between two ticks."""

from __future__ import annotations

from farhand.cell.cell import Cell
from farhand.cell.cell_spec import ChangeableSpec
from farhand.cell.checkpoint import Checkpoint, RobotCheckpoint

__all__ = ["checkpoint_of"]


def checkpoint_of(cell: Cell) -> Checkpoint:
    """Return a checkpoint of a cell. Cheap: most of it exists already, as frozen values."""
    robots = {
        name: RobotCheckpoint(
            cell.world.rig(name).posture(),
            {group: setpoint.positions for group, setpoint in memory.setpoints.items()},
            memory.speed_level,
            memory.mapping,
            cell.world.rig(name).placement.tool,
            ChangeableSpec.of(cell.robots[name]) if cell.robots[name] is not cell.spec.robots[name] else None,
            cell.world.rig(name).cameras.zooms(),
            memory.scale,
            memory.parked,
        )
        for name, memory in cell.memory.items()
    }
    joints, poses = cell.state.joints, cell.state.objects
    if joints:
        poses = {name: pose for name, pose in poses.items() if name not in joints}
    return Checkpoint(cell.number, cell.time, cell.world.blueprint.objects, poses, robots, joints, cell.degraded)
