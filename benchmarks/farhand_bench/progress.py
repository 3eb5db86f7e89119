"""Progress of a long benchmark, on the error stream."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sized
from typing import Protocol, TypeVar

__all__ = ["shown"]

EVERY_S = 5.0
T_co = TypeVar("T_co", covariant=True)


class _Series(Iterable[T_co], Sized, Protocol[T_co]): ...


def shown(items: _Series[T_co], doing: str) -> Iterator[T_co]:
    """Yield items, and every few seconds write the progress and the time left."""
    begun = last = time.monotonic()
    for done, item in enumerate(items):
        now = time.monotonic()
        if done and now - last > EVERY_S:
            last = now
            left = (now - begun) / done * (len(items) - done)
            sys.stderr.write(f"{doing}: {done} of {len(items)}, {left:.0f} s left\n")
        yield item
