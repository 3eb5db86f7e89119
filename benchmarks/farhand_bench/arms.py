"""Arms for the benchmarks: tables of published robots, and arms of any number of joints."""

from __future__ import annotations

import math

import numpy as np

from farhand.kinematics import JointLimits, SerialChain
from farhand.kinematics.arithmetic.dh_tables import Row

__all__ = ["ARMS", "crs_a460", "irb120", "limits_of", "many_joints", "panda", "telemax"]

PI = math.pi


def irb120() -> SerialChain:
    """Return the ABB IRB 120: six joints, spherical wrist."""
    rows: list[Row] = [
        (0, -PI / 2, 0.290, 0), (0.270, 0, 0, -PI / 2), (0.070, -PI / 2, 0, 0), (0, PI / 2, 0.302, 0),
        (0, -PI / 2, 0, 0), (0, 0, 0.072, PI),
    ]  # fmt: skip
    upper = [2.879, 1.919, 1.221, 2.79, 2.094, 4.0]
    return SerialChain.from_dh(rows, [-2.879, -1.919, -1.919, -2.79, -2.094, -4.0], upper)


def panda() -> SerialChain:
    """Return a seven-joint arm with the table of the Franka Panda."""
    rows: list[Row] = [
        (0, 0, 0.333, 0), (0, -PI / 2, 0, 0), (0, PI / 2, 0.316, 0), (0.0825, PI / 2, 0, 0),
        (-0.0825, -PI / 2, 0.384, 0), (0, PI / 2, 0, 0), (0.088, PI / 2, 0, 0),
    ]  # fmt: skip
    tool = np.eye(4)
    tool[2, 3] = 0.107
    lower = [-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973]
    upper = [2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973]
    return SerialChain.from_dh(rows, lower, upper, "modified", tool=tool)


def telemax() -> SerialChain:
    """Return an arm like the Telemax's: six turns and a telescope."""
    turns, slides = "revolute", "prismatic"
    rows: list[Row] = [
        (0, 0, 0.35, 0, turns), (0, -PI / 2, 0, 0, turns), (0.55, 0, 0, PI / 2, turns), (0.0, PI / 2, 0.10, 0, slides),
        (0, 0, 0.35, 0, turns), (0, -PI / 2, 0, 0, turns), (0, PI / 2, 0.10, 0, turns),
    ]  # fmt: skip
    tool = np.eye(4)
    tool[2, 3] = 0.12
    lower = [-3.0, -2.6, -2.6, 0.0, -3.0, -2.0, -3.0]
    return SerialChain.from_dh(rows, lower, [3.0, 0.6, 2.6, 0.30, 3.0, 2.0, 3.0], "modified", tool=tool)


def crs_a460() -> SerialChain:
    """Return the CRS A460: six joints, spherical wrist."""
    rows: list[Row] = [
        (0, -PI / 2, 0.3302, 0), (0.3048, 0, 0, -PI / 2), (0, -PI / 2, 0, -PI / 2), (0, PI / 2, 0.3302, 0),
        (0, -PI / 2, 0, 0), (0, 0, 0.0762, 0),
    ]  # fmt: skip
    upper = np.deg2rad([175, 90, 110, 180, 105, 180])
    return SerialChain.from_dh(rows, -upper, upper)


ARMS = {"irb120": irb120, "panda": panda, "telemax": telemax, "crs a460": crs_a460}


def many_joints(n: int) -> SerialChain:
    """Return an arm of n joints with alternating axes, as long as the IRB 120 for any n."""
    each = 0.9 / n
    rows: list[Row] = [(each, (-1) ** i * PI / 2, 0.0, 0.0) for i in range(n)]
    return SerialChain.from_dh(rows, [-2.5] * n, [2.5] * n)


def limits_of(chain: SerialChain) -> JointLimits:
    """Return the joint limits of a fast small arm."""
    n = chain.n
    return JointLimits.of(chain.lower, chain.upper, [3.0] * n, [25.0] * n, [2500.0] * n)
