"""Cost of inverse kinematics: random reachable poses from random seeds, beside peers.

A solution counts as reached if forward kinematics confirms it and it took no more than 5 ms of processor time.
"""

from __future__ import annotations

import functools
import gc
import math
import time
from collections.abc import Callable

import numpy as np

from farhand.kernels import Floats, compile_all
from farhand.kinematics import SerialChain
from farhand.kinematics.arithmetic.descent import work_size
from farhand.kinematics.arithmetic.inverse import solve
from farhand_bench.arms import ARMS
from farhand_bench.rows import Row, row
from farhand_bench.sampling import timed

__all__ = ["measure"]

POSES, PEER_POSES, SLOW_POSES = 10_000, 2000, 300
TOLERANCE, BUDGET_US = 1e-5, 5000.0
Ik = Callable[[Floats, Floats], Floats | None]


def measure(peers: bool = False) -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    return [r for name, make in ARMS.items() for r in _arm(name, make(), peers)]


def _arm(name: str, chain: SerialChain, peers: bool) -> list[Row]:
    rng = np.random.default_rng(7)
    Q = rng.uniform(chain.lower, chain.upper, (POSES, chain.n))
    seeds = rng.uniform(chain.lower, chain.upper, (POSES, chain.n))
    poses = [chain.forward(q) for q in Q]
    solvers: dict[str, Ik] = {"ours": lambda T, seed: chain.inverse(T, seed).q}
    if chain.closed_form:
        solvers["ours, search only"] = _search(chain)
    missing: list[str] = []
    if peers:
        from farhand_bench.peers import available
        from farhand_bench.peers.ik import makers

        found, missing = available(makers(chain))
        solvers |= found
    spent, reached = _run(chain, solvers, poses, seeds)
    rows = []
    for solver, times in spent.items():
        ours = solver.startswith("ours")
        share = f"{100.0 * float(np.mean(reached[solver])):.2f} % of {len(times)} reached"
        bar = "≥ 5 and 25 times faster than two peers" if solver == "ours" else ("reported" if ours else "")
        rows.append(row(f"{'' if ours else '  '}{name}, {solver} ({share})", times, "µs", bar))
    reach = 100.0 * float(np.mean(reached["ours"]))
    rows.insert(1, Row(f"{name}, ours: reached", reach, reach, "%", "≥ 99.99"))
    if chain.closed_form:
        rows.append(row(f"{name}, ours, unreachable poses", _unreachable(chain, rng), "µs", "reported"))
    return rows + [Row(f"  {name}, not available: {line}", math.nan, math.nan, "") for line in missing]


def _unreachable(chain: SerialChain, rng: np.random.Generator) -> list[float]:
    """Return microseconds of calls for poses near the arm that it cannot reach, mostly because of orientation."""
    spent: list[float] = []
    while len(spent) < 500:
        T = chain.forward(rng.uniform(chain.lower, chain.upper))
        T[:3, :3] = chain.forward(rng.uniform(chain.lower, chain.upper))[:3, :3]
        elapsed, found = timed(functools.partial(chain.inverse, T, rng.uniform(chain.lower, chain.upper)))
        if not found.reached:
            spent.append(elapsed)
    return spent


def _search(chain: SerialChain) -> Ik:
    """Return the search without the closed form."""
    q, scratch = np.empty(chain.n), np.empty(work_size(chain.n))

    def find(T: Floats, seed: Floats) -> Floats | None:
        found, _, _ = solve(
            *chain.arrays, chain.lower, chain.upper, T, seed, TOLERANCE, chain.length, bool(0), q, scratch
        )
        return q.copy() if found else None

    return find


def _run(
    chain: SerialChain, solvers: dict[str, Ik], poses: list[Floats], seeds: Floats
) -> tuple[dict[str, list[float]], dict[str, list[bool]]]:
    """Return microseconds and success of every solver, alternating in blocks of 25."""
    spent: dict[str, list[float]] = {name: [] for name in solvers}
    reached: dict[str, list[bool]] = {name: [] for name in solvers}
    most = {name: _most(name) for name in solvers}
    for name, solver in solvers.items():
        solver(poses[0], seeds[0])
        del name
    gc.collect()
    gc.disable()
    for first in range(0, len(poses), 25):
        for name, solver in solvers.items():
            if first >= most[name]:
                continue
            for k in range(first, min(first + 25, len(poses))):
                # the solver's processor time counts: a busy machine may interrupt it
                worked, start = time.thread_time(), time.perf_counter()
                q = solver(poses[k], seeds[k])
                elapsed, own = (time.perf_counter() - start) * 1e6, (time.thread_time() - worked) * 1e6
                spent[name].append(elapsed)
                reached[name].append(min(elapsed, own) < 1.1 * BUDGET_US and _there(chain, q, poses[k]))
    gc.enable()
    return spent, reached


def _most(name: str) -> int:
    if name.startswith("ours"):
        return POSES
    return SLOW_POSES if "loop" in name else PEER_POSES


def _there(chain: SerialChain, q: Floats | None, T: Floats) -> bool:
    if q is None or not np.isfinite(q).all() or (q < chain.lower - 1e-6).any() or (q > chain.upper + 1e-6).any():
        return False
    return bool(np.abs(chain.forward(q) - T).max() < 2.0 * TOLERANCE)
