"""Isomorphic control: joint to joint, from a Delta master to a Delta of the same shape."""

from __future__ import annotations

import numpy as np

from farhand.cell import Cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.experiments.record import Record
from farhand.loop import Run

__all__ = ["isomorphic"]

SECONDS = 12.0
MIN_SECONDS = 2.0
BAR = 0.1  # degrees


@EXPERIMENTS.register("isomorphic")
def isomorphic(seconds: float | None = None) -> Outcome:
    """Joint to joint: the handle of a Delta master draws circles, and a Delta robot copies each of its motors."""
    length = lasting(seconds, SECONDS, MIN_SECONDS)
    record = Record(Run(Cell.load("delta-delta")), "delta").take(length)
    error = np.degrees(np.abs(record.joints - record.leading))
    error[~record.driving] = 0.0
    t, names = record.time, [joint.label for joint in record.run.cell.lanes["arm"].model.arm.joints]
    moved = np.degrees(record.joints - record.home)
    leading = np.degrees(record.leading - record.home)
    distance = np.linalg.norm(record.hand - record.tip, axis=1)
    return Outcome(
        title=f"Isomorphic control: Delta master to Delta, joint to joint, {length:g} s",
        figures=(
            Figure("largest joint error", float(error.max()), "°", BAR),
            Figure("joint error, 99th percentile", float(np.percentile(error.max(axis=1), 99)), "°"),
            Figure("largest distance between handle and platform", 1e3 * float(distance.max()), "mm"),
            Figure("largest joint angle", float(np.abs(moved).max()), "°"),
            Figure("ticks per second", 1.0 / record.run.cell.dt, "Hz", 500.0, "at least"),
        ),
        columns=record.columns(),
        panels=(
            Panel(
                "Paths of handle and platform, from above",
                "x (mm)",
                "y (mm)",
                (
                    PlotLine("handle", 1e3 * record.hand[:, 0], 1e3 * record.hand[:, 1], asked=True),
                    PlotLine("platform", 1e3 * record.tip[:, 0], 1e3 * record.tip[:, 1]),
                ),
                square=True,
            ),
            Panel(
                "Joints of the robot, from home",
                "time (s)",
                "angle (°)",
                tuple(PlotLine(f"q{i + 1}", t, moved[:, i]) for i in range(len(names))),
            ),
            Panel(
                "Error of each joint",
                "time (s)",
                "error (°)",
                tuple(PlotLine(f"q{i + 1}", t, moved[:, i] - leading[:, i]) for i in range(len(names))),
                (Level("bar: 0.1°", BAR), Level("", -BAR)),
            ),
            Panel(
                "Distance between handle and platform",
                "time (s)",
                "distance (mm)",
                (PlotLine("distance", t, 1e3 * distance),),
            ),
        ),
    )
