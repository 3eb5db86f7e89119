"""The cells of the catalogue: each runs without a fault and does as its file says."""

import math
from pathlib import Path

import numpy as np
import pytest
from paths import ROBOTS

from farhand import Cell, Run
from farhand.cell.cell_files import cell_names, cell_summaries
from farhand.errors import CellFileError
from farhand.kinematics import Scara
from farhand.masters import Modelled
from farhand.poses import Vec3, matrix
from farhand.types import Tick

LEADER = """
name = "own"
[robots.arm]
model = "irb120"
[robots.arm.mappings."joint to joint"]
kind = "copy-joints"
[masters.leader]
kind = "modelled"
device = "leader"
settings = {{ model = "{model}" }}
intent = {{ kind = "manual" }}
"""


def run_for(name: str, seconds: float) -> tuple[Run, list[Tick]]:
    ticks: list[Tick] = []
    run = Run(Cell.load(name), listeners=[lambda _, tick: ticks.append(tick)])
    run.run(seconds)
    return run, ticks


def tip(tick: Tick) -> Vec3:
    return tick.state.robots["arm"].T_base_tip.position


@pytest.mark.parametrize("name", cell_names())
def test_every_cell_runs_without_a_fault(name: str) -> None:
    assert cell_summaries()[name].endswith(".")
    run, ticks = run_for(name, 1.5)
    assert ticks[-1].notes == ()
    for robot, spec in run.cell.spec.robots.items():
        off = spec.power is not None  # then it waits to be powered up
        for tick in ticks:
            assert tick.lanes[robot].mode in (("off",) if off else ("idle", "teleoperation"))
            graver = [note.code for note in tick.lanes[robot].notes if note.level in ("stop", "fault")]
            assert graver == (["mode.off"] if off else [])


def test_a_leader_is_of_the_shape_that_its_cell_names(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(LEADER.format(model="scara"))
    master = Cell.load(path).masters["leader"]
    assert isinstance(master, Modelled)
    assert (master.device.label, master.device.kinematics.n) == ("Leader of scara", 5)


def test_a_leader_may_be_of_a_robot_file_beside_the_cell(tmp_path: Path) -> None:
    here = ROBOTS / "small.toml"
    (tmp_path / "small.toml").write_text(here.read_text())
    path = tmp_path / "own.toml"
    path.write_text(LEADER.format(model="small.toml"))
    master = Cell.load(path).masters["leader"]
    assert isinstance(master, Modelled)
    assert master.device.label.startswith("Leader of ")


def test_a_leader_of_nothing_is_refused_by_its_field(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(LEADER.format(model="irb12"))
    with pytest.raises(CellFileError, match=r"masters\.leader\.settings\.model: no robot is called 'irb12'"):
        Cell.load(path)


def test_the_scara_of_the_catalogue_is_the_closed_form() -> None:
    cell, closed = Cell.load("delta-scara"), Scara()
    chain = cell.lanes["arm"].chain
    assert chain.lower == pytest.approx(closed.lower)
    assert chain.upper == pytest.approx(closed.upper)
    for q in np.random.default_rng(1).uniform(closed.lower, closed.upper, (50, 5)):
        assert np.abs(chain.forward(q) - closed.forward(q)).max() < 1e-6
    # home: half way up, 0.38 m before the column, the tool outwards
    T = matrix(cell.state.robots["arm"].T_base_tip)
    assert pytest.approx(T[:3, 3], abs=1e-4) == (0.38, 0.0, 0.30)
    assert pytest.approx(T[:3, :3], abs=1e-4) == np.eye(3)


def test_a_scara_that_follows_is_not_said_to_be_slowed_though_two_joints_share_an_axis() -> None:
    _, ticks = run_for("delta-scara", 2.5)
    assert {note.code for tick in ticks for note in tick.lanes["arm"].notes} <= {"scale.ramp"}


def test_the_cyberimpact_travels_on_past_the_rim_and_then_feels_the_block() -> None:
    run, ticks = run_for("irb120-cyberimpact", 8.0)
    master = run.masters["grip"]
    assert isinstance(master, Modelled)
    start, left = tip(ticks[0]), tip(ticks[2500])
    assert left[1] - start[1] > 0.25  # three times as far as the hand can go
    pressed = ticks[3600:3900]
    assert all(tick.state.robots["arm"].touching for tick in pressed)
    assert all(15.0 < tick.lanes["arm"].felt.force[2] < 40.0 for tick in pressed)  # upwards
    assert master.intended.position[2] < master.pose.position[2] - 0.02  # the hand is held off
    assert math.dist(tip(pressed[0]), tip(pressed[-1])) < 5e-4
