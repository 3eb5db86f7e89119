"""Driving at full speed into walls of given stiffness: avoidance slows the touch, compliance holds the force."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.files import find_cell, read_cell
from farhand.types import Inputs, ObjectSpec, Reading

__all__ = ["Pressed", "press"]

FACE = 0.46  # metres, where the wall begins
SECONDS = 1.0  # in which the force must have settled
AFTER = 1.5  # s for which it is looked at then


class Pressed(Struct, frozen=True):
    """How a wall was pressed.

    Args:
        speed: m/s at which it was touched.
        peak: The strongest force, as a share of the threshold.
        low: The weakest one after it has settled, likewise.
        high: The strongest one after it has settled, likewise.
        chatter: How much it goes up and down from one tick to the next at most, likewise.
    """

    speed: float
    peak: float
    low: float
    high: float
    chatter: float


def press(stiffness: float, threshold: float = 60.0) -> Pressed:
    """Jog the IRB 120 at full speed into a wall and keep on.

    Args:
        stiffness: N/m of the wall.
        threshold: N of the compliance.
    """
    path = find_cell("irb120")
    spec = read_cell(path)
    size, middle = (0.1, 0.4, 0.35), (FACE + 0.05, 0.0, 0.735)
    wall = ObjectSpec(name="wall", size=size, position=middle, mass=2.0, stiffness=stiffness)
    arm = spec.robots["arm"]
    filters = ({"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": threshold})
    robots = {"arm": replace(arm, filters=filters)}
    cell = Cell(replace(spec, robots=robots, world=replace(spec.world, objects=(wall,)), speed_level=5), path)
    forces, speed = _drive(cell, 0.9 * threshold)
    first = next(i for i, force in enumerate(forces) if force > 0.9 * threshold)
    settled = np.array(forces[first + round(SECONDS / cell.dt) :]) / threshold
    return Pressed(
        speed,
        max(forces) / threshold,
        float(settled.min()),
        float(settled.max()),
        float(np.abs(np.diff(settled)).max()),
    )


def _drive(cell: Cell, enough: float) -> tuple[list[float], float]:
    """Return the force of every tick until it was settled for a while, and how fast the tip was when it touched."""
    forces: list[float] = []
    speed, ticks, settled = 0.0, 0, 0
    last = cell.state.robots["arm"].T_base_tip.position
    while settled < (SECONDS + AFTER) / cell.dt and ticks < 30.0 / cell.dt:
        ticks += 1
        reading = Reading(sequence=ticks, deadman=ticks > 2, axes=(1.0, 0.0, 0.0))
        robot = cell.step(Inputs({"hand": reading})).state.robots["arm"]
        forces.append(math.hypot(*robot.contact.force))
        if forces[-1] > 0.0 and not any(forces[:-1]):
            speed = math.dist(robot.T_base_tip.position, last) / cell.dt
        last = robot.T_base_tip.position
        settled += settled > 0 or forces[-1] > enough
    return forces, speed
