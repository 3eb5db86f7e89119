"""Filters: the stages that a demand passes, in order, before the servo.

Each may slow or bound the demand, never speed it up, and says so in a note. A filter is a stage, ``(demand, view,
memory) → (demand, memory, notes)``; its memory starts as None and belongs to it alone. A new kind of filter is one new
file that registers itself.
"""

from farhand.filters.filter import FILTERS, Alterable, Felt, Filter, Placed, Surroundings, View, run_filters
from farhand.filters.fixture import Fixture
from farhand.filters.scale import Scale
from farhand.filters.smooth import Smooth
from farhand.filters.tip_limits import TipLimits
from farhand.filters.workspace import Workspace
from farhand.registry import import_all

__all__ = [
    "FILTERS",
    "Alterable",
    "Felt",
    "Filter",
    "Fixture",
    "Placed",
    "Scale",
    "Smooth",
    "Surroundings",
    "TipLimits",
    "View",
    "Workspace",
    "run_filters",
]

import_all(__name__, __path__)
