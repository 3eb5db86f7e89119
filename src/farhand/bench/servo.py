"""What a servo step costs, with limits alone and with the whole arm kept clear of 50 boxes and of itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from farhand.bench.arms import limits_of
from farhand.bench.rows import Row, row
from farhand.bench.sampling import in_turns
from farhand.bench.scenes import arm_among, boxes
from farhand.distances import AvoidingServo, Clearance
from farhand.kernels import Floats, compile_all
from farhand.kinematics import Servo

__all__ = ["measure"]

SAMPLES, STEPS, SLOW = 200, 4000, 400
DT, KEEP = 0.002, 0.005


def measure(peers: bool = False) -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    clearance = arm_among(boxes())
    chain, limits = clearance.chain, limits_of(clearance.chain)
    Q, targets = _near_something(clearance)
    servo, avoiding = Servo(chain, limits, DT), AvoidingServo(clearance, limits, DT, KEEP)
    still, twist = np.zeros(chain.n), np.zeros(6)
    calls: dict[str, Callable[[int], Any]] = {
        "servo step: position, velocity, acceleration, braking": lambda k: servo.tip(
            Q[k % SAMPLES], still, targets[k % SAMPLES], twist
        ),
        "servo step that keeps clear of 50 boxes and itself": lambda k: avoiding.clear_tip(
            Q[k % SAMPLES], still, targets[k % SAMPLES], twist
        ),
    }
    bars = ["≥ 1.5 times faster than placo", "≥ 25 times faster than mink"]
    fewer: dict[str, int] = {}
    missing: list[str] = []
    if peers:
        from farhand.bench.peers import available
        from farhand.bench.peers.servo import avoiding_makers, makers

        for group, label in ((makers, "limits"), (avoiding_makers, "limits and 50 boxes")):
            found, absent = available(group(clearance, Q, targets))
            missing += absent
            for name, step in found.items():
                calls[f"  {name}, {label}"] = _again(step)
                fewer[f"  {name}, {label}"] = SLOW if "mink" in name or "pink" in name else STEPS
    spent = in_turns(calls, STEPS, 20, fewer)
    rows = [row(name, times, "µs", bars[k] if k < 2 else "") for k, (name, times) in enumerate(spent.items())]
    return rows + [Row(f"  not here: {line}", math.nan, math.nan, "") for line in missing]


def _again(step: Callable[[int], Any]) -> Callable[[int], Any]:
    return lambda k: step(k % SAMPLES)


def _near_something(clearance: Clearance) -> tuple[Floats, Floats]:
    """Return joints at which at least two pairs are nearer than 5 cm and none than 3 mm, and poses a little away."""
    chain, rng = clearance.chain, np.random.default_rng(0)
    found: list[Floats] = []
    while len(found) < SAMPLES:
        q = rng.uniform(chain.lower, chain.upper)
        near = clearance.near(q, 0.05)
        if len(near) >= 2 and near[0].distance > 0.003:
            found.append(q)
    targets = [chain.forward(np.clip(q + rng.normal(0.0, 0.02, chain.n), chain.lower, chain.upper)) for q in found]
    return np.array(found), np.array(targets)
