"""Cost of a tick: its control part, the whole tick with objects at rest, and the speed of virtual time."""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import msgspec
import mujoco

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.kernels import compile_all
from farhand.loop import Run
from farhand.masters import Scripted, Step
from farhand.types import ObjectSpec, SelectMapping, Setpoint
from farhand.world import World
from farhand_bench.rows import Row, row

__all__ = ["measure"]

BLOCKS, TICKS = 10, 1000


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    return [*_control_part(), *_with_objects(), *_virtual_time()]


def _jogging(cell: Cell) -> Run:
    steps = [Step(seconds=0.5, axes=(0.0, 0.0, sign, 0.0, 0.0, 0.3 * sign)) for sign in (1.0, -1.0)]
    cell.step()
    run = Run(cell, {"hand": Scripted(steps, repeat=True)})
    run.send(SelectMapping("arm", "base axes"))  # the slowest of the mappings
    return run


@contextmanager
def _stopwatch(world: World, spent: list[float]) -> Iterator[None]:
    """Record the seconds of MuJoCo's own step, from outside, so that the tick itself has no timers."""
    advance = world._advance

    def timed() -> None:
        start = time.perf_counter()
        advance()
        spent[0] = time.perf_counter() - start

    with patch.object(world, "_advance", timed):
        yield


def _control_part() -> list[Row]:
    run = _jogging(Cell.load("irb120"))
    run.run(1.0)
    control, step, bare, spent = [], [], [], [0.0]
    gc.collect()
    gc.disable()
    with _stopwatch(run.cell.world, spent):
        for _ in range(BLOCKS):
            for _ in range(TICKS):
                start = time.perf_counter()
                run.tick()
                whole = time.perf_counter() - start
                control.append((whole - spent[0]) * 1e6)
                step.append(spent[0] * 1e6)
            gc.collect()
            bare += [_twelve_structs() * 1e6 for _ in range(TICKS)]
    gc.enable()
    return [
        row("control part of a tick, six axes, tip jog", control, "µs", "≤ 100 µs"),
        row("  MuJoCo's step in the same ticks", step, "µs"),
        row("  twelve frozen structs", bare, "µs"),
    ]


def _twelve_structs() -> float:
    vector = (0.0,) * 6
    start = time.perf_counter()
    for _ in range(12):
        Setpoint(vector, vector, vector)
    return time.perf_counter() - start


def _with_objects() -> list[Row]:
    path = find_cell("irb120")
    spec = read_cell(path)
    table = spec.world.objects[:1]
    boxes = tuple(
        ObjectSpec(
            name=f"box {i}", size=(0.04, 0.04, 0.04), position=(0.3 + 0.1 * (i % 5), 0.08 * (i // 5) + 0.2, 0.6205)
        )
        for i in range(20)
    )
    runs = {}
    for count, objects in ((20, table + boxes), (0, table)):
        world = msgspec.structs.replace(spec.world, objects=objects)
        runs[count] = _jogging(Cell(msgspec.structs.replace(spec, world=world), path))
        runs[count].run(2.0)
    spent: dict[int, list[float]] = {20: [], 0: []}
    for _ in range(BLOCKS):
        for count, run in runs.items():
            gc.collect()
            gc.disable()
            for _ in range(TICKS):
                start = time.perf_counter()
                run.tick()
                spent[count].append((time.perf_counter() - start) * 1e6)
            gc.enable()
    asleep = len(runs[20].cell.state.asleep)
    return [
        row(f"whole tick, 20 objects ({asleep} asleep)", spent[20], "µs", "reported"),
        row("  the same without objects", spent[0], "µs"),
    ]


def _unprotected() -> Cell:
    path = find_cell("irb120")
    spec = read_cell(path)
    arm = spec.robots["arm"]
    filters = tuple(table for table in arm.filters if table["kind"] != "compliance")
    bare = msgspec.structs.replace(arm, filters=filters, avoid=None)
    return Cell(msgspec.structs.replace(spec, robots={"arm": bare}), path)


def _virtual_time() -> list[Row]:
    run, bare = _jogging(Cell.load("irb120")), _jogging(_unprotected())
    model = run.cell.world.compiled.model
    data = mujoco.MjData(model)
    factors: list[float] = []
    unprotected: list[float] = []
    alone: list[float] = []
    for one in (run, bare):
        one.run(1.0)
    for _ in range(BLOCKS):
        for one, found in ((run, factors), (bare, unprotected)):
            start = time.perf_counter()
            one.run(2.0)
            found.append(2.0 / (time.perf_counter() - start))
        start = time.perf_counter()
        for _ in range(1000):
            mujoco.mj_step(model, data)
        alone.append(2.0 / (time.perf_counter() - start))
    return [
        row("virtual time, IRB 120 cell, jogging", factors, "times", "≥ 20 times"),
        row("  the same without compliance and avoidance", unprotected, "times"),
        row("  bare mj_step of the same model", alone, "times"),
    ]
