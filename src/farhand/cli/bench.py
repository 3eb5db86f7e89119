"""``farhand bench``: measure and print."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from farhand.bench import Row, as_json, table
from farhand.cli.main import BENCHES
from farhand.errors import FarhandError

__all__ = ["main"]

# Benchmarks that know peers; what a tick has peers for is its servo step.
WITH_PEERS = {"ik": "ik", "tick": "servo", "servo": "servo", "distance": "distance", "plan": "plan"}
ENVIRONMENT = Path(".venv-peers")


def main(options: argparse.Namespace) -> int:
    """Run one benchmark, or all. The exit code is 1 if a row is not as asked for.

    Raises:
        FarhandError: If peers are asked for and there are none.
    """
    if options.peers and find_spec("mink") is None:
        return _among_peers(options)
    names = [name for name in BENCHES if name != "all"] if options.name == "all" else [options.name]
    if options.peers:
        names = list(dict.fromkeys(WITH_PEERS[name] for name in names if name in WITH_PEERS))
        if not names:
            raise FarhandError(f"{options.name} has no peers; there are some for: {', '.join(WITH_PEERS)}")
    rows: list[Row] = []
    for name in names:
        module = import_module(f"farhand.bench.{name}")
        found: list[Row] = module.measure(peers=True) if options.peers else module.measure()
        rows += found
        if not options.json:
            print(f"── {name} ──\n{table(found)}\n", flush=True)
    if options.json:
        print(as_json(rows))
    return 1 if any(row.met is False for row in rows) else 0


def _among_peers(options: argparse.Namespace) -> int:
    """Run the same benchmark in the environment in which the peers are."""
    python = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        raise FarhandError(f"there are no peers here: `make bench-peers` puts them into {ENVIRONMENT}")
    arguments = ["bench", options.name, "--peers", *(["--json"] if options.json else [])]
    sys.stdout.flush()
    return subprocess.run([str(python), "-m", "farhand.cli", *arguments], check=False).returncode
