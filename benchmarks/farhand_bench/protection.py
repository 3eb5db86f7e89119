"""Protection: contacts, forces, motions and losses that must not happen, time to brake, and cost."""

from __future__ import annotations

import time
from itertools import product

import numpy as np

from farhand.cell import Cell
from farhand.kernels import compile_all
from farhand.loop import Run, WallClock
from farhand.types import Feedback, Reading, SelectMapping
from farhand_bench import plates
from farhand_bench.enabling import sequences
from farhand_bench.jogs import campaign
from farhand_bench.lanecost import ON_TRACKS, lane_cost
from farhand_bench.losses import losses
from farhand_bench.pressing import How, press
from farhand_bench.rows import Row, row

__all__ = ["measure"]

JOGS, LOSSES, SEQUENCES, LIVE, PRESSES = 200, 2000, 5000, 200, 70
PEAK = 1.5  # times the threshold
STANDS = 0.002  # m in a second: a tip that travels less counts as standing
WALLS = (1e3, 1e4, 1e5)  # N/m
MASSES = (2.0, 10.0)  # kg
PRESSED: dict[How, str] = {"jog": "by a jog", "hand": "by a leading hand", "move": "by a move"}
SILENCE = 0.5  # s within which each live loss must be noticed
LATE = 10.0  # ms: a live figure is void if a bare loop was later


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    cell = Cell.load("irb120")
    return [
        *_jogs(),
        *_pressing(),
        *_plates(),
        *_losses(cell),
        *_sequences(cell),
        *_live(),
        *lane_cost(),
        *lane_cost(ON_TRACKS),
    ]


def _jogs() -> list[Row]:
    found = campaign(JOGS)
    of = f"{JOGS} random jogs and moves"
    counts = [
        (f"touches of pairs that must never touch in {of}", found.touches, "0"),
        ("  the same by objects that moved into an arm at rest", found.rammed, "reported"),
        ("  jogs that ended at a constraint", found.stuck, ""),
        (f"  of {found.tried} ways back, blocked at a fifth of full speed", found.shut, "reported"),
        ("  jogs without a way back at their own speed", found.trapped, "0"),
        ("  the same because the moving box has come there since", found.taken, "reported"),
    ]
    rows = [Row(name, float(count), float(count), "", bar) for name, count, bar in counts]
    fastest = [
        Row("  largest speed of a touch, as a share of the contact speed", found.fastest, found.fastest, "", "≤ 1"),
        Row("  the same by an arm that slipped off another object", found.sprung, found.sprung, "", "reported"),
        Row("  force of such a touch, as a share of the threshold", found.knocked, found.knocked, "", "reported"),
    ]
    return [*rows, *fastest, Row("  least distance at the ends of jogs", 1e3 * found.least, 1e3 * found.least, "mm")]


def _pressing() -> list[Row]:
    rows = []
    for (how, words), stiffness, mass in product(PRESSED.items(), WALLS, MASSES):
        found = press(stiffness, how=how, mass=mass)
        name = f"wall of {stiffness:g} N/m and {mass:g} kg, pressed {words} at full speed: peak over threshold"
        rows.append(Row(name, found.peak, found.peak, "", "≤ 1.5"))
        off = 100.0 * max(abs(found.low - 1.0), abs(found.high - 1.0))
        rows.append(Row("  largest deviation from the threshold after 1 s", off, off, "%", "≤ 10"))
        rows.append(Row("  largest change from tick to tick then", 100.0 * found.chatter, 100.0 * found.chatter, "%"))
    return rows


def _plates() -> list[Row]:
    rows = []
    for stiffness, what in ((0.0, "that is rigid"), *[(k, f"of {k:g} N/m") for k in WALLS]):
        found = plates.campaign(PRESSES, stiffness=stiffness)
        touched = sum(one.peak > 0.0 for one in found)
        name = f"plate {what}, pressed from anywhere by every kind of motion ({touched} of {PRESSES} touch): peak"
        peak, over = max(one.peak for one in found), float(sum(one.peak > PEAK for one in found))
        chatter = 100.0 * max([one.chatter for one in found if one.slid < STANDS], default=0.0)
        rows += [
            Row(name, peak, peak, "", f"≤ {PEAK:g}"),
            Row(f"  presses above {PEAK:g} times the threshold", over, over, "", "0"),
            Row("  largest change from tick to tick, of those at rest", chatter, chatter, "%"),
        ]
    return rows


def _losses(cell: Cell) -> list[Row]:
    found = list(losses(cell, LOSSES))
    pause, dt = cell.lanes["arm"].watchdog.pause, cell.dt
    in_time = sum(loss.began * dt <= pause + 1.5 * dt for loss in found)
    name = f"losses of {LOSSES} with braking within the time-out + one tick"
    return [
        Row(name, float(in_time), float(in_time), "", f"{LOSSES}"),
        row("time to rest beyond v/a_max", [(x.took - x.needed) / dt for x in found], "ticks", "p99 ≤ 2"),
    ]


def _sequences(cell: Cell) -> list[Row]:
    wrong = float(len(sequences(cell, SEQUENCES)))
    return [Row(f"motions without a fresh press in {SEQUENCES} random sequences", wrong, wrong, "", "0")]


def _live() -> list[Row]:
    """Lose a master again and again by the wall clock, beside a bare loop that shows the machine's own lateness."""
    cell, took, late = Cell.load("irb120"), [], []
    pause = cell.lanes["arm"].watchdog.pause
    for _ in range(LIVE):
        took.append((_live_loss(cell) - pause) * 1e3)
        late.append(_bare(cell.dt) * 1e3)
    worst = float(np.percentile(late, 99.9))
    void = f" (void: a bare loop was {worst:.0f} ms late)" if worst > LATE else ""
    p999 = float(np.percentile(took, 99.9))
    return [
        Row(f"braking after the time-out by the wall clock, p99.9{void}", p999, p999, "ms", "void" if void else "≤ 20"),
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
    """A hand that presses, holds for a moment, and falls silent."""

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
    """Return the largest lateness of a bare loop, seconds, over the duration of a loss."""
    clock, end, late = WallClock(dt), time.perf_counter() + SILENCE, 0.0
    while time.perf_counter() < end:
        clock.wait()
        late = max(late, clock.late)
    return late
