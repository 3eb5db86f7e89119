"""What is led against something that grips: straight on where it goes nearly straight in, sliding else."""

import math

import numpy as np
import pytest
from hands import rough_cell
from hypothesis import given
from hypothesis import strategies as st

from farhand.lane.contact.sticking import stuck_joints, stuck_to, stuck_track
from farhand.poses import Pose, from_rotation_vector, rotation_vector
from farhand.types import TipTrack, TipTwist, Wall

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
    slanting = stuck_to(TipTwist((0.1, 0.075, 0.0), (0.0, 0.0, 0.0)), (wall(0.0),), STRAIGHT)
    assert slanting.linear == pytest.approx((0.05, 0.0375, 0.0))  # half-way from what is held to what is free
    flat = TipTwist((0.1, 0.2, 0.0), (0.0, 0.0, 0.0))
    assert stuck_to(flat, (wall(0.0),), STRAIGHT).linear == pytest.approx(flat.linear)  # the servo bends it
    along = TipTwist((0.0, 0.2, 0.0), (0.0, 0.0, 0.0))
    assert stuck_to(along, (wall(0.0),), STRAIGHT) == along


def test_a_tool_that_is_turned_counts() -> None:
    quarter = from_rotation_vector((0.0, 0.0, math.pi / 2))
    led = stuck_to(TipTwist((0.0, -0.2, 0.0), (0.0, 0.0, 0.0), "tool"), (wall(0.01),), quarter)
    assert led.linear == pytest.approx((0.0, -0.01, 0.0), abs=1e-12)


@given(vectors, st.floats(-0.1, 0.1), st.floats(0.0, 1.5), st.floats(-1.0, 1.0))
def test_whatever_is_asked_is_shortened_and_never_bent(
    asked: tuple[float, float, float], speed: float, grip: float, tilt: float
) -> None:
    bound = wall(speed, grip, tilt)
    led = stuck_to(TipTwist(asked, (0.0, 0.0, 0.0)), (bound,), STRAIGHT).linear
    before, after = (sum(a * n for a, n in zip(v, bound.normal, strict=True)) for v in (asked, led))
    if grip == 0.0 or before <= max(speed, 0.0):
        assert led == asked
    else:
        assert led == pytest.approx([after / before * a for a in asked], abs=1e-9)
        assert speed - 1e-9 <= after <= before + 1e-9


@given(vectors, vectors, st.floats(-0.1, 0.1), st.floats(0.0, 1.5), st.floats(-1.0, 1.0))
def test_a_target_comes_as_near_as_a_jog_of_the_same_way_goes_on(
    ahead: tuple[float, float, float], linear: tuple[float, float, float], speed: float, grip: float, tilt: float
) -> None:
    bound, here, gain = wall(speed, grip, tilt), Pose((0.3, 0.1, 0.4)), 20.0
    there = Pose(tuple(a + b for a, b in zip(here.position, ahead, strict=True)), STRAIGHT)  # type: ignore[arg-type]
    asked = TipTrack(there, linear, (0.1, 0.2, 0.3))
    led = stuck_track(asked, (bound,), here, gain)
    ways = []
    for track in (asked, led):
        error = [a - b for a, b in zip(track.pose.position, here.position, strict=True)]
        ways.append(tuple(v + gain * e for v, e in zip(track.linear, error, strict=True)))
    jog = stuck_to(TipTwist(ways[0], (0.0, 0.0, 0.0)), (bound,), STRAIGHT)  # type: ignore[arg-type]
    assert ways[1] == pytest.approx(jog.linear, abs=1e-9)
    assert (led.pose.rotation, led.angular) == (STRAIGHT, (0.1, 0.2, 0.3))  # turning is another matter


def test_joints_are_slowed_alike_and_back_out_on_the_same_way() -> None:
    chain = rough_cell().lanes["arm"].chain
    q = np.array([0.0, 0.35, 0.1, 0.0, 1.0, 0.0])
    ways = np.linalg.inv(chain.jacobian(q)).astype(np.float64)
    straight_in = ways @ (0.2, 0.0, 0.0, 0.0, 0.0, 0.0)
    for speed in (0.01, -0.01):
        led = stuck_joints(straight_in, (wall(speed, 0.1),), chain, q, planned=False)
        assert led == pytest.approx(speed / 0.2 * straight_in)
    for x in (-0.1, 0.0, 0.15):  # out, along, and aslant
        aslant = ways @ (x, 0.2, 0.0, 0.0, 0.0, 0.0)
        assert stuck_joints(aslant, (wall(0.0, 0.1),), chain, q, planned=False) == pytest.approx(aslant)
        kept = stuck_joints(aslant, (wall(0.0, 0.1),), chain, q, planned=True)
        assert kept == pytest.approx(aslant if x <= 0.0 else 0.0 * aslant)  # a plan is not left


def test_joints_that_hardly_press_are_not_held() -> None:
    """A wrist that is nearly straight: two joints turn against each other, and press with next to nothing."""
    chain = rough_cell().lanes["arm"].chain
    q, below = np.array([0.36, 0.89, 0.228, -0.365, 0.08, -0.5]), Wall((0.0, 0.0, -1.0), 0.0, "", 0.0, grip=0.25)
    down = np.linalg.pinv(chain.jacobian(q)[:3]) @ (0.0, 0.0, -0.001)
    wrist = np.array([0.0, 0.0, 0.0, 1.0, 0.0, -1.0])
    wrist -= np.linalg.pinv(chain.jacobian(q)[:3]) @ chain.jacobian(q)[:3] @ wrist  # the tip stays
    for hardly in (wrist + down, -wrist + down):
        assert stuck_joints(hardly, (below,), chain, q, planned=False) == pytest.approx(hardly)  # the servo bends it
    for straight in (down, 0.001 * wrist + down):
        assert stuck_joints(straight, (below,), chain, q, planned=False) == pytest.approx(0.0 * straight)


def turned(rate: float, grip: float = 0.5) -> Wall:
    """Return what bounds turning about z alone."""
    return Wall((0.0, 0.0, 0.0), rate, "", 0.0, (0.0, 0.0, 1.0), grip)


def test_what_turns_against_something_is_slowed_and_turns_back_and_goes_where_it_went() -> None:
    for rate in (0.02, -0.02):
        led = stuck_to(TipTwist((0.1, 0.2, 0.0), (0.1, 0.0, 0.5)), (turned(rate),), STRAIGHT)
        assert led.linear == (0.1, 0.2, 0.0)
        assert led.angular == pytest.approx((rate / 0.5 * 0.1, 0.0, rate))
    free = TipTwist((0.1, 0.2, 0.0), (0.5, 0.0, 0.1))  # about another axis, the servo bends it
    assert stuck_to(free, (turned(0.02),), STRAIGHT) == free
    away = TipTwist((0.0, 0.0, 0.0), (0.0, 0.0, -0.5))
    assert stuck_to(away, (turned(-0.02),), STRAIGHT) == away


def test_a_turn_about_the_tool_counts() -> None:
    quarter = from_rotation_vector((math.pi / 2, 0.0, 0.0))  # its y axis is the base's z axis
    led = stuck_to(TipTwist((0.0, 0.0, 0.0), (0.0, 0.5, 0.0), "base", "tool"), (turned(0.02),), quarter)
    assert led.angular == pytest.approx((0.0, 0.02, 0.0))


def test_a_target_that_is_turned_comes_as_near_as_it_may() -> None:
    here, gain = Pose((0.3, 0.1, 0.4)), 20.0
    there = Pose((0.35, 0.1, 0.4), from_rotation_vector((0.0, 0.0, 0.05)))
    led = stuck_track(TipTrack(there, (0.1, 0.0, 0.0), (0.0, 0.0, 0.2)), (turned(0.02),), here, gain)
    assert (led.pose.position, led.linear, led.angular) == (there.position, (0.1, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert rotation_vector(led.pose.rotation) == pytest.approx((0.0, 0.0, 0.02 / gain))


def test_a_lever_makes_a_turn_press() -> None:
    """What touches beside the tip is pressed by turning: that is slowed with all the rest of the way."""
    beside = Wall((1.0, 0.0, 0.0), 0.01, "", 0.0, (0.0, 0.0, 0.1), 0.5)
    led = stuck_to(TipTwist((0.05, 0.0, 0.0), (0.0, 0.0, 0.5)), (beside,), STRAIGHT)
    assert led.linear == pytest.approx((0.005, 0.0, 0.0))
    assert led.angular == pytest.approx((0.0, 0.0, 0.05))
