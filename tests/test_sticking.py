"""Jogs against what grips: straight on within the cone of friction, sliding out of it, never faster than let on."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.lane.sticking import stuck_to
from farhand.poses import from_rotation_vector
from farhand.types import TipTwist, Wall

STRAIGHT = from_rotation_vector((0.0, 0.0, 0.0))
speeds = st.floats(-0.5, 0.5)
vectors = st.tuples(speeds, speeds, speeds)


def wall(speed: float, grip: float = 0.5, tilt: float = 0.0) -> Wall:
    return Wall((math.cos(tilt), math.sin(tilt), 0.0), speed, "", 0.0, grip=grip)


def test_a_jog_straight_on_is_not_bent_by_a_tilted_force() -> None:
    led = stuck_to(TipTwist((0.2, 0.0, 0.0), (0.0, 0.0, 0.0)), (wall(0.01, tilt=0.3),), STRAIGHT)
    x, y, z = led.linear
    assert (y, z) == (0.0, 0.0)
    assert x * math.cos(0.3) == pytest.approx(0.01)


def test_it_backs_out_on_the_same_way() -> None:
    led = stuck_to(TipTwist((0.2, 0.0, 0.0), (0.0, 0.0, 0.0)), (wall(-0.01, tilt=0.3),), STRAIGHT)
    assert led.linear == pytest.approx((-0.01 / math.cos(0.3), 0.0, 0.0))


def test_out_of_the_cone_it_slides_and_along_the_surface_it_is_free() -> None:
    slanting = stuck_to(TipTwist((0.1, 0.2, 0.0), (0.0, 0.0, 0.0)), (wall(0.0),), STRAIGHT)
    assert slanting.linear == pytest.approx((0.0, 0.15, 0.0))  # 0.2 less half of what presses
    along = TipTwist((0.0, 0.2, 0.0), (0.0, 0.0, 0.0))
    assert stuck_to(along, (wall(0.0),), STRAIGHT) == along


def test_a_tool_that_is_turned_counts() -> None:
    quarter = from_rotation_vector((0.0, 0.0, math.pi / 2))
    led = stuck_to(TipTwist((0.0, -0.2, 0.0), (0.0, 0.0, 0.0), "tool"), (wall(0.01),), quarter)
    assert led.linear == pytest.approx((0.0, -0.01, 0.0), abs=1e-12)


@given(vectors, st.floats(-0.1, 0.1), st.floats(0.0, 1.5), st.floats(-1.0, 1.0))
def test_whatever_is_asked_no_more_is_let_on(
    asked: tuple[float, float, float], speed: float, grip: float, tilt: float
) -> None:
    bound = wall(speed, grip, tilt)
    led = stuck_to(TipTwist(asked, (0.0, 0.0, 0.0)), (bound,), STRAIGHT).linear
    before, after = (sum(a * n for a, n in zip(v, bound.normal, strict=True)) for v in (asked, led))
    if grip == 0.0 or before <= max(speed, 0.0):
        assert led == asked
    else:
        assert after == pytest.approx(speed, abs=1e-9)
        assert math.hypot(*led) <= math.hypot(*asked) + abs(speed) * math.hypot(1.0, grip) + 1e-9
