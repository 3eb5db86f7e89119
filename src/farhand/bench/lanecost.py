"""What protection costs in a tick: a lane with all of it beside one with none, driven alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
from msgspec.structs import replace

from farhand.bench.rows import Row, row
from farhand.cell import Cell
from farhand.cell.files import find_cell, read_cell
from farhand.lane import Lane
from farhand.types import Inputs, Reading, SelectMapping

__all__ = ["lane_cost"]

TICKS = 3000
MORE = ({"kind": "limits", "speed": 0.5, "turn_speed": 2.0},)


def lane_cost() -> list[Row]:
    """Return the rows: a whole lane, one without protection, and what protection takes of it."""
    cells = {"with": _cell(protected=True), "without": _cell(protected=False)}
    whole = {name: _timed(cell, "step") for name, cell in cells.items()}
    modes, guard = _timed(cells["without"], "_advance_mode"), _timed(cells["without"], "guard")
    with ExitStack() as stack:
        for timer in (*whole.values(), modes, guard):
            stack.enter_context(timer.patched())
        gc.collect()
        for k in range(TICKS):
            for cell in cells.values():
                _drive(cell, k)
    told = {name: np.array(timer.spent[200:]) * 1e6 for name, timer in whole.items()}
    always = np.median(modes.spent) + np.median(guard.spent)
    extra = float(np.median(told["with"]) - np.median(told["without"]) + always * 1e6)
    return [
        Row("all protection of a lane: filters, avoidance, modes and guard", extra, extra, "µs", "≤ 60"),
        row("  a whole lane with it, mapping and servo included", told["with"].tolist(), "µs"),
        row("  the same without filters and avoidance", told["without"].tolist(), "µs"),
    ]


def _cell(*, protected: bool) -> Cell:
    path = find_cell("irb120")
    spec = read_cell(path)
    arm = spec.robots["arm"]
    arm = replace(arm, filters=(*arm.filters, *MORE)) if protected else replace(arm, filters=(), avoid=None)
    return Cell(replace(spec, robots={"arm": arm}), path)


def _drive(cell: Cell, k: int) -> None:
    """Go down to the table and up again, turning."""
    sign = 1.0 if (k // 250) % 2 else -1.0
    reading = Reading(sequence=k, deadman=k > 2, axes=(0.0, 0.0, sign, 0.0, 0.0, 0.3 * sign))
    cell.step(Inputs({"hand": reading}, (SelectMapping("arm", "base axes"),) if k == 0 else ()))


class _Timer:
    """Keeps the seconds that one stage of a lane takes; from outside, so that the lane itself carries no timers."""

    def __init__(self, lane: Lane, stage: str) -> None:
        self._lane, self._stage = lane, stage
        self.spent: list[float] = []

    @contextmanager
    def patched(self) -> Iterator[None]:
        """Time the stage for a while."""
        inner: Callable[..., Any] = getattr(self._lane, self._stage)

        def timed(*args: Any, **named: Any) -> Any:
            start = time.perf_counter()
            result = inner(*args, **named)
            self.spent.append(time.perf_counter() - start)
            return result

        with patch.object(self._lane, self._stage, timed):
            yield


def _timed(cell: Cell, stage: str) -> _Timer:
    return _Timer(cell.lanes["arm"], stage)
