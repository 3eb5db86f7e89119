"""Dragging the tip: a straight path, no overshoot, and a bounded demand for any target."""

import math
from itertools import pairwise

import pytest
from hands import Hand, rough_cell, wall_ahead
from hypothesis import given
from hypothesis import strategies as st
from worded import worded

from farhand import poses
from farhand.config import ConfigError
from farhand.mapping import MAPPINGS, DragTip, DrivenRobot
from farhand.poses import Pose, Vec3
from farhand.types import GripTo, GroupState, Motion, Reading, RobotState, TipTwist

DRIVEN = DrivenRobot((1.0,) * 6, 0.1, 0.2)
DT = 0.002
points = st.tuples(*[st.floats(-2.0, 2.0)] * 3)
anywhere = st.tuples(*[st.floats(allow_nan=False, allow_infinity=False)] * 3)
turns = st.tuples(*[st.floats(-3.0, 3.0)] * 3).map(poses.from_rotation_vector)


def robot_at(pose: Pose) -> RobotState:
    groups = {"arm": GroupState((0.0,), (0.0,), (0.0,)), "gripper": GroupState((0.1,), (0.0,), (0.0,))}
    return RobotState(groups, pose)


def asked(drag: DragTip, there: Pose | None, here: Pose = poses.IDENTITY) -> TipTwist:
    motions: dict[str, Motion] = drag(Reading(pose=there), robot_at(here), None)[0]
    twist = motions["arm"]
    assert isinstance(twist, TipTwist)
    assert (twist.frame, twist.turn_frame) == ("base", "base")
    return twist


def along(vector: Vec3, way: Vec3) -> float:
    """Return the cosine of the angle between two vectors."""
    return sum(a * b for a, b in zip(vector, way, strict=True)) / (math.hypot(*vector) * math.hypot(*way))


# ── The law of the speed ─────────────────────────────────────────────────────────────────────────────────────────


@given(points, points)
def test_it_asks_for_a_straight_path_at_a_speed_that_can_be_braked(there: Vec3, here: Vec3) -> None:
    drag = DragTip(driven=DRIVEN)
    way: Vec3 = (there[0] - here[0], there[1] - here[1], there[2] - here[2])
    left, speed = math.hypot(*way), math.hypot(*asked(drag, Pose(there), Pose(here)).linear)
    most = min(drag.speed, drag.gain * left, math.sqrt(2.0 * drag.braking * left))
    assert speed <= most * (1.0 + 1e-9)
    assert speed >= 0.6 * most  # and it does not dawdle
    if left > 1e-9:
        assert along(asked(drag, Pose(there), Pose(here)).linear, way) == pytest.approx(1.0)


@given(st.floats(1e-4, 2.0), st.floats(0.1, 3.0), st.floats(1.0, 20.0), st.floats(0.5, 5.0))
def test_it_never_overshoots_and_never_exceeds_its_braking(
    left: float, speed: float, gain: float, braking: float
) -> None:
    drag, here, speeds = DragTip(driven=DRIVEN, speed=speed, gain=gain, braking=braking), 0.0, []
    for _ in range(20_000):
        speeds.append(asked(drag, Pose((left, 0.0, 0.0)), Pose((here, 0.0, 0.0))).linear[0])
        here += speeds[-1] * DT
        assert here <= left * (1.0 + 1e-12)
        if left - here < 1e-5:
            break
    assert left - here < 1e-5
    slowing = [(a - b) / DT for a, b in pairwise(speeds)]
    assert max(slowing, default=0.0) <= braking * 1.05


@given(anywhere, points)
def test_the_demand_is_bounded_for_any_target(there: Vec3, here: Vec3) -> None:
    drag = DragTip(driven=DRIVEN, turn=True)
    twist = asked(drag, Pose(there), Pose(here))
    assert math.hypot(*twist.linear) <= drag.speed * (1.0 + 1e-9)
    assert math.hypot(*twist.angular) <= drag.turn_speed * (1.0 + 1e-9)


@given(turns, turns)
def test_it_turns_the_short_way_if_asked_to_and_not_otherwise(there: poses.Quaternion, here: poses.Quaternion) -> None:
    goal, now = Pose(rotation=there), Pose(rotation=here)
    assert not any(asked(DragTip(driven=DRIVEN), goal, now).angular)
    left = poses.angle_between(here, there)
    rates = asked(DragTip(driven=DRIVEN, turn=True), goal, now).angular
    after = poses.moved(now, (0.0, 0.0, 0.0), (rates[0] * DT, rates[1] * DT, rates[2] * DT))
    assert poses.angle_between(after.rotation, there) == pytest.approx(left - math.hypot(*rates) * DT, abs=1e-9)


def test_without_a_pose_the_tip_stays_and_the_trigger_still_grips() -> None:
    drag = DragTip(driven=DRIVEN)
    motions, memory = drag(Reading(grip=0.0), robot_at(Pose()), None)
    assert motions == {"arm": TipTwist((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), "gripper": GripTo(0.1)}
    motions, _ = drag(Reading(grip=0.5), robot_at(Pose()), memory)
    assert motions["gripper"] == GripTo(0.05)


def test_its_table_is_checked() -> None:
    made = MAPPINGS["drag-tip"]({"speed": 0.1, "turn": True}, DRIVEN)
    assert made == DragTip(driven=DRIVEN, speed=0.1, turn=True)
    with pytest.raises(ConfigError, match="speed: "):
        MAPPINGS["drag-tip"]({"speed": 0.0}, DRIVEN)
    with pytest.raises(ConfigError, match="has no field 'sped'"):
        MAPPINGS["drag-tip"]({"sped": 1.0}, DRIVEN)


# ── With a real arm ──────────────────────────────────────────────────────────────────────────────────────────────


@pytest.fixture
def hand() -> Hand:
    hand = Hand(rough_cell(), "pointer")
    hand.drive(0.1)
    return hand


def drag(hand: Hand, seconds: float, *there: float) -> list[Vec3]:
    """Return the tip's path while the pointer is held at a point; check the joints' limits on the way."""
    x, y, z = there
    hand.hand.set(deadman=True, pose=Pose((x, y, z)))
    joints, path = hand.cell.lanes["arm"].model.arm.joints, []
    for _ in range(round(seconds / hand.cell.dt)):
        last = hand.tick.lanes["arm"].setpoints["arm"]
        hand.tick = hand.run.tick()
        now = hand.tick.lanes["arm"].setpoints["arm"]
        for joint, a, b, before in zip(joints, now.accelerations, now.rates, last.rates, strict=True):
            assert abs(a) <= joint.acceleration * (1.0 + 1e-9)
            assert abs(b - before) <= joint.acceleration * hand.cell.dt * (1.0 + 1e-9)
        path.append(hand.tip.position)
    return path


def beside(hand: Hand, *step: float) -> Vec3:
    x, y, z = hand.tip.position
    return (x + step[0], y + step[1], z + step[2])


@pytest.mark.parametrize("step", [(0.0, 0.3, 0.0), (0.0, 0.0, -0.2), (0.005, 0.0, 0.0), (-0.1, 0.2, 0.1)])
def test_the_tip_goes_straight_to_the_pointer_and_no_further(hand: Hand, step: Vec3) -> None:
    start, there = hand.tip, beside(hand, *step)
    path = drag(hand, 2.5, *there)
    length = math.hypot(*step)
    for point in path:
        way: Vec3 = (point[0] - start.position[0], point[1] - start.position[1], point[2] - start.position[2])
        gone = sum(a * b / length for a, b in zip(way, step, strict=True))
        assert gone < length + 5e-5
        assert math.dist(way, [gone * b / length for b in step]) < 2e-4
    assert math.dist(path[-1], there) < 1e-5
    assert poses.angle_between(start.rotation, hand.tip.rotation) < 1e-3


def test_it_glides_in_at_every_speed_level(hand: Hand) -> None:
    slow = Hand(rough_cell(), "pointer", 3)
    slow.drive(0.1)
    there = beside(slow, 0.0, 0.05, 0.0)
    path = drag(slow, 4.0, *there)
    assert math.dist(path[-1], there) < 1e-4
    assert max(math.dist(a, b) for a, b in pairwise(path)) / slow.cell.dt <= 0.25 * 0.5 * 1.05
    quick = drag(hand, 4.0, *there)
    assert max(math.dist(a, b) for a, b in pairwise(quick)) > max(math.dist(a, b) for a, b in pairwise(path))


def test_a_pointer_that_jumps_is_followed_without_a_jump(hand: Hand) -> None:
    left, right = beside(hand, 0.0, 0.2, 0.0), beside(hand, 0.0, -0.2, 0.0)
    path = drag(hand, 0.5, *left) + drag(hand, 0.3, *right) + drag(hand, 3.0, *left)
    assert max(math.dist(a, b) for a, b in pairwise(path)) / hand.cell.dt < 0.55
    assert math.dist(path[-1], left) < 1e-5


FAR = [(3.0, 0.0, 0.5), (0.0, 0.0, 9.0), (-2.0, 2.0, 0.3), (0.0, 0.0, 0.4), (1e300, 0.0, 0.0)]


@pytest.mark.parametrize("there", FAR)
def test_a_target_out_of_reach_is_bounded_and_leaving_is_free(hand: Hand, there: Vec3) -> None:
    home = hand.tip.position
    path = drag(hand, 6.0, *there)
    assert hand.mode == "teleoperation"
    assert max(math.dist(a, b) for a, b in pairwise(path)) / hand.cell.dt < 0.6
    far = path[-1]
    assert math.hypot(*far) < 0.85
    back = drag(hand, 1.0, *home)
    assert math.dist(back[-1], home) < math.dist(far, home) - 0.05


@pytest.mark.parametrize(
    ("step", "speed"),
    [((1.0, 0.0, 0.0), 0.2), ((1.0, 0.0, 0.0), 50.0), ((0.6, 0.6, 0.3), 0.5), ((0.5, -0.5, 0.7), 50.0)],
)
def test_the_elbow_keeps_its_side_out_of_reach_and_back(hand: Hand, step: Vec3, speed: float) -> None:
    home, start, ticks = hand.tip.position, hand.joints, max(1, round(0.5 / speed / 0.02))
    said: set[str] = set()
    for _ in range(2):
        for k in (*range(1, ticks + 1), *[ticks] * 50, *range(ticks, -1, -1), *[0] * 150):
            share = 0.5 * k / ticks
            drag(hand, 0.02, *(a + share * b for a, b in zip(home, step, strict=True)))
            assert hand.joints[2] > math.atan2(0.07, 0.302) - math.pi / 2  # stretched
            said |= {worded(note) for note in hand.tick.lanes["arm"].notes}
    assert "The elbow is nearly straight. The tip cannot go further this way." in said
    assert math.dist(hand.tip.position, home) < 1e-3
    assert hand.joints == pytest.approx(start, abs=0.05)


def test_behind_a_face_of_the_work_space_it_slides_along_and_leaves_freely(hand: Hand) -> None:
    x, y, _ = home = hand.tip.position
    path = drag(hand, 3.0, x, y, -0.5)
    low = path[-1][2]
    assert low == pytest.approx(0.02, abs=1e-3)
    assert min(point[2] for point in path) > 0.02 - 1e-3
    assert "servo.wall" in hand.codes
    path = drag(hand, 6.0, x, y + 0.2, -0.5)
    assert path[-1] == pytest.approx((x, y + 0.2, low), abs=2e-3)
    assert drag(hand, 0.6, *home)[-1][2] > low + 0.05


def test_behind_a_wall_it_presses_no_harder_and_leaves_freely(hand: Hand) -> None:
    wall_ahead(hand)
    _, y, z = home = hand.tip.position
    keys = Hand(rough_cell(), "base axes")
    wall_ahead(keys)
    jogged = keys.drive(5.0, 1.0).state.robots["arm"].contact.force[0]
    drag(hand, 6.0, 2.0, y, z)
    for _ in range(10):  # the same as a jog into the wall, however far behind it the pointer is
        blocked = drag(hand, 0.2, 2.0, y, z)[-1][0]
        assert hand.tick.state.robots["arm"].contact.force[0] == pytest.approx(jogged, rel=0.1)
    assert "guard.lag" in hand.codes
    assert drag(hand, 0.6, *home)[-1][0] < blocked - 0.03


def test_letting_go_ends_it(hand: Hand) -> None:
    drag(hand, 0.4, *beside(hand, 0.0, 0.3, 0.0))
    hand.hand.set(deadman=False)
    hand.tick = hand.run.run(0.5)
    still = hand.tip.position
    hand.tick = hand.run.run(1.0)
    assert hand.mode == "idle"
    assert math.dist(still, hand.tip.position) < 1e-5


def test_a_pointer_lost_during_a_drag_brakes_the_tip_on_its_path(hand: Hand) -> None:
    start, there = hand.tip.position, beside(hand, 0.0, 0.3, 0.0)
    drag(hand, 0.4, *there)
    hand.hand.set(deadman=True, pose=None)
    hand.tick = hand.run.run(1.0)
    assert hand.mode == "idle"
    assert 0.02 < hand.tip.position[1] - start[1] < 0.25
    assert hand.tip.position[0] == pytest.approx(start[0], abs=1e-4)


def test_a_target_that_is_not_finite_stops_the_robot(hand: Hand) -> None:
    drag(hand, 0.2, *beside(hand, 0.0, 0.3, 0.0))
    hand.hand.set(pose=Pose((math.nan, 0.0, 0.0)))
    hand.tick = hand.run.tick()
    assert hand.mode == "stopped"
