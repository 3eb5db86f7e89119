"""Courts for a robot on tracks, made in code: flat ground, ramps, stairs, a step."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

from farhand.cell import Cell
from farhand.cell.spec import CellSpec, RobotSpec, WorldSpec
from farhand.formats.model import RobotModel
from farhand.poses import from_rpy
from farhand.robots import load_robot
from farhand.types import ObjectSpec

__all__ = ["ROBOT", "court", "ramp", "stairs", "step"]

ROBOT, MASTER = "telemax", "hand"
TOOL = "telemax-claw"
WIDE, THICK = 3.0, 0.2  # m


@cache
def _model() -> RobotModel:
    return load_robot("telemax", tool=TOOL)


def court(
    objects: tuple[ObjectSpec, ...] = (),
    *,
    x: float = 0.0,
    y: float = 0.0,
    z: float = 0.0,
    heading: float = 0.0,
    pitch: float = 0.0,
    timestep: float = 0.002,
) -> Cell:
    """Return a cell with the robot on a court.

    Args:
        objects: What is there.
        x: Where the robot starts, m.
        y: Likewise.
        z: Likewise.
        heading: To the left, rad.
        pitch: Nose up, rad.
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
        world=WorldSpec(objects=objects),
        robots={ROBOT: robot},
        masters={MASTER: {"kind": "manual"}},
    )
    return Cell(spec, Path("court.toml"), models={ROBOT: _model()})


def ramp(angle: float, length: float = 6.0, x: float = 1.0) -> tuple[ObjectSpec, ...]:
    """Return a ramp that rises from the floor at x."""
    up, out = math.sin(angle), math.cos(angle)
    middle = (x + 0.5 * (length * out + THICK * up), 0.0, 0.5 * (length * up - THICK * out))
    return (_fixed("ramp", (length, WIDE, THICK), middle, from_rpy(0.0, -angle, 0.0)),)


def stairs(count: int, rise: float, run: float, x: float = 1.0, landing: float = 3.0) -> tuple[ObjectSpec, ...]:
    """Return stairs that begin at x and lead up to a landing."""
    found = []
    for i in range(count):
        depth, height = (run if i < count - 1 else landing), rise * (i + 1)
        size, middle = (depth, WIDE, height), (x + run * i + 0.5 * depth, 0.0, 0.5 * height)
        found.append(_fixed(f"stair {i + 1}", size, middle))
    return tuple(found)


def step(height: float, x: float = 1.0, depth: float = 3.0) -> tuple[ObjectSpec, ...]:
    """Return a single step at x."""
    return (_fixed("step", (depth, WIDE, height), (x + 0.5 * depth, 0.0, 0.5 * height)),)


def _fixed(
    name: str,
    size: tuple[float, float, float],
    middle: tuple[float, float, float],
    rotation: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0),
) -> ObjectSpec:
    return ObjectSpec(name=name, size=size, position=middle, rotation=rotation, mass=0.0)
