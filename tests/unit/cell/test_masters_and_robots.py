"""Any master, any robot: every modelled device drives every robot through every mapping that fits.

The tip goes where the mapping says, within half a millimetre, and what an arm of few joints cannot do is said. Each
tick it moves no further than the hand's speed explains: nothing jumps.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from public_robots import CASES
from toys import toy_arm
from worded import worded

from farhand import Cell, Run
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.devices import DEVICES
from farhand.formats import RobotModel
from farhand.masters import Modelled
from farhand.poses import Pose, Vec3
from farhand.robots import load_robot
from farhand.types import SelectMapping, Tick, Vector

SCALE, GAIN, DEAD_ZONE = 2.0, 4.0, 0.005
MAPPINGS = ("clutch", "velocity", "hybrid", "absolute", "rate")
# A hand that goes right, up and away from where it was, in 0.4 s each, and back: 11 cm/s at most.
# It waits a leg first: a velocity is let in gently after engagement, and what the hand goes meanwhile is lost.
POINTS = [[0.0, 0.0, 0.0], [0.0, -0.015, 0.0], [0.0, -0.015, 0.012], [0.012, 0.0, 0.012], [0.0, 0.0, 0.0]]
LEG = 0.4
# Arms whose own home leaves them no way to go.
HOMES: dict[str, Vector] = {"xarm7": (0.0, -0.4, 0.0, 0.9, 0.0, 1.3, 0.0), "al5d": (0.0, 0.6, 0.6, 0.6)}
ABLE = ("irb120", "scara", "delta", "xarm7")
FEW = ("al5d", "toy")  # four and three joints: they cannot keep the tip's direction and go every way
ROBOTS = (*ABLE, *FEW)
BOUND = 5e-4
FASTEST = 0.5  # m/s: the hand's 0.11 by the scale, and as much again to catch up


@cache
def model(robot: str) -> RobotModel:
    if robot == "toy":
        return toy_arm()
    found = load_robot(str(CASES[robot].path) if robot in CASES else robot)
    homes = HOMES.get(robot, [joint.home for joint in found.arm.joints])
    joints = tuple(replace(joint, home=home) for joint, home in zip(found.arm.joints, homes, strict=True))
    return replace(found, arm=replace(found.arm, joints=joints))


def cell_of(robot: str, device: str, mappings: dict[str, dict[str, Any]], shape: str = "irb120") -> Cell:
    master = {
        "kind": "modelled",
        "device": device,
        "hand": "firm",
        "settings": {"model": model(shape)} if device == "leader" else {},
        "intent": {"kind": "path", "shape": "reach", "points": POINTS, "period": LEG, "delay": 0.02},
    }
    spec = CellSpec(
        name="matrix",
        speed_level=5,
        world=WorldSpec(floor=False),
        robots={"arm": RobotSpec(model=robot, mappings=mappings)},
        masters={"hand": master},
    )
    return Cell(spec, Path("cell.toml"), models={"arm": model(robot)})


def tables(start: Pose, rest: Vec3) -> dict[str, dict[str, Any]]:
    same = {kind: {"kind": kind, "scale": SCALE} for kind in MAPPINGS[:3]}
    places = {"middle": rest, "at": start.position, "rotation": start.rotation, "turn": False}
    absolute = {"kind": "absolute", "scale": SCALE, **places}
    return {**same, "absolute": absolute, "rate": {"kind": "rate", "gain": GAIN, "dead_zone": DEAD_ZONE}}


@cache
def rest_of(device: str) -> tuple[float, float, float]:
    made = DEVICES[device]({"model": model("irb120")} if device == "leader" else {})
    x, y, z = made.kinematics.forward(made.rest)[:3, 3].tolist()
    return (x, y, z)


@cache
def home_of(robot: str) -> Pose:
    return cell_of(robot, "cyberimpact", {"clutch": {"kind": "clutch"}}).state.robots["arm"].T_base_tip


def wanted(kind: str, hand: list[Vec3], dt: float) -> Iterator[Vec3]:
    """Yield how far the tip shall be from its start, told from where the hand was."""
    x = y = z = 0.0
    for a, b, c in hand:
        if kind != "rate":
            yield (SCALE * a, SCALE * b, SCALE * c)
            continue
        length = math.hypot(a, b, c)
        k = GAIN * dt * (1.0 - DEAD_ZONE / length) if length > DEAD_ZONE else 0.0
        x, y, z = x + k * a, y + k * b, z + k * c
        yield (x, y, z)


def drive(cell: Cell, mapping: str) -> tuple[list[Vec3], list[Tick]]:
    """Return where the hand was in each tick from its rest, and the ticks."""
    run = Run(cell)
    master = run.masters["hand"]
    hand: list[Vec3] = []
    ticks: list[Tick] = []
    assert isinstance(master, Modelled)
    a, b, c = master.pose.position
    run.send(SelectMapping("arm", mapping))
    for _ in range(round((len(POINTS) * LEG + 0.2) / cell.dt)):
        ticks.append(run.tick())
        x, y, z = master.pose.position
        held = ticks[-1].lanes["arm"].mode == "teleoperation"
        hand.append((x - a, y - b, z - c) if held or not hand else hand[-1])
    return hand, ticks


def error_of(kind: str, start: Pose, hand: list[Vec3], ticks: list[Tick], dt: float) -> float:
    worst, (a, b, c) = 0.0, start.position
    for tick, (x, y, z) in zip(ticks, wanted(kind, hand, dt), strict=True):
        if tick.lanes["arm"].mode == "teleoperation":
            tip = tick.state.robots["arm"].T_base_tip.position
            worst = max(worst, math.dist(tip, (a + x, b + y, c + z)))
    return worst


def fastest(start: Pose, ticks: list[Tick], dt: float) -> float:
    places = [start.position, *(tick.state.robots["arm"].T_base_tip.position for tick in ticks)]
    return max(math.dist(a, b) for a, b in pairwise(places)) / dt


def codes(ticks: list[Tick]) -> set[str]:
    notes = [note for tick in ticks for note in (*tick.notes, *tick.lanes["arm"].notes)]
    assert [worded(note) for note in notes if note.level in ("stop", "fault")] == []
    return {note.code for note in notes if note.level == "slow"}


def check(robot: str, device: str, kinds: tuple[str, ...]) -> None:
    start = home_of(robot)
    mappings = tables(start, rest_of(device))
    cell = cell_of(robot, device, mappings)
    fresh = cell.snapshot()
    for kind in kinds:
        cell.restore(fresh)
        hand, ticks = drive(cell, kind)
        assert max(math.hypot(*h) for h in hand) > 0.015
        error, said = error_of(kind, start, hand, ticks, cell.dt), codes(ticks)
        assert fastest(start, ticks, cell.dt) < FASTEST
        assert error < BOUND or (robot in FEW and "servo.lacks" in said), f"{kind}: {error * 1e3:.2f} mm, {said}"
        if robot in ABLE:
            assert said == set(), f"{kind}: {said}"


@pytest.mark.parametrize("device", list(DEVICES))
@pytest.mark.parametrize("robot", ROBOTS)
def test_every_master_drives_every_robot_by_its_tip(robot: str, device: str) -> None:
    """Two mappings for each pair, so that every mapping meets every master and every robot."""
    first = ROBOTS.index(robot) + 2 * list(DEVICES).index(device)
    check(robot, device, (MAPPINGS[first % len(MAPPINGS)], MAPPINGS[(first + 1) % len(MAPPINGS)]))


@pytest.mark.slow
@pytest.mark.parametrize("device", list(DEVICES))
@pytest.mark.parametrize("robot", ROBOTS)
def test_every_master_drives_every_robot_by_every_mapping(robot: str, device: str) -> None:
    check(robot, device, MAPPINGS)


@pytest.mark.parametrize("robot", ROBOTS)
def test_a_leader_of_every_robot_leads_it_joint_by_joint(robot: str) -> None:
    cell = cell_of(robot, "leader", {"joints": {"kind": "copy-joints"}}, shape=robot)
    run = Run(cell)
    master, worst, way = run.masters["hand"], 0.0, 0.0
    assert isinstance(master, Modelled)
    for _ in range(round(len(POINTS) * LEG / cell.dt)):
        tick = run.tick()
        joints = tick.state.robots["arm"].groups["arm"].positions
        worst = max(worst, *[abs(q - led) for q, led in zip(joints, master.joints, strict=True)])
        way = max(way, *[abs(q - home) for q, home in zip(joints, cell.lanes["arm"].home, strict=True)])
    assert way > math.radians(1.0)
    assert worst < math.radians(0.1)
    assert codes([tick]) == set()
