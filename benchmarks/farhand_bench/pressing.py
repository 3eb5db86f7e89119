"""Presses at full speed into walls of given stiffness: avoidance slows the touch, compliance limits the force."""

from __future__ import annotations

import math
from typing import Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.poses import Pose
from farhand.types import Event, FollowPath, Inputs, ObjectSpec, Reading, SelectMapping
from farhand_bench.straight import straight_to

__all__ = ["How", "Pressed", "press"]

How = Literal["jog", "hand", "move"]
HAND = 0.25  # m/s of a hand that leads steadily
FAR = 0.15  # m of a move into the wall, farther than even a soft one yields

FACE = 0.46  # m: position of the wall's face
SECONDS = 1.0  # s within which the force must settle
AFTER = 1.5  # s for which it is measured then


class Pressed(Struct, frozen=True):
    """Result of pressing a wall.

    Args:
        speed: Speed of the touch, m/s.
        peak: Largest force, as a share of the threshold.
        low: Least force after settling, as a share of the threshold.
        high: Largest force after settling, as a share of the threshold.
        chatter: Largest change from tick to tick, as a share of the threshold.
    """

    speed: float
    peak: float
    low: float
    high: float
    chatter: float


def press(stiffness: float, threshold: float = 60.0, how: How = "jog", mass: float = 2.0) -> Pressed:
    """Drive the IRB 120 at full speed into a wall and keep pressing.

    Args:
        stiffness: Stiffness of the wall, N/m.
        threshold: Threshold of the compliance, N.
        how: By a jog, by a leading hand, or by a commanded move.
        mass: Mass of the wall, kg.
    """
    path = find_cell("irb120")
    spec = read_cell(path)
    # High enough for the fingers to press its face: on its very edge they would slip off over the top.
    size, middle = (0.1, 0.4, 0.35), (FACE + 0.05, 0.0, 0.755)
    wall = ObjectSpec(name="wall", size=size, position=middle, mass=mass, stiffness=stiffness)
    arm = spec.robots["arm"]
    filters = ({"kind": "scale"}, {"kind": "smooth"}, {"kind": "compliance", "threshold": threshold})
    mappings = {**arm.mappings, "hand": {"kind": "clutch", "lead": 0.05}}
    robots = {"arm": replace(arm, filters=filters, mappings=mappings)}
    cell = Cell(replace(spec, robots=robots, world=replace(spec.world, objects=(wall,)), speed_level=5), path)
    forces, speed = _drive(cell, how, 0.9 * threshold)
    first = next(i for i, force in enumerate(forces) if force > 0.9 * threshold)
    settled = np.array(forces[first + round(SECONDS / cell.dt) :]) / threshold
    return Pressed(
        speed,
        max(forces) / threshold,
        float(settled.min()),
        float(settled.max()),
        float(np.abs(np.diff(settled)).max()),
    )


def _drive(cell: Cell, how: How, enough: float) -> tuple[list[float], float]:
    """Return the force of every tick until it has settled for a while, and the speed of the tip at contact."""
    forces: list[float] = []
    speed, ticks, settled = 0.0, 0, 0
    last = cell.state.robots["arm"].T_base_tip.position
    while settled < (SECONDS + AFTER) / cell.dt and ticks < 30.0 / cell.dt:
        ticks += 1
        robot = cell.step(_led(cell, how, ticks)).state.robots["arm"]
        forces.append(math.hypot(*robot.contact.force))
        if forces[-1] > 0.0 and not any(forces[:-1]):
            speed = math.dist(robot.T_base_tip.position, last) / cell.dt
        last = robot.T_base_tip.position
        settled += settled > 0 or forces[-1] > enough
    return forces, speed


def _led(cell: Cell, how: How, tick: int) -> Inputs:
    """Return the operator's inputs of a tick."""
    if how == "move":
        return Inputs(events=(_move(cell),) if tick == 1 else ())
    events: tuple[Event, ...] = (SelectMapping("arm", "hand"),) if how == "hand" and tick == 1 else ()
    pose = Pose((HAND * tick * cell.dt, 0.0, 0.0)) if how == "hand" else None
    reading = Reading(sequence=tick, deadman=tick > 2, axes=(1.0, 0.0, 0.0) if pose is None else (), pose=pose)
    return Inputs({"hand": reading}, events)


def _move(cell: Cell) -> FollowPath:
    chain, here = cell.lanes["arm"].chain, cell.state.robots["arm"].groups["arm"].positions
    there = chain.forward(here)
    there[0, 3] += FAR
    return straight_to(cell, "arm", tuple(chain.inverse(there, here).q.tolist()))
