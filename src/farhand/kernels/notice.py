"""Progress messages: compiling takes a minute or two, once; loading is slow on a busy machine only."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from farhand.kernels.declaring import CompileReport, Progress, compile_all

__all__ = ["NOT_IN_A_TICK", "compile_with_bar", "slow_notice"]

# Kernels that cells do not use: only workers and scripts plan a path; a cell only checks whether one is free.
NOT_IN_A_TICK = ("farhand.planning.trees", "farhand.planning.shortcuts")

WIDTH = 28  # of the bar
SLOW_KERNEL_S = 1.0  # a kernel that takes longer is announced
COMPILING = "Compiling kernels, once; this takes a minute or two …\n"
LOADING = "Loading compiled kernels; this takes longer than usual …\n"


def slow_notice() -> Callable[[Progress], None]:
    """Return a progress function that announces a slow kernel once on the error stream."""
    last, said = math.inf, ""

    def notice(at: Progress) -> None:
        nonlocal last, said
        now, words = time.monotonic(), COMPILING if at.compiling else LOADING
        if words != said and at.done < at.total and now - last > SLOW_KERNEL_S:
            said = words
            sys.stderr.write(words)
        last = now

    return notice


def compile_with_bar(without: tuple[str, ...] = ()) -> CompileReport:
    """Compile or load every kernel; draw a progress bar on a terminal.

    Args:
        without: Packages whose kernels are not needed.
    """
    drawn, notice = False, slow_notice()

    def draw(at: Progress) -> None:
        nonlocal drawn
        if not sys.stderr.isatty():
            notice(at)
            return
        what, bar = "Compiling" if at.compiling else "Loading", "█" * (WIDTH * at.done // max(at.total, 1))
        sys.stderr.write(f"\r{what} kernels {bar:·<{WIDTH}} {at.done}/{at.total} {at.name:<34.34}")
        sys.stderr.flush()
        drawn = True

    report = compile_all(draw, without)
    if drawn:
        sys.stderr.write("\r" + " " * (WIDTH + 64) + "\r")
        sys.stderr.flush()
    return report
