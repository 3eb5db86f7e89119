"""Four scales of the hand's motion: a button steps through them, and no choice moves a robot whose hand is still."""

import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.cell_files import read_cell
from farhand.errors import CellFileError
from farhand.lane.intake.hand_scales import SCALES, next_scale
from farhand.lane.intake.inbox import Inbox, receive
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import Reading, SelectMapping, SetScale


def cell_with(**fields: object) -> Cell:
    plain = Cell.load("irb120")
    mappings = {"hand": {"kind": "clutch"}, "joined": {"kind": "hybrid"}}
    arm = replace(plain.spec.robots["arm"], mappings=mappings, **fields)
    return Cell(replace(plain.spec, robots={"arm": arm}, speed_level=5), plain.path)


def test_there_are_four_and_they_follow_each_other() -> None:
    assert SCALES == (1.0, 0.5, 0.2, 0.05)
    assert [next_scale(SCALES, scale) for scale in SCALES] == [0.5, 0.2, 0.05, 1.0]
    assert next_scale(SCALES, 0.45) == 0.2  # after the nearest of those there are
    assert next_scale(SCALES, 1.0, 6) == 0.2


@given(st.lists(st.floats(0.02, 50.0), min_size=1, max_size=9), st.floats(0.02, 50.0), st.integers(0, 2**62))
def test_a_step_is_always_one_of_them(scales: list[float], now: float, steps: int) -> None:
    assert next_scale(tuple(scales), now, steps) in scales


def test_only_fresh_presses_of_the_same_lease_step() -> None:
    inbox = receive(Inbox(), Reading(sequence=1, presses={"scale": 7}), 1)
    assert inbox.stepped == 0  # pressed before we came
    inbox = receive(inbox, Reading(sequence=2, presses={"scale": 9}), 2)
    assert inbox.stepped == 2  # one reading was lost, no press is
    assert receive(inbox, None, 3).stepped == 0
    assert receive(inbox, Reading(sequence=3, presses={"scale": 1}), 3).stepped == 0  # counted anew
    assert receive(inbox, Reading(sequence=1, epoch=1, presses={"scale": 20}), 3).stepped == 0


@pytest.mark.parametrize("mapping", ["hand", "joined"])
def test_a_still_hand_that_changes_scale_moves_nothing(mapping: str) -> None:
    hand, fresh = Manual(), cell_with()
    run = Run(fresh, {"hand": hand})
    run.send(SelectMapping("arm", mapping))
    hand.set(pose=Pose((0.1, 0.0, 0.0)))
    run.run(0.02)
    hand.set(deadman=True)
    run.run(0.05)
    hand.set(pose=Pose((0.13, 0.01, 0.0)))  # away from where it was taken, so that a scale means something
    before = run.run(1.5)
    told, chosen = before.lanes["arm"].setpoints["arm"].positions, [before.lanes["arm"].scale]
    for press in range(1, 5):
        hand.set(presses={"scale": press})
        tick = run.run(0.1)
        chosen.append(tick.lanes["arm"].scale)
        assert tick.lanes["arm"].mode == "teleoperation"
        assert math.dist(tick.lanes["arm"].setpoints["arm"].positions, told) < 1e-4
    assert chosen == [1.0, 0.5, 0.2, 0.05, 1.0]


def test_the_chosen_scale_is_how_far_the_robot_goes() -> None:
    ways = []
    for scale in (1.0, 0.2):
        hand, fresh = Manual(), cell_with()
        run = Run(fresh, {"hand": hand})
        run.send(SetScale("arm", scale))
        hand.set(pose=Pose())
        run.run(0.02)
        hand.set(deadman=True)
        start = run.run(0.05).state.robots["arm"].T_base_tip.position
        hand.set(pose=Pose((0.02, 0.0, 0.0)))
        ways.append(run.run(1.0).state.robots["arm"].T_base_tip.position[0] - start[0])
    assert ways[0] == pytest.approx(0.02, abs=5e-4)
    assert ways[1] == pytest.approx(0.004, abs=5e-4)


def test_a_cell_file_may_name_others_and_starts_with_the_first(tmp_path: Path) -> None:
    cell = cell_with(scales=(0.5, 0.1))
    assert cell.step().lanes["arm"].scale == 0.5
    text = 'name = "c"\n[robots.arm]\nmodel = "irb120"\nscales = {}\n'
    for scales, said in (
        ("[0.5, 0.5]", "robots.arm.scales: found [0.5, 0.5], expected different values"),
        ("[]", "robots.arm.scales: "),
        ("[0.0]", "robots.arm.scales[0]: "),
    ):
        path = tmp_path / "cell.toml"
        path.write_text(text.format(scales))
        with pytest.raises(CellFileError) as error:
            read_cell(path)
        assert said in str(error.value)
