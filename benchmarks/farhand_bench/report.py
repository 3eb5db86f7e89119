"""Measure ours beside peers and write a report: tables with machine, versions and date, and a drawing."""

from __future__ import annotations

import math
import os
import platform
import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from farhand_bench.claims import verdicts
from farhand_bench.growth import Growth, measure_growth, plot
from farhand_bench.rows import Row

__all__ = ["machine", "main", "markdown"]

NAMES = ("ik", "servo", "distance", "plan")
TITLES = {
    "ik": "Inverse kinematics: random reachable poses from random seeds, 1e-5 m and rad, 5 ms",
    "servo": "Servo step, called from Python",
    "distance": "Distances of the IRB 120 as nine capsules, called from Python",
    "plan": "Plans of the IRB 120 with a load, processor time",
}
PACKAGES = (
    "numba", "numpy", "mujoco", "ruckig", "roboticstoolbox-python", "pytracik", "placo", "mink", "pin-pink", "eaik",
    "coal", "pin", "ompl", "daqp",
)  # fmt: skip
CARE = (
    "Times are of calls from Python, including the cost of the call. From run to run ratios vary by some 10 %; those"
    " with placo and with OMPL are within that margin of their targets.",
    "TRAC-IK searches on two threads: with a free core for the second it takes at most half as long as on a busy"
    " machine, so its ratios vary far more than others.",
    "Servo: ours also keeps acceleration and braking limits. placo keeps its own joints and gets a new target at each"
    " step. From rest, with every joint at its acceleration limit, ours takes half as long again.",
    "Planning: OMPL calls our checker through Python and samples its edges every 0.016 rad. Rounding of corners and"
    " timing are not part of our paths' times; they have a row of their own. We refuse ends with less than 2 mm of"
    " clearance and name the pair, which is why fewer are solved without the filter.",
)
NOT_HERE = (
    "VAMP (vamp-planner 0.6.4): it has no wheel, and its build downloads parts from GitHub, which could not be reached"
    " (could not resolve hostname). Its authors report median planning times of tens of microseconds for the Panda,"
    " by checking many configurations at once in vector registers: expect it to be far faster there. It samples its"
    " edges; ours are proven.",
    "tracikpy and KDL: no wheels; TRAC-IK is measured through pytracik.",
)


def main(folder: Path) -> None:
    """Measure everything and write `RESULTS.md` and `growth.svg` into a folder."""
    found: dict[str, Sequence[Row]] = {}
    for name in NAMES:
        sys.stderr.write(f"{name} …\n")
        found[name] = import_module(f"farhand_bench.{name}").measure(peers=True)
    sys.stderr.write("growth …\n")
    growth = measure_growth()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "growth.svg").write_text(plot(growth), encoding="utf-8")
    (folder / "RESULTS.md").write_text(markdown(found, growth), encoding="utf-8")


def markdown(found: Mapping[str, Sequence[Row]], growth: Sequence[Growth]) -> str:
    """Return all rows as a page."""
    parts = ["# Results", "", *_about(), "", "## Targets and results", ""]
    parts += ["| | target | ours | peer | ratio | met |", "|---|---|---:|---:|---:|---|", *verdicts(found), ""]
    for name, rows in found.items():
        parts += [f"## {TITLES[name]}", "", "| | median | p99 | | target |", "|---|---:|---:|---|---|"]
        parts += [_line(row) for row in rows] + [""]
    parts += ["## Growth of cost", "", "![growth](growth.svg)", ""]
    for g in growth:
        parts += [f"| {g.of} | {' | '.join(map(str, g.amounts))} |", f"|---|{'---:|' * len(g.amounts)}"]
        parts += [f"| {name}, µs | {' | '.join(f'{v:.3g}' for v in row)} |" for name, row in g.medians.items()] + [""]
    parts += ["## Notes", "", *[f"- {line}" for line in CARE], ""]
    return "\n".join([*parts, "## Not measured", "", *[f"- {line}" for line in NOT_HERE], ""])


def _about() -> list[str]:
    load = os.getloadavg()[2] if hasattr(os, "getloadavg") else math.nan
    when = datetime.now(UTC).strftime("%d %B %Y")
    return [
        f"Measured by `make bench-peers` on {when}: {_processor()}, {os.cpu_count()} cores"
        f" (15-minute load average {load:.1f}), {platform.system()} {platform.release()},"
        f" Python {platform.python_version()}.",
        f"Versions: {', '.join(f'{name} {_version(name)}' for name in PACKAGES)}.",
        "All compared calls ran in turns in one process; on a shared machine trust the ratios, not the times. In the"
        " tables below rows in bold are ours; rows without a target are peers.",
    ]


def machine() -> str:
    """Return processor, cores, load and Python of this machine."""
    load = os.getloadavg()[2] if hasattr(os, "getloadavg") else math.nan
    return (
        f"{_processor()}, {os.cpu_count()} cores (15-minute load average {load:.1f}),"
        f" Python {platform.python_version()}"
    )


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
