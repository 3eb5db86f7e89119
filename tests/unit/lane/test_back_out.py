"""Backing out: from wherever an arm has been driven, it moves back along its path, through every filter."""

import math
from random import Random

import numpy as np
import pytest
from hands import Hand
from msgspec.structs import replace
from toys import joint
from worded import worded

from farhand.cell import Cell
from farhand.lane.paths.trail import BACK_OUT_POINTS, MAX_POINTS, STEP, Trail
from farhand.types import Continue, FreeMe, ResetRobot, SelectMapping, Stop

JOINTS = tuple(replace(joint(name), lower=-99.0, upper=99.0) for name in ("turn", "shoulder"))


@pytest.fixture
def cell() -> Cell:
    return Cell.load("irb120")


def drive(hand: Hand, ticks: int, *axes: float) -> list[tuple[float, ...]]:
    """Hold axes for some ticks and return where the arm was on the way."""
    hand.hand.set(axes=axes, deadman=bool(axes))
    way = []
    for _ in range(ticks):
        hand.tick = hand.run.tick()
        way.append(hand.joints)
    return way


def free(hand: Hand) -> tuple[list[tuple[float, ...]], float]:
    """Back out once; return where it went, and the fastest of all joint rates as a share of its limit."""
    hand.send(FreeMe("arm"))
    hand.tick = hand.run.tick()
    refused = [worded(note) for note in hand.tick.lanes["arm"].notes if note.code == "lane.refused"]
    assert refused == []
    assert hand.mode == "autonomous"
    joints, way, fastest = hand.cell.lanes["arm"].model.arm.joints, [], 0.0
    for _ in range(6000):
        hand.tick = hand.run.tick()
        arm = hand.tick.lanes["arm"].setpoints["arm"]
        way.append(hand.joints)
        fastest = max(fastest, *[abs(rate) / each.velocity for rate, each in zip(arm.rates, joints, strict=True)])
        if hand.mode == "idle":
            return way, fastest
    raise AssertionError(f"still {hand.mode}: {hand.codes}")


def texts(hand: Hand) -> list[str]:
    return [worded(note) for note in hand.tick.lanes["arm"].notes]


def off_the_way(way: list[tuple[float, ...]], back: list[tuple[float, ...]]) -> float:
    there = np.array(way)
    return max(float(np.abs(there - np.array(each)).max(axis=1).min()) for each in back)


def test_the_way_is_kept_by_distance_and_bounded() -> None:
    trail = Trail(JOINTS)
    points: tuple[tuple[float, ...], ...] = ((0.0, 0.0),)
    assert trail.longer(points, (0.5 * STEP, 0.0)) is points
    for i in range(1, 2 * MAX_POINTS):
        points = trail.longer(points, (1.01 * STEP * i, 0.0))
    assert len(points) == MAX_POINTS
    found = trail.back(points, points[-1])
    assert found is not None
    back, count = found
    assert count == MAX_POINTS - 1
    assert back.points == (points[-1], *points[-2 : -BACK_OUT_POINTS - 2 : -1])
    assert trail.longer(points, points[-9]) == points[:-8]  # here it was before
    assert trail.back((), (0.0, 0.0)) is None
    assert trail.back(((0.0, 0.0),), (0.0, 0.0)) is None


def test_it_goes_back_the_way_it_came_slowly_and_further_each_time(cell: Cell) -> None:
    hand = Hand(cell)
    way = drive(hand, 300, 0.6, -0.3) + drive(hand, 200, 0.0, 0.4, 0.3) + drive(hand, 100)
    kept = len(cell.memory["arm"].trail)
    first, fastest = free(hand)
    assert 0.05 < fastest < 0.3
    assert off_the_way(way, first) < 2e-3
    assert len(cell.memory["arm"].trail) == pytest.approx(kept - BACK_OUT_POINTS, abs=2)
    second, _ = free(hand)
    assert off_the_way(way, second) < 2e-3
    assert math.dist(second[-1], way[0]) < math.dist(first[-1], way[0]) < math.dist(way[-1], way[0])


def test_without_a_way_in_there_is_none_out(cell: Cell) -> None:
    hand = Hand(cell)
    hand.send(FreeMe("arm"))
    hand.tick = hand.run.tick()
    said = [worded(note) for note in hand.tick.lanes["arm"].notes]
    assert said == ["Refused: arm cannot move by itself: there is no path back: no motion that led here is recorded."]
    drive(hand, 200, 0.5)
    hand.send(ResetRobot("arm"))  # it is elsewhere now, and has not come the way it went
    hand.tick = hand.run.tick()
    assert len(cell.memory["arm"].trail) == 1


def test_who_drives_is_not_overruled_and_a_press_takes_over(cell: Cell) -> None:
    hand = Hand(cell)
    drive(hand, 300, 0.6)
    hand.send(FreeMe("arm"))
    drive(hand, 1, 0.6)
    assert hand.mode == "teleoperation"
    assert "Refused: arm cannot move by itself: it is being driven; let go first." in texts(hand)
    drive(hand, 200)
    hand.send(FreeMe("arm"))
    drive(hand, 150)
    assert hand.codes == ["lane.free"]
    before = len(cell.memory["arm"].trail)
    drive(hand, 1, 0.0, 0.4)
    assert "Backing out was interrupted." in texts(hand)
    drive(hand, 200, 0.0, 0.4)
    assert hand.mode == "teleoperation"
    longer = len(cell.memory["arm"].trail)
    assert longer > before  # it goes on from where it was freed to
    assert not hand.tick.lanes["arm"].waiting
    drive(hand, 200)
    hand.send(Continue("arm"))
    drive(hand, 1)
    assert "Refused: arm cannot move by itself: there is no move to continue." in texts(hand)
    assert len(cell.memory["arm"].trail) >= longer  # the new way in is whole
    hand.send(FreeMe("arm"))
    drive(hand, 5)
    assert hand.tick.lanes["arm"].demand.source == "back out"
    hand.send(Stop())
    drive(hand, 300)
    assert hand.mode == "stopped"


CORNERS = [
    ("base axes", (1.0, 0.0, 0.0)),  # stretched out: a singular posture, a fold
    ("base axes", (0.0, 0.0, -1.0)),  # onto the lower face of the work space
    ("base axes", (-1.0, 0.0, 0.3)),  # folded over the shoulder
    ("joints", (0.0, 1.0, 1.0)),  # into the limits of the joints
    ("tool axes", (0.0, 0.0, 0.0, 1.0, -1.0)),  # the wrist flips
]


@pytest.mark.parametrize(("mapping", "axes"), CORNERS)
def test_out_of_every_corner(cell: Cell, mapping: str, axes: tuple[float, ...]) -> None:
    hand = Hand(cell, mapping)
    way = drive(hand, 1200, *axes) + drive(hand, 150)
    cornered = hand.joints
    back, fastest = free(hand)
    assert max(abs(a - b) for a, b in zip(back[-1], cornered, strict=True)) > 0.1
    assert off_the_way(way, back) < 1e-2
    assert fastest < 0.3


@pytest.mark.parametrize("seed", range(6))
def test_out_of_wherever_a_restless_hand_has_driven_it(cell: Cell, seed: int) -> None:
    random, hand, way = Random(seed), Hand(cell, "base axes"), []
    for _ in range(6):
        hand.send(SelectMapping("arm", random.choice(["base axes", "tool axes", "joints"])))
        drive(hand, 2)
        way += drive(hand, 200, *[random.choice((-1.0, 0.0, 1.0)) for _ in range(6)])
    way += drive(hand, 150)
    start = hand.joints
    back, fastest = free(hand)
    assert off_the_way(way, back) < 1e-2
    assert math.dist(start, back[-1]) > 0.1
    assert fastest < 0.3
