"""Grasping: the claw holds by friction the objects that a rule predicts, others slip, and it releases all of them."""

from __future__ import annotations

from random import Random

import mujoco
import pytest

from farhand.lane.motion.gripper_stage import GripperStage
from farhand.robots import load_robot
from farhand.types import Setpoint
from farhand_bench.grasp import Trial, attempt, matrix, rows_of
from farhand_bench.things import GRIP, OPENING, THINGS, Thing

BY_NAME = {thing.name: thing for thing in THINGS}


def sound(trial: Trial) -> bool:
    """Return whether a trial is as predicted, without explosions, creep or sticking."""
    quiet = not trial.broken and trial.fastest < 4.0 and trial.creep < 0.2
    return quiet and trial.as_predicted and (trial.released or not trial.carried)


# ── The rule and the matrix ──────────────────────────────────────────────────────────────────────────────────────────


def test_the_rule_foretells_by_friction_weight_and_opening() -> None:
    plain = Thing("plain", "box", (0.1, 0.1, 0.1), 2.0, 0.5)
    assert plain.support == pytest.approx(2.0 * 0.5 * GRIP / (2.0 * 9.81))
    assert plain.prediction == "holds"
    heavy = 2.0 * 0.1 * GRIP / 9.81  # friction 0.1 carries just this
    assert Thing("light enough", "box", (0.1, 0.1, 0.1), heavy / 1.51, 0.1).prediction == "holds"
    assert Thing("between", "box", (0.1, 0.1, 0.1), heavy / 1.49, 0.1).prediction == "open"
    assert Thing("between", "box", (0.1, 0.1, 0.1), heavy / 0.71, 0.1).prediction == "open"
    assert Thing("too heavy", "box", (0.1, 0.1, 0.1), heavy / 0.69, 0.1).prediction == "slips"
    assert Thing("gently", "box", (0.1, 0.1, 0.1), heavy / 1.51, 0.1, squeeze=0.4).prediction == "slips"
    assert Thing("wide", "box", (0.1, 0.21, 0.1), 1.0, 0.5).prediction == "too wide"


def test_the_matrix_is_as_wide_as_asked() -> None:
    holdable = [thing for thing in THINGS if thing.prediction == "holds"]
    assert len(holdable) >= 30
    assert sum(thing.prediction == "slips" for thing in THINGS) >= 10
    assert {thing.shape for thing in holdable} >= {"box", "cylinder", "sphere", "capsule"}
    assert min(thing.mass for thing in holdable) == 0.05
    assert max(thing.mass for thing in holdable) == 10.0
    assert len(BY_NAME) == len(THINGS)


# ── The claw ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_claw_is_as_wide_and_strong_as_the_rule_has_it() -> None:
    gripper = load_robot("telemax", tool="telemax-claw").gripper
    assert gripper is not None
    assert gripper.opening == OPENING
    assert 3.0 * gripper.effort / 0.11 == pytest.approx(GRIP, rel=0.02)  # three joints on a lever


def test_nothing_of_a_jaw_stands_out_beyond_its_pad_and_pads_take_the_friction_of_what_they_touch() -> None:
    model = mujoco.MjModel.from_xml_string(load_robot("telemax", tool="telemax-claw").mjcf)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        pad = model.geom(f"tool_{side}_pad")
        face = sign * pad.pos[1] - pad.size[1]
        for part in ("knuckle", "back"):
            geom = model.geom(f"tool_{side}_{part}")
            assert sign * geom.pos[1] - geom.size[1] >= face + 1e-3
            assert geom.friction[0] <= 0.1
        assert pad.friction[0] <= min(thing.friction for thing in THINGS)
        assert pad.priority == 0


def test_fingers_that_press_with_all_they_have_follow_what_settles_between_them() -> None:
    gripper = load_robot("telemax", tool="telemax-claw").gripper
    assert gripper is not None
    stage = GripperStage(gripper, 0.003, 0.002)

    def led(lead: float) -> float:
        """Return how far the fingers are led after what they hold has become half a millimetre thinner."""
        setpoint = Setpoint((0.1 - lead,), (0.0,), (0.0,))
        assert stage(None, setpoint, 0.1) == setpoint
        for _ in range(200):
            setpoint = stage(None, setpoint, 0.0995)
        return 0.0995 - setpoint.positions[0]

    assert led(0.0029) > 0.0026
    assert led(0.0008) == pytest.approx(0.0003)  # held gently, they stay


# ── Trials ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("name", ["shell", "greased steel"])
def test_predictions_of_grasps_come_true(name: str) -> None:
    trial = attempt(BY_NAME[name], Random(4))
    assert sound(trial), trial
    assert trial.force == pytest.approx(GRIP, rel=0.1)


@pytest.mark.slow
def test_of_all_things_ninety_five_in_a_hundred_are_held_or_slip_as_foretold() -> None:
    trials = matrix(200)
    assert not [t for t in trials if t.broken or t.fastest > 4.0]
    assert [t.thing.name for t in trials if t.carried and not t.released] == []
    held, slipped, *_ = rows_of(trials)
    assert held.median >= 95.0
    assert slipped.median >= 95.0
    assert max(t.creep for t in trials if t.carried) < 0.2
