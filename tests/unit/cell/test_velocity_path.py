"""Velocity control: the tip stays on the hand's path; where it cannot, a note reports the shift."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec, RobotSpec, WorldSpec
from farhand.kernels import Floats
from farhand.loop import Run
from farhand.notes import render
from farhand.types import Inputs, Note, Reading, Tick

SCALE, RADIUS, SPEED = 10.0, 0.06, 0.1  # robot over hand; m and m/s of the tip
TURN_S = math.tau * RADIUS / SPEED


class Log:
    """Where the tip and ten times the hand are, tick by tick."""

    def __init__(self, path: dict[str, Any], seconds: float) -> None:
        robot = RobotSpec(
            model="irb120",
            tool="two-finger",
            master="hand",
            position=(0.0, 0.0, 1.0),
            mappings={"velocity": {"kind": "velocity", "scale": SCALE}},
        )
        spec = CellSpec(
            name="test",
            speeds=(1.0,),
            speed_level=1,
            world=WorldSpec(),
            robots={"arm": robot},
            masters={"hand": {"kind": "path", "delay": 0.1, "ease": 1.0, **path}},
        )
        self.tips, self.hands, self.notes = list[tuple[float, ...]](), list[tuple[float, ...]](), set[str]()
        self.last = dict[str, Note]()
        self._reading = Reading()
        run = Run(Cell(spec, Path("test.toml")), listeners=(self._heard,))
        run.run(seconds)

    def _heard(self, inputs: Inputs, tick: Tick) -> None:
        self._reading = inputs.readings.get("hand", self._reading)
        self.tips.append(tick.state.robots["arm"].T_base_tip.position)
        self.hands.append(self._reading.pose.position if self._reading.pose else (0.0, 0.0, 0.0))
        self.last = {note.code: note for note in tick.lanes["arm"].notes}
        self.notes |= self.last.keys()

    def error(self, since: float) -> Floats:
        """Return how far the tip is off the hand's path from some time on, metres."""
        first = round(since / 0.002)
        tips, hands = np.array(self.tips[first:]), SCALE * np.array(self.hands[first:])
        error: Floats = np.linalg.norm(tips - tips[0] - hands + hands[0], axis=1)
        return error


def test_a_circle_ends_where_it_began() -> None:
    """The target used to be put beside the tip whenever the path bent: 10 µm for each second of a circle."""
    turns = 3
    log = Log({"shape": "circle", "axis": "x", "amplitude": RADIUS / SCALE, "period": TURN_S}, 1.4 + turns * TURN_S)
    error = log.error(1.2)
    per_turn = round(TURN_S / 0.002)
    growth = error[turns * per_turn] - error[per_turn]
    assert abs(growth) / ((turns - 1) * TURN_S) < 1e-6
    assert error[turns * per_turn] < 1e-4
    assert error.max() < 0.3e-3
    assert "servo.carried" not in log.notes


def test_a_path_out_of_reach_is_said_to_have_carried_the_tip_off() -> None:
    """The hand goes 0.3 m ahead and comes back; the arm ends before that."""
    away = {"shape": "reach", "points": ((0.05, 0.0, 0.0), (0.0, 0.0, 0.0)), "period": 3.0}
    log = Log(away, 6.0)
    error = float(log.error(0.4)[-1])
    assert error > 0.02
    said = log.last["servo.carried"]
    figure = 1e3 * said.quantities[0].value
    assert abs(figure - 1e3 * error) < 5.0  # the ramp-in after the press is not owed
    assert render(said).free
