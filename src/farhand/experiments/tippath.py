"""A path that the tip of the tracked robot is led along, and how far it is from there at every instant."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.cell import Cell
from farhand.experiments.armlog import ArmLog
from farhand.experiments.plot import Panel, PlotLine, spatial
from farhand.kernels import Floats
from farhand.masters.intents import PathIntent, PathSpec
from farhand.types import Vector

__all__ = ["POSTURE", "RMS", "SPEED", "TipPath", "follow"]

POSTURE: Vector = (0.0, -1.35, 1.85, 0.10, 0.0, -0.35, 0.0)  # the claw ahead of the robot, level
SPEED = 0.1  # m/s
RMS = 2.0  # mm


class TipPath(Struct, frozen=True):
    """A path as asked for and as made.

    Args:
        log: What the arm did.
        wanted: (m, 3) where the tip should have been, metres, base axes.
        error: (m, 3) how far it was from there.
    """

    log: ArmLog
    wanted: Floats
    error: Floats

    @property
    def rms(self) -> float:
        """Of the distance while it was led, mm."""
        return float(1e3 * np.sqrt(np.mean(np.sum(self.error[self.log.driving] ** 2, axis=1))))

    @property
    def worst(self) -> float:
        """Largest distance, mm."""
        return float(1e3 * np.linalg.norm(self.error, axis=1).max())

    @property
    def speed(self) -> float:
        """Of the tip, most of the time, m/s."""
        steps = np.linalg.norm(np.diff(self.log.tip, axis=0), axis=1)
        return float(np.median(steps)) / self.log.cell.dt

    def columns(self) -> dict[str, Floats]:
        """Return everything as columns for a file."""
        found = self.log.columns()
        for i, axis in enumerate("xyz"):
            found |= {f"wanted {axis} (m)": self.wanted[:, i], f"error {axis} (m)": self.error[:, i]}
        return found

    def panel(self, title: str, across: int, up: int) -> Panel:
        """Return the path as seen along one axis, from where it began."""
        lines = [
            PlotLine(name, 1e3 * (p[:, across] - p[0, across]), 1e3 * (p[:, up] - p[0, up]), asked=asked)
            for name, p, asked in (("asked for", self.wanted, True), ("made", self.log.tip, False))
        ]
        return Panel(title, f"{'xyz'[across]} (mm)", f"{'xyz'[up]} (mm)", tuple(lines), square=True)

    def view(self, title: str) -> Panel:
        """Return the path in space, from where it began."""
        both = (("asked for", self.wanted, True), ("made", self.log.tip, False))
        return spatial(title, [(name, points - points[0], asked) for name, points, asked in both])


def follow(cell: Cell, path: PathSpec, seconds: float) -> TipPath:
    """Return what comes of leading the tip along a path, from where it is.

    Args:
        cell: With the tracked robot, led by a clutch.
        path: Shifts in base axes.
        seconds: How long.
    """
    log = ArmLog(cell, PathIntent(path)).take(seconds)
    begun = int(np.argmax(log.driving))
    wanted: Floats = log.tip[begun] + log.hand - log.hand[begun]
    wanted[:begun] = log.tip[:begun]
    return TipPath(log, wanted, log.tip - wanted)
