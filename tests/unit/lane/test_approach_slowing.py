"""What slides over something that it is to touch is slowed as a whole, and gets faster again."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.distances import Blocking
from farhand.lane.motion.approach_slowing import (
    MIN_SHARE,
    TOUCH_RECOVERY_S,
    eased_jog,
    eased_track,
    is_eased,
    next_ease,
)
from farhand.poses import Pose, from_rotation_vector, rotation_vector
from farhand.types import TipTrack, TipTwist, Wall

DT = 0.002
ZEROS, UP = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
HELD_OFF = Blocking(0.001, "gripper", "table", ZEROS, UP, 0.01, 0.05)
TOUCHED = Blocking(0.0, "gripper", "table", ZEROS, UP, 0.01)
DOWN, ALONG = (0.1, 0.0, -0.1), (0.1, 0.1, -0.01)
GRIPS = Wall((0.0, 0.0, -1.0), 0.01, "", 0.0, grip=0.2)


@given(st.floats(MIN_SHARE, 1.0))
def test_it_is_slowed_while_something_is_held_off_and_not_else(ease: float) -> None:
    assert MIN_SHARE <= next_ease(ease, (TOUCHED, HELD_OFF), DOWN, (), DT) <= ease
    assert ease <= next_ease(ease, (TOUCHED,), DOWN, (), DT) <= 1.0
    assert ease <= next_ease(ease, (HELD_OFF,), ALONG, (), DT) <= 1.0  # what leads along is free
    assert next_ease(1.0, (), ALONG, (GRIPS,), DT) == 1.0


def test_it_gets_faster_gradually_where_something_is_touched() -> None:
    ease = MIN_SHARE
    for _ in range(math.ceil(TOUCH_RECOVERY_S / DT)):
        assert next_ease(ease, (), DOWN, (GRIPS,), DT) <= next_ease(ease, (), DOWN, (), DT)
        ease = next_ease(ease, (), DOWN, (GRIPS,), DT)
    assert ease == 1.0
    assert is_eased(0.5)
    assert not is_eased(ease)


def test_jogs_and_targets_are_shortened_and_not_bent() -> None:
    jog = TipTwist((0.1, 0.2, 0.3), (0.4, 0.0, -0.5), "tool", "base")
    assert eased_jog(jog, 1.0) is jog
    assert eased_jog(jog, 0.5) == TipTwist((0.05, 0.1, 0.15), (0.2, 0.0, -0.25), "tool", "base")
    here, there = Pose((0.3, 0.1, 0.4)), Pose((0.34, 0.1, 0.36), from_rotation_vector((0.0, 0.2, 0.0)))
    led = eased_track(TipTrack(there, (0.1, 0.0, 0.0), (0.0, 0.4, 0.0)), 0.25, here)
    assert led.pose.position == pytest.approx((0.31, 0.1, 0.39))
    assert rotation_vector(led.pose.rotation) == pytest.approx((0.0, 0.05, 0.0))
    assert led.linear == pytest.approx((0.025, 0.0, 0.0))
    assert led.angular == pytest.approx((0.0, 0.1, 0.0))
