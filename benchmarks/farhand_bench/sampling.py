"""Fair samples: all compared calls run in turns in one process, so that a busy machine slows all alike."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["in_turns", "timed"]


def timed(call: Callable[[], Any]) -> tuple[float, Any]:
    """Return the duration of a call in microseconds, and its result."""
    start = time.perf_counter()
    value = call()
    return (time.perf_counter() - start) * 1e6, value


def in_turns(
    calls: dict[str, Callable[[int], Any]], count: int, blocks: int = 10, fewer: dict[str, int] | None = None
) -> dict[str, list[float]]:
    """Return microseconds of every call; the functions run in turns, in blocks.

    Args:
        calls: Functions of the index of a sample.
        count: Number of samples.
        blocks: Number of blocks.
        fewer: Numbers of samples of functions that are too slow for all of them.
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
