"""Isomeric control: joints to pose, pose to pose, pose to joints, from a Delta master to a SCARA."""

from __future__ import annotations

import numpy as np

from farhand.cell import Cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.experiments.record import Record
from farhand.kernels import Floats
from farhand.loop import Run
from farhand.mapping.axes import axes_table

__all__ = ["isomeric"]

SECONDS = 12.0
MIN_SECONDS = 2.0
BAR = 0.5  # mm


@EXPERIMENTS.register("isomeric")
def isomeric(seconds: float | None = None) -> Outcome:
    """Pose to pose: a SCARA draws a Delta master's circle, turned by the paper's axis table."""
    length = lasting(seconds, SECONDS, MIN_SECONDS)
    record = Record(Run(Cell.load("delta-scara")), "delta").take(length)
    mapped = _mapped(record)
    error: Floats = 1e3 * np.linalg.norm(record.tip - mapped, axis=1)
    error[~record.driving] = 0.0
    t, joints = record.time, record.run.cell.lanes["arm"].model.arm.joints
    turns = [i for i, joint in enumerate(joints) if joint.kind == "hinge"]
    lift = next(i for i, joint in enumerate(joints) if joint.kind == "slide")
    moved = record.joints - record.home
    return Outcome(
        title=f"Isomeric control: Delta master to SCARA, X to Y, Y to −Z, Z to −X, {length:g} s",
        figures=(
            Figure("largest distance from the mapped path", float(error.max()), "mm", BAR),
            Figure("99th percentile of the distance", float(np.percentile(error, 99)), "mm"),
            Figure("size of the path", 1e3 * float(np.ptp(record.tip, axis=0).max()), "mm"),
            Figure("ticks per second", 1.0 / record.run.cell.dt, "Hz", 500.0, "at least"),
        ),
        columns={**record.columns(), "error (m)": error / 1e3},
        panels=(
            Panel(
                "Path of the robot's tip, from the front",
                "y (mm)",
                "z (mm)",
                (
                    PlotLine("master, mapped", 1e3 * mapped[:, 1], 1e3 * mapped[:, 2], asked=True),
                    PlotLine("robot", 1e3 * record.tip[:, 1], 1e3 * record.tip[:, 2]),
                ),
                square=True,
            ),
            Panel(
                "Joints of the master",
                "time (s)",
                "angle (°)",
                tuple([PlotLine(f"θ{i + 1}", t, np.degrees(angles)) for i, angles in enumerate(record.leading.T)]),
            ),
            Panel("Distance from the mapped path", "time (s)", "distance (mm)", (PlotLine("distance", t, error),),
                  (Level("bar: 0.5 mm", BAR),)),
            Panel(
                "Joints of the robot, from home (dashed: lift, mm)",
                "time (s)",
                "angle (°), lift (mm)",
                (
                    *[PlotLine(joints[i].label, t, np.degrees(moved[:, i])) for i in turns],
                    PlotLine(joints[lift].label, t, 1e3 * moved[:, lift], dashed=True),
                ),
            ),
        ),
    )  # fmt: skip


def _mapped(record: Record) -> Floats:
    """Return the path that the axis table asks for: computed from the table alone, not by the mapping under test."""
    settings = record.run.cell.spec.robots["arm"].mappings["isomeric"]
    A = np.array(axes_table(tuple(settings["axes"])))
    begun = int(np.argmax(record.driving))
    mapped: Floats = record.tip[begun] + float(settings["scale"]) * (record.hand - record.hand[begun]) @ A.T
    return mapped
