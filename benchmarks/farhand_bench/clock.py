"""Timing of a 500 Hz loop by the wall clock, in paired blocks with a bare loop on the same clock.

Also the wall-clock time until a robot whose master falls silent brakes and rests: in real time, and in a slow cell.
"""

from __future__ import annotations

import time

from farhand.cell import Cell
from farhand.kernels import compile_all
from farhand.loop import Pace, Run, WallClock
from farhand.masters import Scripted, Step
from farhand.types import Feedback, Reading, SelectMapping
from farhand_bench.rows import Row, row

__all__ = ["measure"]

BLOCKS, SECONDS = 8, 2.0
LOSSES, SLOW = 10, 0.3
PAUSE = 0.1  # seconds


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
        row("work of a tick at 500 Hz (median of each block)", work, "µs", "reported"),
        row("lateness, p99 of each block", late, "µs", "as the bare loop"),
        row("  bare loop, p99 of each block", bare_late, "µs"),
        row(f"ticks less than 1 ms late ({lost} ticks skipped)", on_time, "%", "as the bare loop"),
        row("  bare loop", bare_on_time, "%"),
        *_losses(cell, 1.0),
        *_losses(cell, SLOW),
    ]


class _Falling:
    """A master that holds a joint's key, then falls silent."""

    def __init__(self) -> None:
        self.silent, self.held, self._sequence = False, False, 0

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        del now
        self._sequence = max(self._sequence, feedback.tick) + 1
        axes = (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
        told = Reading(sequence=self._sequence, tick=feedback.tick, deadman=self.held, axes=axes)
        return None if self.silent else told


def _losses(cell: Cell, factor: float) -> list[Row]:
    """Measure the wall-clock time from the last reading to braking and rest, beside a bare loop that waits as long."""
    braking, resting, bare = [], [], []
    for _ in range(LOSSES):
        begun, rested = _loss(cell, factor)
        braking.append(begun * 1e3)
        resting.append(rested * 1e3)
        bare.append(_bare_wait(cell.dt, factor) * 1e3)
    where = f"at {factor:g}× real time"
    return [
        row(f"from silence to braking, {where}, wall clock", braking, "ms", "≤ 125 ms"),
        row(f"from silence to rest, {where}, wall clock", resting, "ms", "reported"),
        row("  bare loop that waits for 100 ms", bare, "ms"),
    ]


def _loss(cell: Cell, factor: float) -> tuple[float, float]:
    before, master, clock = cell.snapshot(), _Falling(), WallClock(cell.dt, factor)
    run = Run(cell, {"hand": master}, clock)
    run.send(SelectMapping("arm", "joints"))
    run.run(0.02)
    master.held = True
    run.run(0.3)
    master.silent, begin, begun = True, time.perf_counter(), 0.0
    while True:
        clock.wait()
        lane = run.tick().lanes["arm"]
        now = time.perf_counter() - begin
        if lane.mode != "teleoperation" and not begun:
            begun = now
        if begun and not any(lane.setpoints["arm"].rates):
            cell.restore(before)
            return begun, now


def _bare_wait(dt: float, factor: float) -> float:
    clock, begin = WallClock(dt, factor), time.perf_counter()
    while time.perf_counter() - begin <= PAUSE:
        clock.wait()
    return time.perf_counter() - begin


def _bare_loop(dt: float) -> Pace:
    clock = WallClock(dt)
    end = time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        clock.wait()
    return clock.pace()
