"""The rules of moves, number by number, for one joint and plans whose values are known."""

from __future__ import annotations

import math
from typing import Any

import pytest
import ruckig
from msgspec.structs import replace

from farhand.errors import CommandError
from farhand.formats.model import JointSpec
from farhand.lane.intake.inbox import Inbox
from farhand.lane.paths import joint_profiles, path_following
from farhand.lane.paths.joint_profiles import JointProfile, begin_profile, follow_profile, limits_of
from farhand.lane.paths.path_following import Follower, Following
from farhand.lane.paths.path_timing import Route
from farhand.lane.sources import SourceConfig, SourceView
from farhand.lane.sources.back_out import BackingOut, BackOut
from farhand.lane.sources.joint_move import JointMove
from farhand.lane.sources.source import STUCK_S, progress
from farhand.lane.sources.taught_path import TaughtPath
from farhand.poses import Pose
from farhand.types import JointTrack, RobotState, Setpoint, Trajectory

DT = 0.01
JUST = 1e-9  # a little more, or less
# A way of 10 s whose places are a tenth of its seconds, and back.
WAY = Trajectory("way", ((0.0,), (0.4,), (1.0,)), (0.0, 4.0, 10.0), ((0.1,),) * 3)
BACK = Trajectory("back", ((1.0,), (0.0,)), (0.0, 10.0), ((-0.1,),) * 2)
POINTS = Trajectory("points", ((0.1,), (0.2,), (0.3,)))


def joint(velocity: float = 1.0, acceleration: float = 4.0) -> JointSpec:
    limits: dict[str, Any] = {"velocity": velocity, "acceleration": acceleration, "jerk": 40.0, "effort": 1.0}
    return JointSpec(name="turn", kind="hinge", lower=-9.0, upper=9.0, home=0.0, **limits)


def at(place: float, rate: float = 0.0) -> Setpoint:
    return Setpoint((place,), (rate,), (0.0,))


def plan(start: float, goal: float) -> Any:
    """Return the plan for one joint, within nine tenths of its limits."""
    ask, found = ruckig.InputParameter(1), ruckig.Trajectory(1)
    ask.current_position, ask.target_position = [start], [goal]
    ask.max_velocity, ask.max_acceleration, ask.max_jerk = [0.9], [3.6], [36.0]
    ruckig.Ruckig(1).calculate(ask, found)
    return found


def mover(*joints: JointSpec) -> Follower:
    return Follower(joints or (joint(),), DT)


def config() -> SourceConfig:
    return SourceConfig("arm", (joint(),), (0.0,), DT, {})


def view(setpoint: Setpoint, speed: float = 1.0, trail: tuple[tuple[float, ...], ...] = ()) -> SourceView:
    robot = RobotState({}, Pose((0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)))
    return SourceView(
        0, robot, {"arm": setpoint}, setpoint, speed, trail, Inbox().reading, "joints", 1.0, engaged=False
    )


def start(goal: float, setpoint: Setpoint, speed: float) -> JointProfile:
    return begin_profile(limits_of((joint(),)), (goal,), setpoint, speed)


def follow(motion: Any, setpoint: Setpoint, speed: float, *joints: JointSpec) -> tuple[JointTrack, Any, bool]:
    """Follow a motion to a goal, or along a path."""
    if isinstance(motion, JointProfile):
        return follow_profile(limits_of(joints or (joint(),)), motion, setpoint, speed, DT)
    return mover(*joints).follow(motion, setpoint, speed)


def under_way(**fields: Any) -> JointProfile:
    """Return a move from 0 to 2, at full speed, in the middle of it."""
    return replace(JointProfile((2.0,), at(0.0), elapsed=1.0), **fields)


def along(seconds: float, **fields: Any) -> Following:
    """Return a motion that follows the way with times."""
    return replace(Following(WAY, seconds, pace=1.0), **fields)


def followed(motion: Any, place: float, speed: float = 1.0, rate: float = 0.0) -> Any:
    return follow(motion, at(place, rate), speed)[1]


# ── A move to a goal ─────────────────────────────────────────────────────────────────────────────────────────────


def test_a_new_move_is_at_its_beginning() -> None:
    assert JointProfile((1.0,), at(0.0)) == JointProfile((1.0,), at(0.0), 0.0, 0.0, 1.0)
    assert Following(WAY) == Following(WAY, 0.0, None, 0.0, 0.0)
    assert STUCK_S == 1.0


@pytest.mark.parametrize(
    ("waited", "arrived", "status"),
    [
        (0.0, False, "running"),
        (DT, False, "waiting"),
        (1.0, False, "waiting"),
        (1.0 + JUST, False, "stuck"),
        (0.0, True, "arrived"),
        (1.0, True, "arrived"),
        (1.0 + JUST, True, "stuck"),
    ],
)
def test_a_motion_that_does_not_get_on_waits_and_is_stuck_after_a_second(
    waited: float, status: str, *, arrived: bool
) -> None:
    assert progress(waited, arrived=arrived) == status


def test_an_interrupted_move_begins_anew_where_it_was_on_its_way() -> None:
    moved = JointMove(config()).resume(JointProfile((1.0,), at(0.0), 0.4, 0.3, 0.2), view(at(0.1), 0.5))
    assert moved == JointProfile((1.0,), at(0.1), pace=0.5)
    went = TaughtPath(config()).resume(Following(WAY, 3.0, None, 0.3, 0.2), view(at(0.0), 0.5))
    assert went == Following(WAY, 3.0, JointProfile(went.approach.goal, at(0.0), pace=0.5))  # type: ignore[union-attr]
    assert went.approach is not None
    assert went.approach.goal == pytest.approx((0.3,))
    backed = BackOut(config()).resume(BackingOut(Following(WAY, 3.0, None, 0.3, 0.2), 4), view(at(0.0), 0.5))
    assert backed == BackingOut(replace(went, approach=replace(went.approach, pace=0.25)), 4)


def test_a_move_without_a_goal_goes_home() -> None:
    assert JointMove(config()).begin((), view(at(0.5))).goal == (0.0,)
    assert JointMove(config()).begin((0.7,), view(at(0.5))).goal == (0.7,)


def test_a_move_uses_nine_tenths_of_velocity_acceleration_and_jerk() -> None:
    expected = plan(0.0, 2.0)
    move = JointProfile((2.0,), at(0.0))
    for tick in range(1, round(expected.duration / DT)):
        place = expected.at_time(move.elapsed)[0][0]
        track, move, _ = follow(move, at(place), 1.0)
        position, rate, _ = expected.at_time(tick * DT)
        assert (track.positions[0], track.rates[0]) == pytest.approx((position[0], rate[0]), abs=1e-9)


def test_a_move_begins_at_the_chosen_speed_or_goes_on_at_full_speed_where_it_is_in_motion() -> None:
    assert start(1.0, at(0.0), 0.3).pace == 0.3
    assert start(1.0, at(0.0, 0.2), 0.3).pace == 1.0


def test_a_plan_goes_on_from_the_motion_there_is() -> None:
    track, _, _ = follow(start(1.0, at(0.0, 0.5), 1.0), at(0.0, 0.5), 1.0)
    assert track.rates[0] == pytest.approx(0.5, abs=0.01)


def test_there_is_no_way_to_what_is_no_number() -> None:
    with pytest.raises(CommandError, match="no smooth motion"):
        start(math.nan, at(0.0), 1.0)


@pytest.mark.parametrize(
    ("pace", "speed", "then"), [(0.5, 1.0, 0.54), (0.5, 0.0, 0.46), (0.5, 0.51, 0.51), (0.5, 0.49, 0.49)]
)
def test_another_speed_comes_within_a_quarter_of_a_second(pace: float, speed: float, then: float) -> None:
    place = plan(0.0, 2.0).at_time(1.0)[0][0]
    track, move, _ = follow(under_way(pace=pace), at(place), speed)
    assert (move.pace, move.elapsed) == pytest.approx((then, 1.0 + then * DT))
    assert track.rates[0] == pytest.approx(then * plan(0.0, 2.0).at_time(1.0 + then * DT)[1][0])


@pytest.mark.parametrize(("lag", "share"), [(0.0, 1.0), (0.04, 1.0), (0.05, 1.0), (0.075, 0.5), (0.1, 0.0), (0.2, 0.0)])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_plan_slows_down_from_50_mm_of_lead_and_waits_at_100(lag: float, share: float, sign: float) -> None:
    place = plan(0.0, 2.0).at_time(1.0)[0][0]
    move = followed(under_way(), place - sign * lag)
    assert move.elapsed == pytest.approx(1.0 + share * DT)
    assert move.pace == 1.0
    way = followed(along(5.0), 0.5 - sign * lag)
    assert way.along == pytest.approx(5.0 + share * DT)


def test_backing_out_never_exceeds_a_quarter_of_full_speed() -> None:
    one, place = BackOut(config()), plan(0.0, 2.0).at_time(1.0)[0][0]
    to_the_path = BackingOut(Following(WAY, 0.0, under_way(pace=0.25)), 4)
    assert one.step(view(at(place)), to_the_path)[1].following.approach.pace == 0.25
    assert one.step(view(at(0.5)), BackingOut(along(5.0, pace=0.25), 4))[1].following.pace == 0.25


@pytest.mark.parametrize(
    ("place", "rate", "elapsed", "done"),
    [
        (2.0, 0.0, 0.0, True),
        (2.0, 0.0, -DT, False),
        (2.0, 1e-4, 0.0, False),
        (2.0, 1e-4 - JUST, 0.0, True),
        (2.0 - 1.01e-4, 0.0, 0.0, False),
        (2.0 - 0.99e-4, 0.0, 0.0, True),
    ],
)
def test_a_move_has_arrived_when_its_plan_ended_and_the_arm_rests_there(
    place: float, rate: float, elapsed: float, *, done: bool
) -> None:
    move = under_way(elapsed=plan(0.0, 2.0).duration + elapsed, pace=0.0)
    assert follow(move, at(place, rate), 0.0)[2] == done


@pytest.mark.parametrize(("lag", "done"), [(1e-4, False), (1e-4 - JUST, True)])
def test_no_further_than_a_tenth_of_a_millimetre_away(lag: float, *, done: bool) -> None:
    assert follow(JointProfile((0.0,), at(0.0)), at(lag), 1.0)[2] == done
    assert follow(along(10.0, taught=BACK), at(lag), 1.0)[2] == done


@pytest.mark.parametrize(
    ("share", "rate", "waited"), [(0.05, 0.0, 0.0), (0.051, 0.0, 0.4 + DT), (0.5, 0.0, 0.4 + DT), (0.5, 1e-4, 0.0)]
)
def test_a_move_waits_while_the_arm_rests_after_its_first_twentieth(share: float, rate: float, waited: float) -> None:
    move = under_way(elapsed=share * plan(0.0, 2.0).duration, waited=0.4)
    assert followed(move, 0.0, rate=rate).waited == pytest.approx(waited)


def test_a_plan_is_worked_out_anew_for_another_goal_and_another_start() -> None:
    places = [
        follow(JointProfile((goal,), at(begun), elapsed=9.0), at(goal), 1.0)[0].positions[0]
        for goal, begun in ((1.0, 0.0), (2.0, 0.0), (2.0, 1.5), (1.0, 0.0))
    ]
    assert places == pytest.approx([1.0, 2.0, 2.0, 1.0])
    for begun in (0.0, 0.5):
        track, _, _ = follow(JointProfile((2.0,), at(begun)), at(begun), 0.0)
        assert track.positions[0] == pytest.approx(begun, abs=1e-3)


def test_the_approach_to_a_path_gets_on() -> None:
    _, path_following, _ = mover().follow(Following(WAY, 0.0, under_way()), at(plan(0.0, 2.0).at_time(1.0)[0][0]), 1.0)
    assert path_following.approach is not None
    assert path_following.approach.elapsed == pytest.approx(1.0 + DT)


def test_a_plan_is_worked_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def counting(name: str, make: Any) -> Any:
        def made(*given: Any) -> Any:
            counted.append(name)
            return make(*given)

        return made

    monkeypatch.setattr(ruckig, "Trajectory", counting("plan", ruckig.Trajectory))
    monkeypatch.setattr(path_following, "Route", counting("route", Route))
    one = mover()
    joint_profiles.plan_profile.cache_clear()
    for move in (Following(WAY, 0.0, under_way()), along(5.0)):
        for _ in range(3):
            one.follow(move, at(0.5), 1.0)
    assert counted == ["plan", "route"]


# ── Several joints ───────────────────────────────────────────────────────────────────────────────────────────────


def both(place: float, *rates: float) -> Setpoint:
    return Setpoint((place, place), rates, (0.0, 0.0))


@pytest.mark.parametrize("rates", [(0.0, 0.2), (0.2, 0.0)])
def test_an_arm_is_in_motion_while_one_of_its_joints_is(rates: tuple[float, float]) -> None:
    one = mover(joint(), joint())
    assert begin_profile(limits_of((joint(), joint())), (1.0, 1.0), both(0.0, *rates), 0.3).pace == 1.0
    there = JointProfile((0.0, 0.0), both(0.0, 0.0, 0.0), waited=0.4)
    assert follow(there, both(0.0, 0.0, 0.0), 1.0, joint(), joint())[2]
    assert not follow(there, both(0.0, *rates), 1.0, joint(), joint())[2]
    way = Trajectory("way", ((0.0, 0.0), (1.0, 1.0)), (0.0, 10.0), ((0.1, 0.1),) * 2)
    assert one.begin(way, 0.0, both(0.0, 0.0, 0.0), 1.0).approach is None
    assert one.begin(way, 0.0, both(0.0, *rates), 1.0).approach is not None
    ended = Following(way, 10.0, pace=1.0)
    assert one.follow(ended, both(1.0, 0.0, 0.0), 1.0)[2]
    assert not one.follow(ended, both(1.0, *rates), 1.0)[2]


@pytest.mark.parametrize("places", [(0.0, 0.01), (0.01, 0.0)])
def test_an_arm_has_arrived_when_all_of_its_joints_have(places: tuple[float, float]) -> None:
    there = JointProfile((0.0, 0.0), both(0.0, 0.0, 0.0))
    assert not follow(there, Setpoint(places, (0.0, 0.0), (0.0, 0.0)), 1.0, joint(), joint())[2]


def test_an_arm_with_another_number_of_joints_is_not_followed() -> None:
    with pytest.raises(ValueError, match="zip"):
        follow(under_way(), both(0.0, 0.0, 0.0), 1.0)


# ── A way from point to point ────────────────────────────────────────────────────────────────────────────────────


def test_a_way_without_times_goes_from_point_to_point() -> None:
    one = mover()
    move = one.begin(POINTS, 0.0, at(0.1), 0.5)
    assert move == Following(POINTS, 0.0, JointProfile((0.1,), at(0.1), pace=0.5))
    _, still, done = one.follow(move, at(0.05), 0.5)  # not there yet
    assert still.approach is not None
    assert (still.approach.goal, still.along, still.approach.start, done) == ((0.1,), 0.0, at(0.1), False)
    for number, place, goal in ((1, 0.1, 0.2), (2, 0.2, 0.3)):
        _, move, done = one.follow(at_its_end(move), at(place), 0.5)
        assert move == Following(POINTS, number, JointProfile((goal,), at(place), pace=0.5))
        assert not done
    _, move, done = one.follow(at_its_end(move), at(0.3), 0.5)
    assert (move.along, done) == (3.0, True)


def at_its_end(move: Following) -> Following:
    assert move.approach is not None
    return replace(move, approach=replace(move.approach, elapsed=9.0, waited=0.3))


def test_a_motion_to_a_point_tells_how_long_it_waits() -> None:
    to_the_path = Following(WAY, 0.0, under_way(waited=0.4))
    assert followed(to_the_path, 0.0).waited == pytest.approx(0.4 + DT)
    assert followed(to_the_path, 0.0, rate=1e-4).waited == 0.0


def test_a_move_begins_at_the_speed_that_is_chosen_and_backing_out_at_a_quarter() -> None:
    assert JointMove(config()).begin((0.7,), view(at(0.0), 0.5)) == JointProfile((0.7,), at(0.0), pace=0.5)
    trail = ((0.0,), (0.1,), (0.2,))
    backing = BackOut(config()).begin(None, view(at(0.2), 0.5, trail))
    assert isinstance(backing, BackingOut)
    assert (backing.trail, backing.following.along, backing.following.approach) == (2, 0.0, None)
    left = replace(backing.following, along=0.0)
    moved = BackOut(config()).resume(BackingOut(left, 2), view(at(0.5), 0.5))
    assert moved.following.approach == JointProfile((0.2,), at(0.5), pace=0.25)
    slower = BackOut(config()).resume(BackingOut(left, 2), view(at(0.5), 0.2))
    assert slower.following.approach == JointProfile((0.2,), at(0.5), pace=0.2)


def test_a_way_with_times_is_joined_by_a_move_to_where_it_was_left() -> None:
    one = mover()
    move = one.begin(WAY, 5.0, at(0.0), 1.0)
    assert move.approach is not None
    assert one.passed(move) == 0
    assert move.approach.goal == pytest.approx((0.5,))
    _, move, done = one.follow(at_its_end(move), at(0.5), 1.0)
    assert (move, done) == (Following(WAY, 5.0, None, 0.0, 0.0), False)
    assert one.passed(move) == 1
    assert BackOut(config()).remaining(BackingOut(move, 4)) == 3


@pytest.mark.parametrize(
    ("place", "rate", "at_once", "joined"),
    [
        (0.0, 0.0, False, True),
        (1e-3, 0.0, False, False),
        (1e-3 - JUST, 0.0, False, True),
        (0.0, 1e-3, False, False),
        (0.0, 1e-3 - JUST, False, True),
        (0.05, 0.3, True, False),
        (0.05 - JUST, 0.3, True, True),
    ],
)
def test_a_way_is_followed_at_once_from_where_it_begins(
    place: float, rate: float, *, at_once: bool, joined: bool
) -> None:
    move = mover().begin(WAY, 0.0, at(place, rate), 1.0, at_once=at_once)
    if joined:
        assert move == Following(WAY, 0.0, None, 0.0, 0.0)
    else:
        assert move.approach is not None
        assert (move.approach.start, move.taught, move.waited) == (at(place, rate), WAY, 0.0)


def test_a_path_begins_at_its_first_point() -> None:
    assert TaughtPath(config()).begin((WAY, 0.0), view(at(0.0))) == Following(WAY, 0.0)


def test_backing_out_begins_in_motion_and_a_little_away() -> None:
    one = BackOut(config())
    begun = one.begin(None, view(at(0.2, 0.3), 1.0, ((0.0,), (0.1,), (0.2,))))
    assert isinstance(begun, BackingOut)
    assert begun.following.approach is None
    assert one.resume(BackingOut(along(5.0), 4), view(at(0.54, 0.3))).following == Following(WAY, 5.0)


def test_backing_out_gets_on() -> None:
    _, moved, status, _ = BackOut(config()).step(view(at(0.5)), BackingOut(along(5.0, pace=0.25), 4))
    assert (moved.following.along, moved.trail, status) == (pytest.approx(5.0 + 0.25 * DT), 4, "running")


def test_two_ways_are_told_apart() -> None:
    one = mover()
    for way, place in ((WAY, 0.2), (BACK, 0.8), (WAY, 0.2)):
        approach = one.begin(way, 2.0, at(5.0), 1.0).approach
        assert approach is not None
        assert approach.goal == pytest.approx((place,))


# ── A way with times ─────────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("joints", "step"), [((joint(),), 0.02), ((joint(acceleration=40.0),), 0.04), ((joint(2.0),), 0.01)]
)
@pytest.mark.parametrize(("pace", "speed", "sign"), [(0.5, 1.0, 1.0), (0.5, 0.0, -1.0)])
def test_its_pace_changes_no_faster_than_a_joint_may(
    joints: tuple[JointSpec, ...], step: float, pace: float, speed: float, sign: float
) -> None:
    track, move, _ = follow(along(5.0, pace=pace), at(0.5), speed, *joints)
    assert move.pace == pytest.approx(pace + sign * step)
    assert move.along == pytest.approx(5.0 + move.pace * DT)
    assert track.positions[0] == pytest.approx(0.1 * move.along)
    assert track.rates[0] == pytest.approx(0.1 * move.pace)


@pytest.mark.parametrize(("speed", "pace"), [(0.505, 0.505), (0.495, 0.495)])
def test_its_pace_comes_to_the_chosen_one(speed: float, pace: float) -> None:
    assert followed(along(5.0, pace=0.5), 0.5, speed).pace == pytest.approx(pace)


def test_it_slows_down_before_its_end() -> None:
    assert followed(along(9.99, pace=0.205), 0.999).pace == pytest.approx(0.2)
    assert followed(along(9.99, pace=0.205), 0.999).along == pytest.approx(9.992)
    assert followed(along(9.0, pace=1.0), 0.9).pace == 1.0


@pytest.mark.parametrize(("lag", "gone"), [(0.0, 1e-4), (0.05 - JUST, 1e-4), (0.05, 0.0), (0.11, 0.0)])
def test_it_goes_on_with_a_hundredth_of_full_speed_at_least(lag: float, gone: float) -> None:
    assert followed(along(0.0, pace=0.0), lag, 0.0).along == pytest.approx(gone, abs=1e-12)


def test_it_stays_at_its_end() -> None:
    track, move, done = follow(along(9.9999, pace=1.0), at(1.0), 1.0)
    assert (move.along, track.positions, done) == (10.0, (1.0,), True)


@pytest.mark.parametrize(
    ("seconds", "place", "rate", "done"),
    [(10.0, 0.0, 0.0, True), (10.0, 0.0, 1e-4, False), (10.0, 2e-4, 0.0, False), (9.9, 0.01, 0.0, False)],
)
def test_it_has_arrived_when_the_arm_rests_at_its_end(seconds: float, place: float, rate: float, *, done: bool) -> None:
    assert follow(along(seconds, taught=BACK), at(place, rate), 1.0)[2] == done


@pytest.mark.parametrize(
    ("seconds", "place", "rate", "waited"),
    [
        (10.0, 0.0, 0.0, 0.4 + DT),
        (10.0, 0.0, 1e-4, 0.0),
        (9.0, 0.1, 0.0, 0.0),
        (9.0, 0.102, 0.0, 0.4 + DT),
        (9.0, 0.102, 1e-4, 0.0),
    ],
)
def test_it_waits_where_the_arm_rests_behind_it(seconds: float, place: float, rate: float, waited: float) -> None:
    move = followed(along(seconds, taught=BACK, waited=0.4), place, rate=rate)
    assert move.waited == pytest.approx(waited)


@pytest.mark.parametrize(("lag", "waited"), [(1e-3, 0.0), (1e-3 + JUST, 0.4 + DT)])
def test_it_is_behind_from_a_millimetre_on(lag: float, waited: float) -> None:
    assert followed(along(0.0, waited=0.4), lag).waited == pytest.approx(waited)
