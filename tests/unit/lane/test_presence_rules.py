"""When what leads a robot counts as lost: the rule alone, reading by reading."""

from __future__ import annotations

from typing import Any

import pytest
from worded import worded

from farhand.lane.intake.inbox import Inbox, receive
from farhand.lane.intake.presence import BACK, JUMPED, presence, undeflected
from farhand.mapping import LedBy
from farhand.poses import Pose
from farhand.types import Note, Reading, Subject

DT = 0.002
HERE = Pose((0.0, 0.0, 0.0))
LOST = Note("lane.lost", "stop", (Subject("signal", "pose"),))


def said(
    led_by: LedBy, last: dict[str, Any], now: dict[str, Any], lost: Note | None = None, *, ticks: int = 1
) -> Note | None:
    """Return what is said of a reading that comes some ticks after another one; both hold the deadman."""
    before = receive(Inbox(), Reading(sequence=1, **{"deadman": True, **last}), 10)
    after = receive(before, Reading(sequence=2, **{"deadman": True, **now}), 10 + ticks)
    return presence(led_by, lost, before, after, 10 + ticks, DT)


def test_without_news_it_stays_as_it_was() -> None:
    inbox = receive(Inbox(), Reading(sequence=1, deadman=True), 10)
    assert presence("hand", LOST, inbox, receive(inbox, None, 11), 11, DT) is LOST
    assert presence("hand", None, inbox, receive(inbox, None, 11), 11, DT) is None


def test_deflections_that_went_while_nobody_held_on_are_not_lost() -> None:
    assert said("axes", {"deadman": False, "axes": (1.0,)}, {}) is None


def test_letting_go_ends_a_loss() -> None:
    assert said("hand", {}, {"deadman": False}, LOST) is None


@pytest.mark.parametrize(
    ("led_by", "field", "value", "lost", "none"),
    [
        (
            "hand",
            "pose",
            HERE,
            "The master no longer sends a pose: the robot holds.",
            "This control mode needs a pose;",
        ),
        (
            "joints",
            "joints",
            (1.0,),
            "The master no longer sends joint positions: the robot holds.",
            "This control mode needs joint positions;",
        ),
        ("axes", "axes", (1.0,), "The master no longer sends stick axes: the robot holds.", ""),
    ],
)
def test_what_leads_may_be_lost_or_never_have_been_there(
    led_by: LedBy, field: str, value: Any, lost: str, none: str
) -> None:
    gone = said(led_by, {field: value}, {})
    assert gone is not None
    assert worded(gone) == lost
    assert said(led_by, {field: value}, {field: value}) is None
    missing = said(led_by, {}, {})
    assert (worded(missing) if missing else "").startswith(none)
    assert (missing is None) == (not none)
    pressed = said(led_by, {field: value, "deadman": False}, {})
    assert (worded(pressed) if pressed else "").startswith(none)
    assert said(led_by, {field: value}, {}, LOST) is LOST  # the first loss is what is said
    again = said(led_by, {field: value}, {}, BACK)
    assert again is not None
    assert worded(again) == lost


def test_fewer_joints_than_before_are_lost_joints_while_held() -> None:
    assert said("joints", {"joints": (1.0, 2.0)}, {"joints": (1.0,)}) is not None
    assert said("joints", {"joints": (1.0,)}, {"joints": (1.0, 2.0)}) is None
    assert said("joints", {"joints": (1.0, 2.0), "deadman": False}, {"joints": (1.0,)}) is None


def test_what_is_back_needs_a_fresh_press() -> None:
    assert said("hand", {"pose": HERE}, {"pose": HERE}, LOST) is BACK
    assert said("hand", {"pose": HERE}, {"pose": HERE}, BACK) is BACK
    fresh = {"pose": HERE, "presses": {"deadman": 1}}
    assert said("hand", {"pose": HERE}, fresh, LOST) is None


FAR = Pose((1.0, 0.0, 0.0))


def test_a_jump_is_a_loss_only_of_a_hand_that_held_on_and_was_seen() -> None:
    assert said("hand", {"pose": HERE}, {"pose": FAR}) is JUMPED
    assert said("pointer", {"pose": HERE}, {"pose": FAR}) is None
    assert said("hand", {"pose": HERE, "deadman": False}, {"pose": FAR}) is None
    assert said("hand", {}, {"pose": FAR}) is None
    assert said("hand", {"pose": HERE}, {"pose": FAR, "epoch": 1}) is None  # another hand
    assert said("hand", {"pose": HERE}, {"pose": FAR, "presses": {"deadman": 1}}) is None


@pytest.mark.parametrize(("metres", "jumps"), [(0.4 - 1e-6, False), (0.4 + 1e-6, True)])
def test_how_far_a_hand_may_go_grows_with_the_time_between_two_readings(metres: float, *, jumps: bool) -> None:
    there = {"pose": Pose((0.0, metres, 0.0))}
    assert (said("hand", {"pose": HERE}, there, ticks=10) is JUMPED) == jumps  # received so far apart
    echoed = said("hand", {"pose": HERE, "tick": 0}, {**there, "tick": 10}, ticks=1)
    assert (echoed is JUMPED) == jumps  # or seen so far apart


def test_only_readings_without_deflections_are_told_of() -> None:
    assert undeflected(Reading(axes=(0.0,))) == ()
    assert [note.code for note in undeflected(Reading())] == ["lane.undeflected"]
