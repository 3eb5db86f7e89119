"""Start-up times: import, help, loading kernels and a cell."""

from __future__ import annotations

import subprocess
import time

from farhand.processes.python_start import python_command
from farhand_bench.rows import Row, row

__all__ = ["measure"]

REPEATS = 15

_LOAD = "from farhand import Cell; Cell.load('irb120').step()"
_RUNS: tuple[tuple[str, list[str], str], ...] = (
    ("farhand --help", ["-m", "farhand.cli", "--help"], "≤ 0.3 s"),
    ("import farhand", ["-c", "import farhand"], "≤ 0.5 s"),
    ("  python only", ["-c", "pass"], ""),
    ("  import mujoco, numba", ["-c", "import mujoco, numba"], ""),
    ("load the IRB 120 cell, kernels cached", ["-c", _LOAD], "reported"),
)


def measure() -> list[Row]:
    """Return the rows of this benchmark; runs are interleaved."""
    seconds: dict[str, list[float]] = {name: [] for name, _, _ in _RUNS}
    for _ in range(REPEATS):
        for name, arguments, _ in _RUNS:
            start = time.perf_counter()
            subprocess.run(python_command(*arguments), check=True, capture_output=True)
            seconds[name].append(time.perf_counter() - start)
    return [row(name, seconds[name], "s", bar) for name, _, bar in _RUNS]
