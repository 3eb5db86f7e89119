"""The work area's walls: exactly where they begin, how fast they let the tip go, and which box is the stricter one."""

from __future__ import annotations

import math

import pytest

from farhand.config import ConfigError
from farhand.filters import FILTERS, View, Workspace
from farhand.poses import Pose
from farhand.types import Demand, RobotState, Wall

DT = 0.002
BRAKING = 2.5
BOX = Workspace(lower=(-1.0, -2.0, -3.0), upper=(4.0, 5.0, 6.0))
SPEED_UP = 0.3  # m/s that an arm may gain within a tick
HAND = Demand("hand")


def near(speed: float) -> float:
    """Return how far from a face (m) a tip at this speed meets it."""
    return 0.5 * (speed + SPEED_UP) ** 2 / BRAKING


def walls(
    x: float, y: float, z: float, tip_speed: float = 1.0, demand: Demand = HAND, box: Workspace = BOX
) -> tuple[Wall, ...]:
    place = Pose((x, y, z))
    after, memory, notes = box(demand, View(RobotState({}, place), place, tip_speed, 1.0, DT), "kept")
    assert (memory, notes) == ("kept", ())
    return after.walls


FACES = [
    ((1.0, 0.0, 0.0), "front", 0, 4.0, -1.0),
    ((-1.0, 0.0, 0.0), "rear", 0, -1.0, 1.0),
    ((0.0, 1.0, 0.0), "left", 1, 5.0, -1.0),
    ((0.0, -1.0, 0.0), "right", 1, -2.0, 1.0),
    ((0.0, 0.0, 1.0), "upper", 2, 6.0, -1.0),
    ((0.0, 0.0, -1.0), "lower", 2, -3.0, 1.0),
]


@pytest.mark.parametrize(("normal", "name", "axis", "face", "inwards"), FACES)
@pytest.mark.parametrize("gap", [1e-6, 0.0005, 0.02, near(1.0) - 1e-9])
def test_each_face_brakes_the_tip_towards_it(
    normal: tuple[float, float, float], name: str, axis: int, face: float, inwards: float, gap: float
) -> None:
    place = [1.0, 1.0, 1.0]
    place[axis] = face + inwards * gap
    (wall,) = walls(place[0], place[1], place[2])
    assert wall.normal == normal
    assert name in wall.name
    assert wall.gap == pytest.approx(gap, abs=1e-12)
    assert wall.speed == pytest.approx(min(math.sqrt(2.0 * BRAKING * gap), gap / DT), rel=1e-6)


@pytest.mark.parametrize("beyond", [0.0, 0.1])
def test_at_a_face_and_beyond_it_no_way_leads_further_out(beyond: float) -> None:
    (wall,) = walls(4.0 + beyond, 1.0, 1.0)
    assert wall.speed == 0.0
    assert wall.gap == pytest.approx(-beyond)


@pytest.mark.parametrize("speed", [0.0, 0.5, 2.0])
def test_a_wall_begins_where_the_tip_could_be_too_fast(speed: float) -> None:
    x = 4.0 - near(speed)
    assert walls(x - 1e-9, 1.0, 1.0, speed) == ()
    assert len(walls(x + 1e-9, 1.0, 1.0, speed)) == 1


def test_a_wall_is_there_where_it_begins() -> None:
    begin = near(1.0)
    for axis in range(3):
        upper, lower = [9.0] * 3, [-9.0] * 3
        upper[axis], lower[axis] = begin, -begin
        box = Workspace((lower[0], lower[1], lower[2]), (upper[0], upper[1], upper[2]))
        assert [wall.gap for wall in walls(0.0, 0.0, 0.0, box=box)] == [begin, begin]


@pytest.mark.parametrize("axis", range(3))
def test_a_box_may_be_anywhere(axis: int) -> None:
    box = Workspace((7.0, 8.0, 9.0), (17.0, 18.0, 19.0))
    for edge, inwards in ((box.lower, 0.25), (box.upper, -0.25)):
        place = [12.0, 13.0, 14.0]
        place[axis] = edge[axis] + inwards
        (wall,) = walls(place[0], place[1], place[2], box=box)
        assert (wall.gap, abs(wall.normal[axis])) == (0.25, 1.0)


def test_in_a_corner_there_are_three_walls_after_those_of_others() -> None:
    other = Wall((1.0, 0.0, 0.0), 0.1, "a table", 0.2)
    found = walls(3.99, 4.99, 5.99, demand=Demand("hand", walls=(other,)))
    assert found[0] is other
    assert [wall.normal for wall in found[1:]] == [FACES[0][0], FACES[2][0], FACES[4][0]]


def test_in_the_middle_a_demand_is_passed_on_as_it_is() -> None:
    place = Pose((1.0, 1.0, 1.0))
    demand = Demand("hand")
    assert BOX(demand, View(RobotState({}, place), place, 1.0, 1.0, DT), None)[0] is demand


def test_a_box_is_stricter_only_where_it_is_nowhere_wider_and_brakes_no_harder() -> None:
    assert BOX.tightens(BOX)
    for axis in range(3):
        for way in (-0.1, 0.1):
            low, high = list(BOX.lower), list(BOX.upper)
            low[axis] += way
            high[axis] += way
            lower = Workspace(lower=(low[0], low[1], low[2]), upper=BOX.upper)
            upper = Workspace(lower=BOX.lower, upper=(high[0], high[1], high[2]))
            assert lower.tightens(BOX) == (way > 0)
            assert upper.tightens(BOX) == (way < 0)
    assert Workspace(BOX.lower, BOX.upper, 2.4).tightens(BOX)
    assert not Workspace(BOX.lower, BOX.upper, 2.6).tightens(BOX)


def test_a_box_without_room_is_refused() -> None:
    make = FILTERS["workspace"]
    for axis, name in enumerate("xyz"):
        upper = [1.0, 1.0, 1.0]
        upper[axis] = 0.0
        with pytest.raises(ConfigError, match=rf"lower {name} \(0.0\) must be below upper {name} \(0.0\)"):
            make({"lower": [0.0, 0.0, 0.0], "upper": upper})
    assert make({"lower": [0.0, 0.0, 0.0], "upper": [0.1, 0.1, 0.1]}) == Workspace((0.0,) * 3, (0.1,) * 3, 2.5)


@pytest.mark.parametrize("braking", [0.009, -1.0])
def test_braking_that_is_next_to_none_is_refused(braking: float) -> None:
    table = {"lower": [0.0, 0.0, 0.0], "upper": [1.0, 1.0, 1.0]}
    with pytest.raises(ConfigError):
        FILTERS["workspace"]({**table, "braking": braking})
    assert isinstance(FILTERS["workspace"]({**table, "braking": 0.01}), Workspace)
