"""Paths in a plane: a circle, an eight and a square by the tip of the tracked robot's arm."""

from __future__ import annotations

import math

from farhand.experiments.armlog import arm_panels, settled, tracked_cell
from farhand.experiments.outcome import EXPERIMENTS, Figure, Outcome, lasting
from farhand.experiments.plot import Level, Panel, PlotLine
from farhand.experiments.tippath import MAX_RMS, POSTURE, SPEED, TipPath, follow
from farhand.kernels import Floats
from farhand.masters.intents import PathSpec

__all__ = ["PATHS", "telemax_paths"]

RADIUS, EIGHT, EDGE = 0.12, 0.14, 0.20  # m
SECONDS = 10.0
MIN_SECONDS = 3.0
PATHS: dict[str, tuple[PathSpec, int, int]] = {
    "circle": (
        PathSpec(shape="circle", axis="x", amplitude=RADIUS, period=math.tau * RADIUS / SPEED, delay=0.2, ease=1.0),
        1,
        2,
    ),
    # the length of an eight is 6.097 times its half width
    "eight": (
        PathSpec(shape="eight", axis="z", amplitude=EIGHT, period=6.097 * EIGHT / SPEED, delay=0.2, ease=1.0),
        0,
        1,
    ),
    "square": (
        PathSpec(
            shape="reach",
            points=((0.0, 0.0, EDGE), (-EDGE, 0.0, EDGE), (-EDGE, 0.0, 0.0), (0.0, 0.0, 0.0)),
            period=EDGE / SPEED,
            delay=0.2,
        ),
        0,
        2,
    ),
}


@EXPERIMENTS.register("telemax-paths")
def telemax_paths(seconds: float | None = None) -> Outcome:
    """Paths in a plane at 0.1 m/s by the tracked robot's tip, its base at rest: a circle, an eight, a square.

    Each lies in another plane. The square goes from corner to corner with minimum jerk, at a mean of 0.1 m/s. The error
    is between the measured tip and the path of the hand in the axes of the robot's base, at the same instant.
    """
    length = lasting(seconds, SECONDS, MIN_SECONDS)
    cell = settled(tracked_cell("level ground", {"hand": {"kind": "clutch", "turn_scale": 0.0}}), POSTURE)
    runs: dict[str, TipPath] = {}
    for name, (path, _, _) in PATHS.items():
        settled(cell, POSTURE)
        runs[name] = follow(cell, path, length)
    figures: list[Figure] = []
    for name, run in runs.items():
        figures += [
            Figure(f"{name}: error of the tip, RMS", run.rms, "mm", MAX_RMS),
            Figure(f"{name}: largest error", run.worst, "mm"),
            Figure(f"{name}: median speed of the tip", run.speed, "m/s"),
        ]
    columns: dict[str, Floats] = {}
    for name, run in runs.items():
        columns |= {title if title == "time (s)" else f"{name}: {title}": v for title, v in run.columns().items()}
    return Outcome(
        title=f"Paths in a plane by the tracked robot's tip, {SPEED:g} m/s",
        figures=tuple(figures),
        columns=columns,
        panels=tuple(panel for name, run in runs.items() for panel in _panels(name, run)),
        abreast=4,
    )


def _panels(name: str, run: TipPath) -> tuple[Panel, ...]:
    _, across, up = PATHS[name]
    error = Panel(
        "Error of the tip",
        "time (s)",
        "error (mm)",
        tuple(PlotLine(axis, run.log.time, 1e3 * run.error[:, i]) for i, axis in enumerate("xyz")),
        (Level("", MAX_RMS), Level("RMS: at most 2 mm", -MAX_RMS)),
    )
    return run.panel(f"The {name}", across, up), error, *arm_panels(run.log)[1:]
