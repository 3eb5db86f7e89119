"""``farhand compile``: compile every kernel ahead of its first use, with a progress bar."""

from __future__ import annotations

import argparse

from farhand.kernels.notice import compile_with_bar

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Compile, and say how much of it was needed."""
    del options
    report = compile_with_bar()
    print(
        f"{report.compiled + report.loaded} kernels ready in {report.seconds:.1f} s "
        f"({report.compiled} compiled, {report.loaded} kept from before)."
    )
    return 0
