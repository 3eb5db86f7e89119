"""A word to whoever waits: compiling takes a minute or two, once."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from farhand.kernels.registry import CompileReport, compile_all

__all__ = ["NOT_IN_A_TICK", "compile_with_bar", "slow_notice"]

# What cells do not use: plans, which workers and scripts ask for.
NOT_IN_A_TICK = ("farhand.planning",)

WIDTH = 28  # of the bar
ONE = 1.0  # seconds; loading a kernel that is kept takes less, however busy the machine


def slow_notice() -> Callable[[int, int, str], None]:
    """Return a progress function that says once, on the error stream, what is being waited for."""
    last, said = math.inf, False

    def notice(done: int, total: int, name: str) -> None:
        nonlocal last, said
        del name
        now = time.monotonic()
        if not said and done < total and now - last > ONE:
            said = True
            sys.stderr.write("Compiling kernels, once; this takes a minute or two …\n")
        last = now

    return notice


def compile_with_bar(without: tuple[str, ...] = ()) -> CompileReport:
    """Compile or load every kernel; draws a bar on a terminal if there is anything to wait for.

    Args:
        without: Packages whose kernels are not needed.
    """
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

    report = compile_all(draw, without)
    if drawn:
        sys.stderr.write("\r" + " " * (WIDTH + 64) + "\r")
        sys.stderr.flush()
    return report
