"""Scenes of the benchmarks: the IRB 120 as capsules on a table of boxes, low ones or tall pillars among them."""

from __future__ import annotations

import math

import numpy as np

from farhand.distances import Capsule, Clearance, Solid
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import Pose
from farhand_bench.arms import irb120

__all__ = ["CAPSULES", "LOAD", "PAIRS", "arm_among", "boxes", "queries", "random_boxes"]

CAPSULES = (
    Capsule(-1, (0, 0, 0), (0, 0, 0.15), 0.10, "base"),
    Capsule(0, (0, 0, -0.14), (0, 0, 0), 0.09, "column"),
    Capsule(1, (0, 0, 0), (0.27, 0, 0), 0.075, "upper arm"),
    Capsule(2, (0, 0, 0), (0.07, 0, 0), 0.07, "elbow"),
    Capsule(3, (0, 0, -0.302), (0, 0, -0.052), 0.055, "forearm"),
    Capsule(4, (0, 0, -0.01), (0, 0, 0.01), 0.05, "wrist"),
    Capsule(5, (0, 0, -0.052), (0, 0, 0), 0.035, "flange"),
    Capsule(5, (0, 0, 0.008), (0, 0, 0.088), 0.035, "gripper"),
    Capsule(5, (-0.04, 0, 0.128), (0.04, 0, 0.128), 0.03, "load"),
)
# capsules near the base against those near the tip; the elbow's neighbours always touch
PAIRS = np.array(
    [(0, j) for j in range(4, 9)] + [(1, j) for j in range(4, 9)] + [(2, j) for j in range(5, 9)]
    + [(3, j) for j in range(6, 9)],
    dtype=np.int64,
)  # fmt: skip
LOAD = 0.128  # metres from the flange to the middle of the load


def boxes(seed: int = 3, count: int = 50, tall: bool = False) -> tuple[Solid, ...]:
    """Return a table top and boxes that stand on it around the arm without touching each other.

    Args:
        seed: Seed of their positions.
        count: Number of boxes.
        tall: True if every second one is a pillar of 30 to 64 cm.
    """
    rng = np.random.default_rng(seed)
    placed: list[tuple[Floats, Floats, float]] = []
    for _ in range(20_000):
        if len(placed) == count:
            break
        radius, angle = rng.uniform(0.22, 0.68), rng.uniform(-2.6, 2.6)
        low = not tall or len(placed) % 2 == 0
        half = np.array([*rng.uniform(0.02, 0.045, 2), rng.uniform(0.02, 0.14) if low else rng.uniform(0.15, 0.32)])
        centre = np.array([radius * math.cos(angle), radius * math.sin(angle), half[2]])
        if any(np.hypot(*(centre - c)[:2]) < np.hypot(*half[:2]) + np.hypot(*h[:2]) + 0.005 for c, h, _ in placed):
            continue
        placed.append((centre, half, rng.uniform(0.0, PI)))
    solids = [Solid("table", "box", Pose((0.0, 0.0, -0.02)), (1.0, 1.0, 0.0195))]
    for k, (centre, half, turn) in enumerate(placed):
        pose = Pose(tuple(centre.tolist()), (math.cos(turn / 2), 0.0, 0.0, math.sin(turn / 2)))
        solids.append(Solid(f"box {k + 1}", "box", pose, tuple(half.tolist())))
    return tuple(solids)


PI = math.pi


def random_boxes(count: int, seed: int = 0) -> tuple[Solid, ...]:
    """Return many boxes of 4 to 8 cm in a volume that grows with their number, for a constant density."""
    rng = np.random.default_rng(seed)
    half_room = 0.8 * (count / 50.0) ** (1.0 / 3.0)
    solids = []
    for k in range(count):
        centre = rng.uniform(-half_room, half_room, 3)
        w, x, y, z = (q := rng.normal(size=4)) / np.linalg.norm(q)
        pose = Pose(tuple(centre.tolist()), (float(w), float(x), float(y), float(z)))
        solids.append(Solid(f"box {k + 1}", "box", pose, tuple(rng.uniform(0.02, 0.04, 3).tolist())))
    return tuple(solids)


def arm_among(solids: tuple[Solid, ...], chain: SerialChain | None = None) -> Clearance:
    """Return the IRB 120 with its load among solids."""
    return Clearance(chain or irb120(), CAPSULES, solids, PAIRS)


def queries(clearance: Clearance, count: int, seed: int, least: float = 0.004) -> list[tuple[Floats, Floats]]:
    """Return starts and goals that hold the load low among the boxes, the tool down within 25°.

    Args:
        clearance: Arm and boxes.
        count: Number of pairs.
        seed: Seed of the choice.
        least: Least clearance of start and goal, metres.
    """
    rng = np.random.default_rng(seed)
    found: list[tuple[Floats, Floats]] = []
    while len(found) < count:
        a, b = _posture(clearance, rng, least), _posture(clearance, rng, least)
        if np.abs(a - b).max() > 0.8:
            found.append((a, b))
    return found


def _posture(clearance: Clearance, rng: np.random.Generator, least: float) -> Floats:
    chain = clearance.chain
    while True:
        radius, angle, height = rng.uniform(0.28, 0.55), rng.uniform(-2.3, 2.3), rng.uniform(0.035, 0.07)
        T = np.eye(4)
        yaw, pitch, roll = rng.uniform(-3.1, 3.1), PI + rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4)
        T[:3, :3] = _about(2, yaw) @ _about(1, pitch) @ _about(0, roll)
        T[:3, 3] = radius * math.cos(angle), radius * math.sin(angle), height
        T[:3, 3] -= LOAD * T[:3, 2]
        solution = chain.inverse(T, rng.uniform(chain.lower, chain.upper))
        if solution.reached and clearance.distance(solution.q).distance > least:
            return solution.q


def _about(axis: int, angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    R = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    R[i, i], R[j, j], R[i, j], R[j, i] = c, c, -s, s
    return R
