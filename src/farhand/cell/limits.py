"""Limits of a cell file that contradict each other, or leave a robot no place to be."""

from __future__ import annotations

from farhand.config import ConfigError
from farhand.filters import Workspace
from farhand.lane import Lane

__all__ = ["check_limits"]

AXES = "xyz"


def check_limits(lane: Lane) -> None:
    """Check that a robot can be at home within all of its limits.

    Raises:
        ConfigError: If it cannot; the field is relative to the robot's table.
    """
    names = list(lane.setup.filters)
    boxes = [(names.index(name), stage) for name, stage in lane.setup.filters.items() if isinstance(stage, Workspace)]
    for i, (at, box) in enumerate(boxes):
        for before, other in boxes[:i]:
            _check_overlap(box, other, at, before)
    home = lane.tip(lane.home).position
    for at, box in boxes:
        for axis, name in enumerate(AXES):
            if not box.lower[axis] <= home[axis] <= box.upper[axis]:
                found = f"the tip's {name} at home is {home[axis]:.3f}"
                span = f"{box.lower[axis]:g} to {box.upper[axis]:g}"
                raise ConfigError(f"filters[{at}]", f"{found}, outside this work space ({span}); no motion could begin")


def _check_overlap(box: Workspace, other: Workspace, at: int, before: int) -> None:
    for axis, name in enumerate(AXES):
        if min(box.upper[axis], other.upper[axis]) <= max(box.lower[axis], other.lower[axis]):
            problem = f"leaves no room in {name} together with filters[{before}]: the two work spaces do not overlap"
            raise ConfigError(f"filters[{at}]", problem)
