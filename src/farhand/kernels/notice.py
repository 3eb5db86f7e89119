"""A word to whoever waits: compiling takes most of a minute, once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

from farhand.kernels.registry import CompileReport, compile_all

__all__ = ["compile_with_bar", "slow_notice"]

WIDTH = 28  # of the bar
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


def compile_with_bar() -> CompileReport:
    """Compile or load every kernel; draws a bar on a terminal if there is anything to wait for."""
    drawn, patience = False, slow_notice()

    def draw(done: int, total: int, name: str) -> None:
        nonlocal drawn
        if not sys.stderr.isatty():
            patience(done, total, name)
            return
        bar = "█" * (WIDTH * done // max(total, 1))
        sys.stderr.write(f"\rCompiling kernels {bar:·<{WIDTH}} {done}/{total} {name:<32.32}")
        sys.stderr.flush()
        drawn = True

    report = compile_all(draw)
    if drawn:
        sys.stderr.write("\r" + " " * (WIDTH + 64) + "\r")
        sys.stderr.flush()
    return report
