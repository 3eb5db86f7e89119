"""``farhand compile``: compile every kernel ahead of its first use, with a progress bar."""

from __future__ import annotations

import argparse
import sys

from farhand.kernels import CompileReport, compile_all
from farhand.kernels.notice import slow_notice

__all__ = ["compile_kernels", "main"]

WIDTH = 28


def main(options: argparse.Namespace) -> int:
    """Compile, and say how much of it was needed."""
    del options
    report = compile_kernels()
    print(
        f"{report.compiled + report.loaded} kernels ready in {report.seconds:.1f} s "
        f"({report.compiled} compiled, {report.loaded} kept from before)."
    )
    return 0


def compile_kernels() -> CompileReport:
    """Compile or load every kernel; draws a bar on a terminal if there is anything to wait for."""
    drawn, patience = False, slow_notice()

    def draw(done: int, total: int, name: str) -> None:
        nonlocal drawn
        if not sys.stderr.isatty():
            patience(done, total, name)
            return
        bar = "█" * (WIDTH * done // max(total, 1))
        print(f"\rCompiling kernels {bar:·<{WIDTH}} {done}/{total} {name:<32.32}", end="", file=sys.stderr, flush=True)
        drawn = True

    report = compile_all(draw)
    if drawn:
        print("\r" + " " * (WIDTH + 64) + "\r", end="", file=sys.stderr, flush=True)
    return report
