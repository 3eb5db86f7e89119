"""The rules of the inbox, number by number."""

from __future__ import annotations

import math
from typing import Any

import pytest

from farhand.lane.intake.ages import Ages, WallLead
from farhand.lane.intake.inbox import BAD_AXIS, Inbox, receive
from farhand.poses import Pose
from farhand.types import Arrival, Reading, Twist

DT = 0.25
HELD = {"deadman": True}


def second(first: dict[str, Any], then: dict[str, Any], tick: int = 11) -> Inbox:
    """Return the inbox after two readings, the first in tick 10."""
    inbox = receive(Inbox(), Reading(sequence=5, epoch=3, **first), 10)
    return receive(inbox, Reading(**{"sequence": 6, "epoch": 3} | then), tick)


def test_an_empty_inbox() -> None:
    empty = Inbox(Reading(), -1, pressed=False, bad=None, epoch_changed=False, refused=0, turned_away=False, stepped=0)
    assert Inbox() == empty
    assert (Inbox().ages(5, DT), Inbox().age(5, DT)) == (None, None)


# ── Ages ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_reading_without_ticks_is_as_old_as_its_receipt() -> None:
    inbox = Inbox(Reading(), received=0)
    assert inbox.ages(4, DT) == Ages(1.0, 0.0, 0.0, 0.0)
    assert inbox.ages(4, DT, baseline=0.3) == Ages(1.0, 0.0, 0.0, 0.3)
    assert inbox.age(4, DT) == 1.0
    assert inbox.age(4, DT, WallLead(500)) == 1.5


def test_an_echo_and_a_picture_are_aged_from_the_tick_after_theirs() -> None:
    assert Inbox(Reading(tick=0), received=5).ages(9, DT) == Ages(1.0, 2.0)
    assert Inbox(Reading(drawn=0), received=5).ages(9, DT) == Ages(1.0, 0.0, 2.0)
    assert Inbox(Reading(tick=0), received=5).age(9, DT) == 2.0


@pytest.mark.parametrize(
    ("arrival", "gap"),
    [
        (Arrival(), 1.0),
        (Arrival(waited=0), 1.0),
        (Arrival(waited=500), 1.5),
        (Arrival(waited=1), 1.001),
        (Arrival(taken=0), 2.25),
        (Arrival(taken=1, waited=500), 2.5),
    ],
)
def test_a_gap_counts_from_when_a_reading_was_taken_and_how_long_it_had_waited(arrival: Arrival, gap: float) -> None:
    found = Inbox(Reading(arrival=arrival), received=5).ages(9, DT)
    assert found is not None
    assert found.gap == gap


@pytest.mark.parametrize(
    ("arrival", "tick", "new"),
    [
        (None, 5, True),
        (None, 6, False),
        (Arrival(), 5, True),
        (Arrival(taken=5), 5, True),
        (Arrival(taken=4), 5, False),
        (Arrival(taken=6), 6, False),
        (Arrival(taken=1), 5, False),
    ],
)
def test_a_reading_is_new_in_the_tick_in_which_it_was_taken(arrival: Arrival | None, tick: int, *, new: bool) -> None:
    assert Inbox(Reading(arrival=arrival), received=5).is_new(tick) == new


# ── Receipt ──────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_tick_without_a_reading_keeps_the_newest_and_tells_nothing_new() -> None:
    reading = Reading(deadman=True)
    inbox = Inbox(reading, 4, pressed=True, bad=BAD_AXIS, epoch_changed=True, refused=2, turned_away=True, stepped=3)
    assert receive(inbox, None, 5) == Inbox(reading, 4, refused=2)


def test_a_first_reading_is_taken_whatever_its_number_and_starts_nothing() -> None:
    reading = Reading(sequence=-7, epoch=-2, deadman=True, presses={"deadman": 3, "scale": 2})
    assert receive(Inbox(refused=2), reading, 0) == Inbox(reading, 0, refused=2)


@pytest.mark.parametrize(
    ("sequence", "epoch", "taken"),
    [(6, 3, True), (5, 3, False), (4, 3, False), (1, 4, True), (9, 2, False), (5, 4, True)],
)
def test_only_later_readings_are_taken(sequence: int, epoch: int, *, taken: bool) -> None:
    inbox = second({}, {"sequence": sequence, "epoch": epoch})
    assert (inbox.received, inbox.refused, inbox.turned_away) == ((11, 0, False) if taken else (10, 1, True))
    assert (inbox.reading.sequence, inbox.bad) == (sequence if taken else 5, None)
    assert inbox.epoch_changed == (taken and epoch != 3)


def test_a_reading_in_the_very_first_tick_is_a_first_one() -> None:
    inbox = receive(Inbox(), Reading(sequence=5), 0)
    assert receive(inbox, Reading(sequence=5), 1) == Inbox(inbox.reading, 0, refused=1, turned_away=True)
    assert receive(inbox, Reading(sequence=6, deadman=True), 1).pressed


@pytest.mark.parametrize(("echo", "taken"), [(10, True), (11, False), (12, False), (-1, True)])
def test_no_reading_echoes_a_tick_that_is_still_to_come(echo: int, *, taken: bool) -> None:
    assert (second({}, {"tick": echo}).received == 11) == taken
    assert (receive(Inbox(), Reading(tick=echo), 11).received == 11) == taken


@pytest.mark.parametrize(
    ("first", "then", "pressed"),
    [
        ({}, HELD, True),
        (HELD, HELD, False),
        (HELD, {}, False),
        (HELD | {"presses": {"deadman": 1}}, HELD | {"presses": {"deadman": 2}}, True),
        (HELD | {"presses": {"deadman": 2}}, HELD | {"presses": {"deadman": 2}}, False),
        (HELD | {"presses": {"deadman": 2}}, HELD, False),
        (HELD, HELD | {"presses": {"deadman": 1}}, True),
        ({}, {"presses": {"deadman": 1}}, False),
        ({}, HELD | {"epoch": 4}, False),
    ],
)
def test_a_press_is_an_edge_or_one_more_that_was_counted(
    first: dict[str, Any], then: dict[str, Any], *, pressed: bool
) -> None:
    assert second(first, then).pressed == pressed


@pytest.mark.parametrize(
    ("first", "then", "stepped"),
    [
        ({}, {}, 0),
        ({}, {"deadman": 1}, 0),
        ({"scale": 1}, {"deadman": 1}, 0),
        ({}, {"scale": 1}, 1),
        ({"scale": 1}, {"scale": 3}, 2),
        ({"scale": 3}, {"scale": 1}, 0),
        ({"scale": 1}, {}, 0),
    ],
)
def test_the_scale_steps_as_often_as_its_button_was_pressed(
    first: dict[str, int], then: dict[str, int], stepped: int
) -> None:
    assert second({"presses": first}, {"presses": then}).stepped == stepped
    assert second({"presses": first}, {"presses": then, "epoch": 4}).stepped == 0


# ── Numbers ──────────────────────────────────────────────────────────────────────────────────────────────────────


def turned(norm2: float) -> tuple[float, float, float, float]:
    return (math.sqrt(norm2 / 2), 0.0, math.sqrt(norm2 / 2), 0.0)


GOOD: list[dict[str, Any]] = [
    {"axes": (1.0, -1.0, 0.0)},
    {"grip": 0.0},
    {"grip": 1.0},
    {"joints": (1e9,)},
    {"pose": Pose((1.0, 2.0, 3.0))},
    {"pose": Pose(rotation=turned(1.00099))},
    {"view": turned(0.99901)},
    {"twist": Twist((1.0, 0.0, 0.0), (0.0, 9.0, 0.0))},
]
BAD: list[tuple[str, dict[str, Any]]] = [
    ("axis", {"axes": (0.0, 1.0 + 1e-9)}),
    ("axis", {"axes": (-1.0 - 1e-9, 0.0)}),
    ("grip", {"grip": -1e-9}),
    ("grip", {"grip": 1.0 + 1e-9}),
    ("joint", {"joints": (0.0, math.nan)}),
    ("pose", {"pose": Pose((0.0, 0.0, math.inf))}),
    ("pose", {"pose": Pose(rotation=turned(1.00101))}),
    ("pose", {"pose": Pose(rotation=turned(0.99899))}),
    ("velocity", {"twist": Twist((math.nan, 0.0, 0.0), (0.0, 0.0, 0.0))}),
    ("velocity", {"twist": Twist((0.0, 0.0, 0.0), (0.0, 0.0, math.inf))}),
    ("view", {"view": turned(1.00101)}),
]


@pytest.mark.parametrize("good", GOOD)
def test_numbers_in_range_are_taken(good: dict[str, Any]) -> None:
    assert second({}, good).received == 11


@pytest.mark.parametrize(("word", "bad"), BAD)
def test_other_numbers_stop_the_robot(word: str, bad: dict[str, Any]) -> None:
    inbox = second({}, bad)
    assert inbox.bad is not None
    assert inbox.bad.code == f"master.{word}"
    assert (inbox.received, inbox.refused, inbox.turned_away, inbox.reading.sequence) == (10, 1, True, 5)
