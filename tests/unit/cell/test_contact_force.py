"""Force feedback: a robot that presses on a block stops the hand, and forces and energy stay bounded."""

from __future__ import annotations

import math
from functools import cache
from itertools import pairwise
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from worded import worded

from farhand import Cell, Run
from farhand.masters import Modelled
from farhand.poses import Vec3
from farhand.types import ObjectSpec, Vector

HAND_AT_BLOCK = 0.020  # m: the hand's way to where the fingers meet the block, by the cell's scale of 2
DEVICE_FORCE = 3.3  # N, what a Touch can do
ROBOT_FORCE = 200.0  # N at the robot's tip, however the hand pushes


@cache
def plain() -> Cell:
    return Cell.load("irb120-touch")


class Told(Struct, frozen=True):
    """What happened in one tick: ways are from the start, in the master's axes; forces in N."""

    time: float
    intended: Vec3
    hand: Vec3
    tip: Vec3
    contact: float
    felt: Vec3
    asked: Vec3
    energy: float


def press(
    hand: str, amplitude: float = 0.027, seconds: float = 4.5, stiffness: float = 0.0, **mapping: Any
) -> list[Told]:
    """Run the cell with another hand, intention or mapping, or a block that springs hold (N/m; 0: a rigid one)."""
    arm, master = plain().spec.robots["arm"], plain().spec.masters["touch"]
    intent = mapping.pop("intent", {**master["intent"], "amplitude": amplitude})
    arm = replace(arm, mappings={"clutch": {**arm.mappings["clutch"], **mapping}})
    masters = {"touch": {**master, "hand": hand, "intent": intent}}
    world = replace(plain().spec.world, objects=tuple(_sprung(item, stiffness) for item in plain().spec.world.objects))
    run = Run(Cell(replace(plain().spec, robots={"arm": arm}, masters=masters, world=world), plain().path))
    touch = run.masters["touch"]
    assert isinstance(touch, Modelled)
    start, tip = touch.pose.position, run.cell.state.robots["arm"].T_base_tip.position
    told = []
    for _ in range(round(seconds / run.cell.dt)):
        tick = run.tick()
        robot, lane = tick.state.robots["arm"], tick.lanes["arm"]
        assert [worded(note) for note in lane.notes if note.level in ("stop", "fault")] == []
        told.append(
            Told(
                tick.time,
                _from(start, touch.intended.position),
                _from(start, touch.pose.position),
                _from(tip, robot.T_base_tip.position),
                math.hypot(*robot.contact.force),
                touch.felt.force,
                lane.felt.force,
                touch.memory.energy,
            )
        )
    return told


def _sprung(item: ObjectSpec, stiffness: float) -> ObjectSpec:
    if item.name != "block" or not stiffness:
        return item
    x, y, z = item.position
    # above the table, which would hold it by friction
    return replace(item, position=(x, y, z + 0.02), mass=2.0, stiffness=stiffness)


def _from(start: Vec3, there: Vec3) -> Vec3:
    return (there[0] - start[0], there[1] - start[1], there[2] - start[2])


def furthest(told: list[Told], axis: int = 0) -> tuple[float, float]:
    return max(t.intended[axis] for t in told), max(t.hand[axis] for t in told)


@pytest.mark.parametrize("hand", ["relaxed", "normal"])
def test_pressing_on_the_block_stops_the_hand(hand: str) -> None:
    told = press(hand)
    intended, reached = furthest(told)
    assert intended > HAND_AT_BLOCK + 0.006
    assert reached < HAND_AT_BLOCK + 0.001  # what the hand means to do goes on, the hand does not
    held = [t for t in told if t.intended[0] > HAND_AT_BLOCK + 0.004]
    assert len(held) > 200
    assert max(t.tip[0] for t in held) - min(t.tip[0] for t in held) < 5e-4
    assert sum(t.felt[0] for t in held) / len(held) < -0.5  # pushed back
    share = sum(-t.asked[0] for t in held) / sum(t.contact for t in held)
    assert share == pytest.approx(0.2, rel=0.25)  # of the robot's force, as the cell file has it; chatter is smoothed
    free = [t for t in told if t.hand[0] < 0.018]
    assert max(math.hypot(*t.asked) for t in free) == 0.0  # and nowhere else
    back = told[-1]
    assert back.hand[0] == pytest.approx(back.intended[0], abs=1e-3)
    assert back.tip[0] == pytest.approx(2.0 * back.hand[0], abs=1e-3)  # on the way back it follows at once


def test_without_force_feedback_the_hand_goes_on() -> None:
    """The same push with a device that has no motors."""
    arm, master = plain().spec.robots["arm"], plain().spec.masters["touch"]
    masters = {"touch": {**master, "settings": {"force": 0.0}}}
    run = Run(Cell(replace(plain().spec, robots={"arm": arm}, masters=masters), plain().path))
    touch = run.masters["touch"]
    assert isinstance(touch, Modelled)
    start, reached = touch.pose.position[0], 0.0
    for _ in range(1400):
        run.tick()
        reached = max(reached, touch.pose.position[0] - start)
    assert reached > HAND_AT_BLOCK + 0.005


@pytest.mark.parametrize("hand", ["relaxed", "normal", "firm"])
@pytest.mark.parametrize("amplitude", [0.027, 0.034])
def test_forces_are_bounded_and_the_port_makes_no_energy(hand: str, amplitude: float) -> None:
    told = press(hand, amplitude)
    assert max(math.hypot(*t.felt) for t in told) <= DEVICE_FORCE + 1e-6
    assert max(t.contact for t in told) < ROBOT_FORCE
    assert min(t.energy for t in told) >= -1e-3


def test_a_firm_hand_pushes_through_but_the_robot_s_force_does_not_grow_with_it() -> None:
    gentle, hard = press("firm", 0.027), press("firm", 0.034)
    depths = [furthest(told)[1] - HAND_AT_BLOCK for told in (gentle, hard)]
    assert depths[1] > max(0.008, 2.5 * depths[0])
    assert max(t.contact for t in hard) < 1.5 * max(t.contact for t in gentle)


@pytest.mark.parametrize("lead", [0.002, 0.02])
def test_the_lead_bounds_how_long_the_way_back_is_pressed(lead: float) -> None:
    """A target that may run far ahead must come back before the robot lets go of the block."""
    told = press("firm", 0.034, lead=lead)
    deepest = max(range(len(told)), key=lambda k: told[k].hand[0])
    gone = next(k for k in range(deepest, len(told)) if told[k].contact == 0.0)
    assert told[deepest].hand[0] - told[gone].hand[0] == pytest.approx(lead / 2.0, abs=0.004)


@pytest.mark.parametrize(
    ("axes", "point", "felt"),
    [
        (("y", "-z", "-x"), [0.0, 0.0, -0.027], (0.0, 0.0, 1.0)),
        (("-y", "x", "z"), [0.0, 0.027, 0.0], (0.0, -1.0, 0.0)),
    ],
)
def test_force_feedback_acts_along_the_axis_that_pushed(
    axes: tuple[str, str, str], point: list[float], felt: Vector
) -> None:
    intent = {"kind": "path", "shape": "reach", "points": [point, point], "period": 2.0, "delay": 0.2}
    told = press("normal", seconds=2.4, axes=axes, intent=intent)
    push = told[-1].felt
    size = math.hypot(*push)
    assert size > 0.5
    assert sum(a * b for a, b in zip(push, felt, strict=True)) > 0.9 * size
    assert told[-1].tip[0] == pytest.approx(2.0 * HAND_AT_BLOCK, abs=1e-3)


@pytest.mark.parametrize("hand", ["relaxed", "normal", "firm"])
@pytest.mark.parametrize("stiffness", [1e3, 1e4, 1e5], ids=["1 kN/m", "10 kN/m", "100 kN/m"])
def test_no_wall_gives_a_hand_more_energy_than_it_took(stiffness: float, hand: str) -> None:
    told = press(hand, stiffness=stiffness, seconds=3.2)  # a rigid one is pressed on above
    assert min(t.energy for t in told) >= -1e-3
    assert max(t.contact for t in told) > 1.0  # it did touch
    assert max(math.hypot(*t.felt) for t in told) > 0.1
    assert max(math.hypot(*t.felt) for t in told) <= DEVICE_FORCE + 1e-6


def test_a_soft_wall_gives_way_by_its_stiffness() -> None:
    """N at the tip over metres past the place of the first touch."""
    for stiffness in (1e3, 1e4):
        told = press("firm", 0.034, stiffness=stiffness)
        first = next(t.tip[0] for t in told if t.contact > 0.0)
        deep = [t for t in told if t.tip[0] - first > (0.008 if stiffness < 5e3 else 0.001)]
        slow = [t for a, t in pairwise(deep) if abs(t.tip[0] - a.tip[0]) < 1e-5]
        assert len(slow) > 20
        measured = sum(t.contact / (t.tip[0] - first) for t in slow) / len(slow)
        assert measured == pytest.approx(stiffness, rel=0.15)
