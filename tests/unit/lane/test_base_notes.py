"""What a robot on tracks says of its driving: every slowing explains itself, and so does a turn that does not come."""

from __future__ import annotations

import math

import pytest

from farhand.poses import Vec3
from farhand.types import ObjectSpec
from farhand_bench.courts import ROBOT, court
from farhand_bench.driver import Driver


def said(driver: Driver) -> set[str]:
    return {note.code for note in driver.tick.lanes[ROBOT].notes}


def speed(driver: Driver) -> Vec3:
    assert driver.robot.base_twist is not None
    return driver.robot.base_twist.linear


@pytest.fixture(scope="module")
def flat() -> Driver:
    driver = Driver(court())
    driver.drive(0.5)
    return driver


@pytest.mark.parametrize(("forward", "turn"), [(1.1, 0.0), (0.0, 1.4), (0.8, 0.8)])
def test_speeding_up_and_braking_on_free_ground_are_no_slip(flat: Driver, forward: float, turn: float) -> None:
    codes = set()
    for ticks, share in ((500, 1.0), (400, 0.0)):
        for _ in range(ticks):
            flat.step(share * forward, share * turn, (0.0,) * 4)
            codes |= said(flat)
    assert not codes & {"base.slip", "base.stuck", "base.held"}


def test_between_two_walls_it_says_that_it_does_not_turn() -> None:
    walls = tuple(
        ObjectSpec(name=f"wall {side}", size=(4.0, 0.2, 0.6), position=(0.0, side * 0.41, 0.3), mass=0.0)
        for side in (-1, 1)
    )
    driver = Driver(court(objects=walls))
    driver.pose(1.0, 1.0)
    driver.drive(2.0, 0.0, 0.8)
    told, last, shaken = 0, speed(driver), 0.0
    for _ in range(500):
        driver.step(0.0, 0.8, (0.0,) * 4)
        now = speed(driver)
        shaken, last = max(shaken, math.dist(now, last) / driver.cell.dt), now
        told += bool(said(driver) & {"base.slip", "base.stuck", "base.held"})
    assert told > 300  # it may give way for a moment
    assert shaken < 60.0  # m/s²: what cannot turn is not pushed sideways for long
    driver.drive(0.5)
    assert not said(driver) & {"base.slip", "base.stuck", "base.held"}


@pytest.mark.parametrize(
    ("forward", "turn", "slowed"),
    [(1.1, 0.0, False), (0.85, 1.5, False), (0.9, 1.5, True), (-1.1, -0.4, True)],
)
def test_belts_at_their_top_speed_say_that_they_slow_driving_and_turning(
    flat: Driver, forward: float, turn: float, slowed: bool
) -> None:
    flat.drive(0.25, forward, turn)  # the speed level fades in
    notes = [note for note in flat.tick.lanes[ROBOT].notes if note.code == "base.top"]
    assert [note.level for note in notes] == ["slow"] * slowed
    flat.drive(0.1)
    assert "base.top" not in said(flat)
