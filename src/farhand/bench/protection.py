"""Protection: how soon a robot brakes that has lost its operator, and whether anything moves that nobody enabled."""

from __future__ import annotations

import time

import numpy as np

from farhand.bench.enabling import stories
from farhand.bench.losses import losses
from farhand.bench.rows import Row, row
from farhand.cell import Cell
from farhand.kernels import compile_all
from farhand.loop import Run, WallClock
from farhand.types import Feedback, Reading, SelectMapping

__all__ = ["measure"]

LOSSES, STORIES, LIVE = 2000, 5000, 60
SILENCE = 0.5  # s in which each live loss must be noticed
LATE = 10.0  # ms by which a bare loop may be late before a live figure says nothing


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    cell = Cell.load("irb120")
    return [*_losses(cell), *_stories(cell), *_live()]


def _losses(cell: Cell) -> list[Row]:
    found = list(losses(cell, LOSSES))
    pause, dt = cell.lanes["arm"].watchdog.pause, cell.dt
    in_time = sum(loss.began * dt <= pause + 1.5 * dt for loss in found)
    name = f"losses of {LOSSES} after which braking began within timeout + one tick"
    return [
        Row(name, float(in_time), float(in_time), "", f"{LOSSES}"),
        row("rest, beyond v/a_max and what jerk limits take", [(x.took - x.eased) / dt for x in found], "ticks", "≤ 2"),
        row("  beyond v/a_max alone", [(x.took - x.needed) / dt for x in found], "ticks"),
    ]


def _stories(cell: Cell) -> list[Row]:
    wrong = float(len(stories(cell, STORIES)))
    return [Row(f"motions without fresh enabling in {STORIES} random stories", wrong, wrong, "", "0")]


def _live() -> list[Row]:
    """Lose a master again and again by the wall clock, beside a bare loop that is as late as the machine is."""
    cell, took, late = Cell.load("irb120"), [], []
    pause = cell.lanes["arm"].watchdog.pause
    for _ in range(LIVE):
        took.append((_live_loss(cell) - pause) * 1e3)
        late.append(_bare(cell.dt) * 1e3)
    worst = float(np.percentile(late, 99.9))
    void = f" (void: a bare loop was {worst:.0f} ms late)" if worst > LATE else ""
    p999 = float(np.percentile(took, 99.9))
    return [
        Row(f"braking after timeout by the wall clock, p99.9{void}", p999, p999, "ms", "≤ 20"),
        Row("  bare loop: latest tick, p99.9", worst, worst, "ms"),
    ]


def _live_loss(cell: Cell) -> float:
    """Return the seconds from the last reading until the robot brakes."""
    hand = _Fading()
    run = Run(cell, {"hand": hand}, WallClock(cell.dt))
    run.send(SelectMapping("arm", "joints"))
    run.run(SILENCE, until=lambda tick: hand.left == 0 and tick.lanes["arm"].mode != "teleoperation")
    return time.perf_counter() - hand.spoke


class _Fading:
    """A hand that presses, holds on for a moment, and is never heard again."""

    def __init__(self) -> None:
        self.left, self.spoke, self._sequence = 40, 0.0, 0

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        del now
        if self.left == 0:
            return None
        self.left, self.spoke = self.left - 1, time.perf_counter()
        self._sequence = max(self._sequence, feedback.tick) + 1
        return Reading(sequence=self._sequence, tick=feedback.tick, deadman=self.left < 30, axes=(0.3,))


def _bare(dt: float) -> float:
    """Return how late the latest tick of a bare loop is, seconds, in as long as a loss takes."""
    clock, end, late = WallClock(dt), time.perf_counter() + SILENCE, 0.0
    while time.perf_counter() < end:
        clock.wait()
        late = max(late, clock.late)
    return late
