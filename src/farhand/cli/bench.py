"""``farhand bench``: measure and print."""

from __future__ import annotations

import argparse
from importlib import import_module

import msgspec

from farhand.bench import Row, table
from farhand.cli.main import BENCHES

__all__ = ["main"]


def main(options: argparse.Namespace) -> int:
    """Run one benchmark, or all."""
    names = [name for name in BENCHES if name != "all"] if options.name == "all" else [options.name]
    rows: list[Row] = []
    for name in names:
        found: list[Row] = import_module(f"farhand.bench.{name}").measure()
        rows += found
        if not options.json:
            print(f"── {name} ──\n{table(found)}\n", flush=True)
    if options.json:
        print(msgspec.json.format(msgspec.json.encode(rows), indent=2).decode())
    return 0
