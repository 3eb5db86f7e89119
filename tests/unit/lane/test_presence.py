"""What leads a robot is lost while the deadman is held: that counts as let go, is said, and needs a fresh press."""

import math
from functools import cache
from typing import Any

import pytest
from hands import Hand
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.poses import Pose
from farhand.types import Generate, Generator, Inputs, MoveJoints, Reading, SelectMapping

BY_HAND = ("clutch", "velocity", "rate", "hybrid", "absolute")
LOST = "The master no longer sends a pose: the robot holds."
BACK = "The master's signal was lost and is back."
JUMPED = "The master's pose jumped faster than any hand moves: tracking is lost, the robot holds."


@cache
def plain() -> Cell:
    return Cell.load("irb120")


def led_by(kind: str) -> Hand:
    """Return a hand at the middle of its mapping, released."""
    start, table = plain().state.robots["arm"].T_base_tip, {"kind": kind}
    place: dict[str, Any] = {"at": start.position, "rotation": start.rotation} if kind == "absolute" else {}
    arm = replace(plain().spec.robots["arm"], mappings={"hand": table | place})
    hand = Hand(Cell(replace(plain().spec, robots={"arm": arm}), plain().path), "hand")
    hand.hand.set(pose=Pose((0.0, 0.0, 0.0)), joints=hand.joints)
    hand.tick = hand.run.run(0.05)
    return hand


def lead(hand: Hand, metres: float) -> None:
    """Hold on, and go some way along y within a tenth of a second."""
    hand.hand.set(deadman=True)
    hand.tick = hand.run.tick()
    for i in range(50):
        hand.hand.set(pose=Pose((0.0, metres * (i + 1) / 50, 0.0)))
        hand.tick = hand.run.tick()
    assert hand.mode == "teleoperation"


def texts(hand: Hand) -> list[str]:
    return [worded(note) for note in hand.tick.lanes["arm"].notes]


def go_on(hand: Hand, seconds: float) -> float:
    """Go on and return how far the arm was told to go meanwhile, rad."""
    before = hand.tick.lanes["arm"].setpoints["arm"].positions
    hand.tick = hand.run.run(seconds)
    return math.dist(before, hand.tick.lanes["arm"].setpoints["arm"].positions)


@pytest.mark.parametrize("kind", [*BY_HAND, "drag-tip"])
def test_a_pose_that_is_lost_counts_as_let_go(kind: str) -> None:
    hand = led_by(kind)
    if kind == "drag-tip":
        hand.hand.set(pose=hand.tip)
    lead(hand, 0.02)
    hand.hand.set(pose=None)
    hand.tick = hand.run.tick()
    assert hand.mode == "idle"
    assert LOST in texts(hand)
    hand.tick = hand.run.run(0.5)  # to rest
    assert LOST in texts(hand)
    hand.hand.set(pose=Pose((0.3, 0.2, 0.0)))  # it is seen again, elsewhere
    assert go_on(hand, 0.5) == 0.0
    assert hand.mode == "idle"
    assert BACK in texts(hand)
    hand.hand.set(deadman=False)
    hand.tick = hand.run.run(0.1)
    hand.hand.set(deadman=True)
    hand.tick = hand.run.tick()
    assert hand.mode == "teleoperation"
    assert not {LOST, BACK} & set(texts(hand))


@pytest.mark.parametrize("kind", BY_HAND)
def test_a_pose_that_jumps_as_no_hand_can_is_lost(kind: str) -> None:
    hand = led_by(kind)
    lead(hand, 0.0)
    hand.hand.set(pose=Pose((0.0, 0.05, 0.0)))  # 25 m/s
    hand.tick = hand.run.tick()
    assert hand.mode == "idle"
    assert JUMPED in texts(hand)
    hand.hand.set(pose=Pose((0.0, 0.0, 0.0)))
    hand.tick = hand.run.run(0.5)
    assert go_on(hand, 0.1) == 0.0
    assert (hand.mode, BACK in texts(hand)) == ("idle", True)


def test_a_hand_that_is_quick_is_followed() -> None:
    hand = led_by("clutch")
    lead(hand, 0.0)
    hand.hand.set(pose=Pose((0.0, 0.03, 0.0)))  # 15 m/s
    hand.tick = hand.run.tick()
    assert hand.mode == "teleoperation"


@pytest.mark.parametrize(("seen", "mode"), [(8, "teleoperation"), (1, "idle")])
def test_how_long_a_step_took_is_told_by_the_ticks_that_readings_echo(seen: int, mode: str) -> None:
    """Readings of a page come in bunches: two in two ticks may be of hands that are far apart in time."""
    hand = led_by("clutch")
    lead(hand, 0.0)
    cell, tick, number = hand.cell, hand.tick.number, 10_000
    first = Reading(sequence=number, tick=tick - seen, deadman=True, pose=Pose((0.0, 0.0, 0.0)))
    cell.step(Inputs({"hand": first}))
    second = replace(first, sequence=number + 1, tick=tick, pose=Pose((0.0, 0.1, 0.0)))
    assert cell.step(Inputs({"hand": second})).lanes["arm"].mode == mode


def test_a_pointer_may_be_anywhere_next() -> None:
    hand = led_by("drag-tip")
    hand.hand.set(deadman=True, pose=hand.tip)
    hand.tick = hand.run.run(0.1)
    x, y, z = hand.tip.position
    hand.hand.set(pose=Pose((x, y + 0.2, z)))
    hand.tick = hand.run.tick()
    assert hand.mode == "teleoperation"


def test_joints_that_are_lost_count_as_let_go() -> None:
    hand = led_by("copy-joints")
    hand.hand.set(deadman=True)
    hand.tick = hand.run.run(0.1)
    assert hand.mode == "teleoperation"
    hand.hand.set(joints=())
    hand.tick = hand.run.tick()
    assert hand.mode == "idle"
    assert "The master no longer sends joint positions: the robot holds." in texts(hand)


def test_deflections_that_are_lost_count_as_let_go() -> None:
    hand = Hand(plain(), "base axes")
    hand.drive(0.2, 0.0, 1.0, 0.0)
    hand.hand.set(axes=())
    hand.tick = hand.run.tick()
    assert hand.mode == "idle"
    assert "The master no longer sends stick axes: the robot holds." in texts(hand)
    hand.hand.set(axes=(0.0, 1.0, 0.0))
    hand.tick = hand.run.run(0.5)
    assert (hand.mode, BACK in texts(hand)) == ("idle", True)


def test_a_master_that_tells_no_deflections_moves_nothing_and_is_said_to() -> None:
    hand = Hand(plain(), "base axes")
    hand.hand.set(deadman=True, pose=hand.tip)
    hand.tick = hand.run.run(0.1)
    assert "This control mode needs stick axes; the device sends none." in texts(hand)


def test_a_press_without_a_pose_ends_a_move_and_drives_nothing() -> None:
    hand = led_by("clutch")
    hand.hand.set(pose=None)
    hand.send(MoveJoints("arm", (0.5, *hand.joints[1:])))
    hand.tick = hand.run.run(0.2)
    assert hand.mode == "autonomous"
    hand.hand.set(deadman=True)
    hand.tick = hand.run.tick()
    assert hand.mode == "idle"
    assert "This control mode needs a pose; the device sends none. The robot holds." in texts(hand)
    assert hand.tick.lanes["arm"].waiting


def test_a_generator_needs_nothing_of_a_hand_but_that_it_holds_on() -> None:
    hand = Hand(plain(), "base axes")
    hand.send(SelectMapping("arm", "base axes"), Generate("arm", Generator(0)))
    hand.drive(0.2, 1.0)
    hand.hand.set(axes=())
    hand.tick = hand.run.run(0.1)
    assert hand.mode == "teleoperation"
