"""A work cell: world, robots, masters, control modes and protection, read from one TOML file, stepped tick by tick."""

from farhand.cell.cell import Cell
from farhand.cell.cell_files import cell_names, find_cell, read_cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.cell.checkpoint import Checkpoint
from farhand.cell.model_store import ModelKey, ModelStore
from farhand.cell.snapshot import CellSnapshot, CellValues
from farhand.cell.take_checkpoint import checkpoint_of

__all__ = [
    "Cell",
    "CellSnapshot",
    "CellSpec",
    "CellValues",
    "Checkpoint",
    "ModelKey",
    "ModelStore",
    "RobotSpec",
    "WorldSpec",
    "cell_names",
    "checkpoint_of",
    "find_cell",
    "read_cell",
]
