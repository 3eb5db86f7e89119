"""Experiments: the published results, repeated in virtual time, with a bar for every figure.

Each experiment is one file that registers itself; the same seed and machine give the same figures to the bit.
"""

from farhand.experiments.outcome import EXPERIMENTS, Experiment, Figure, Outcome, table
from farhand.experiments.plot import Level, Panel, PlotLine, drawing
from farhand.experiments.record import Record
from farhand.registry import import_all

__all__ = [
    "EXPERIMENTS",
    "Experiment",
    "Figure",
    "Level",
    "Outcome",
    "Panel",
    "PlotLine",
    "Record",
    "drawing",
    "table",
]

import_all(__name__, __path__)
