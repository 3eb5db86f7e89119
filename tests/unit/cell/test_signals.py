"""Signals: every number of a tick that can be plotted, with a stable name and its unit."""

import math

import pytest
from hands import BOX, Hand
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from toys import joint, toy_arm

from farhand import poses
from farhand.cell import Cell, RobotSpec
from farhand.cell.cell_spec import CellSpec
from farhand.cell.signals import Signal, signals_of
from farhand.formats.model import RobotModel
from farhand.poses import Pose
from farhand.types import (
    AddObject,
    Inputs,
    Load,
    RemoveObject,
    SetSpeed,
    Tick,
    Wrench,
)


def reader(cell: Cell) -> dict[str, Signal]:
    signals = signals_of(cell)
    assert len({signal.name for signal in signals}) == len(signals)
    return {signal.name: signal for signal in signals}


@pytest.fixture(scope="module")
def hand() -> Hand:
    """Return a hand that drives every joint of a loaded arm, so that nothing is zero by chance."""
    hand = Hand(Cell.load("irb120"), speed=4)
    hand.send(Load("arm", (3.0, 5.0, -20.0)))
    hand.drive(0.4, 0.3, 0.4, -0.3, 0.5, 0.4, -0.3, -0.5)
    return hand


def test_joints_are_in_degrees_from_what_was_measured_and_told(hand: Hand) -> None:
    signals, arm = reader(hand.cell), hand.tick.state.robots["arm"].groups["arm"]
    told = hand.tick.lanes["arm"].setpoints["arm"]
    for i in range(6):
        expected = {
            "position": (math.degrees(arm.positions[i]), "°"),
            "set-point": (math.degrees(told.positions[i]), "°"),
            "following error": (math.degrees(told.positions[i] - arm.positions[i]), "°"),
            "rate": (math.degrees(arm.rates[i]), "°/s"),
            "effort": (arm.efforts[i], "Nm"),
        }
        for what, (value, unit) in expected.items():
            signal = signals[f"arm/joint {i + 1}/{what}"]
            assert value != 0.0
            assert signal.read(hand.tick) == pytest.approx(value, rel=1e-9, abs=1e-12)
            assert signal.unit == unit
            assert signal.group == "arm joints"
    assert signals["arm/joint 1/position"].label == "Turn position"


def test_sliding_joints_are_in_metres() -> None:
    sliding = replace(joint("turn"), kind="slide", label="Lift")
    model = replace(toy_arm(), arm=replace(toy_arm().arm, joints=(sliding, *toy_arm().arm.joints[1:])))
    mjcf = model.mjcf.replace('<joint name="turn" axis', '<joint name="turn" type="slide" axis')
    cell = plain(replace(model, mjcf=mjcf))
    signals, tick = reader(cell), cell.step()
    units = {what: signals[f"arm/joint 1/{what}"].unit for what in ("position", "set-point", "rate", "effort")}
    assert units == {"position": "m", "set-point": "m", "rate": "m/s", "effort": "N"}
    assert signals["arm/joint 1/position"].read(tick) == tick.state.robots["arm"].groups["arm"].positions[0]
    assert signals["arm/joint 2/position"].unit == "°"


def plain(model: RobotModel) -> Cell:
    spec = CellSpec(name="toy", robots={"arm": RobotSpec(model="toy")})
    home = Cell.load("irb120").path
    return Cell(spec, home, models={"arm": model})


def test_a_robot_without_a_gripper_has_no_signals_of_one(hand: Hand) -> None:
    assert {"arm/gripper/opening", "arm/gripper/set-point", "arm/gripper/effort"} <= set(reader(hand.cell))
    assert not any("gripper" in name for name in reader(plain(replace(toy_arm(), gripper=None))))


def test_gripper_tip_contact_and_control_are_read(hand: Hand) -> None:
    signals, robot, report = reader(hand.cell), hand.tick.state.robots["arm"], hand.tick.lanes["arm"]
    pushed = replace(robot, contact=Wrench((3.0, -4.0, 12.0), (0.1, 0.2, -0.2)))
    feels = replace(report, contact=Wrench((1.0, -2.0, 2.0), (0.3, 0.0, -0.4)))
    tick = replace(hand.tick, state=replace(hand.tick.state, robots={"arm": pushed}), lanes={"arm": feels})
    expected = {
        "arm/tip/estimated force": (3.0, "N"),
        "arm/tip/estimated force y": (-2.0, "N"),
        "arm/tip/estimated torque": (0.5, "Nm"),
        "arm/tip/estimated torque z": (-0.4, "Nm"),
        "arm/gripper/opening": (robot.groups["gripper"].positions[0] * 1e3, "mm"),
        "arm/gripper/set-point": (report.setpoints["gripper"].positions[0] * 1e3, "mm"),
        "arm/gripper/effort": (robot.groups["gripper"].efforts[0], "N"),
        "arm/tip/x": (robot.T_base_tip.position[0], "m"),
        "arm/tip/y": (robot.T_base_tip.position[1], "m"),
        "arm/tip/z": (robot.T_base_tip.position[2], "m"),
        "arm/tip/force": (13.0, "N"),
        "arm/tip/force x": (3.0, "N"),
        "arm/tip/force y": (-4.0, "N"),
        "arm/tip/force z": (12.0, "N"),
        "arm/tip/torque": (0.3, "Nm"),
        "arm/tip/torque x": (0.1, "Nm"),
        "arm/tip/torque y": (0.2, "Nm"),
        "arm/tip/torque z": (-0.2, "Nm"),
        "arm/speed level": (4.0, ""),
        "arm/reading age": (0.0, "ms"),
        "cell/contacts": (float(hand.tick.state.contacts), ""),
    }
    assert {name: signals[name].unit for name in expected} == {name: unit for name, (_, unit) in expected.items()}
    for name, (value, _) in expected.items():
        assert signals[name].read(tick) == pytest.approx(value), name


@given(st.floats(-3.1, 3.1), st.floats(-1.5, 1.5), st.floats(-3.1, 3.1))
def test_roll_pitch_and_yaw_are_those_of_the_conventions(hand: Hand, roll: float, pitch: float, yaw: float) -> None:
    cell = hand.cell
    robot = replace(cell.state.robots["arm"], T_base_tip=Pose(rotation=poses.from_rpy(roll, pitch, yaw)))
    tick = Tick(1, 0.0, replace(cell.state, robots={"arm": robot}), {})
    read = {name: reader(cell)[f"arm/tip/{name}"] for name in ("roll", "pitch", "yaw")}
    assert {signal.unit for signal in read.values()} == {"°"}
    found = [math.radians(read[name].read(tick)) for name in ("roll", "pitch", "yaw")]
    assert found == pytest.approx([roll, pitch, yaw], abs=1e-6)


def test_the_age_of_a_reading_is_in_milliseconds_and_unknown_before_the_first() -> None:
    cell = Cell.load("irb120")
    age = reader(cell)["arm/reading age"]
    assert math.isnan(age.read(cell.step()))
    hand = Hand(Cell.load("irb120"))
    for _ in range(10):
        tick = hand.cell.step()
    assert age.read(tick) == pytest.approx(20.0)


def test_objects_come_and_go_and_removed_ones_have_no_number() -> None:
    cell = Cell.load("irb120")
    before = reader(cell)
    assert "table/x" not in before  # what is fixed has no course
    tick = cell.step(Inputs(events=(RemoveObject("cube"), AddObject(BOX), SetSpeed("arm", 2))))
    assert all(math.isnan(before[f"cube/{axis}"].read(tick)) for axis in "xyz")
    after = reader(cell)
    assert "cube/x" not in after
    assert tuple(after[f"extra/{axis}"].read(tick) for axis in "xyz") == tick.state.objects["extra"].position
    assert {signal.name for signal in before.values()} - set(after) == {"cube/x", "cube/y", "cube/z"}


def test_every_signal_is_a_finite_number_that_can_be_shown(hand: Hand) -> None:
    for signal in signals_of(hand.cell):
        assert math.isfinite(signal.read(hand.tick)), signal.name
        assert isinstance(signal.read(hand.tick), float), signal.name
        assert signal.label
        assert signal.group
        assert len(signal.name) <= 128


def test_two_robots_have_signals_of_their_own() -> None:
    cell = Cell.load("irb120")
    robots = {name: replace(cell.spec.robots["arm"], position=(0.0, y, 0.6)) for name, y in (("a", 0.0), ("b", 3.0))}
    both = Cell(replace(cell.spec, robots=robots), cell.path)
    tick, signals = both.step(Inputs(events=(SetSpeed("b", 1),))), reader(both)
    assert (signals["a/speed level"].read(tick), signals["b/speed level"].read(tick)) == (3.0, 1.0)
