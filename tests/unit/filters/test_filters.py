"""Filters slow and bound; they never speed anything up."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from worded import worded

from farhand.config import ConfigError
from farhand.filters import FILTERS, Scale, Smooth, View, Workspace, run_filters
from farhand.filters.scale import scaled
from farhand.poses import Pose, Vec3
from farhand.types import HOLD, STOP, Demand, GripRate, GripTo, JointRates, JointTrack, Motion, RobotState, TipTwist

DT = 0.002
vectors = st.tuples(*[st.floats(-3.0, 3.0)] * 3)


def view(*position: float, speed: float = 1.0, tip_speed: float = 0.0) -> View:
    x, y, z = position or (0.0, 0.0, 0.0)
    return View(RobotState({}, Pose((x, y, z))), Pose((x, y, z)), tip_speed, speed, DT)


def twist(demand: Demand) -> TipTwist:
    motion = demand.motions["arm"]
    assert isinstance(motion, TipTwist)
    return motion


def test_scale_ramps_in_and_then_gives_the_chosen_share() -> None:
    scale, memory = Scale(ramp=0.1), None
    speeds: list[float] = []
    for _ in range(100):
        demand, memory, notes = scale(Demand("hand", {"arm": JointRates((1.0,))}), view(speed=0.5), memory)
        assert [note.code for note in notes] == (["scale.ramp"] if len(speeds) < 49 else [])
        motion = demand.motions["arm"]
        assert isinstance(motion, JointRates)
        speeds.append(motion.rates[0])
    assert speeds == sorted(speeds)
    assert speeds[0] == pytest.approx(0.5 * DT / 0.1)
    assert speeds[-1] == 0.5


def test_scale_starts_anew_with_another_source() -> None:
    scale = Scale(ramp=0.1)
    _, memory, _ = scale(Demand("a", {}), view(), ("a", 1.0))
    assert memory == ("a", 1.0)
    _, memory, _ = scale(Demand("b", {}), view(), memory)
    assert memory == ("b", DT / 0.1)


MOTIONS: list[Motion] = [
    JointRates((1.0, -2.0)),
    TipTwist((1.0, 2.0, 3.0), (0.1, 0.2, 0.3), "tool", "base"),
    GripRate(0.5),
    GripTo(0.1),
    JointTrack((1.0,), (2.0,)),
]


@pytest.mark.parametrize("motion", MOTIONS)
def test_scaling_keeps_kind_and_frames(motion: Motion) -> None:
    half = scaled(motion, 0.5)
    assert type(half) is type(motion)
    if isinstance(motion, TipTwist) and isinstance(half, TipTwist):
        assert (half.frame, half.turn_frame) == (motion.frame, motion.turn_frame)
        assert half.linear == (0.5, 1.0, 1.5)
    if isinstance(motion, JointTrack):
        assert half == motion  # a place is not a speed
    if isinstance(motion, GripTo):
        assert half == GripTo(0.1, 0.5)  # but the way there has one


@given(st.lists(vectors, min_size=1, max_size=30), st.lists(vectors, min_size=1, max_size=30))
def test_smooth_keeps_speed_and_acceleration(linears: list[Vec3], angulars: list[Vec3]) -> None:
    smooth, memory, last = Smooth(), None, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for linear, angular in zip(linears, angulars, strict=False):
        demand, memory, notes = smooth(Demand("hand", {"arm": TipTwist(linear, angular)}), view(), memory)
        now = twist(demand)
        assert math.hypot(*now.linear) <= smooth.speed + 1e-9
        assert math.hypot(*now.angular) <= smooth.turn_speed + 1e-9
        assert math.dist(now.linear, last[0]) <= smooth.braking * DT + 1e-9
        assert math.dist(now.angular, last[1]) <= smooth.turn_braking * DT + 1e-9
        too_fast = math.hypot(*linear) > smooth.speed or math.hypot(*angular) > smooth.turn_speed
        assert bool(notes) == too_fast
        last = (now.linear, now.angular)


def test_letting_go_brakes_on_the_path_and_a_stop_does_not_wait() -> None:
    smooth = Smooth()
    memory = (("base", "base"), (0.2, 0.0, 0.0), (0.0, 0.0, 0.0))
    demand, after, _ = smooth(Demand(HOLD), view(), memory)
    assert 0.0 < twist(demand).linear[0] < 0.2
    for _ in range(200):
        demand, after, _ = smooth(Demand(HOLD), view(), after)
    assert demand.motions == {}
    stopped, after, _ = smooth(Demand(STOP), view(), memory)
    assert stopped.motions == {}
    assert after is None


def test_a_change_of_axes_keeps_the_motion_going() -> None:
    turned = Pose((0.0, 0.0, 0.0), (math.sqrt(0.5), 0.0, 0.0, math.sqrt(0.5)))  # tool x is base y
    seen = View(RobotState({}, turned), turned, 0.2, 1.0, DT)
    memory = (("base", "base"), (0.0, 0.2, 0.0), (0.0, 0.0, 0.3))
    tool = Demand("tool axes", {"arm": TipTwist((0.2, 0.0, 0.0), (0.0, 0.0, 0.3), "tool", "tool")})
    demand, _, _ = Smooth()(tool, seen, memory)
    assert twist(demand).linear == pytest.approx((0.2, 0.0, 0.0), abs=1e-12)
    assert twist(demand).angular == pytest.approx((0.0, 0.0, 0.3), abs=1e-12)


BOX = Workspace((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), braking=2.0)


@given(st.tuples(*[st.floats(-1.5, 1.5)] * 3), st.floats(0.0, 4.0))
def test_walls_close_before_a_face_and_never_behind(position: Vec3, tip_speed: float) -> None:
    demand, _, notes = BOX(Demand("hand"), view(*position, tip_speed=tip_speed), None)
    assert notes == ()
    # A face is left out only if the tip could still stop before it, however it speeds up in this tick.
    faces = [(axis, sign) for axis in range(3) for sign in (1.0, -1.0)]
    laid = {wall.normal for wall in demand.walls}
    for axis, sign in faces:
        gap = 1.0 - sign * position[axis]
        if tuple(sign * float(i == axis) for i in range(3)) not in laid:
            assert (tip_speed + 0.1) ** 2 < 2 * BOX.braking * gap
    for wall in demand.walls:
        assert wall.speed >= 0.0
        gap = 1.0 - sum(n * p for n, p in zip(wall.normal, position, strict=True))
        assert wall.gap == pytest.approx(gap)
        # From this speed one can stop within the gap, and one tick does not cross it.
        assert wall.speed**2 <= 2 * BOX.braking * max(gap, 0.0) + 1e-9
        assert wall.speed * DT <= max(gap, 0.0) + 1e-12


def test_a_face_at_hand_is_closed_and_named() -> None:
    demand, _, _ = BOX(Demand("hand"), view(1.0, 0.0, 0.0), None)
    front = next(wall for wall in demand.walls if wall.normal == (1.0, 0.0, 0.0))
    assert front.speed == 0.0
    assert (front.kind, front.name) == ("face", "front")


def test_an_inverted_box_is_refused() -> None:
    with pytest.raises(ConfigError, match="lower y"):
        FILTERS["workspace"]({"lower": [0.0, 1.0, 0.0], "upper": [1.0, 1.0, 1.0]})


def test_notes_of_a_chain_accumulate() -> None:
    fast = Demand("hand", {"arm": TipTwist((9.0, 0.0, 0.0), (0.0, 0.0, 0.0))})
    demand, memories, notes = run_filters((Smooth(), Smooth()), fast, view(), (None, None))
    assert len(memories) == 2
    assert [note.code for note in notes] == ["smooth.speed"]
    assert worded(notes[0]) == "You are asking for more than the tip's top speed (1 m/s and 172°/s)."
    assert math.hypot(*twist(demand).linear) <= 1.0
