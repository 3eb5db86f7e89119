"""Edits of a running cell: what a worker has made is taken in, not found again."""

from unittest.mock import patch

import mujoco
import pytest

from farhand.cell import Cell
from farhand.cell.files import find_cell, read_cell
from farhand.distances import pieces_around
from farhand.types import AddObject, ObjectSpec
from farhand.world import compile_world
from farhand.world.compiled import from_bytes, to_bytes

BOX = ObjectSpec(name="extra", size=(0.05, 0.05, 0.05), position=(0.5, 0.3, 0.7))


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


@pytest.mark.parametrize("name", ["irb120", "telemax-irb120"])
def test_the_worker_tells_what_is_around_an_arm_that_keeps_clear(name: str) -> None:
    cell = Cell.load(name)
    compiled = cell.world.compiled
    sent = from_bytes(to_bytes(compiled))
    clear = [robot for robot, spec in cell.spec.robots.items() if spec.avoid and spec.avoid.surroundings]
    assert list(sent.around) == clear
    data = mujoco.MjData(compiled.model)
    data.qpos[:] = compiled.qpos_start
    mujoco.mj_kinematics(compiled.model, data)
    for placement in compiled.blueprint.robots:
        around = pieces_around(compiled.model, data, f"{placement.name}/{placement.model.arm.base}")
        assert sent.around.get(placement.name, around) == around


def test_what_is_around_an_arm_is_looked_for_only_where_it_keeps_clear() -> None:
    assert not any(robot.avoid for robot in read_cell(find_cell("delta-scara")).robots.values())
    assert Cell.load("delta-scara").world.compiled.around == {}


def test_laying_ready_looks_for_nothing_that_the_worker_has_found(cell: Cell) -> None:
    compiled = from_bytes(to_bytes(compile_world(cell.after(AddObject(BOX)))))
    with patch("farhand.distances.models._pieces", side_effect=AssertionError("looked for again")):
        cell.offer(compiled)
