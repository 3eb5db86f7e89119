"""How a robot on tracks stands, as its operator is told; and the parking brake."""

import math
import struct

import pytest
from worded import worded

from farhand import Cell
from farhand.lane.motion.base_notes import HELD, OVER, SLIP, STUCK, base_word
from farhand.server.cell_process.attitude_view import tracks_update
from farhand.server.cell_process.describe import describe
from farhand.server.protocol.messages import TracksUpdate
from farhand.types import Inputs, Park, Reading, ResetRobot, SelectMapping, Setpoint, Tick
from farhand_bench.courts import ROBOT, court, ramp
from farhand_bench.driver import Driver


def stance(tick: Tick) -> TracksUpdate:
    update = tracks_update(tick.lanes[ROBOT], tick.state.robots[ROBOT])
    assert update is not None
    return update


def numbers(content: bytes) -> tuple[float, ...]:
    return struct.unpack(f"<{len(content) // 4}f", content)


def along(tick: Tick) -> float:
    base = tick.state.robots[ROBOT].T_world_base
    assert base is not None
    return base.position[0]


def test_an_operator_is_told_how_it_stands_and_what_its_belts_and_flippers_do() -> None:
    driver = Driver(court())
    driver.drive(0.5)
    still = stance(driver.tick)
    assert (still.word, still.braked, still.parked) == ("standing", True, False)
    driver.drive(0.8, 0.5)
    rolling = stance(driver.tick)
    assert (rolling.word, rolling.braked) == ("driving", False)
    assert numbers(rolling.belts) == pytest.approx((0.5, 0.5), abs=0.02)
    for _ in range(150):
        driver.step(0.0, 0.0, (1.0, 0.0, 0.0, -1.0))
    before, after = numbers(rolling.flippers), numbers(stance(driver.tick).flippers)
    assert after[0] > before[0] + 0.05
    assert after[1:3] == pytest.approx(before[1:3], abs=0.02)
    assert after[3] < before[3] - 0.05
    assert numbers(stance(driver.tick).asked) == pytest.approx(after, abs=0.05)


def test_nose_up_is_positive_pitch_and_nothing_tells_where_it_is() -> None:
    driver = Driver(court(ramp(math.radians(30.0))))
    driver.drive(0.3)
    while along(driver.tick) < 1.6 and driver.tick.time < 8.0:
        driver.step(0.5, 0.0, (0.0,) * 4)
    update = stance(driver.tick)
    assert update.pitch > math.radians(15.0)
    assert abs(update.roll) < math.radians(5.0)
    assert set(TracksUpdate.__struct_fields__) == {
        *("pitch", "roll", "flippers", "asked", "belts", "braked", "parked", "word")
    }


def test_the_gravest_word_wins() -> None:
    still, runs = Setpoint((0.0, 0.0), (0.0, 0.0), (0.0, 0.0)), Setpoint((0.0, 0.0), (0.1, 0.1), (0.0, 0.0))
    assert [base_word((), told) for told in (still, runs)] == ["standing", "driving"]
    assert [base_word(notes, runs) for notes in ((SLIP,), (SLIP, STUCK), (STUCK, OVER), (HELD,))] == [
        *("slipping", "stuck", "tipped", "stuck")
    ]


def test_with_the_parking_brake_set_it_does_not_drive_and_says_why() -> None:
    driver = Driver(court())
    driver.cell.step(Inputs(events=(Park(ROBOT, on=True),)))
    before = along(driver.tick)
    driver.drive(0.5, 0.5)
    notes = {note.code for note in driver.tick.lanes[ROBOT].notes}
    assert "base.parked" in notes
    assert stance(driver.tick).parked
    assert along(driver.tick) == pytest.approx(before, abs=2e-3)
    driver.drive(0.1)
    assert "base.parked" not in {note.code for note in driver.tick.lanes[ROBOT].notes}
    driver.cell.step(Inputs(events=(ResetRobot(ROBOT),)))
    driver.drive(0.1)
    assert stance(driver.tick).parked  # putting it back does not release it
    driver.cell.step(Inputs(events=(Park(ROBOT, on=False),)))
    driver.drive(0.5, 0.5)
    assert along(driver.tick) > before + 0.05


def test_in_flipper_mode_the_belts_stand_and_each_flipper_has_its_axis() -> None:
    cell = Cell.load("telemax")
    cell.step(Inputs(events=(SelectMapping(ROBOT, "flippers"),)))
    axes = cell.lanes[ROBOT].mappings["flippers"].axes
    held = Reading(axes=tuple(float(axis == "raise:2") for axis in axes), deadman=True, presses={"deadman": 1})
    rest = Reading()
    for number in range(1, 300):
        hand = held if number > 2 else rest
        reading = Reading(sequence=number, tick=cell.number, axes=hand.axes, deadman=hand.deadman, presses=hand.presses)
        tick = cell.step(Inputs(readings={"hand": reading}))
    home = [flipper.home for flipper in cell.lanes[ROBOT].tracks.tracks.flippers]  # type: ignore[union-attr]
    turned = [at - was for at, was in zip(numbers(stance(tick).flippers), home, strict=True)]
    assert turned[2] > 0.05
    assert max(abs(turned[i]) for i in (0, 1, 3)) < 0.02
    assert stance(tick).braked


def test_the_scene_says_what_carries_a_robot() -> None:
    cell = Cell.load("telemax")
    tracks = describe(cell, "telemax", 1, (), {}).robots[0].tracks
    assert tracks is not None
    assert [flipper.label for flipper in tracks.flippers] == [
        *("Front left flipper", "Front right flipper", "Rear left flipper", "Rear right flipper")
    ]
    assert (tracks.wheelbase, tracks.length, tracks.hub, tracks.tip) == (0.6, 0.4, 0.1, 0.06)


def test_a_robot_that_stands_has_neither_tracks_nor_a_parking_brake() -> None:
    cell = Cell.load("irb120")
    name = next(iter(cell.lanes))
    tick = cell.step(Inputs(events=(Park(name, on=True),)))
    assert tracks_update(tick.lanes[name], tick.state.robots[name]) is None
    assert "no parking brake" in " ".join(worded(note) for note in tick.lanes[name].notes)
    assert not tick.lanes[name].parked
