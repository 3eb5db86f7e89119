"""Limits of the tip: speed, acceleration and jerk are never exceeded, and every reachable speed is reached."""

import math

import pytest
from hands import Hand
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand.cell import Cell
from farhand.config import ConfigError
from farhand.filters import FILTERS, TipLimits, View
from farhand.filters.tip_limits import Motion3, held_within
from farhand.poses import Pose, Vec3, angle_between, from_rotation_vector
from farhand.types import HOLD, STOP, Demand, MoveJoints, RobotState, TipTrack, TipTwist

DT = 0.002
ZERO = (0.0, 0.0, 0.0)
MORE = 1.0 + 1e-9
vectors = st.tuples(*[st.floats(-3.0, 3.0)] * 3)
speeds, rises, jerks = st.floats(0.02, 2.0), st.floats(0.1, 20.0), st.floats(1.0, 2000.0)


def apart(a: Vec3, b: Vec3) -> float:
    return math.dist(a, b)


HERE = Pose()


def view(tip: Pose = HERE) -> View:
    return View(RobotState({}, tip), tip, 0.0, 1.0, DT)


# ── The law ──────────────────────────────────────────────────────────────────────────────────────────────────────


@given(st.lists(st.tuples(vectors, st.integers(1, 60)), min_size=1, max_size=8), speeds, rises, jerks)
def test_nothing_that_is_asked_passes_any_limit(
    story: list[tuple[Vec3, int]], speed: float, rise: float, jerk: float
) -> None:
    now = Motion3()
    for wanted, ticks in story:
        for _ in range(ticks):
            after = held_within(now, wanted, speed, rise, jerk, DT)
            assert math.hypot(*after.velocity) <= speed * MORE
            assert apart(after.velocity, now.velocity) <= rise * DT * MORE + 1e-12
            assert apart(after.acceleration, now.acceleration) <= jerk * DT * MORE + 1e-12
            now = after


@settings(max_examples=30)
@given(vectors, vectors, speeds, st.floats(1.0, 20.0), st.floats(20.0, 2000.0))
def test_a_reachable_speed_is_reached_and_kept(
    first: Vec3, wanted: Vec3, speed: float, rise: float, jerk: float
) -> None:
    now = Motion3()
    for _ in range(40):
        now = held_within(now, first, speed, rise, jerk, DT)
    most = min(1.0, speed / max(math.hypot(*wanted), 1e-9))
    goal = (most * wanted[0], most * wanted[1], most * wanted[2])
    # as long as it takes with a corner at full acceleration, or without one, twice over
    ticks = round(2.0 * (2.0 * speed / rise + 4.0 * math.sqrt(2.0 * speed / jerk) + 2.0 * rise / jerk) / DT) + 50
    for _ in range(min(ticks, 40_000)):
        now = held_within(now, wanted, speed, rise, jerk, DT)
        if now == Motion3(goal):
            break
    assert apart(now.velocity, goal) < 1e-6 * max(1.0, speed)
    assert apart(held_within(now, wanted, speed, rise, jerk, DT).velocity, goal) < 1e-6 * max(1.0, speed)


@settings(max_examples=40)
@given(vectors, speeds, speeds, rises, jerks)
def test_a_limit_that_is_lowered_on_the_way_is_come_down_to(
    wanted: Vec3, speed: float, lower: float, rise: float, jerk: float
) -> None:
    now, last = Motion3(), 0.0
    for _ in range(500):
        now = held_within(now, wanted, speed, rise, jerk, DT)
    lower = min(lower, speed)
    bound = math.hypot(*now.velocity) + rise * rise / jerk  # its gain while the acceleration runs out
    for _ in range(500):
        after = held_within(now, wanted, lower, rise, jerk, DT)
        assert apart(after.velocity, now.velocity) <= rise * DT * MORE + 1e-12
        assert apart(after.acceleration, now.acceleration) <= jerk * DT * MORE + 1e-12
        now, last = after, math.hypot(*after.velocity)
        assert last <= max(lower, bound) * MORE


# ── As a filter ──────────────────────────────────────────────────────────────────────────────────────────────────


def test_jogs_are_held_and_it_is_said() -> None:
    limits, memory = TipLimits(speed=0.25, turn_speed=0.5), None
    for _ in range(800):
        demand, memory, notes = limits(Demand("x", {"arm": TipTwist((1.0, 0.0, 0.0), (0.0, 0.0, 2.0))}), view(), memory)
    twist = demand.motions["arm"]
    assert isinstance(twist, TipTwist)
    assert twist.linear == pytest.approx((0.25, 0.0, 0.0))
    assert twist.angular == pytest.approx((0.0, 0.0, 0.5))
    assert [worded(note) for note in notes] == [
        "The tip is limited to 0.25 m/s.",
        "The tip's rotation is limited to 28.6°/s.",
    ]


def test_letting_go_brakes_along_the_path_and_a_stop_does_not_wait() -> None:
    limits, memory = TipLimits(), None
    for _ in range(200):
        _, memory, _ = limits(Demand("x", {"arm": TipTwist((0.3, 0.0, 0.0), ZERO)}), view(), memory)
    demand, after, _ = limits(Demand(HOLD), view(), memory)
    twist = demand.motions["arm"]
    assert isinstance(twist, TipTwist)
    assert 0.29 < twist.linear[0] <= 0.3
    assert limits(Demand(STOP), view(), memory)[0] == Demand(STOP)
    for _ in range(1000):
        demand, after, _ = limits(Demand(HOLD), view(), after)
    assert demand == Demand(HOLD)


@settings(max_examples=8)
@given(vectors, st.tuples(*[st.floats(-1.5, 1.5)] * 3))
def test_a_pose_that_jumps_is_followed_within_the_limits(way: Vec3, turn: Vec3) -> None:
    limits, memory, tip = TipLimits(speed=0.5, jerk=30.0), None, Pose()
    target = Pose((0.3 * way[0], 0.3 * way[1], 0.3 * way[2]), from_rotation_vector(turn))
    last = TipTrack(tip)
    bends: list[tuple[Vec3, Vec3]] = [(ZERO, ZERO)]
    for _ in range(3000):
        demand, memory, _ = limits(Demand("x", {"arm": TipTrack(target)}), view(tip), memory)
        track = demand.motions["arm"]
        assert isinstance(track, TipTrack)
        v, w = track.linear, track.angular
        assert math.hypot(*v) <= 0.5 * MORE
        assert math.hypot(*w) <= limits.turn_speed * MORE
        assert apart(v, last.linear) <= limits.acceleration * DT * MORE + 1e-12
        assert apart(w, last.angular) <= limits.turn_acceleration * DT * MORE + 1e-12
        bend = tuple((a - b) / DT for a, b in zip(v + w, last.linear + last.angular, strict=True))
        assert apart(bend[:3], bends[-1][0]) <= limits.jerk * DT * MORE + 1e-9  # type: ignore[arg-type] # three
        bends.append((bend[:3], bend[3:]))  # type: ignore[arg-type] # three each
        last, tip = track, track.pose
    assert apart(tip.position, target.position) < 1e-4
    assert angle_between(tip.rotation, target.rotation) < 1e-3


# ── In a cell ────────────────────────────────────────────────────────────────────────────────────────────────────


def with_limits(**limits: float) -> Cell:
    plain = Cell.load("irb120")
    filters = ({"kind": "scale"}, {"kind": "limits", **limits})
    arm = replace(plain.spec.robots["arm"], filters=filters, avoid=None)
    return Cell(replace(plain.spec, robots={"arm": arm}), plain.path)


def fastest(hand: Hand, ticks: int) -> tuple[float, float]:
    """Go on for some ticks; return the highest speed of the tip's set-point, m/s and rad/s."""
    lane, top, spin = hand.cell.lanes["arm"], 0.0, 0.0
    last = lane.tip(hand.tick.lanes["arm"].setpoints["arm"].positions)
    for _ in range(ticks):
        hand.tick = hand.run.tick()
        tip = lane.tip(hand.tick.lanes["arm"].setpoints["arm"].positions)
        top = max(top, math.dist(tip.position, last.position) / DT)
        spin = max(spin, angle_between(tip.rotation, last.rotation) / DT)
        last = tip
    return top, spin


def test_joint_jogs_and_moves_are_held_to_the_top_speed_too() -> None:
    hand = Hand(with_limits(speed=0.2, turn_speed=0.6))
    hand.hand.set(deadman=True, axes=(1.0, 0.3))
    top, spin = fastest(hand, 600)
    assert 0.18 < top < 0.22
    assert spin < 0.69  # some joints are still slowing down
    assert top > 0.19 or spin > 0.59
    assert {"limits.speed", "limits.turn"} & set(hand.codes)
    hand.drive(0.5)
    hand.send(MoveJoints("arm", (-1.0, 0.0, 0.0, 0.0, 0.0, 1.0)))
    top, spin = fastest(hand, 3500)
    assert hand.mode == "idle"
    assert hand.joints == pytest.approx((-1.0, 0.0, 0.0, 0.0, 0.0, 1.0), abs=1e-3)
    assert top < 0.22
    assert spin < 0.69  # some joints are still slowing down


def test_tip_jogs_in_a_cell_are_as_fast_as_they_may_be() -> None:
    hand = Hand(with_limits(speed=0.1), "base axes")
    hand.hand.set(deadman=True, axes=(0.0, 1.0))
    top, _ = fastest(hand, 500)
    assert top == pytest.approx(0.1, rel=0.02)


def test_limits_of_zero_are_refused() -> None:
    for name in TipLimits.__struct_fields__:
        with pytest.raises(ConfigError, match=name):
            FILTERS["limits"]({name: 0.0})
