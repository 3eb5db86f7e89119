"""Edits of a running cell: what a worker has made is taken in bit by bit, so that no tick is late."""

from concurrent.futures import Future
from unittest.mock import patch

import mujoco
import pytest

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.distances import pieces_around
from farhand.errors import FarhandError, WorldError
from farhand.loop import Sent
from farhand.loop.world_edits import EditQueue
from farhand.types import AddObject, Event, Inputs, ObjectSpec, Reconfigure, RemoveObject
from farhand.world import Blueprint, CellWorker, Compiled, compile_world
from farhand.world.compiled import from_bytes, to_bytes

BOX = ObjectSpec(name="extra", size=(0.05, 0.05, 0.05), position=(0.5, 0.3, 0.7))


class Shop(CellWorker):
    """A worker that is done at once, and says what is asked of it."""

    def __init__(self, problem: FarhandError | None = None) -> None:
        self.said: list[str] = []
        self._problem = problem

    def compile(self, blueprint: Blueprint) -> "Future[bytes]":
        self.said.append("compiled")
        future: Future[bytes] = Future()
        future.set_result(to_bytes(compile_world(blueprint)))
        return future

    def finished(self, future: "Future[bytes]") -> Compiled:  # type: ignore[override] # a static method there
        self.said.append("unpacked")
        if self._problem:
            raise self._problem
        return from_bytes(future.result())


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


def ticks(cell: Cell, shop: Shop, *edits: Event, count: int) -> list[list[str]]:
    """Return what is done ahead of each tick."""
    queue, done = EditQueue(cell, shop), []
    for number, edit in enumerate(edits):
        queue.put(Sent(number, edit))
    for _ in range(count):
        shop.said.clear()
        with patch.object(cell, "offer", side_effect=lambda _: shop.said.append("offered")):
            entered = queue.ready()
        done.append([*shop.said, *[type(sent.event).__name__ for sent in entered]])
    return done


def test_ahead_of_one_tick_an_edit_is_unpacked_laid_ready_or_let_in_never_two_of_them(cell: Cell) -> None:
    steps = [["compiled"], ["unpacked"], ["offered"]]
    assert ticks(cell, Shop(), AddObject(BOX), count=5) == [*steps, ["AddObject"], []]


def test_edits_come_one_after_the_other(cell: Cell) -> None:
    done = ticks(cell, Shop(), AddObject(BOX), RemoveObject("cube"), RemoveObject("nothing"), count=9)
    one = [["compiled"], ["unpacked"], ["offered"]]
    assert done == [*one, ["AddObject"], *one, ["RemoveObject"], ["RemoveObject"]]


def test_an_edit_that_the_worker_refuses_is_let_in_for_the_cell_to_refuse(cell: Cell) -> None:
    done = ticks(cell, Shop(WorldError("too heavy")), AddObject(BOX), count=4)
    assert done == [["compiled"], ["unpacked"], ["AddObject"], []]


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
    with patch("farhand.distances.compiled_shapes._pieces", side_effect=AssertionError("looked for again")):
        cell.offer(compiled)


def test_what_was_changed_after_a_world_was_laid_ready_stays(cell: Cell) -> None:
    cell.offer(compile_world(cell.after(AddObject(BOX))))
    cell.step(Inputs(events=(Reconfigure("arm", "speeds", settings={"values": [0.1, 0.3]}),)))
    cell.step(Inputs(events=(AddObject(BOX),)))
    assert "extra" in cell.state.objects
    assert cell.lanes["arm"].speeds == (0.1, 0.3)
