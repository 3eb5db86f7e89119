"""The inbox: old, repeated, foreign and broken readings never drive a robot."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand.lane.intake.inbox import Inbox, receive
from farhand.poses import Pose
from farhand.types import Reading

DT = 0.002


def after(*readings: Reading | None) -> Inbox:
    inbox = Inbox()
    for tick, reading in enumerate(readings, 1):
        inbox = receive(inbox, reading, tick)
    return inbox


def test_the_first_reading_is_never_a_press() -> None:
    assert not after(Reading(sequence=1, deadman=True)).pressed


def test_a_press_is_an_edge() -> None:
    assert after(Reading(sequence=1), Reading(sequence=2, deadman=True)).pressed
    assert not after(Reading(sequence=1), Reading(sequence=2, deadman=True), Reading(sequence=3, deadman=True)).pressed


def test_a_counter_tells_of_an_edge_that_got_lost() -> None:
    first = Reading(sequence=1, deadman=True, presses={"deadman": 1})
    again = Reading(sequence=5, deadman=True, presses={"deadman": 2})
    assert after(first, again).pressed


def test_old_and_repeated_readings_are_refused() -> None:
    new, old = Reading(sequence=5, deadman=True), Reading(sequence=4)
    inbox = after(new, old, new)
    assert inbox.reading is new
    assert inbox.refused == 2
    assert inbox.age(3, DT) == pytest.approx(2 * DT)


def test_an_earlier_lease_is_refused_and_a_later_one_is_no_press() -> None:
    inbox = after(Reading(sequence=1, epoch=2), Reading(sequence=9, epoch=1, deadman=True))
    assert inbox.refused == 1
    changed = receive(inbox, Reading(sequence=1, epoch=3, deadman=True), 3)
    assert changed.epoch_changed
    assert not changed.pressed


def test_an_echo_of_the_future_is_refused() -> None:
    assert after(Reading(sequence=1, tick=7)).refused == 1


def test_a_steady_queue_is_not_fresh() -> None:
    # Received every tick, but each one echoes a tick that is two seconds old.
    inbox = Inbox()
    for tick in range(1001, 1011):
        inbox = receive(inbox, Reading(sequence=tick, tick=tick - 1001), tick)
    age = inbox.age(1010, DT)
    assert age is not None
    assert age >= 1.9


def test_age_counts_from_receipt() -> None:
    inbox = after(Reading(sequence=1), None, None)
    assert inbox.age(3, DT) == pytest.approx(2 * DT)
    assert Inbox().age(3, DT) is None


BROKEN = [
    Reading(sequence=9, axes=(math.nan,)),
    Reading(sequence=9, axes=(1.5,)),
    Reading(sequence=9, axes=(-math.inf,)),
    Reading(sequence=9, grip=math.nan),
    Reading(sequence=9, grip=2.0),
    Reading(sequence=9, joints=(math.inf,)),
    Reading(sequence=9, pose=Pose((math.nan, 0.0, 0.0))),
    Reading(sequence=9, pose=Pose(rotation=(0.0, 0.0, 0.0, 0.0))),
]


@pytest.mark.parametrize("broken", BROKEN)
def test_broken_numbers_are_refused_with_a_sentence(broken: Reading) -> None:
    good = Reading(sequence=1)
    inbox = after(good, broken)
    assert inbox.bad
    assert worded(inbox.bad).endswith(".")
    assert inbox.reading is good


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 2), st.booleans()), max_size=30))
def test_accepted_readings_only_go_forward(sent: list[tuple[int, int, bool]]) -> None:
    inbox, accepted = Inbox(), []
    for tick, (sequence, epoch, deadman) in enumerate(sent, 1):
        reading = Reading(sequence=sequence, epoch=epoch, deadman=deadman)
        before = inbox
        inbox = receive(inbox, reading, tick)
        if inbox.reading is reading:
            accepted.append((epoch, sequence))
        else:
            assert inbox == replace(
                before, pressed=False, epoch_changed=False, refused=before.refused + 1, turned_away=True
            )
    assert accepted == sorted(set(accepted))
