"""Fair samples: all that is compared runs in turns in one process, so that a busy machine slows all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["in_turns", "timed"]


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return how many microseconds a call took, and what it returned."""
    start = time.perf_counter()
    value = call()
    return (time.perf_counter() - start) * 1e6, value


def in_turns(
    calls: dict[str, Callable[[int], Any]], count: int, blocks: int = 10, fewer: dict[str, int] | None = None
) -> dict[str, list[float]]:
    """Return microseconds of every call, the functions taking turns in blocks.

    Args:
        calls: Functions of the number of a sample.
        count: How many samples in all.
        blocks: Into how many blocks they are divided.
        fewer: Functions that are too slow for all of them, and how many samples they get.
    """
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for name, call in calls.items():
        _warm(call, 3 if name not in (fewer or {}) else 1)
    gc.collect()
    gc.disable()
    try:
        for block in _blocks(count, blocks):
            for name, call in calls.items():
                most = (fewer or {}).get(name, count) // blocks
                for k in block[: most or 1]:
                    start = time.perf_counter()
                    call(k)
                    spent[name].append((time.perf_counter() - start) * 1e6)
            gc.collect()
    finally:
        gc.enable()
    return spent


def _warm(call: Callable[[int], Any], times: int) -> None:
    for _ in range(times):
        call(0)


def _blocks(count: int, blocks: int) -> Sequence[range]:
    size = max(1, count // blocks)
    return [range(first, min(first + size, count)) for first in range(0, count, size)]
