"""At home every robot of the catalogue can jog each of its axes separately."""

from __future__ import annotations

import math

import numpy as np
import pytest

from farhand.cell import Cell
from farhand.kernels import Floats
from farhand.kinematics.servo.singular import SIGMA_NEAR
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import conjugate, multiply, rotation_vector
from farhand.robots import robot_names
from farhand.types import SelectMapping, SetSpeed

TOOLS = {"telemax": "telemax-claw", "titan3": "titan-jaw", "irb120": "two-finger"}
SERVED = 1e-6  # share of an axis that may be missing where the arm has it
LOST = 1e-3  # singular value of a direction that an arm with few joints never has


def scaled_jacobian(cell: Cell) -> Floats:
    """Return the Jacobian at home with shifts in arm lengths."""
    lane = cell.lanes["robot"]
    jacobian: Floats = lane.chain.jacobian(np.array(lane.home)).copy()
    jacobian[:3] /= lane.chain.length
    return jacobian


def served(cell: Cell) -> list[int]:
    """Return the axes among x, y, z, roll, pitch and yaw that the arm can move separately."""
    left, values, _ = np.linalg.svd(scaled_jacobian(cell))
    basis = left[:, : len(values)][:, values > LOST]
    return [k for k in range(6) if 1.0 - float(basis[k] @ basis[k]) < SERVED]


@pytest.mark.parametrize("name", robot_names())
def test_no_home_is_singular(name: str) -> None:
    values = np.linalg.svd(scaled_jacobian(Cell.for_robot(name, tool=TOOLS.get(name))))[1]
    assert min(value for value in values if value > LOST) > SIGMA_NEAR


@pytest.mark.parametrize("name", robot_names())
def test_each_axis_is_jogged_by_itself_at_home(name: str) -> None:
    cell = Cell.for_robot(name, tool=TOOLS.get(name))
    hand = Manual()
    run = Run(cell, {"hand": hand})
    run.send(SelectMapping("robot", "base axes"))
    run.send(SetSpeed("robot", 2))
    run.tick()
    axes = served(cell)
    assert axes
    for k in axes:
        for sign in (1.0, -1.0):
            start = cell.state.robots["robot"].T_base_tip
            hand.set(deadman=True, axes=tuple(sign * (i == k) for i in range(6)))
            run.run(0.4)
            hand.release()
            run.run(0.3)
            tip = cell.state.robots["robot"].T_base_tip
            shift = np.subtract(tip.position, start.position)
            turn = np.array(rotation_vector(multiply(tip.rotation, conjugate(start.rotation))))
            wanted, other, small = (shift, turn, 0.01) if k < 3 else (turn, shift, 0.001)
            length = float(np.linalg.norm(wanted))
            assert length > 0.005
            off = math.degrees(math.acos(min(sign * float(wanted[k % 3]) / length, 1.0)))
            assert off < 2.0, f"axis {k} leads {off:.1f}° aside"
            if not set(range(3, 6) if k < 3 else range(3)).isdisjoint(axes):
                assert float(np.linalg.norm(other)) < small
