"""A word to whoever waits: compiling takes most of a minute, once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

__all__ = ["slow_notice"]

PATIENCE = 3.0  # seconds; loading what is kept takes less


def slow_notice() -> Callable[[int, int, str], None]:
    """Return a progress function that says once, on the error stream, what is being waited for."""
    start, said = time.monotonic(), False

    def notice(done: int, total: int, name: str) -> None:
        nonlocal said
        del name
        if not said and done < total and time.monotonic() - start > PATIENCE:
            said = True
            sys.stderr.write("Compiling kernels, once; this takes most of a minute …\n")

    return notice
