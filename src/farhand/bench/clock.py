"""How well a 500 Hz loop keeps time by the wall clock, in paired blocks with a bare loop on the same clock."""

from __future__ import annotations

import time

from farhand.bench.rows import Row, row
from farhand.cell import Cell
from farhand.kernels import compile_all
from farhand.loop import Pace, Run, WallClock
from farhand.masters import Scripted, Step

__all__ = ["measure"]

BLOCKS, SECONDS = 8, 2.0


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    cell = Cell.load("irb120")
    steps = [Step(seconds=0.5, axes=(sign, sign, 0.0, 0.0, 0.0, sign)) for sign in (1.0, -1.0)]
    masters = {"hand": Scripted(steps, repeat=True)}
    Run(cell, masters).run(1.0)
    work, late, bare_late, on_time, bare_on_time, lost = [], [], [], [], [], 0
    for _ in range(BLOCKS):
        clock = WallClock(cell.dt)
        Run(cell, masters, clock).run(SECONDS)
        pace = clock.pace()
        work.append(pace.work_median * 1e6)
        late.append(pace.late_p99 * 1e6)
        on_time.append(pace.on_time * 100)
        lost += pace.lost
        bare = _bare_loop(cell.dt)
        bare_late.append(bare.late_p99 * 1e6)
        bare_on_time.append(bare.on_time * 100)
    return [
        row("work of a tick at 500 Hz (median of each block)", work, "µs", "printed"),
        row("lateness, p99 of each block", late, "µs", "as the bare loop"),
        row("  bare loop, p99 of each block", bare_late, "µs"),
        row(f"ticks less than 1 ms late ({lost} ticks given up)", on_time, "%", "as the bare loop"),
        row("  bare loop", bare_on_time, "%"),
    ]


def _bare_loop(dt: float) -> Pace:
    clock = WallClock(dt)
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        clock.wait()
    return clock.pace()
