"""Cost of protection in a tick: a lane with all protection beside one without, driven alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.lane import Lane
from farhand.surroundings import AvoidSpec
from farhand.types import Inputs, Reading, SelectMapping
from farhand_bench.rows import Row, row

__all__ = ["ON_TRACKS", "STANDING", "Driven", "lane_cost"]

TICKS = 3000


class Driven(Struct, frozen=True):
    """A robot whose lane is timed.

    Args:
        cell: Name of its cell.
        robot: Name of the robot.
        mapping: Its control mode.
        filters: Its filters beside those of the cell.
        avoid: Its avoidance, if not the cell's.
    """

    cell: str
    robot: str
    mapping: str
    filters: tuple[dict[str, Any], ...]
    avoid: AvoidSpec | None = None


STANDING = Driven("irb120", "arm", "base axes", ({"kind": "limits", "speed": 0.5, "turn_speed": 2.0},))
ON_TRACKS = Driven("telemax", "telemax", "arm tip", ({"kind": "compliance"},), AvoidSpec())


def lane_cost(driven: Driven = STANDING) -> list[Row]:
    """Return the rows: a whole lane, one without protection, and the cost of protection."""
    cells = {"with": _cell(driven, protected=True), "without": _cell(driven, protected=False)}
    whole = {name: _timed(cell, driven, "step") for name, cell in cells.items()}
    bare = cells["without"]
    modes, guard = _timed(bare, driven, "_advance_mode"), _timed(bare, driven, "guard")
    with ExitStack() as stack:
        for timer in (*whole.values(), modes, guard):
            stack.enter_context(timer.patched())
        gc.collect()
        for k in range(TICKS):
            for cell in cells.values():
                _drive(cell, driven, k)
    told = {name: np.array(timer.spent[200:]) * 1e6 for name, timer in whole.items()}
    always = np.median(modes.spent) + np.median(guard.spent)
    extra = float(np.median(told["with"]) - np.median(told["without"]) + always * 1e6)
    return [
        Row(
            f"protection of a lane of {driven.cell}: filters, avoidance, modes and guard",
            extra,
            extra,
            "µs",
            "≤ 60",
        ),
        row("  a whole lane with it, including mapping and servo", told["with"].tolist(), "µs"),
        row("  the same without filters and avoidance", told["without"].tolist(), "µs"),
    ]


def _cell(driven: Driven, *, protected: bool) -> Cell:
    path = find_cell(driven.cell)
    spec = read_cell(path)
    arm = spec.robots[driven.robot]
    if protected:
        arm = replace(arm, filters=(*arm.filters, *driven.filters), avoid=driven.avoid or arm.avoid)
    else:
        arm = replace(arm, filters=(), avoid=None)
    return Cell(replace(spec, robots={**spec.robots, driven.robot: arm}), path)


def _drive(cell: Cell, driven: Driven, k: int) -> None:
    """Move down and up again, turning."""
    sign = 1.0 if (k // 250) % 2 else -1.0
    reading = Reading(sequence=k, deadman=k > 2, axes=(0.0, 0.0, sign, 0.0, 0.0, 0.3 * sign))
    cell.step(Inputs({"hand": reading}, (SelectMapping(driven.robot, driven.mapping),) if k == 0 else ()))


class _Timer:
    """Records the seconds that one stage of a lane takes, from outside, so that the lane itself has no timers."""

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


def _timed(cell: Cell, driven: Driven, stage: str) -> _Timer:
    return _Timer(cell.lanes[driven.robot], stage)
