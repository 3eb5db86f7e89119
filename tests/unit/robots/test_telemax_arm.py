"""The tracked robot's arm in its experiments: their checks can fail, and pass on slopes and on a rocking base."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from farhand.experiments import EXPERIMENTS
from farhand.experiments.armlog import STANDS, Stand, settled, tracked_cell
from farhand.experiments.telemax_spiral import SPIRAL
from farhand.experiments.telemax_steps import answers_on, figures_of, step_of
from farhand.experiments.tippath import MAX_RMS, POSTURE, follow
from farhand.robots import load_robot

RAMP, BAR = STANDS[1:]
CLUTCH = {"hand": {"kind": "clutch", "turn_scale": 0.0}}


def test_an_oscillating_joint_is_detected() -> None:
    turret = load_robot("telemax").arm.joints[0]
    time = np.arange(0.0, 3.0, 0.002)
    calm, swinging = 1.0 - np.exp(-8.0 * time), 1.0 - np.exp(-3.0 * time) * np.cos(12.0 * time)
    step = step_of(time, 0.5 * calm, 100.0 * calm, 0.5, turret)
    assert (step.overshoot, step.swings) == (0.0, 0)
    assert step.settling == pytest.approx(np.log(50.0) / 8.0, abs=0.003)
    assert step.extra == pytest.approx(step.settling - 0.5 / turret.velocity)
    assert step.effort == pytest.approx(100.0 / turret.effort, rel=1e-3)
    step = step_of(time, -0.5 * swinging, 0.0 * time, -0.5, turret)
    assert step.overshoot > 30.0
    assert step.swings > 3
    assert step.settling > 0.9


def test_a_bad_joint_misses_the_limits() -> None:
    joints = load_robot("telemax").arm.joints
    time = np.arange(0.0, 3.0, 0.002)
    late = np.clip(time / 2.5, 0.0, 1.03)
    figures = figures_of(joints[:1], [step_of(time, 0.3 * late, 0.0 * time, 0.3, joints[0])])
    assert [figure.met for figure in figures] == [False, True, False, True]


@pytest.mark.slow
def test_on_a_ramp_the_tip_follows_and_an_error_is_seen() -> None:
    cell = settled(tracked_cell(RAMP, CLUTCH), POSTURE)
    path = follow(cell, replace(SPIRAL, ease=0.5), 2.0)
    assert np.degrees(path.log.attitude[-1, 0]) == pytest.approx(30.0, abs=1.0)
    assert np.ptp(path.log.tip[:, 0]) > 0.08
    assert 0.0 < path.rms < MAX_RMS
    off = replace(path, error=path.error + 0.003)
    assert off.rms > MAX_RMS


@pytest.mark.slow
@pytest.mark.parametrize("stand", [RAMP, BAR])
def test_joints_answer_steps_on_a_ramp_and_on_a_bar_as_on_level_ground(stand: Stand) -> None:
    found = answers_on(stand, 2.0)
    assert [f for f in figures_of(found[0][0].specs, [step for _, step in found]) if not f.met] == []


@pytest.mark.slow
def test_on_a_bar_the_arm_tips_the_robot_to_and_fro() -> None:
    outcome = EXPERIMENTS["telemax-spiral"](None)
    values = {figure.name: figure.value for figure in outcome.figures}
    assert values[f"on {BAR}: the base rocked by"] > 2.0
    assert values[f"on {BAR}: error of the tip, RMS"] < MAX_RMS
    pitch = outcome.columns[f"{BAR}: pitch (rad)"]
    ends = pitch[np.abs(pitch) > np.radians(0.8)]
    assert np.count_nonzero(np.diff(np.sign(ends))) >= 2
