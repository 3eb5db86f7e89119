"""Tuned gains are fast without overshoot in the physics, worse gains are detected, and the output can be used."""

from __future__ import annotations

import tomllib
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from msgspec.structs import replace
from toys import toy_arm

from farhand.cell.cell_spec import RobotSpec
from farhand.cli import main
from farhand.config import convert
from farhand.errors import DriveError
from farhand.formats.model import RobotModel
from farhand.robots import load_robot
from farhand.tuning import DRIVES, StepBench, Tuning, drive_for, joint_loads, panels, snippet, tune
from farhand.world import DriveSpec, LoopGains, Placement

ARM = Placement("arm", load_robot("irb120", tool="two-finger"))
DT = 0.002


@pytest.fixture(scope="module", params=list(DRIVES))
def tuning(request: pytest.FixtureRequest) -> Tuning:
    return tune(ARM, request.param)


def test_every_joint_settles_without_overshoot_also_where_it_is_heaviest(tuning: Tuning) -> None:
    for step in (*tuning.home, *tuning.heavy):
        assert step.overshoot <= 0.05
        assert step.settled < 0.5
        assert step.travel[-1] == pytest.approx(1.0, abs=0.02)
        assert 0.0 < step.peak <= step.joint.effort + 1e-9


def test_the_gains_can_be_pasted_into_a_cell_file(tuning: Tuning) -> None:
    table = tomllib.loads(f'[robots.arm]\nmodel = "irb120"\n{snippet(tuning, "arm")}')["robots"]["arm"]
    assert convert(table, RobotSpec).drive == tuning.drive


def test_there_are_two_panels_for_each_joint(tuning: Tuning) -> None:
    drawn = panels(tuning)
    assert [panel.title.split(":")[0] for panel in drawn[::2]] == [joint.label for joint in ARM.model.arm.joints]
    assert all(len(panel.lines) == 2 and np.isfinite(line.y).all() for panel in drawn for line in panel.lines)


def test_detuned_gains_are_worse() -> None:
    rows = tune(ARM, "pid").drive.gains
    soft = DriveSpec(kind="pid", gains=tuple((kp, ki, 0.2 * kd) for kp, ki, kd in rows))
    bench = StepBench(ARM, soft)
    assert max(bench.step(i, bench.home).overshoot for i in range(6)) > 0.2
    slow = DriveSpec(kind="velocity", loops=(LoopGains(proportional=2.0, integral=0.0),) * 6)
    bench = StepBench(ARM, slow)
    assert bench.step(1, bench.home).settled > 0.9


def test_loads_of_joints_are_found_over_postures() -> None:
    loads = joint_loads(ARM)
    assert (loads.least <= loads.most).all()
    assert loads.most[0] > 2.0 * min(np.diag(inertia)[0] for inertia in loads.inertias)  # folded and stretched out
    assert loads.weight[0] == pytest.approx(0.0, abs=1e-9)  # it turns about the vertical
    assert loads.weight[1] > 30.0
    assert loads.weight[1] == joint_loads(ARM).weight[1]  # the same seed, the same postures
    slower = drive_for("pid", ARM.model.arm.joints, loads, np.full(6, 0.5), DT)
    assert slower.gains[0][0] < 0.3 * drive_for("pid", ARM.model.arm.joints, loads, np.ones(6), DT).gains[0][0]


def test_an_arm_that_no_explicit_loop_can_hold_needs_rotor_inertia() -> None:
    light = toy_arm()
    light = replace(light, mjcf=light.mjcf.replace('armature=".1"', 'armature="0"').replace('mass="1"', 'mass="1e-7"'))
    with pytest.raises(DriveError, match="no gains without overshoot for the pid drive; give its joints more rotor"):
        tune(Placement("arm", _without_gripper(light)), "pid")


@pytest.mark.parametrize(("robot", "tool"), [("titan3", "titan-jaw"), ("telemax", "telemax-claw")])
def test_slow_joints_are_tuned_as_well_as_quick_ones(robot: str, tool: str) -> None:
    """A heavy turret behind a light wrist needs more than a second; that is no reason to make it slower still."""
    tuning = tune(Placement("robot", load_robot(robot, tool=tool)), "pid")
    slowest = max(step.settled for step in (*tuning.home, *tuning.heavy))
    assert 1.0 < slowest < 3.0
    assert max(step.overshoot for step in (*tuning.home, *tuning.heavy)) <= 0.02


def test_an_arm_on_tracks_is_tuned_with_its_base_parked() -> None:
    bench = StepBench(Placement("robot", load_robot("telemax", tool="telemax-claw")), DriveSpec())
    rig = bench._world.rig("robot")
    before, flippers = rig.T_world_base, rig.measure().groups["flippers"].positions
    shoulder = bench.step(1, bench.home, seconds=0.4)
    assert shoulder.settled < 0.3
    assert shoulder.overshoot < 0.05
    assert rig.T_world_base.position == pytest.approx(before.position, abs=1e-5)
    assert rig.T_world_base.rotation == pytest.approx(before.rotation, abs=1e-5)
    assert rig.measure().groups["flippers"].positions == pytest.approx(flippers, abs=0.01)


def _without_gripper(model: RobotModel) -> RobotModel:
    return replace(model, gripper=None, held=("finger",))


# ── The command line ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_command_prints_writes_and_draws(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    gains = tmp_path / "new" / "gains.toml"
    asked = ["--drive", "velocity", "--name", "my arm", "--write", str(gains), "--out", str(tmp_path)]
    assert main(["tune", "delta", *asked]) == 0
    out = capsys.readouterr().out
    assert "overshoot" in out
    assert '[robots."my arm".drive]' in out
    assert len(tomllib.loads(gains.read_text())["robots"]["my arm"]["drive"]["loops"]) == 3
    ElementTree.parse(tmp_path / "tune-delta-velocity.svg")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["irb12"], "no robot is called 'irb12'"),
        (["irb120", "--tool", "thre-finger"], "no tool is called 'thre-finger'"),
        (["/nowhere/robot.toml"], "/nowhere/robot.toml"),
    ],
)
def test_missing_robots_and_tools_are_refused(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", *arguments]) == 2
    assert words in capsys.readouterr().err
