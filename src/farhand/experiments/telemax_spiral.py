"""A spiral by the tip of the tracked robot's arm: on level ground, on a ramp, and rocking on a bar."""

from __future__ import annotations

import math

import numpy as np

from farhand.experiments.armlog import STANDS, Stand, arm_panels, settled, tracked_cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.experiments.tippath import MAX_RMS, POSTURE, SPEED, TipPath, follow
from farhand.kernels import Floats
from farhand.masters.intents import PathSpec

__all__ = ["SPIRAL", "telemax_spiral"]

RADIUS, RISE = 0.12, 0.03  # m, m a turn
SECONDS = 23.5
MIN_SECONDS = 3.0
SPIRAL = PathSpec(
    shape="spiral",
    axis="y",
    amplitude=RADIUS,
    rise=RISE,
    period=math.hypot(math.tau * RADIUS, RISE) / SPEED,
    delay=0.2,
    ease=1.0,
)


@EXPERIMENTS.register("telemax-spiral")
def telemax_spiral(seconds: float | None = None) -> Outcome:
    """A spiral in space at 0.1 m/s by the tracked robot's tip: on level ground, on a ramp of 30°, rocking on a bar.

    The error is between the measured tip and the path of the hand, both in the axes of the robot's base, at the same
    instant. On the bar the arm's own weight rocks the robot while it draws.
    """
    length = lasting(seconds, SECONDS, MIN_SECONDS)
    runs = {stand: _run(stand, length) for stand in STANDS}
    figures: list[Figure] = []
    for stand, run in runs.items():
        swing = np.degrees(np.ptp(run.log.attitude[:, 0]))
        figures += [
            Figure(f"on {stand}: error of the tip, RMS", run.rms, "mm", MAX_RMS),
            Figure(f"on {stand}: largest error", run.worst, "mm"),
            Figure(f"on {stand}: rocking of the base", float(swing), "°"),
        ]
    level = runs[STANDS[0]]
    figures.append(Figure("median speed of the tip", level.speed, "m/s"))
    return Outcome(
        title=f"Spiral in space by the tracked robot's tip, {SPEED:g} m/s, {length:g} s",
        figures=tuple(figures),
        columns=_columns(runs),
        panels=_panels(runs),
    )


def _run(stand: Stand, seconds: float) -> TipPath:
    cell = settled(tracked_cell(stand, {"hand": {"kind": "clutch", "turn_scale": 0.0}}), POSTURE)
    return follow(cell, SPIRAL, seconds)


def _columns(runs: dict[Stand, TipPath]) -> dict[str, Floats]:
    columns: dict[str, Floats] = {}
    for stand, run in runs.items():
        columns |= {name if name == "time (s)" else f"{stand}: {name}": v for name, v in run.columns().items()}
    return columns


def _panels(runs: dict[Stand, TipPath]) -> tuple[Panel, ...]:
    level, t = runs[STANDS[0]], runs[STANDS[0]].log.time
    errors = [
        Panel(
            f"Error along {axis}",
            "time (s)",
            "error (mm)",
            tuple(PlotLine(stand, run.log.time, 1e3 * run.error[:, i]) for stand, run in runs.items()),
            (Level("", MAX_RMS), Level("RMS: at most 2 mm", -MAX_RMS)),
        )
        for i, axis in enumerate("xyz")
    ]
    return (
        level.view("The spiral in space"),
        level.panel("Path from the side", 0, 2),
        *errors,
        Panel(
            "Pitch of the base, from its start",
            "time (s)",
            "pitch (°)",
            tuple(PlotLine(s, t, np.degrees(r.log.attitude[:, 0] - r.log.attitude[0, 0])) for s, r in runs.items()),
        ),
        *arm_panels(level.log)[:2],
        arm_panels(level.log)[2],
        _named(arm_panels(runs[STANDS[2]].log)[2], "Efforts while it rocks (telescope q4: N)"),
    )


def _named(panel: Panel, title: str) -> Panel:
    return Panel(title, panel.x, panel.y, panel.lines)
