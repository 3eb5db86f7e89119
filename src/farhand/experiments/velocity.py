"""System 3: the tip's velocity is the hand's, ten times; how well position keeps up, and for how long."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Line, Panel
from farhand.experiments.record import Record
from farhand.kernels import Floats
from farhand.loop import Run

__all__ = ["velocity"]

SCALE = 10.0  # the paper's
HALF_WAY = 0.08  # m of the tip to either side
SPEED = 0.1  # m/s of the tip
STEADY = 0.225  # of a period: how long a sweep would take to its end at its steady speed
PERIOD = HALF_WAY / (STEADY * SPEED)
SECONDS = 600.0
LEAST = 8.0
SHOWN = 12.0  # seconds that are drawn
SETTLED = 2.0  # seconds before errors count
THIN = 10  # every tenth tick goes into the file


@EXPERIMENTS.register("velocity")
def velocity(seconds: float | None = None) -> Outcome:
    """Velocity tracking along x: a Touch leads an IRB 120 ten times as fast as the hand, for ten minutes.

    The hand sweeps 16 mm at 10 mm/s, the tip 160 mm at 0.1 m/s. The error is between the measured tip and ten times
    the way of the hand, so it tells what velocity control loses in position.
    """
    length = lasting(seconds, SECONDS, LEAST)
    record = Record(Run(_cell()), "touch").take(length)
    error = _error(record)
    times, settled = record.time, record.time > SETTLED
    window = min(60.0, max(PERIOD, (length - SETTLED) / 3.0))
    first = error[settled & (times <= SETTLED + window)].max()
    last = error[times > length - window].max()
    speeds = np.gradient(record.tip[:, 0], record.run.cell.dt)
    return Outcome(
        title=f"Velocity tracking along x: Touch to IRB 120, {SCALE:g} times, {length:g} s",
        figures=(
            Figure("scale, robot over hand", SCALE, ""),
            Figure("steady speed of the tip", float(np.percentile(np.abs(speeds[settled]), 50)), "m/s"),
            Figure("largest error", 1e3 * float(error[settled].max()), "mm", 1.0),
            Figure("growth of the largest error", 1e3 * float(last - first), "mm", 0.05),
            Figure("over", length, "s"),
            Figure("ticks per second", 1.0 / record.run.cell.dt, "Hz", 500.0, "at least"),
        ),
        columns={**record.columns(THIN), "error (m)": error[::THIN]},
        panels=_panels(record, error),
    )


def _cell() -> Cell:
    """Return the Touch's cell without its block, driven by velocity."""
    plain = Cell.load("irb120-touch")
    arm = replace(plain.spec.robots["arm"], mappings={"velocity": {"kind": "velocity", "scale": SCALE}})
    intent = {
        "kind": "path",
        "shape": "sweep",
        "axis": "x",
        "amplitude": HALF_WAY / SCALE,
        "period": PERIOD,
        "delay": 0.5,
        "ease": 1.0,
    }
    masters = {"touch": {**plain.spec.masters["touch"], "intent": intent}}
    world = replace(plain.spec.world, objects=())
    return Cell(replace(plain.spec, robots={"arm": arm}, masters=masters, world=world), plain.path)


def _error(record: Record) -> Floats:
    """Return how far the tip is from where ten times the hand's way leads, from the moment the ramp-in is over.

    After engagement a velocity is let in gently, for the first fifth of a second: what the hand went meanwhile is not
    owed, as with any clutch.
    """
    begun = int(np.argmax(record.driving)) + round(0.3 / record.run.cell.dt)
    wanted = SCALE * (record.hand - record.hand[begun]) + record.tip[begun]
    distance: Floats = np.linalg.norm(record.tip - wanted, axis=1)
    distance[:begun] = 0.0
    return distance


def _panels(record: Record, error: Floats) -> tuple[Panel, ...]:
    shown = record.time <= SHOWN
    t, tip, hand = record.time[shown], record.tip[shown], record.hand[shown]
    joints = record.run.cell.lanes["arm"].model.arm.joints
    edges = np.arange(SETTLED, record.time[-1] + 1e-9, PERIOD)
    middles = 0.5 * (edges[:-1] + edges[1:])
    largest = np.array([error[(record.time > a) & (record.time <= b)].max() for a, b in pairwise(edges.tolist())])
    rates = record.rates[shown]
    return (
        Panel(
            "Position of the tip along x",
            "time (s)",
            "mm",
            (
                Line("ten times the hand", t, 1e3 * SCALE * hand[:, 0], dashed=True),
                Line("tip", t, 1e3 * tip[:, 0]),
            ),
        ),
        Panel(
            "Joint velocities",
            "time (s)",
            "rad/s",
            tuple(Line(f"q{i + 1}", t, rates[:, i]) for i in range(len(joints))),
        ),
        Panel(
            "Error of the tip's position",
            "time (s)",
            "mm",
            (Line("error", t, 1e3 * error[shown]),),
            (Level("bar: 1 mm", 1.0),),
        ),
        Panel(
            "Largest error in each to and fro",
            "time (s)",
            "mm",
            (Line("largest error", middles, 1e3 * largest),),
            (Level("bar: 1 mm", 1.0),),
        ),
    )
