"""What a robot on tracks says of its driving: every slowing explains itself, and so does a turn that does not come."""

from __future__ import annotations

import pytest

from farhand.bench.courts import ROBOT, court
from farhand.bench.driver import Driver


def said(driver: Driver) -> set[str]:
    return {note.code for note in driver.tick.lanes[ROBOT].notes}


@pytest.fixture(scope="module")
def flat() -> Driver:
    driver = Driver(court())
    driver.drive(0.5)
    return driver


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
