"""Over a distant link tip and base stay within their overrun: the whole cell, judged by where the bodies have been."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from distant import DT, HZ, Distant
from msgspec.structs import replace
from worded import worded

from farhand import Cell
from farhand.cell.cell_files import find_cell, read_cell
from farhand.poses import Pose, Vec3
from farhand.types import Inputs, Reconfigure, Tick

ONE_WAY = 0.2
TIP, BASE = 0.05, 0.1  # metres of overrun
HELD = (0.0,) * 6
Where = Callable[[Tick], Vec3]


def hand_cell() -> Cell:
    """Return an arm that follows the pose of a hand, and nothing that slows it beside the link."""
    path = find_cell("irb120-headset")
    spec = read_cell(path)
    arm = spec.robots["arm"]
    filters = tuple(table for table in arm.filters if table["kind"] == "smooth")
    mapping = {"kind": "clutch", "lead": 0.5}
    return Cell(
        replace(spec, robots={"arm": replace(arm, avoid=None, mappings={"it": mapping}, filters=filters)}), path
    )


def recorded(
    distant: Distant, seconds: float, fields: Callable[[float], dict[str, object]], where: Where
) -> list[Vec3]:
    """Drive for some time, and return where a body has been."""
    distant.presses += 1
    return [where(distant.step(HELD, fields(k * DT))) for k in range(round(seconds / DT))]


def tip(tick: Tick) -> Vec3:
    return tick.state.robots["arm"].T_base_tip.position


def speeds(places: list[Vec3], over: float = 0.02) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return speeds between places some time apart."""
    every = round(over / DT)
    return np.array([math.dist(a, b) / over for a, b in pairwise(places[::every])])


def furthest(seen: Vec3, places: list[Vec3]) -> float:
    return max(math.dist(seen, place) for place in places)


def swung(seconds: float) -> dict[str, object]:
    """Return a hand that swings 20 cm to either side, at up to 0.6 m/s."""
    return {"pose": Pose((0.0, 0.2 * math.sin(3.0 * seconds), 0.0))}


@pytest.mark.parametrize("one_way", [ONE_WAY, 0.12])
def test_a_tip_that_follows_a_hand_goes_no_faster_than_its_overrun_allows(one_way: float) -> None:
    cell = hand_cell()
    distant = Distant(cell, one_way, "it", pose=Pose())
    distant.go(1.0)
    places = recorded(distant, 3.0, swung, tip)
    assert distant.mode == "teleoperation"
    age = 2 * one_way
    assert 0.8 * TIP / (age + 0.03) < speeds(places).max() < 1.1 * TIP / age
    assert "in which the tip may move 50 mm" in worded(distant.notes["link.slow"])
    # Let go: from the last picture that the operator saw on, the tip goes no further than the overrun, and brakes.
    seen = places[-distant.delay]
    rest = recorded(distant, 1.0, lambda _: {"deadman": False}, tip)
    assert distant.mode == "idle"
    assert furthest(seen, rest) < 1.2 * TIP


def test_a_hand_beside_the_robot_is_followed_as_fast_as_it_goes() -> None:
    cell = hand_cell()
    distant = Distant(cell, 0.0, "it", pose=Pose())
    distant.go(1.0)
    assert speeds(recorded(distant, 2.0, swung, tip)).max() > 0.5


def base(tick: Tick) -> Vec3:
    T_world_base = tick.state.robots["telemax"].T_world_base
    assert T_world_base is not None
    return T_world_base.position


@pytest.mark.parametrize("axes", [(1.0, 0.0), (1.0, 0.5)])
def test_a_base_on_tracks_goes_no_faster_than_its_overrun_allows(axes: tuple[float, float]) -> None:
    cell = Cell.load("telemax", seed=0)
    distant = Distant(cell, ONE_WAY, "drive", robot="telemax", speed=3)
    distant.go(1.0)
    places = recorded(distant, 2.5, lambda _: {"axes": (*axes, *(0.0,) * 8)}, base)
    assert distant.mode == "teleoperation"
    limit, fast = BASE / (2 * ONE_WAY), speeds(places, 0.1)
    assert fast.max() < 1.1 * limit
    if axes == (1.0, 0.0):
        assert fast.max() > 0.8 * BASE / (2 * ONE_WAY + 0.03)
    assert "in which the base may move 100 mm" in worded(distant.notes["link.slow"])
    seen = places[-distant.delay]
    rest = recorded(distant, 1.5, lambda _: {"deadman": False}, base)
    assert distant.mode == "idle"
    tracks = cell.lanes["telemax"].model.tracks
    assert tracks is not None
    braking = limit**2 / (2.0 * tracks.acceleration) + limit * tracks.acceleration / tracks.jerk
    assert furthest(seen, rest) < BASE + braking + limit / HZ


def test_without_the_bound_the_base_overruns() -> None:
    cell = Cell.load("telemax", seed=0)
    cell.step(Inputs(events=(Reconfigure("telemax", "watchdog", "", {"bounded": False}),)))
    distant = Distant(cell, ONE_WAY, "drive", robot="telemax", speed=3)
    distant.go(1.0)
    places = recorded(distant, 1.5, lambda _: {"axes": (1.0, *(0.0,) * 9)}, base)
    seen = places[-distant.delay]
    rest = recorded(distant, 1.5, lambda _: {"deadman": False}, base)
    assert furthest(seen, rest) > 2 * BASE
