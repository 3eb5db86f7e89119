"""Modes: stops are latched, lost input pauses and stops, moves start and end on request."""

import math
from itertools import pairwise
from unittest.mock import patch

import pytest
from hands import Hand, silent
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.lane import PowerSpec
from farhand.loop import Run
from farhand.masters import Manual
from farhand.poses import Pose
from farhand.types import (
    Continue,
    Event,
    GripRate,
    HoldHere,
    Inputs,
    JointRates,
    Load,
    Motion,
    MoveJoints,
    MoveObject,
    Power,
    Reading,
    Reset,
    ResetRobot,
    RobotState,
    SelectMapping,
    SetSpeed,
    Stop,
    TipTwist,
    Wrench,
)
from farhand_bench.straight import straight_to


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


def test_stop_is_latched_and_needs_reset_and_a_fresh_press(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    hand.send(Stop())
    hand.drive(0.3, 0.5)
    stopped = hand.joints
    assert hand.mode == "stopped"
    assert "Stopped: Stop was pressed." in [worded(note) for note in hand.tick.lanes["arm"].notes]
    hand.drive(0.5, 0.5)
    hand.send(Reset())
    hand.drive(0.5, 0.5)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx(stopped, abs=1e-3)
    hand.drive(0.1)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"
    assert hand.joints[0] > stopped[0] + 0.05


def test_a_stop_brakes_within_the_limits(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.6, 1.0, 0.5)
    joint = cell.lanes["arm"].model.arm.joints[0]
    rate = hand.tick.lanes["arm"].setpoints["arm"].rates[0]
    hand.send(Stop())
    ticks = 0
    while any(hand.tick.lanes["arm"].setpoints["arm"].rates):
        hand.tick = hand.run.tick()
        ticks += 1
        assert abs(hand.tick.lanes["arm"].setpoints["arm"].accelerations[0]) <= joint.acceleration + 1e-9
        assert ticks < 500
    assert ticks * cell.dt <= rate / joint.acceleration + 2 * cell.dt


def test_silence_pauses_and_a_short_one_goes_on(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    silent(hand, 0.3)
    assert hand.mode == "paused"
    assert not any(hand.tick.lanes["arm"].setpoints["arm"].rates)
    hand.run._feedback["hand"] = replace(hand.run._feedback["hand"], tick=hand.cell.number)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"


def test_a_long_silence_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    silent(hand, 1.2)
    assert hand.mode == "stopped"
    hand.run._feedback["hand"] = replace(hand.run._feedback["hand"], tick=hand.cell.number)
    hand.drive(0.3, 0.5)
    assert hand.mode == "stopped"


def test_a_broken_reading_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    tick = cell.step(Inputs({"hand": Reading(sequence=10_000, deadman=True, axes=(math.nan,))}))
    assert tick.lanes["arm"].mode == "stopped"


def test_the_wrong_master_moves_nothing(cell: Cell) -> None:
    for number in range(1, 200):
        tick = cell.step(Inputs({"stranger": Reading(sequence=number, deadman=number > 5, axes=(1.0,))}))
    assert tick.lanes["arm"].mode == "idle"


def test_a_stop_without_a_reason_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.3, 0.5)
    hand.send(Stop(reason=""))
    hand.drive(0.1, 0.5)
    assert hand.mode == "stopped"


def test_a_broken_event_loses_no_stop_and_leaves_nothing_half_done(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.3, 0.5)
    broken = MoveObject("cube", Pose((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))  # type: ignore[arg-type] # on purpose
    hand.send(broken, Load("arm", (1.0,)), Stop())  # type: ignore[arg-type] # on purpose
    hand.drive(0.002, 0.5)
    assert hand.mode == "stopped"
    assert [note.code for note in hand.tick.notes] == ["cell.refused", "cell.refused"]
    hand.drive(0.1)


NONSENSE: list[tuple[str, Motion]] = [
    ("is not a number", JointRates((math.nan,) * 6)),
    ("is not a number", TipTwist((math.nan, 0.0, 0.0), (0.0, 0.0, 0.0))),
    ("is not a number", TipTwist((0.0, 0.0, 0.0), (0.0, math.inf, 0.0))),
    ("has 1 joint rates; the arm has 6 joints", JointRates((1.0,))),
    ("the arm cannot carry out the command", GripRate(0.1)),
]


@pytest.mark.parametrize(("words", "motion"), NONSENSE)
def test_a_mapping_with_an_invalid_demand_stops_its_robot(cell: Cell, words: str, motion: Motion) -> None:
    hand = Hand(cell)
    with patch.dict(cell.lanes["arm"].mappings, {"joints": Always(motion)}):
        hand.drive(0.2, 0.5)
    assert hand.mode == "stopped"
    assert any(words in worded(note) for note in hand.tick.lanes["arm"].notes)
    hand.send(Reset())
    hand.drive(0.1)
    start = hand.joints[0]
    hand.drive(0.4, 0.5)
    assert hand.joints[0] > start + 0.05


class Always:
    """A mapping that always asks for the same."""

    kind, feel, frame, scalable = "always", "Odd.", "", False
    axes = ("x",)

    def __init__(self, motion: Motion) -> None:
        self.motion = motion

    def __call__(
        self, reading: Reading, robot: RobotState, memory: object, scale: float = 1.0
    ) -> tuple[dict[str, Motion], object]:
        del reading, robot, scale
        return {"arm": self.motion}, memory

    def reflected(self, wrench: Wrench, memory: object) -> Wrench:
        del memory
        return wrench


def test_a_stage_that_breaks_stops_its_robot_and_no_other(cell: Cell) -> None:
    robots = {name: replace(cell.spec.robots["arm"], position=(0.0, y, 0.6)) for name, y in (("a", 0.0), ("b", 3.0))}
    two = Cell(replace(cell.spec, robots=robots), cell.path)
    hand = Manual()
    run = Run(two, {"hand": hand})
    run.run(0.1)
    two.lanes["b"].mappings["base axes"] = None  # type: ignore[assignment] # on purpose
    hand.set(deadman=True, axes=(0.0, 0.5))
    tick = run.run(0.5)
    assert (tick.lanes["a"].mode, tick.lanes["b"].mode) == ("teleoperation", "fault")
    assert tick.state.robots["a"].groups["arm"].positions[0] > 0.02
    assert "a stage of b failed (TypeError" in worded(tick.lanes["b"].notes[0])
    assert tick.number == two.number


def test_another_mapping_needs_a_fresh_press(cell: Cell) -> None:
    """What is held would suddenly mean something else."""
    hand = Hand(cell, "base axes")
    hand.drive(0.1)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"
    hand.send(SelectMapping("arm", "base axes"))  # the same again
    hand.drive(0.1, 0.5)
    assert hand.mode == "teleoperation"
    hand.send(SelectMapping("arm", "joints"))
    hand.drive(0.3, 0.5)
    assert hand.mode == "idle"
    assert "lane.press" in hand.codes
    rest = hand.joints
    hand.drive(0.2, 0.5)
    assert hand.joints == pytest.approx(rest, abs=1e-4)
    hand.drive(0.1)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"


def test_a_robot_pushed_beyond_its_limits_stops(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.1)
    hand.send(Load("arm", (0.0, 3000.0, 0.0)))
    hand.drive(0.5)
    assert hand.mode == "stopped"
    assert any("was pushed" in worded(note) for note in hand.tick.lanes["arm"].notes)


def test_reset_robot_needs_a_fresh_press(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.5, 0.5)
    hand.send(ResetRobot("arm"))
    hand.drive(0.3, 0.5)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=1e-3)


def test_the_last_good_reading_is_acknowledged(cell: Cell) -> None:
    assert cell.step().lanes["arm"].heard == -1
    assert cell.step(Inputs({"hand": Reading(sequence=7)})).lanes["arm"].heard == 7
    assert cell.step().lanes["arm"].heard == 7
    assert cell.step(Inputs({"hand": Reading(sequence=6)})).lanes["arm"].heard == 7
    assert cell.step(Inputs({"hand": Reading(sequence=8, axes=(2.0,))})).lanes["arm"].heard == 7
    assert cell.step(Inputs({"hand": Reading(sequence=1, epoch=1)})).lanes["arm"].heard == 1


def test_notes_explain_why_nothing_moves(cell: Cell) -> None:
    hand = Hand(cell)
    hand.hand.set(axes=(0.5,))
    hand.tick = hand.run.tick()
    assert hand.codes == ["lane.deadman"]
    other = Hand(Cell.load("irb120"))
    other.send(Stop())
    other.drive(0.05, 0.5)
    other.send(Reset())
    other.drive(0.05, 0.5)
    assert other.codes == ["lane.press"]


def test_refused_readings_and_unknown_masters_get_notes(cell: Cell) -> None:
    cell.step(Inputs({"hand": Reading(sequence=5)}))
    tick = cell.step(Inputs({"hand": Reading(sequence=5), "hnad": Reading(sequence=1)}))
    assert [note.code for note in tick.lanes["arm"].notes] == ["lane.reading"]
    assert worded(tick.notes[0]) == "No robot is driven by a master called 'hnad'; its readings are ignored."


# ── Autonomous moves ─────────────────────────────────────────────────────────────────────────────────────────────────


def test_home_brings_the_arm_home_exactly(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.8, 0.5, -0.3, 0.2, 0.5)
    hand.drive(0.2)
    hand.send(MoveJoints("arm"))
    hand.tick = hand.run.tick()
    assert hand.mode == "autonomous"
    hand.tick = hand.run.run(5.0, until=lambda t: t.lanes["arm"].mode == "idle")
    assert hand.mode == "idle"
    hand.drive(0.3)
    assert hand.joints == pytest.approx(cell.lanes["arm"].home, abs=2e-3)


def test_a_press_takes_over_without_a_jump_and_continue_resumes(cell: Cell) -> None:
    hand = Hand(cell, "base axes")
    goal = (1.0, 0.2, 0.2, 0.3, 0.8, -0.4)
    hand.send(MoveJoints("arm", goal))
    hand.drive(0.25)
    assert hand.mode == "autonomous"
    rates = [hand.tick.lanes["arm"].setpoints["arm"].rates]
    hand.hand.set(deadman=True, axes=(0.0, 0.0, 0.5))
    for _ in range(100):
        hand.tick = hand.run.tick()
        rates.append(hand.tick.lanes["arm"].setpoints["arm"].rates)
    assert hand.mode == "teleoperation"
    jumps = [
        abs(b - a) / joint.acceleration
        for before, after in pairwise(rates)
        for a, b, joint in zip(before, after, cell.lanes["arm"].model.arm.joints, strict=True)
    ]
    assert max(jumps) <= cell.dt + 1e-9
    hand.drive(1.0)
    assert hand.mode == "idle"
    assert max(abs(a - b) for a, b in zip(hand.joints, goal, strict=True)) > 0.1
    hand.send(Continue("arm"))
    hand.drive(0.1)
    assert hand.mode == "autonomous"
    hand.drive(4.0)
    assert hand.joints == pytest.approx(goal, abs=2e-3)


def test_a_lost_operator_pauses_a_move(cell: Cell) -> None:
    hand = Hand(cell, speed=3)
    hand.send(MoveJoints("arm", (1.0, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.2)
    assert hand.mode == "autonomous"
    silent(hand, 0.3)
    assert hand.mode == "paused"
    silent(hand, 1.0)
    assert hand.mode == "stopped"


def test_an_interrupted_move_waits_to_be_continued(cell: Cell) -> None:
    def waiting() -> bool:
        return hand.tick.lanes["arm"].waiting

    hand = Hand(cell)
    assert not waiting()
    hand.send(MoveJoints("arm", (1.0, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.1)
    assert not waiting()
    hand.drive(0.1, 0.0)  # taken over
    assert waiting()
    hand.drive(0.1)
    assert (hand.mode, waiting()) == ("idle", True)
    hand.send(Continue("arm"))
    hand.drive(0.1)
    assert (hand.mode, waiting()) == ("autonomous", False)
    hand.send(Stop())
    hand.drive(0.1)
    assert (hand.mode, waiting()) == ("stopped", True)
    hand.send(Reset(), Continue("arm"))
    hand.drive(0.1)
    hand.send(Continue("arm"))
    hand.tick = hand.run.run(5.0, until=lambda tick: tick.lanes["arm"].mode == "idle")
    assert (hand.mode, waiting()) == ("idle", False)
    hand.send(MoveJoints("arm"))
    hand.drive(0.1)
    hand.drive(0.1, 0.0)
    hand.send(HoldHere("arm"))
    hand.drive(0.1)
    assert not waiting()


def test_moves_that_cannot_start_are_refused_with_a_reason(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(Continue("arm"))
    hand.drive(0.002)
    assert (
        worded(hand.tick.lanes["arm"].notes[0]) == "Refused: arm cannot move by itself: there is no move to continue."
    )
    hand.drive(0.2, 0.5)
    hand.send(MoveJoints("arm"))
    hand.drive(0.002, 0.5)
    assert (
        worded(hand.tick.lanes["arm"].notes[0])
        == "Refused: arm cannot move by itself: it is being driven; let go first."
    )
    assert hand.mode == "teleoperation"
    hand.send(Stop(), MoveJoints("arm"))
    hand.drive(0.1)
    assert hand.mode == "stopped"


def test_the_speed_level_counts_in_the_middle_of_a_move(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(MoveJoints("arm", (2.5, 0.2, 0.2, 0.3, 0.8, -0.4)))
    hand.drive(0.3)
    hand.send(SetSpeed("arm", 1))
    hand.drive(0.5)
    assert hand.mode == "autonomous"
    rate = max(map(abs, hand.tick.state.robots["arm"].groups["arm"].rates))
    assert 0.0 < rate < 0.06 * 4.36


def test_a_move_without_progress_is_given_up(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(straight_to(cell, "arm", (0.0, 1.5, 0.6, 0.0, 0.5, 0.0)))  # below the work space
    seen = set()
    for _ in range(3000):
        hand.tick = hand.run.tick()
        seen |= set(hand.codes)
        if hand.mode == "idle":
            break
    assert hand.mode == "idle"
    assert "lane.stuck" in seen
    # It is said why, until the next command.
    hand.drive(1.0)
    text = next(worded(note) for note in hand.tick.lanes["arm"].notes if note.code == "lane.stuck")
    assert text.startswith("arm ended its move early. ")
    assert text.endswith("The tip has reached the bottom of its work area.")
    hand.drive(0.05, 0.1)
    assert "lane.stuck" not in hand.codes


def test_a_robot_with_a_switch_is_off_until_it_has_been_powered_up(cell: Cell) -> None:
    arm = replace(cell.spec.robots["arm"], power=PowerSpec(seconds=0.2))
    hand = Hand(Cell(replace(cell.spec, robots={"arm": arm}), cell.path))
    start = hand.joints
    hand.drive(0.3, 0.5)
    assert hand.mode == "off"
    assert [worded(note) for note in hand.tick.lanes["arm"].notes] == ["The robot is off."]
    hand.send(MoveJoints("arm"))
    hand.drive(0.002)
    assert "has no power yet" in worded(hand.tick.lanes["arm"].notes[0])
    hand.send(Power("arm", on=True))
    hand.drive(0.1)
    assert hand.mode == "powering"
    hand.drive(0.15)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx(start, abs=1e-4)
    hand.drive(0.3, 0.5)
    assert hand.mode == "teleoperation"
    hand.send(Power("arm", on=False))
    hand.drive(0.002, 0.5)
    assert hand.mode == "off"
    hand.drive(0.5, 0.5)
    rest = hand.joints
    hand.drive(0.3, 0.5)
    assert hand.joints == pytest.approx(rest, abs=1e-4)


def test_a_robot_without_a_switch_says_so(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(Power("arm", on=False))
    hand.drive(0.002)
    assert worded(hand.tick.lanes["arm"].notes[0]) == "Refused: arm has no power switch."
    assert hand.mode == "idle"


def test_a_pause_that_ends_early_is_carried_out_to_rest_without_turning_back(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.6, 1.0)
    while hand.mode == "teleoperation":
        silent(hand, cell.dt)
    rates = [hand.tick.lanes["arm"].setpoints["arm"].rates[0]]
    hand.run._feedback["hand"] = replace(hand.run._feedback["hand"], tick=hand.cell.number)
    while rates[-1] > 0.0 and len(rates) < 200:
        hand.drive(cell.dt, 1.0)
        rates.append(hand.tick.lanes["arm"].setpoints["arm"].rates[0])
    assert hand.mode == "teleoperation"
    assert len(rates) > 10
    assert rates[-1] == 0.0
    assert rates == sorted(rates, reverse=True)
    for _ in range(150):
        hand.drive(cell.dt, 1.0)
        rates.append(hand.tick.lanes["arm"].setpoints["arm"].rates[0])
    assert min(rates) == 0.0
    assert rates[-1] > 0.1


AWAY = MoveJoints("arm", (0.4, 0.0, 0.0, 0.0, 0.5, 0.0))


def refusals(hand: Hand) -> list[str]:
    return [worded(note) for note in hand.tick.lanes["arm"].notes if note.code == "lane.refused"]


@pytest.mark.parametrize(
    ("events", "axes", "mode", "why"),
    [
        ((AWAY,), (0.5,), "teleoperation", "it is being driven; let go first"),  # and a press
        ((AWAY, Stop()), (), "stopped", "the robot is stopped; reset it first"),
    ],
)
def test_a_move_beside_a_press_or_a_stop_is_refused_and_not_kept(
    cell: Cell, events: tuple[Event, ...], axes: tuple[float, ...], mode: str, why: str
) -> None:
    hand = Hand(cell)
    hand.drive(0.1)
    hand.send(*events)
    hand.drive(0.002, *axes)
    assert (hand.mode, refusals(hand)) == (mode, [f"Refused: arm cannot move by itself: {why}."])
    assert not hand.tick.lanes["arm"].waiting
    hand.send(Reset())
    hand.drive(0.1)
    hand.send(Continue("arm"))
    hand.drive(0.002)
    assert (hand.mode, refusals(hand)) == (
        "idle",
        ["Refused: arm cannot move by itself: there is no move to continue."],
    )


def test_a_move_beside_a_release_starts(cell: Cell) -> None:
    hand = Hand(cell)
    hand.drive(0.2, 0.5)
    hand.send(AWAY)
    hand.drive(0.002)
    assert (hand.mode, refusals(hand)) == ("autonomous", [])


def test_a_move_beside_a_return_from_a_pause_starts_if_the_hand_has_let_go(cell: Cell) -> None:
    fresh = cell.snapshot()
    for axes, mode in (((0.5,), "teleoperation"), ((), "autonomous")):
        hand = Hand(cell)
        hand.drive(0.1)
        hand.drive(0.2, 0.5)
        silent(hand, 0.2)
        assert hand.mode == "paused"
        back = Reading(sequence=10 * cell.number, tick=cell.number, deadman=bool(axes), axes=axes)
        hand.tick = cell.step(Inputs({"hand": back}, (AWAY,)))
        assert (hand.mode, bool(refusals(hand))) == (mode, mode == "teleoperation")
        cell.restore(fresh)
