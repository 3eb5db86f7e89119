"""Cost of a servo step, with limits only and with the whole arm avoiding 50 boxes and itself."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from farhand.distances import AvoidingServo, Clearance
from farhand.kernels import Floats, compile_all
from farhand.kinematics import Servo
from farhand_bench.arms import limits_of
from farhand_bench.rows import Row, row
from farhand_bench.sampling import in_turns
from farhand_bench.scenes import arm_among, boxes

__all__ = ["measure"]

SAMPLES, STEPS, SLOW = 200, 4000, 400
DT, KEEP = 0.002, 0.005


def measure(peers: bool = False) -> list[Row]:
    """Return the rows of this benchmark."""
    compile_all()
    clearance = arm_among(boxes())
    chain, limits = clearance.chain, limits_of(clearance.chain)
    servo, avoiding = Servo(chain, limits, DT), AvoidingServo(clearance, limits, DT, KEEP)
    motion = _followed(servo)
    Q, targets = _near_something(clearance)
    # separate arrays, as a caller has them
    joints, rates, goals = list(motion.Q), list(motion.rates), list(motion.targets)
    near, near_goals = list(Q), list(targets)
    still, twist = np.zeros(chain.n), np.zeros(6)
    calls: dict[str, Callable[[int], Any]] = {
        "servo step: position, velocity, acceleration, braking": lambda k: servo.tip(
            joints[k], rates[k], goals[k], twist
        ),
        "  the same from rest, all joints at a limit": lambda k: servo.tip(
            near[k % SAMPLES], still, near_goals[k % SAMPLES], twist
        ),
        "servo step that avoids 50 boxes and itself": lambda k: avoiding.clear_tip(
            near[k % SAMPLES], still, near_goals[k % SAMPLES], twist
        ),
    }
    bars = ["≥ 1.5 times faster than placo", "reported", "≥ 25 times faster than mink"]
    fewer: dict[str, int] = {}
    missing: list[str] = []
    if peers:
        from farhand_bench.peers import available
        from farhand_bench.peers.servo import avoiding_makers, makers

        found, missing = available(makers(clearance, motion.Q, motion.targets))
        avoid, absent = available(avoiding_makers(clearance, Q, targets))
        missing += absent
        calls |= {f"  {name}, limits": step for name, step in found.items()}
        calls |= {f"  {name}, limits and 50 boxes": _again(step) for name, step in avoid.items()}
        fewer = {name: SLOW for name in calls if "mink" in name or "pink" in name}
    spent = in_turns(calls, STEPS, 20, fewer)
    rows = [row(name, times, "µs", bars[k] if k < len(bars) else "") for k, (name, times) in enumerate(spent.items())]
    return rows + [Row(f"  not available: {line}", math.nan, math.nan, "") for line in missing]


class Motion(NamedTuple):
    """A moving target, and the states of an arm that follows it: one row per tick."""

    Q: Floats
    rates: Floats
    targets: Floats


def _followed(servo: Servo) -> Motion:
    """Return a wide smooth motion of the tip, followed by the servo from tick to tick."""
    chain, middle = servo.chain, np.array([0.3, 0.2, -0.1, 0.4, 0.8, 0.6])
    times = DT * np.arange(STEPS)
    wanted = middle + 0.3 * np.sin(0.7 * times[:, None] * (1.0 + 0.2 * np.arange(chain.n)))
    targets = np.array([chain.forward(q) for q in wanted])
    Q, rates = np.empty((STEPS, chain.n)), np.empty((STEPS, chain.n))
    q, rate = middle.copy(), np.zeros(chain.n)
    for k in range(STEPS):
        Q[k], rates[k] = q, rate
        rate = servo.tip(q, rate, targets[k], np.zeros(6)).rates.copy()
        q = q + DT * rate
    return Motion(Q, rates, targets)


def _again(step: Callable[[int], Any]) -> Callable[[int], Any]:
    return lambda k: step(k % SAMPLES)


def _near_something(clearance: Clearance) -> tuple[Floats, Floats]:
    """Return joints with at least two pairs nearer than 5 cm and none nearer than 3 mm, and poses close by."""
    chain, rng = clearance.chain, np.random.default_rng(0)
    found: list[Floats] = []
    while len(found) < SAMPLES:
        q = rng.uniform(chain.lower, chain.upper)
        near = clearance.near(q, 0.05)
        if len(near) >= 2 and near[0].distance > 0.003:
            found.append(q)
    targets = [chain.forward(np.clip(q + rng.normal(0.0, 0.02, chain.n), chain.lower, chain.upper)) for q in found]
    return np.array(found), np.array(targets)
