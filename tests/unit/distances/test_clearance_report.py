"""Avoidance as shown to the operator: the nearest pair, free directions of the tip, range of each joint."""

import struct
from dataclasses import dataclass

import numpy as np
import pytest

from farhand import Cell
from farhand.distances import Arena, clearance_report
from farhand.server.cell_process.clearance_view import near_update

HOME = (0.0, 0.35, 0.1, 0.0, 1.1208, 0.0)  # of the IRB 120, rad
SHOULDER, ELBOW = 1, 2


@dataclass
class Bent:
    """The default cell's arm, bent from home by one joint."""

    arena: Arena

    def at(self, joint: int, angle: float) -> tuple[float, ...]:
        return tuple(angle if i == joint else home for i, home in enumerate(HOME))


@pytest.fixture(scope="module")
def arm() -> Bent:
    cell = Cell.load("irb120", seed=0)
    cell.step()
    arena = cell.lanes["arm"].arena
    assert arena is not None
    return Bent(arena)


def test_neighbouring_links_are_no_news(arm: Bent) -> None:
    assert arm.arena.clearance.near(HOME, 0.05)
    assert clearance_report(arm.arena, HOME) is None


def test_a_pair_that_must_not_touch_shuts_the_ways_to_it_and_leaves_those_back(arm: Bent) -> None:
    seen = clearance_report(arm.arena, arm.at(ELBOW, 0.79))
    assert seen is not None
    assert (seen.pair.first, seen.pair.second, seen.gently) == ("gripper", "base", False)
    assert seen.room == pytest.approx(seen.pair.distance - arm.arena.servo.keep)
    forward, _, up, back, _, _ = seen.ways
    assert (forward, up, back) == (True, True, False)


def test_a_joint_may_go_as_far_as_a_pair_lets_it(arm: Bent) -> None:
    seen = clearance_report(arm.arena, arm.at(ELBOW, 0.7))
    assert seen is not None
    there = clearance_report(arm.arena, arm.at(ELBOW, seen.upper[ELBOW]))
    assert there is not None
    assert 0.7 < seen.upper[ELBOW] < arm.arena.servo.limits.upper[ELBOW]
    assert abs(there.room) < 0.005
    assert seen.lower[ELBOW] == arm.arena.servo.limits.lower[ELBOW]


def test_a_touchable_pair_is_shown_until_it_touches_and_another_must_not(arm: Bent) -> None:
    above = clearance_report(arm.arena, arm.at(SHOULDER, 1.0))
    below = clearance_report(arm.arena, arm.at(SHOULDER, 1.1))
    assert above is not None
    assert below is not None
    assert (above.pair.first, above.pair.second, above.gently) == ("gripper", "table", True)
    assert (below.pair.first, below.gently) == ("wrist", False)


def test_the_page_gets_both_ends_of_the_line_in_the_world(arm: Bent) -> None:
    told = near_update(arm.arena, arm.at(SHOULDER, 1.0))
    assert told is not None
    x, y, z, *other = struct.unpack("<6f", told.line)
    assert np.hypot(np.hypot(x - other[0], y - other[1]), z - other[2]) == pytest.approx(told.room, abs=1e-4)
    assert other[2] == pytest.approx(0.6, abs=1e-3)  # the table's top
