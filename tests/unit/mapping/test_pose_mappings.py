"""Mappings from a pose or from joints: their targets, and that nothing jumps."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from worded import worded

from farhand.config import ConfigError
from farhand.devices import Device
from farhand.kinematics import Delta
from farhand.mapping import MAPPINGS, DrivenRobot, HasNotes, Mapping
from farhand.mapping.axes import axes_table, handedness, to_master_axes, to_robot_axes, view_table
from farhand.notes import render
from farhand.poses import (
    IDENTITY,
    Pose,
    Vec3,
    angle_between,
    from_rotation_vector,
    from_rpy,
    multiply,
    rotate,
)
from farhand.types import GroupState, JointTrack, Reading, RobotState, TipTrack, TipTwist, Twist, Wrench

DT = 0.002
DELTA = Delta()
DEVICE = Device(
    name="box",
    label="Box",
    kinematics=DELTA,
    rest=(0.0, 0.0, 0.0),
    active=(True, True, True),
    lower=(-0.1, -0.1, -0.6),
    upper=(0.1, 0.1, -0.4),
)
DRIVEN = DrivenRobot((1.0, 2.0, 3.0), 0.1, 0.2, joints=("a", "b", "c"), dt=DT)
places = st.tuples(*[st.floats(-0.3, 0.3)] * 3)
turns = st.tuples(*[st.floats(-0.8, 0.8)] * 3)
poses = st.builds(lambda p, w: Pose(p, from_rotation_vector(w)), places, turns)
tables = st.permutations(["x", "y", "z"]).flatmap(
    lambda names: st.tuples(*[st.sampled_from([name, f"-{name}"]) for name in names])
)


def robot_at(tip: Pose = IDENTITY, joints: tuple[float, ...] = (0.0, 0.0, 0.0)) -> RobotState:
    still = (0.0,) * len(joints)
    groups = {"arm": GroupState(joints, still, still), "gripper": GroupState((0.1,), (0.0,), (0.0,))}
    return RobotState(groups, tip)


def tracked(mapping: Mapping, robot: RobotState, *readings: Reading, scale: float = 1.0) -> list[TipTrack]:
    """Return the targets for successive readings, of a robot that follows at once."""
    memory, found = None, []
    for reading in readings:
        motions, memory = mapping(reading, robot, memory, scale)
        track = motions["arm"]
        assert isinstance(track, TipTrack)
        found.append(track)
        robot = replace(robot, T_base_tip=track.pose)
    return found


# ── Axes ─────────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_the_table_of_the_published_system() -> None:
    table = axes_table(("y", "-z", "-x"))
    assert to_robot_axes(table, (1.0, 0.0, 0.0)) == (0.0, 1.0, 0.0)
    assert to_robot_axes(table, (0.0, 1.0, 0.0)) == (0.0, 0.0, -1.0)
    assert to_robot_axes(table, (0.0, 0.0, 1.0)) == (-1.0, 0.0, 0.0)
    assert handedness(table) == 1.0


@given(tables, places)
def test_a_table_keeps_lengths_and_can_be_inverted(names: tuple[str, str, str], v: Vec3) -> None:
    table = axes_table(names)
    assert math.hypot(*to_robot_axes(table, v)) == pytest.approx(math.hypot(*v))
    assert to_master_axes(table, to_robot_axes(table, v)) == pytest.approx(v)


@pytest.mark.parametrize(
    ("names", "words"), [(("x", "x", "z"), "x, y and z once each"), (("x", "w", "z"), "found 'w', expected one of x")]
)
def test_an_invalid_table_is_refused(names: tuple[str, str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        axes_table(names)


@given(st.floats(-3.0, 3.0), st.floats(0.0, 1.2))
def test_right_in_the_picture_is_the_operator_s_right(yaw: float, down: float) -> None:
    """A camera that looks along x, turned about z and tilted down."""
    level = multiply(from_rpy(0.0, 0.0, yaw), from_rpy(math.pi / 2, 0.0, -math.pi / 2))
    view = multiply(level, from_rpy(-down, 0.0, 0.0))
    for tilted in (False, True):
        table = view_table(view, tilted=tilted)
        assert to_robot_axes(table, (0.0, -1.0, 0.0)) == pytest.approx(rotate(view, (1.0, 0.0, 0.0)), abs=1e-9)
        away = to_robot_axes(table, (1.0, 0.0, 0.0))
        assert away[2] == pytest.approx(-math.sin(down) if tilted else 0.0, abs=1e-9)
        assert away[0] * math.cos(yaw) + away[1] * math.sin(yaw) > 0.3
        assert handedness(table) == 1.0


def test_straight_from_above_away_is_the_top_of_the_picture() -> None:
    view = (1.0, 0.0, 0.0, 0.0)  # right is x, up in the picture is y, the operator hangs above
    assert to_robot_axes(view_table(view, tilted=False), (1.0, 0.0, 0.0)) == pytest.approx((0.0, 1.0, 0.0))


# ── Clutch ───────────────────────────────────────────────────────────────────────────────────────────────────────────


@given(poses, poses)
def test_engaging_moves_nothing(hand: Pose, tip: Pose) -> None:
    for kind in ("clutch", "hybrid"):
        mapping = MAPPINGS[kind]({}, DRIVEN)
        (track,) = tracked(mapping, robot_at(tip), Reading(pose=hand))
        assert track.pose.position == pytest.approx(tip.position, abs=1e-12)
        assert angle_between(track.pose.rotation, tip.rotation) < 1e-7


@given(poses, places, turns, tables, st.floats(0.1, 3.0))
def test_the_tip_moves_with_the_hand_scaled_and_turned(
    hand: Pose, way: Vec3, turn: Vec3, names: tuple[str, str, str], scale: float
) -> None:
    mapping = MAPPINGS["clutch"]({"axes": names, "scale": scale, "lead": 1.0}, DRIVEN)
    there = Pose(
        (hand.position[0] + 0.1 * way[0], hand.position[1] + 0.1 * way[1], hand.position[2] + 0.1 * way[2]),
        multiply(from_rotation_vector(turn), hand.rotation),
    )
    reading = Reading(pose=there, twist=Twist(way, turn))
    _, track = tracked(mapping, robot_at(), Reading(pose=hand), reading)
    table = axes_table(names)
    expected = to_robot_axes(table, way)
    assert track.pose.position == pytest.approx([0.1 * scale * x for x in expected], abs=1e-9)
    assert track.linear == pytest.approx([scale * x for x in expected], abs=1e-9)
    about = [handedness(table) * x for x in to_robot_axes(table, turn)]
    assert angle_between(track.pose.rotation, from_rotation_vector((about[0], about[1], about[2]))) < 1e-6
    assert track.angular == pytest.approx(about, abs=1e-9)


@given(poses, poses, st.floats(0.1, 5.0), st.floats(0.1, 5.0))
def test_another_scale_moves_nothing_by_itself(hand: Pose, there: Pose, first: float, second: float) -> None:
    for kind in ("clutch", "hybrid"):
        mapping, memory, robot = MAPPINGS[kind]({"lead": 1.0}, DRIVEN), None, robot_at()
        for reading in (Reading(pose=hand), Reading(pose=there), Reading(pose=there)):
            motions, memory = mapping(reading, robot, memory, first)
        before = motions["arm"]
        motions, memory = mapping(Reading(pose=there), robot, memory, second)
        after = motions["arm"]
        assert isinstance(before, TipTrack)
        assert isinstance(after, TipTrack)
        assert math.dist(before.pose.position, after.pose.position) < 0.02 * (kind == "hybrid") + 1e-9


def test_the_lead_of_the_target_is_limited_and_moving_back_responds_at_once() -> None:
    """The tip is blocked by a wall; the hand pushes on by half a metre, then comes back by a millimetre."""
    mapping, robot, memory = MAPPINGS["clutch"]({"lead": 0.02}, DRIVEN), robot_at(), None
    ahead = []
    for x in (0.0, 0.1, 0.3, 0.5, 0.499):
        motions, memory = mapping(Reading(pose=Pose((x, 0.0, 0.0))), robot, memory)
        track = motions["arm"]
        assert isinstance(track, TipTrack)
        assert math.hypot(*track.pose.position) <= 0.02 + 1e-12
        ahead.append(track.pose.position[0])
    assert ahead == pytest.approx([0.0, 0.02, 0.02, 0.02, 0.019])


def test_a_view_is_kept_until_release() -> None:
    behind = multiply(from_rpy(0.0, 0.0, 0.0), from_rpy(math.pi / 2, 0.0, -math.pi / 2))  # looks along x
    beside = multiply(from_rpy(0.0, 0.0, math.pi / 2), behind)
    mapping, robot = MAPPINGS["jog-view"]({}, DRIVEN), robot_at()
    ahead = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    motions, memory = mapping(Reading(axes=ahead, view=behind), robot, None)
    first = motions["arm"]
    motions, _ = mapping(Reading(axes=ahead, view=beside), robot, memory)
    assert isinstance(first, TipTwist)
    assert first.linear == pytest.approx((0.25, 0.0, 0.0), abs=1e-12)
    assert motions["arm"] == first
    motions, _ = mapping(Reading(axes=ahead, view=beside), robot, None)
    again = motions["arm"]
    assert isinstance(again, TipTwist)
    assert again.linear == pytest.approx((0.0, 0.25, 0.0), abs=1e-12)


# ── Velocity, rate, hybrid, absolute ─────────────────────────────────────────────────────────────────────────────────


@given(st.lists(places, min_size=2, max_size=20), st.floats(0.5, 10.0))
def test_without_a_velocity_all_motion_of_the_hand_is_passed_on(ways: list[Vec3], scale: float) -> None:
    """Readings come now and then, and some are lost: in the end the tip has made the whole motion."""
    mapping, robot, memory = MAPPINGS["velocity"]({"scale": scale}, DRIVEN), robot_at(), None
    gone = [0.0, 0.0, 0.0]
    for place in (*ways, *[ways[-1]] * 400):
        motions, memory = mapping(Reading(pose=Pose(place)), robot, memory)
        twist = motions["arm"]
        assert isinstance(twist, TipTwist)
        gone = [a + v * DT for a, v in zip(gone, twist.linear, strict=True)]
    expected = [scale * (b - a) for a, b in zip(ways[0], ways[-1], strict=True)]
    assert gone == pytest.approx(expected, abs=1e-6)


def test_a_measured_velocity_is_used_as_it_is() -> None:
    mapping = MAPPINGS["velocity"]({"scale": 10.0, "axes": ("y", "-z", "-x")}, DRIVEN)
    motions, _ = mapping(Reading(pose=IDENTITY, twist=Twist((0.01, 0.0, 0.0), (0.0, 0.2, 0.0))), robot_at(), None)
    assert motions["arm"] == TipTwist((0.0, 0.1, 0.0), (0.0, 0.0, -0.2), copies=True)


def test_rate_grows_from_the_edge_of_the_dead_zone() -> None:
    mapping = MAPPINGS["rate"]({"gain": 2.0, "dead_zone": 0.01}, DRIVEN)
    _, memory = mapping(Reading(pose=Pose((0.1, 0.0, 0.0))), robot_at(), None)
    speeds = []
    for x in (0.105, 0.11, 0.12, 0.08):
        motions, memory = mapping(Reading(pose=Pose((x, 0.0, 0.0))), robot_at(), memory)
        twist = motions["arm"]
        assert isinstance(twist, TipTwist)
        speeds.append(twist.linear[0])
    assert speeds == pytest.approx([0.0, 0.0, 0.02, -0.02], abs=1e-12)


@given(st.lists(places, min_size=2, max_size=60))
def test_hybrid_never_jumps_and_travels_on_only_past_a_face(ways: list[Vec3]) -> None:
    """The hand moves by at most a millimetre a tick towards its target."""
    mapping = MAPPINGS["hybrid"]({"gain": 5.0, "inside": 0.5}, replace(DRIVEN, device=DEVICE))
    hand, robot, memory = [0.0, 0.0, -0.5], robot_at(), None
    last = robot.T_base_tip.position
    for x, y, z in ways:
        for _ in range(40):
            wanted = (x, y, z - 0.5)
            step = [max(-0.001, min(0.001, b - a)) for a, b in zip(hand, wanted, strict=True)]
            hand = [a + b for a, b in zip(hand, step, strict=True)]
            motions, memory = mapping(Reading(pose=Pose((hand[0], hand[1], hand[2]))), robot, memory)
            track = motions["arm"]
            assert isinstance(track, TipTrack)
            past = [max(0.0, abs(a - m) - 0.05) for a, m in zip(hand, (0.0, 0.0, -0.5), strict=True)]
            moved = [abs(a - b) for a, b in zip(track.pose.position, last, strict=True)]
            assert all(m <= 0.001 + 5.0 * DT * p + 1e-9 for m, p in zip(moved, past, strict=True))
            felt = mapping.reflected(Wrench(), memory).force
            assert felt == pytest.approx(
                [-150.0 * math.copysign(p, a - m) for p, a, m in zip(past, hand, (0.0, 0.0, -0.5), strict=True)],
                abs=1e-9,
            )
            last = track.pose.position
            robot = replace(robot, T_base_tip=track.pose)


def test_absolute_maps_one_position_of_the_hand_to_one_of_the_tip() -> None:
    mapping = MAPPINGS["absolute"]({"middle": [0.0, 0.0, -0.5], "at": [0.4, 0.0, 0.3], "scale": 2.0}, DRIVEN)
    for start in (IDENTITY, Pose((1.0, 1.0, 1.0))):
        _, track = tracked(mapping, robot_at(start), Reading(pose=IDENTITY), Reading(pose=Pose((0.05, 0.0, -0.6))))
        assert track.pose.position == pytest.approx((0.5, 0.0, 0.1))


# ── Joint to joint ───────────────────────────────────────────────────────────────────────────────────────────────────


def test_joints_follow_by_name_with_sign_offset_and_scale() -> None:
    pairs = {"b": {"from": DELTA.names[0], "scale": -2.0, "offset": 0.1}, "a": {"from": 3}}
    mapping = MAPPINGS["copy-joints"]({"pairs": pairs, "catch_up": 1.0}, replace(DRIVEN, device=DEVICE))
    robot, memory, joints = robot_at(), None, (0.2, 0.0, 0.3)
    for number in range(2000):
        motions, memory = mapping(Reading(sequence=number, joints=joints), robot, memory)
        track = motions["arm"]
        assert isinstance(track, JointTrack)
        robot = robot_at(joints=track.positions)
    assert robot.groups["arm"].positions == pytest.approx((0.3, -0.3, 0.0))


@given(st.lists(st.floats(-3.0, 3.0), min_size=1, max_size=20), st.integers(1, 10))
def test_a_robot_that_copies_joints_stays_below_its_top_rates(places: list[float], every: int) -> None:
    """Also when the master jumps, and however rare its readings are."""
    mapping, robot, memory = MAPPINGS["copy-joints"]({}, DRIVEN), robot_at(joints=(1.0, 0.0, 0.0)), None
    last, sequence = 1.0, 0
    for place in places:
        for tick in range(30):
            sequence += tick % every == 0
            motions, memory = mapping(Reading(sequence=sequence, joints=(place, 0.0, 0.0)), robot, memory)
            track = motions["arm"]
            assert isinstance(track, JointTrack)
            assert abs(track.positions[0] - last) <= (1.5 * every + 0.1) * 1.0 * DT + 1e-9
            assert abs(track.rates[0]) <= 1.5
            last = track.positions[0]


def test_motion_of_the_master_beyond_the_lead_of_a_blocked_joint_is_ignored() -> None:
    mapping, robot, memory, number = MAPPINGS["copy-joints"]({}, DRIVEN), robot_at(), None, 0
    assert isinstance(mapping, HasNotes)

    def led(place: float) -> JointTrack:
        nonlocal memory, number
        number += 1
        motions, memory = mapping(Reading(sequence=number, joints=(place, 0.0, 0.0)), robot, memory)
        track = motions["arm"]
        assert isinstance(track, JointTrack)
        return track

    assert led(0.0).positions == (0.0, 0.0, 0.0)
    for i in range(800):  # 0.5 rad/s
        far = led(0.001 * i)
        assert far.positions[0] == pytest.approx(min(0.001 * i, 0.1))
    (note,) = mapping.notes(memory)
    assert worded(note) == "The master is over 5.7° ahead of a; the extra is ignored."
    # Moving back responds at once, and the robot keeps its offset from then on.
    for i in range(1, 50):
        assert led(0.799 - 0.001 * i).positions[0] == pytest.approx(0.1 - 0.001 * i)
    (note,) = mapping.notes(memory)
    assert worded(note) == "A is 40.0° away from the master's position."
    assert render(note).free == "Let go and press again: the robot then moves there slowly."


def test_unknown_joints_are_refused_by_name() -> None:
    device = replace(DRIVEN, device=DEVICE)
    with pytest.raises(ConfigError, match="is not a joint of the robot; its joints: a, b, c"):
        MAPPINGS["copy-joints"]({"pairs": {"d": {"from": 1}}}, device)
    with pytest.raises(ConfigError, match="found 'elbow', expected a joint of the master: "):
        MAPPINGS["copy-joints"]({"pairs": {"a": {"from": "elbow"}}}, device)


# ── Force feedback in the master's axes ──────────────────────────────────────────────────────────────────────────────


@given(tables, places, places, st.sampled_from(["clutch", "velocity", "rate", "absolute", "hybrid"]))
def test_power_is_the_same_on_both_sides(names: tuple[str, str, str], v: Vec3, force: Vec3, kind: str) -> None:
    mapping = MAPPINGS[kind]({"axes": names}, DRIVEN)
    felt = mapping.reflected(Wrench(force, force), None)
    table = axes_table(names)
    robot = to_robot_axes(table, v)
    assert sum(a * b for a, b in zip(felt.force, v, strict=True)) == pytest.approx(
        sum(a * b for a, b in zip(force, robot, strict=True)), abs=1e-9
    )
    spin = [handedness(table) * x for x in robot]
    assert sum(a * b for a, b in zip(felt.torque, v, strict=True)) == pytest.approx(
        sum(a * b for a, b in zip(force, spin, strict=True)), abs=1e-9
    )
