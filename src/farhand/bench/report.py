"""Measures ours beside peers and writes it down: a table with machine, versions and date, and a drawing."""

from __future__ import annotations

import math
import os
import platform
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from farhand.bench.growth import Growth, measure_growth, plot
from farhand.bench.rows import Row

__all__ = ["main", "markdown"]

NAMES = ("ik", "servo", "distance", "plan")
TITLES = {
    "ik": "Inverse kinematics: random reachable poses from random seeds, 1e-5 m and rad, 5 ms",
    "servo": "Servo step, called from Python",
    "distance": "Distances of the IRB 120 in nine capsules, called from Python",
    "plan": "Plans of the IRB 120 with a load",
}
PACKAGES = (
    "numba", "numpy", "mujoco", "ruckig", "roboticstoolbox-python", "pytracik", "placo", "mink", "pin-pink", "eaik",
    "coal", "pin", "ompl", "daqp",
)  # fmt: skip
NOT_HERE = (
    "VAMP has no wheel and fetches parts of its source from GitHub while it builds, which is not reachable here.",
    "tracikpy and KDL have neither wheels here; TRAC-IK is measured through pytracik.",
)


def main(folder: Path) -> None:
    """Measure everything and write `RESULTS.md` and `growth.svg` into a folder."""
    found: dict[str, list[Row]] = {}
    for name in NAMES:
        sys.stderr.write(f"{name} …\n")
        found[name] = import_module(f"farhand.bench.{name}").measure(peers=True)
    sys.stderr.write("growth …\n")
    growth = measure_growth()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.svg").write_text(plot(growth), encoding="utf-8")
    (folder / "RESULTS.md").write_text(markdown(found, growth), encoding="utf-8")


def markdown(found: dict[str, list[Row]], growth: Sequence[Growth]) -> str:
    """Return all rows as a page."""
    parts = ["# Results", "", *_about(), ""]
    for name, rows in found.items():
        parts += [f"## {TITLES[name]}", "", "| | median | p99 | | asked for |", "|---|---:|---:|---|---|"]
        parts += [_line(row) for row in rows] + [""]
    parts += ["## How cost grows", "", "![growth](growth.svg)", ""]
    for g in growth:
        parts += [f"| {g.of} | {' | '.join(map(str, g.amounts))} |", f"|---|{'---:|' * len(g.amounts)}"]
        parts += [f"| {name}, µs | {' | '.join(f'{v:.3g}' for v in row)} |" for name, row in g.medians.items()] + [""]
    return "\n".join([*parts, "## Not measured", "", *[f"- {line}" for line in NOT_HERE], ""])


def _about() -> list[str]:
    load = os.getloadavg()[1] if hasattr(os, "getloadavg") else math.nan
    when = datetime.now(UTC).strftime("%d %B %Y")
    return [
        f"Measured by `make bench-peers` on {when}: {_processor()}, {os.cpu_count()} cores (load {load:.1f}),"
        f" {platform.system()} {platform.release()}, Python {platform.python_version()}.",
        f"Versions: {', '.join(f'{name} {_version(name)}' for name in PACKAGES)}.",
        "All that is compared ran in turns in one process. Rows without an entry in the last column are peers.",
    ]


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "missing"


def _line(row: Row) -> str:
    def text(value: float) -> str:
        return "" if math.isnan(value) else f"{value:.4g}"

    name = row.name.strip()
    bold = name if row.name.startswith(" ") else f"**{name}**"
    return f"| {bold} | {text(row.median)} | {text(row.p99)} | {row.unit} | {row.bar} |"


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "benchmarks"))
