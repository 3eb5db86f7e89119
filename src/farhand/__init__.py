"""Farhand drives any robot from any master, in a physics simulation.

::

    from farhand import Cell, Inputs, Reading

    cell = Cell.load("irb120", seed=0)
    tick = cell.step()

The names in `__all__` are the public interface; other modules may change between versions:

- `Cell` runs a work cell in virtual time, one tick per step; `Tick` is its result.
- `Inputs` holds the readings and events of a tick; `Reading` is a master's state; `Pose` places frames.
- `Run` ticks a cell by a clock: `WallClock` in real time, `VirtualClock` as fast as possible.

Each name is loaded when first used, so that importing the package and printing the command line's help stay fast.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from farhand.cell import Cell
    from farhand.loop import Run, VirtualClock, WallClock
    from farhand.poses import Pose
    from farhand.types import Inputs, Reading, Tick

__all__ = ["Cell", "Inputs", "Pose", "Reading", "Run", "Tick", "VirtualClock", "WallClock", "__version__"]

__version__ = "0.1.0"

_HOMES = {
    "Cell": "farhand.cell",
    "Inputs": "farhand.types",
    "Pose": "farhand.poses",
    "Reading": "farhand.types",
    "Run": "farhand.loop",
    "Tick": "farhand.types",
    "VirtualClock": "farhand.loop",
    "WallClock": "farhand.loop",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'farhand' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
