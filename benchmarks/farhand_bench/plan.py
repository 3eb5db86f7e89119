"""Cost of a plan: low boxes, and a load between tall pillars; beside OMPL with our own checker.

Times are processor times, ours and theirs: a plan takes long enough for a busy machine to interrupt it.
"""

from __future__ import annotations

import functools
import itertools
import math
import time

import numpy as np

from farhand.distances import Clearance
from farhand.errors import PlanningError
from farhand.kernels import Floats, compile_all
from farhand.planning import Planner
from farhand_bench.arms import limits_of
from farhand_bench.rows import Row, row
from farhand_bench.scenes import arm_among, boxes, queries

__all__ = ["measure"]

SCENES, QUERIES, REPEATS, PEER_QUERIES = (3, 4, 5), 20, 5, 20
STEP = 0.002


def measure(peers: bool = False) -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    rows: list[Row] = []
    for tall, label in ((False, "50 boxes"), (True, "pillars with a load")):
        rows += _scene(tall, label, peers)
    return rows


def _scene(tall: bool, label: str, peers: bool) -> list[Row]:
    ours, theirs, lengths, their_lengths = [], [], [], []
    solved = tried = invalid = their_solved = their_tried = their_invalid = any_solved = any_tried = 0
    timing: list[float] = []
    missing: list[str] = []
    for seed in SCENES:
        clearance = arm_among(boxes(seed, 50, tall))
        planner = Planner(clearance, limits_of(clearance.chain))
        other = None
        if peers:
            from farhand_bench.peers import available
            from farhand_bench.peers.plan import ompl_planner

            found, missing = available({"OMPL": functools.partial(ompl_planner, clearance)})
            other = found.get("OMPL")
        for number, (a, b) in enumerate(queries(clearance, QUERIES, 11 + seed)):
            own = []
            for repeat in range(REPEATS):
                tried += 1
                way, elapsed = _ours(planner, a, b, repeat)
                ours.append(elapsed)
                if way is not None:
                    solved += 1
                    own.append(planner.length(way))
                    invalid += not _valid(clearance, way)
            if own:
                begin = time.thread_time()
                planner.plan(a, b, REPEATS - 1)
                timing.append((time.thread_time() - begin) * 1e3 - ours[-1])
            if other is not None and number < PEER_QUERIES:
                their_tried += 1
                path, searched, simplified = other(a, b)
                theirs.append(searched + simplified)
                if path is not None and own:
                    their_solved += 1
                    their_invalid += not _valid(clearance, path)
                    their_lengths.append(planner.length(path))
                    lengths.append(float(np.median(own)))
        for a, b in queries(clearance, QUERIES, 31 + seed, least=0.0):
            any_tried += 1
            any_solved += _ours(planner, a, b, 0)[0] is not None
    ninth = float(np.percentile(ours, 90))
    rows = [
        row(f"{label}: path, proven free", ours, "ms", "≥ 10 times faster than OMPL among pillars"),
        _one(f"{label}: 90th percentile of path times", ninth, "ms", "≤ 30 ms"),
        _one(f"{label}: solved, clearance 4 mm at the ends, {tried} tries", 100.0 * solved / tried, "%", "100 %"),
        _one(f"{label}: paths that touch when checked every {STEP} rad", float(invalid), "", "0"),
        row(f"{label}: rounding and timing, in addition", timing, "ms", "reported"),
        _one(f"{label}: solved, with any clearance at the ends", 100.0 * any_solved / any_tried, "%", "reported"),
    ]
    if theirs:
        how = f"{their_solved} of {their_tried} solved, {their_invalid} touch"
        name = f"  {label}: OMPL RRT-Connect, same checker ({how})"
        rows.append(row(name, theirs, "ms"))
        ratio = float(np.median(np.array(lengths) / np.array(their_lengths)))
        rows.append(_one(f"  {label}: our length relative to OMPL's", ratio, "times", "≤ 1.05"))
    return rows + [Row(f"  not available: {line}", math.nan, math.nan, "") for line in missing]


def _one(name: str, value: float, unit: str, bar: str) -> Row:
    return Row(name, value, value, unit, bar)


def _ours(planner: Planner, a: Floats, b: Floats, seed: int) -> tuple[Floats | None, float]:
    start = time.thread_time()
    try:
        way, _ = planner.path(a, b, seed)
    except PlanningError:
        return None, (time.thread_time() - start) * 1e3
    return way, (time.thread_time() - start) * 1e3


def _valid(clearance: Clearance, way: Floats) -> bool:
    for a, b in itertools.pairwise(way):
        count = max(2, math.ceil(float(np.abs(b - a).max()) / STEP) + 1)
        if clearance.distances(a + np.linspace(0.0, 1.0, count)[:, None] * (b - a), 1.0).min() <= 0.0:
            return False
    return True
