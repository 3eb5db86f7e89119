"""``farhand bench``: run benchmarks and print their rows."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from farhand.cli.main import BENCHES
from farhand.errors import CommandError, FarhandError
from farhand.extras import require_extra
from farhand.processes.python_start import python_command

if TYPE_CHECKING:
    from farhand_bench import Row

__all__ = ["main"]

# Benchmarks that also measure other libraries; for a tick they measure the servo step.
WITH_PEERS = {"ik": "ik", "tick": "servo", "servo": "servo", "distance": "distance", "plan": "plan"}
ENVIRONMENT = Path(".venv-peers")
DOCS, RESULTS = Path("docs"), Path("benchmarks/results")  # from the repository's root


def main(options: argparse.Namespace) -> int:
    """Run one benchmark, or all. The exit code is 1 if a row misses its bar.

    Raises:
        MissingExtraError: The benchmarks are not installed.
        FarhandError: Peers are asked for and none is installed.
    """
    require_extra("bench", "the benchmarks are a package of their own")
    from farhand_bench import as_json, table

    if options.peers and find_spec("mink") is None:
        return _among_peers(options)
    names = [name for name in BENCHES if name != "all"] if options.name == "all" else [options.name]
    if options.peers:
        names = list(dict.fromkeys(WITH_PEERS[name] for name in names if name in WITH_PEERS))
        if not names:
            raise FarhandError(f"{options.name} has no peers to measure; these have: {', '.join(WITH_PEERS)}")
    if options.write:
        names = _with_place(names, required=options.name != "all")
    rows: list[Row] = []
    for name in names:
        module = import_module(f"farhand_bench.{name}")
        found: list[Row] = module.measure(peers=True) if options.peers else module.measure()
        rows += found
        if options.write:
            _publish(name, found)
        if not options.json:
            print(f"── {name} ──\n{table(found)}\n", flush=True)
    if options.json:
        print(as_json(rows))
    return 1 if any(row.met is False for row in rows) else 0


def _with_place(names: list[str], *, required: bool) -> list[str]:
    """Return the benchmarks whose rows the docs publish; called before minutes of measuring.

    Raises:
        CommandError: If a required benchmark has no place in the docs.
    """
    from farhand_bench.published import page_of

    placed = []
    for name in names:
        try:
            page_of(DOCS, name)
        except CommandError:
            if required:
                raise
        else:
            placed.append(name)
    return placed


def _publish(name: str, rows: list[Row]) -> None:
    """Save the rows of a benchmark, and write them into their docs page."""
    from farhand_bench.published import Kept, code_version, keep, page_of, write_block
    from farhand_bench.report import machine

    page = page_of(DOCS, name)
    date = datetime.now(UTC).strftime("%d %B %Y").lstrip("0")
    kept = Kept(name=name, date=date, code=code_version(Path()), machine=machine(), rows=tuple(rows))
    keep(RESULTS, kept)
    page.write_text(write_block(page.read_text(encoding="utf-8"), kept), encoding="utf-8")
    sys.stderr.write(f"Wrote {RESULTS / name}.json and {page}.\n")


def _among_peers(options: argparse.Namespace) -> int:
    """Run the same benchmark in the environment of the peers."""
    python = ENVIRONMENT / ("Scripts" if os.name == "nt" else "bin") / "python"
    if not python.exists():
        raise FarhandError(
            f"the peers are not installed: run `make bench-peers`, which installs them into {ENVIRONMENT}"
        )
    arguments = ["bench", options.name, "--peers", *(["--json"] if options.json else [])]
    sys.stdout.flush()
    return subprocess.run(python_command("-m", "farhand.cli", *arguments, python=str(python)), check=False).returncode
