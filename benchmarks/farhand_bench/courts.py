"""Test courts for a tracked robot, made of the pieces of cell files: flat ground, ramps, stairs, a step."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path
from typing import Any

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.formats.model import RobotModel
from farhand.poses import from_rpy
from farhand.robots import load_robot
from farhand.types import ObjectSpec

__all__ = ["ROBOT", "court", "ramp", "stairs", "step"]

ROBOT, MASTER = "telemax", "hand"
TOOL = "telemax-claw"
START, WIDE = 1.0, 3.0  # m: start and width of the pieces


@cache
def _model() -> RobotModel:
    return load_robot("telemax", tool=TOOL)


Table = dict[str, Any]


def court(
    *pieces: Table,
    objects: tuple[ObjectSpec, ...] = (),
    x: float = 0.0,
    y: float = 0.0,
    z: float = 0.0,
    heading: float = 0.0,
    pitch: float = 0.0,
    timestep: float = 0.002,
) -> Cell:
    """Return a cell with the robot on a court.

    Args:
        pieces: Pieces, as tables of a cell file.
        objects: Objects.
        x: Start of the robot, m.
        y: Start of the robot, m.
        z: Start of the robot, m.
        heading: Heading to the left, rad.
        pitch: Pitch, nose up, rad.
        timestep: Seconds per tick.
    """
    robot = RobotSpec(
        model="telemax",
        tool=TOOL,
        master=MASTER,
        position=(x, y, z),
        rotation=from_rpy(0.0, -pitch, heading),
        mappings={"drive": {"kind": "drive-tracks"}},
        filters=({"kind": "scale"},),
    )
    spec = CellSpec(
        name="court",
        speeds=(1.0,),
        speed_level=1,
        timestep=timestep,
        world=WorldSpec(objects=objects, pieces=pieces),
        robots={ROBOT: robot},
        masters={MASTER: {"kind": "manual"}},
    )
    return Cell(spec, Path("court.toml"), models={ROBOT: _model()})


def ramp(angle: float, length: float = 6.0) -> Table:
    """Return a ramp that rises from the floor."""
    height = length * math.sin(angle)
    return _piece("ramp", angle_deg=math.degrees(angle), height=height, plateau=0.0)


def stairs(count: int, rise: float, run: float, x: float = START, landing: float = 3.0) -> Table:
    """Return stairs that begin at x and lead up to a landing."""
    return _piece("stairs", x, steps=count, rise=rise, run=run, landing=landing)


def step(height: float, depth: float = 3.0) -> Table:
    """Return a single step."""
    return _piece("step", height=height, depth=depth)


def _piece(kind: str, x: float = START, **settings: float) -> Table:
    return {"kind": kind, "name": kind, "position": (x, 0.0, 0.0), "width": WIDE} | settings
