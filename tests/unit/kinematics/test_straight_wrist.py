"""Strokes that begin in an exactly singular posture keep their path, stroke after stroke."""

from __future__ import annotations

import math

import numpy as np
import pytest

from farhand.kinematics import JointLimits, SerialChain, Servo

DT, PERIOD, HALF_STROKE = 0.002, 3.55, 0.08
# An arm like the PUMA 560: standard DH, limits in degrees.
ROWS = (
    (0.0, math.pi / 2, 0.672, 0.0, "revolute"),
    (0.4318, 0.0, 0.0, 0.0, "revolute"),
    (0.0203, -math.pi / 2, 0.15005, 0.0, "revolute"),
    (0.0, math.pi / 2, 0.4318, 0.0, "revolute"),
    (0.0, -math.pi / 2, 0.0, 0.0, "revolute"),
    (0.0, 0.0, 0.0565, 0.0, "revolute"),
)
LOWER, UPPER = np.radians([-160, -45, -225, -266, -100, -266]), np.radians([160, 225, 45, 266, 100, 266])
RATES = np.radians([120.0, 120.0, 120.0, 240.0, 240.0, 240.0])


@pytest.mark.parametrize("tremor", [0.0, 1e-5, 1e-4])
def test_strokes_in_the_plane_of_a_straight_wrist_do_not_swing_it_about(tremor: float) -> None:
    """Present motion used to choose which way to leave: the wrist swung on past its aim, ever further, by 3 mm."""
    chain = SerialChain.from_dh(ROWS, LOWER, UPPER)
    limits = JointLimits(LOWER, UPPER, velocity=RATES, acceleration=RATES / 0.15, jerk=RATES / 0.00075)
    servo, q, rates = Servo(chain, limits, DT), np.array([0.0, 1.6, -3.4, 0.0, 0.0, 0.0]), np.zeros(6)
    start, twist, worst, w = chain.forward(q), np.zeros(6), 0.0, math.tau / PERIOD
    for k in range(12000):
        t, target = k * DT, start[:3].copy()
        ease = min(t, 1.0)
        target[0, 3] += ease * HALF_STROKE * math.sin(w * t)
        target[1, 3] += tremor * math.sin(7.3 * t)
        twist[0] = ease * HALF_STROKE * w * math.cos(w * t) + (HALF_STROKE * math.sin(w * t) if t < 1.0 else 0.0)
        twist[1] = tremor * 7.3 * math.cos(7.3 * t)
        if t > 2.0:
            worst = max(worst, float(np.linalg.norm(chain.forward(q)[:3, 3] - target[:, 3])))
        rates = servo.tip(q, rates, target, twist).rates
        q = q + DT * rates
    assert worst < 2e-4
    assert abs(q[3]) < 0.05
