"""Cost of a distance: the whole arm against 50 boxes and itself, beside peers with the same results."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from farhand.distances import Clearance, Solid
from farhand.distances.queries import least_distance, near_pairs, places_size
from farhand.kernels import Floats, compile_all
from farhand_bench.rows import Row, row
from farhand_bench.sampling import in_turns
from farhand_bench.scenes import arm_among, boxes

__all__ = ["measure"]

CONFIGURATIONS, CALLS, SLOW = 10_000, 4000, 60
NEAR = 0.05


def measure(peers: bool = False) -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    clearance = arm_among(boxes())
    chain = clearance.chain
    Q = np.random.default_rng(5).uniform(chain.lower, chain.upper, (CONFIGURATIONS, chain.n))
    calls: dict[str, Callable[[int], Any]] = {
        "collision check of the arm with 50 boxes and itself": lambda k: clearance.free(Q[k]),
        "all pairs within 5 cm, with gradients": _near_call(clearance, Q),
        "least distance, without a cap": _least_call(clearance, Q),
        "  the same among 50 cylinders": _least_call(clearance.among(_as("cylinder", clearance)), Q),
        "  the same among 50 hulls of 20 corners": _least_call(clearance.among(_as("mesh", clearance)), Q),
    }
    bars = ["≥ 2.5 times faster than MuJoCo, 7 times than coal", "reported", "reported"]
    fewer: dict[str, int] = {}
    rows: list[Row] = []
    if peers:
        more, rows = _peers(clearance, Q)
        calls |= more
        fewer = {name: SLOW for name in more if "distance" in name}
    spent = in_turns(calls, CALLS, 20, fewer)
    measured = [row(name, times, "µs", bars[k] if k < 3 else "") for k, (name, times) in enumerate(spent.items())]
    return measured + rows


def _near_call(clearance: Clearance, Q: Floats) -> Callable[[int], Any]:
    n = clearance.chain.n
    places = np.empty(places_size(n, len(clearance.capsules)))
    D, A, where, who = np.empty(64), np.empty((64, n)), np.empty((64, 6)), np.empty((64, 2), np.int64)
    return lambda k: near_pairs(clearance.flat, clearance.whole, Q[k], NEAR, places, D, A, where, who)


def _least_call(clearance: Clearance, Q: Floats) -> Callable[[int], Any]:
    places = np.empty(places_size(clearance.chain.n, len(clearance.capsules)))
    return lambda k: least_distance(clearance.flat, clearance.whole, Q[k], 10.0, -math.inf, places)


def _as(shape: str, clearance: Clearance) -> list[Solid]:
    """Return the boxes as other solids of about their size."""
    rng, solids = np.random.default_rng(1), []
    for s in clearance.solids:
        x, y, z = s.size
        if shape == "cylinder":
            solids.append(Solid(s.name, "cylinder", s.pose, (max(x, y), z)))
            continue
        way = rng.normal(size=(20, 3))
        corners = way / np.linalg.norm(way, axis=1)[:, None] * np.array(s.size)
        solids.append(Solid(s.name, "mesh", s.pose, (), tuple((a, b, c) for a, b, c in corners.tolist())))
    return solids


def _at(call: Callable[[Floats], Any], Q: Floats) -> Callable[[int], Any]:
    return lambda k: call(Q[k])


def _peers(clearance: Clearance, Q: Floats) -> tuple[dict[str, Callable[[int], Any]], list[Row]]:
    """Return calls of the peers, and rows with the number of different results, or with missing peers."""
    from farhand_bench.peers import available
    from farhand_bench.peers.distance import coal_checker, mujoco_checker

    found, missing = available({"MuJoCo": lambda: mujoco_checker(clearance), "coal": lambda: coal_checker(clearance)})
    calls: dict[str, Callable[[int], Any]] = {}
    rows = [Row(f"  not available: {line}", math.nan, math.nan, "") for line in missing]
    mine = clearance.distances(Q)
    for name, (touches, distance, *broad) in found.items():
        calls[f"  {name}: touches"] = _at(touches, Q)
        if broad:
            calls[f"  {name}: touches, with broad phase"] = _at(broad[0], Q)
        calls[f"  {name}: least distance over all pairs"] = _at(distance, Q)
        other = np.array([touches(q) for q in Q])
        apart = float((other != (mine <= 0.0)).sum())
        rows.append(Row(f"  {name}: different results in {len(Q)} configurations", apart, apart, "", "0"))
        free = np.flatnonzero(mine > 1e-3)[:200]
        worst = float(max(abs(distance(Q[k]) - min(mine[k], 1.0)) for k in free)) * 1e6
        rows.append(Row(f"  {name}: largest difference of a distance", worst, worst, "µm", "reported"))
    return calls, rows
