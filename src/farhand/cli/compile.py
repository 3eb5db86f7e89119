"""``farhand compile``: compile all kernels ahead of their first use, with a progress bar."""

from __future__ import annotations

import argparse

from farhand.kernels.notice import compile_with_bar

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Compile the kernels, and print how many were compiled and how many were cached."""
    del options
    report = compile_with_bar()
    print(
        f"{report.compiled + report.loaded} kernels ready in {report.seconds:.1f} s "
        f"({report.compiled} compiled, {report.loaded} from the cache)."
    )
    return 0
