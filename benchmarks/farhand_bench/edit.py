"""Cost of an edit of the world to its ticks: compiled in a worker and swapped in, or compiled within the tick."""

from __future__ import annotations

import time

from farhand.cell import Cell
from farhand.types import AddObject, Inputs, ObjectSpec, RemoveObject
from farhand.world import CellWorker, Edit
from farhand_bench.rows import Row, row

__all__ = ["measure"]

REPEATS = 20
BOX = ObjectSpec(name="extra", size=(0.05, 0.05, 0.05), position=(0.5, 0.3, 0.625))
REST = "≤ 1800 µs, the rest of a period"


def measure() -> list[Row]:
    """Return the rows of this benchmark; the variants are interleaved."""
    aside, within = Cell.load("irb120"), Cell.load("irb120")
    unpacked, offered, swapped, compiled, calm = [], [], [], [], []
    with CellWorker.open() as shop:
        shop.warm_up()
        for _ in range(REPEATS):
            for edit in (AddObject(BOX), RemoveObject("extra")):
                unpacking, offering = _lay_ready(aside, edit, shop)
                unpacked.append(unpacking)
                offered.append(offering)
                swapped.append(_timed(aside, Inputs(events=(edit,))))
                compiled.append(_timed(within, Inputs(events=(edit,))))
                calm += [_timed(aside, Inputs()) for _ in range(20)]
    return [
        row("unpacking an edit compiled in a worker", unpacked, "µs", REST),
        row("preparing it, a tick later", offered, "µs", REST),
        row("the tick that swaps it in", swapped, "µs", "≤ 2000 µs, a period"),
        row("  the same edit compiled within the tick", compiled, "µs"),
        row("  a tick without an edit", calm, "µs"),
    ]


def _lay_ready(cell: Cell, edit: Edit, shop: CellWorker) -> tuple[float, float]:
    """Return the microseconds that the cell's own process takes to unpack a world and to prepare it."""
    future = shop.compile(cell.world.after(edit))
    future.result()
    start = time.perf_counter()
    compiled = shop.finished(future)
    arrived = time.perf_counter()
    cell.offer(compiled)
    return (arrived - start) * 1e6, (time.perf_counter() - arrived) * 1e6


def _timed(cell: Cell, inputs: Inputs) -> float:
    start = time.perf_counter()
    cell.step(inputs)
    return (time.perf_counter() - start) * 1e6
