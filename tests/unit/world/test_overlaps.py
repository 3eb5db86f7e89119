"""Edits that would make bodies overlap are refused and change nothing."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.errors import CellFileError
from farhand.poses import Pose, Vec3, compose
from farhand.types import AddObject, ChangeTool, Event, Inputs, MoveObject, ObjectJoint, ObjectSpec, RemoveObject
from farhand_bench.courts import ROBOT, court, stairs
from farhand_bench.driver import Driver

BOX = ObjectSpec(name="box", size=(0.3, 0.3, 0.3), position=(4.0, 4.0, 0.15), mass=5.0)
WALL = replace(BOX, name="wall", mass=0.0)


def cell_of(robots: dict[str, Any], objects: tuple[ObjectSpec, ...] = (), **world: Any) -> Cell:
    table = {"name": "test", "robots": robots, "world": {"objects": msgspec.to_builtins(objects), **world}}
    return Cell(msgspec.convert(table, CellSpec), Path("test.toml"))


def said(cell: Cell, *events: Event) -> str:
    """Return a cell's notes on events."""
    return " ".join(worded(note) for note in cell.step(Inputs(events=events)).notes)


# ── Tools ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_tool_that_would_overlap_is_refused_until_the_place_is_free() -> None:
    cell = cell_of({"arm": {"model": "irb120", "tools": ["two-finger"]}})
    cell.step()
    flange = compose(cell.world.rig("arm").T_world_base, cell.state.robots["arm"].T_base_tip)
    there = compose(flange, Pose((0.0, 0.0, 0.10))).position
    block = ObjectSpec(name="block", size=(0.06, 0.06, 0.06), position=there, mass=0.0)
    assert said(cell, AddObject(block)) == ""
    before = cell.snapshot()
    ticks = [cell.step() for _ in range(5)]
    cell.restore(before)
    refusal = "Refused: arm cannot change its tool: two-finger would be inside the block; raise the arm first."
    tick = cell.step(Inputs(events=(ChangeTool("arm", "two-finger"),)))
    assert [worded(note) for note in tick.notes] == [refusal]
    assert [replace(tick, notes=()), *[cell.step() for _ in range(4)]] == ticks
    assert said(cell, RemoveObject("block"), ChangeTool("arm", "two-finger")) == ""
    assert "gripper" in cell.state.robots["arm"].groups


def equipped() -> Driver:
    """Return the driver of a robot on tracks with quick change."""
    plain = court()
    robot = replace(plain.spec.robots[ROBOT], tools=("telemax-claw", "hook"))
    return Driver(Cell(replace(plain.spec, robots={ROBOT: robot}), plain.path))


def place(driver: Driver) -> Vec3:
    base = driver.robot.T_world_base
    assert base is not None
    return base.position


def test_no_tool_is_changed_while_the_robot_drives() -> None:
    driver = equipped()
    for forward, turn in ((1.0, 0.0), (0.0, 1.0)):
        driver.drive(0.3, forward, turn)
        driver.send(ChangeTool(ROBOT, "hook"))
        tick = driver.step(0.0, 0.0, (0.0,) * 4)
        assert "it is being driven" in worded(tick.notes[0])
        driver.send(ChangeTool(ROBOT, "hook"))
        tick = driver.step(0.0, 0.0, (0.0,) * 4)  # it rolls on
        assert [worded(note) for note in tick.notes] == [f"Refused: {ROBOT} cannot change its tool: it is driving."]
        driver.drive(1.0)
    there = place(driver)
    assert there[0] > 0.05
    driver.send(ChangeTool(ROBOT, "hook"))
    assert driver.step(0.0, 0.0, (0.0,) * 4).notes == ()
    assert "gripper" not in driver.robot.groups
    driver.drive(0.1)
    assert math.dist(place(driver), there) < 2e-3


# ── Objects ──────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("events", "refused"),
    [
        ((AddObject(replace(BOX, position=(0.0, 0.0, 0.25))),), "the box would be inside telemax"),
        ((AddObject(replace(WALL, position=(0.3, 0.0, 0.15))),), "the wall would be inside telemax"),
        ((AddObject(BOX), MoveObject("box", Pose((0.1, 0.1, 0.3)))), "the box would be inside telemax"),
        ((AddObject(WALL), MoveObject("wall", Pose((0.1, 0.1, 0.3)))), "the wall would be inside telemax"),
        ((AddObject(BOX), MoveObject("box", Pose((0.0, 0.8, 0.15)))), ""),
        ((AddObject(WALL), MoveObject("wall", Pose((0.0, 0.8, 0.15)))), ""),
    ],
)
def test_no_object_is_put_into_a_robot(events: tuple[Event, ...], refused: str) -> None:
    cell = court()
    cell.step()
    *first, last = events
    cell.step(Inputs(events=tuple(first)))
    before = cell.snapshot()
    ticks = [cell.step() for _ in range(5)]
    cell.restore(before)
    tick = cell.step(Inputs(events=(last,)))
    assert [worded(note) for note in tick.notes] == ([f"Refused: {refused}."] if refused else [])
    if refused:
        assert [replace(tick, notes=()), *[cell.step() for _ in range(4)]] == ticks


def test_attachments_of_an_object_are_not_put_into_a_robot_either() -> None:
    hinge = ObjectJoint(axis=(0.0, 1.0, 0.0), on="box")
    flap = ObjectSpec(name="flap", size=(0.6, 0.1, 0.02), position=(-0.4, 0.0, 0.3), mass=0.5, joint=hinge)
    cell = cell_of({"arm": {"model": "irb120"}}, (BOX, flap))
    cell.step()
    assert said(cell, MoveObject("box", Pose((0.8, 0.0, 0.15)))) == "Refused: the box would be inside arm."
    assert said(cell, MoveObject("box", Pose((1.4, 0.0, 0.15)))) == ""


# ── Driving through edits ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(("forward", "turn"), [(1.0, 0.0), (0.0, 1.0)])
def test_an_edit_of_the_world_does_not_hold_back_a_robot_that_drives(forward: float, turn: float) -> None:
    driver = Driver(court())
    driver.drive(1.0, forward, turn)
    for name in ("one", "two"):
        before = driver.robot.base_twist
        driver.send(AddObject(replace(WALL, name=name, position=(9.0, 9.0 if name == "one" else 8.0, 0.15))))
        after = driver.step(forward, turn, (0.0,) * 4).state.robots[ROBOT].base_twist
        assert before is not None
        assert after is not None
        assert after.linear == pytest.approx(before.linear, abs=2e-3)
        assert after.angular == pytest.approx(before.angular, abs=2e-3)


# ── Cell files ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_robot_that_would_start_in_an_overlap_is_refused_with_both_names() -> None:
    with pytest.raises(
        CellFileError, match=r"robots\.telemax: telemax would start with its .* flipper inside the stairs"
    ):
        court(stairs(4, 0.17, 0.28), x=1.5)
    with pytest.raises(CellFileError, match=r"robots\.a: a would start with its body inside b"):
        cell_of({"a": {"model": "telemax"}, "b": {"model": "telemax"}})
    low = {"arm": {"model": "irb120", "home": [0.0, 1.9, 0.3, 0.0, 0.0, 0.0]}}
    with pytest.raises(CellFileError, match=r"robots\.arm: arm would start with its .* inside the floor"):
        cell_of(low)
    with pytest.raises(CellFileError, match=r"robots\.arm: arm would start with its .* inside the wall"):
        cell_of({"arm": {"model": "irb120"}}, (replace(WALL, position=(0.35, 0.0, 0.6)),))


def test_a_robot_may_overlap_its_mount_and_sink_a_little_into_the_ground() -> None:
    cell_of({"arm": {"model": "irb120"}}, (replace(WALL, position=(0.0, 0.0, -0.10)),))
    court(z=-0.01)
    with pytest.raises(CellFileError, match="inside the floor"):
        court(z=-0.05)
