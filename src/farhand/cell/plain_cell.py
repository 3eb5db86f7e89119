"""A plain cell around any robot: a floor, the robot on it, and the default control modes."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from farhand.cell.cell_spec import CellSpec, RobotSpec
from farhand.cell.model_store import ModelKey, ModelStore
from farhand.robots import load_robot
from farhand.types import Note, Quantity
from farhand.world.extent import clearance, depth_below_base

__all__ = ["plain_cell"]

NAME = "robot"
SINK = 1e-3  # m that a robot may reach below its base and still stand on the floor
CLEARANCE = 0.15  # m between the floor and the lowest moving link


def plain_cell(robot: str | Path, tip: str | None, base: str | None, tool: str | None) -> tuple[CellSpec, ModelStore]:
    """Return the cell of a robot, and the robot's model, which is read only once.

    Raises:
        UnknownNameError: If it is neither a file nor a name of the catalogue.
        RobotFileError: If the file cannot be read.
        WorldError: If the physics cannot build the robot.
    """
    model = load_robot(robot, tip=tip, base=base, tool=tool)
    height = depth_below_base(model)
    if model.tracks is None:
        height = max(height, CLEARANCE - clearance(model))
    if height > SINK:
        raised = Note("cell.height", quantities=(Quantity("height", height, "m"),))
        model = replace(model, notes=(*model.notes, raised))
    position = (0.0, 0.0, height if height > SINK else 0.0)
    spec = RobotSpec(model=str(robot), tip=tip, base=base, tool=tool, position=position)
    return CellSpec(name=model.name, summary=model.summary, robots={NAME: spec}), ModelStore(
        [(ModelKey(str(robot), tip, base, tool), model)]
    )
