"""A path for the tip of the tracked robot, and the error of the tip at every instant."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.cell import Cell
from farhand.experiments.armlog import ArmLog
from farhand.experiments.plot import Panel, PlotLine, spatial
from farhand.kernels import Floats
from farhand.masters.intents import PathIntent, PathSpec
from farhand.types import Vector

__all__ = ["MAX_RMS", "POSTURE", "SPEED", "TipPath", "follow"]

POSTURE: Vector = (0.0, -1.35, 1.85, 0.10, 0.0, -0.35, 0.0)  # the claw ahead of the robot, level
SPEED = 0.1  # m/s
MAX_RMS = 2.0  # mm


class TipPath(Struct, frozen=True):
    """A commanded path and the path of the tip.

    Args:
        log: The log of the arm.
        wanted: (m, 3) commanded positions of the tip, m, base axes.
        error: (m, 3) measured minus commanded position.
    """

    log: ArmLog
    wanted: Floats
    error: Floats

    @property
    def rms(self) -> float:
        """RMS of the error while the hand drives, mm."""
        return float(1e3 * np.sqrt(np.mean(np.sum(self.error[self.log.driving] ** 2, axis=1))))

    @property
    def worst(self) -> float:
        """Largest error, mm."""
        return float(1e3 * np.linalg.norm(self.error, axis=1).max())

    @property
    def speed(self) -> float:
        """Median speed of the tip, m/s."""
        steps = np.linalg.norm(np.diff(self.log.tip, axis=0), axis=1)
        return float(np.median(steps)) / self.log.cell.dt

    def columns(self) -> dict[str, Floats]:
        """Return the data as columns for a file."""
        found = self.log.columns()
        for i, axis in enumerate("xyz"):
            found |= {f"wanted {axis} (m)": self.wanted[:, i], f"error {axis} (m)": self.error[:, i]}
        return found

    def panel(self, title: str, across: int, up: int) -> Panel:
        """Return the path as seen along one axis, relative to its start."""
        lines = [
            PlotLine(name, 1e3 * (p[:, across] - p[0, across]), 1e3 * (p[:, up] - p[0, up]), asked=asked)
            for name, p, asked in (("commanded", self.wanted, True), ("measured", self.log.tip, False))
        ]
        return Panel(title, f"{'xyz'[across]} (mm)", f"{'xyz'[up]} (mm)", tuple(lines), square=True)

    def view(self, title: str) -> Panel:
        """Return the path in space, relative to its start."""
        both = (("commanded", self.wanted, True), ("measured", self.log.tip, False))
        return spatial(title, [(name, points - points[0], asked) for name, points, asked in both])


def follow(cell: Cell, path: PathSpec, seconds: float) -> TipPath:
    """Drive the tip along a path from its present position, and return both paths.

    Args:
        cell: A cell with the tracked robot, driven with a clutch.
        path: The path, as shifts in base axes.
        seconds: The duration.
    """
    log = ArmLog(cell, PathIntent(path)).take(seconds)
    begun = int(np.argmax(log.driving))
    wanted: Floats = log.tip[begun] + log.hand - log.hand[begun]
    wanted[:begun] = log.tip[:begun]
    return TipPath(log, wanted, log.tip - wanted)
