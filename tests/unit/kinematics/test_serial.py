"""Serial chains, against MuJoCo's own kinematics and finite differences."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.errors import CommandError, RobotFileError, UnknownNameError
from farhand.kernels import Floats
from farhand.kinematics import SerialChain

PI = math.pi
IRB120_ROWS = [
    (0, -PI / 2, 0.290, 0),
    (0.270, 0, 0, -PI / 2),
    (0.070, -PI / 2, 0, 0),
    (0, PI / 2, 0.302, 0),
    (0, -PI / 2, 0, 0),
    (0, 0, 0.072, PI),
]
IRB120_UPPER = [2.879, 1.919, 1.221, 2.793, 2.094, 6.981]
IRB120_LOWER = [-2.879, -1.919, -1.919, -2.793, -2.094, -6.981]


def irb120() -> SerialChain:
    return SerialChain.from_dh(IRB120_ROWS, IRB120_LOWER, IRB120_UPPER)


def seven() -> SerialChain:
    """A 7R arm with the Franka table (modified DH)."""
    rows = [
        (0, 0, 0.333, 0), (0, -PI / 2, 0, 0), (0, PI / 2, 0.316, 0), (0.0825, PI / 2, 0, 0),
        (-0.0825, -PI / 2, 0.384, 0), (0, PI / 2, 0, 0), (0.088, PI / 2, 0, 0),
    ]  # fmt: skip
    tool = np.eye(4)
    tool[2, 3] = 0.107
    lower = [-2.8973, -1.7628, -2.8973, -3.0718, -2.8973, -0.0175, -2.8973]
    upper = [2.8973, 1.7628, 2.8973, -0.0698, 2.8973, 3.7525, 2.8973]
    return SerialChain.from_dh(rows, lower, upper, "modified", tool=tool)


def five() -> SerialChain:
    rows = [(0, -PI / 2, 0.2, 0), (0.3, 0, 0, 0), (0.25, 0, 0, 0), (0, -PI / 2, 0, -PI / 2), (0, 0, 0.1, 0)]
    return SerialChain.from_dh(rows, [-2.9, -2.0, -2.5, -2.0, -3.0], [2.9, 2.0, 2.5, 2.0, 3.0])


def scara() -> SerialChain:
    turns = "revolute"
    rows = [(0.3, 0, 0.2, 0, turns), (0.25, PI, 0, 0, turns), (0, 0, 0, 0, "prismatic"), (0, 0, 0.05, 0, turns)]
    return SerialChain.from_dh(rows, [-2.4, -2.6, 0.0, -np.inf], [2.4, 2.6, 0.2, np.inf])


TELEMAX = """
<mujoco><compiler angle="radian" autolimits="true"/><worldbody><body name="base" pos="1 2 3" euler="0.1 0.2 0.3">
 <body name="turret" pos="0 0 0.35"><joint name="yaw" axis="0 0 1" range="-3 3"/><geom size="0.02"/>
  <body name="upper" quat="1 -1 0 0"><joint name="shoulder" axis="0 0 1" range="-2.6 0.6"/><geom size="0.02"/>
   <body name="fore" pos="0.55 0 0"><joint name="elbow" axis="0 0 1" range="-2.6 2.6" ref="0.3"/><geom size="0.02"/>
    <body name="fixed" pos="0.1 0 0" euler="0 0.4 0">
     <body name="telescope" euler="0 1.1707963 0"><geom size="0.02"/>
      <joint name="slide" type="slide" axis="0 0 1" range="0 0.3" ref="0.05"/>
      <body name="wrist" pos="0 0 0.35"><joint name="roll" axis="0 0 2" pos="0.01 0.02 0.03" range="-3 3"/>
       <joint name="pitch" axis="0 -1 1" pos="0 0 0.1" range="-2 2"/><geom size="0.02"/>
       <body name="hand" pos="0 0 0.1"><joint name="twist" axis="0 0 -1"/><geom size="0.02"/>
        <site name="tip" pos="0 0.01 0.12" euler="0.3 0 0"/>
 </body></body></body></body></body></body></body></body>
 <body name="loose"><freejoint name="float"/><geom size="0.1"/>
  <body name="socket"><joint name="ball" type="ball"/><geom size="0.1"/><site name="end"/></body></body>
</worldbody></mujoco>
"""


def telemax() -> SerialChain:
    return SerialChain.from_model(mujoco.MjModel.from_xml_string(TELEMAX), "base", "tip")


ROBOTS = {"irb120": irb120, "seven": seven, "five": five, "scara": scara, "telemax": telemax}
CHAINS = {name: make() for name, make in ROBOTS.items()}


def joints_of(chain: SerialChain, rng: np.random.Generator) -> Floats:
    return rng.uniform(np.maximum(chain.lower, -PI), np.minimum(chain.upper, PI))


def model_of(chain: SerialChain) -> Any:
    """Return the chain as a MuJoCo model."""

    def place(M: Floats) -> str:
        quat = np.empty(4)
        mujoco.mju_mat2Quat(quat, np.ascontiguousarray(M[:, :3]).reshape(-1))
        return f'pos="{" ".join(map(repr, M[:, 3].tolist()))}" quat="{" ".join(map(repr, quat.tolist()))}"'

    text, ends = "", ""
    for i in range(chain.n):
        kind = ("hinge", "slide")[chain.arrays.kinds[i]]
        text += (
            f'<body {place(chain.arrays.fixed[i])}><joint name="j{i}" type="{kind}" axis="0 0 1"/><geom size="0.01"/>'
        )
        ends += "</body>"
    text += f'<site name="tip" {place(chain.arrays.tool)}/>{ends}'
    return mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{text}</worldbody></mujoco>")


@pytest.mark.parametrize("name", ["irb120", "seven", "five", "scara"])
def test_forward_and_jacobian_equal_mujocos(name: str) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(1)
    model = model_of(chain)
    data = mujoco.MjData(model)
    linear, angular = np.empty((3, chain.n)), np.empty((3, chain.n))
    for _ in range(50):
        data.qpos[:] = joints_of(chain, rng)
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_jacSite(model, data, linear, angular, 0)
        T = chain.forward(data.qpos)
        np.testing.assert_allclose(T[:3, 3], data.site("tip").xpos, atol=1e-12)
        np.testing.assert_allclose(T[:3, :3].reshape(-1), data.site("tip").xmat, atol=1e-12)
        np.testing.assert_allclose(chain.jacobian(data.qpos), np.vstack((linear, angular)), atol=1e-12)


def test_chain_of_a_model_moves_as_the_model() -> None:
    model = mujoco.MjModel.from_xml_string(TELEMAX)
    data, chain, rng = mujoco.MjData(model), CHAINS["telemax"], np.random.default_rng(2)
    assert chain.names == ("yaw", "shoulder", "elbow", "slide", "roll", "pitch", "twist")
    assert chain.lower[:4].tolist() == [-3.0, -2.6, -2.6, 0.0]
    assert (chain.lower[6], chain.upper[6]) == (-np.inf, np.inf)
    assert chain.arrays.kinds.tolist() == [0, 0, 0, 1, 0, 0, 0]
    for _ in range(50):
        q = joints_of(chain, rng)
        data.qpos[: chain.n] = q
        mujoco.mj_kinematics(model, data)
        R, p = data.body("base").xmat.reshape(3, 3), data.body("base").xpos
        T = chain.forward(q)
        np.testing.assert_allclose(p + R @ T[:3, 3], data.site("tip").xpos, atol=1e-12)
        np.testing.assert_allclose(R @ T[:3, :3], data.site("tip").xmat.reshape(3, 3), atol=1e-12)


def test_chain_may_start_and_end_at_any_body() -> None:
    model = mujoco.MjModel.from_xml_string(TELEMAX)
    chain = SerialChain.from_model(model, "upper", "fixed")
    assert chain.names == ("elbow",)
    data = mujoco.MjData(model)
    data.qpos[2] = 0.7
    mujoco.mj_kinematics(model, data)
    R, p = data.body("upper").xmat.reshape(3, 3), data.body("upper").xpos
    np.testing.assert_allclose(p + R @ chain.forward([0.7])[:3, 3], data.body("fixed").xpos, atol=1e-12)
    assert SerialChain.from_model(model, "world", "fixed").names == ("yaw", "shoulder", "elbow")


@pytest.mark.parametrize(
    ("base", "tip", "error", "text"),
    [
        ("base", "tipp", UnknownNameError, "no site or body is called 'tipp' .did you mean 'tip'"),
        ("bass", "tip", UnknownNameError, "no body is called 'bass' .did you mean 'base'"),
        ("loose", "end", CommandError, "the ball joint 'ball' lies between base and tip: a serial chain has hinges"),
        ("world", "loose", CommandError, "the free joint 'float' lies between base and tip"),
        ("hand", "base", CommandError, "'base' does not hang on 'hand': the base must be one of its ancestors"),
        ("world", "base", CommandError, "no joint moves 'base' against 'world'"),
    ],
)
def test_models_that_hold_no_such_chain(base: str, tip: str, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        SerialChain.from_model(mujoco.MjModel.from_xml_string(TELEMAX), base, tip)


@pytest.mark.parametrize("name", CHAINS)
def test_jacobian_equals_differences_of_forward(name: str) -> None:
    chain, rng, h = CHAINS[name], np.random.default_rng(3), 1e-6
    for _ in range(20):
        q = joints_of(chain, rng)
        J, T = chain.jacobian(q), chain.forward(q)
        for i in range(chain.n):
            step = h * np.eye(chain.n)[i]
            D = (chain.forward(q + step) - chain.forward(q - step)) / (2 * h)
            W = D[:3, :3] @ T[:3, :3].T
            expected: Floats = np.array([*D[:3, 3], W[2, 1], W[0, 2], W[1, 0]])
            np.testing.assert_allclose(J[:, i], expected, atol=1e-8)


def test_frames_lead_to_the_tip() -> None:
    chain, q = CHAINS["irb120"], np.array([0.1, -0.4, 0.3, 0.7, -0.5, 1.0])
    frames = chain.frames(q)
    assert frames.shape == (7, 4, 4)
    np.testing.assert_array_equal(frames[-1], chain.forward(q))
    np.testing.assert_allclose(frames[1][:3, 3], [0, 0, 0.29], atol=1e-15)
    J = chain.jacobian(q)
    np.testing.assert_allclose(frames[:-1, :3, 2], J[3:].T, atol=1e-15)


def test_known_pose_of_the_irb120() -> None:
    T = CHAINS["irb120"].forward(np.zeros(6))
    expected = [[0.0, 0.0, 1.0, 0.374], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.63], [0.0, 0.0, 0.0, 1.0]]
    np.testing.assert_allclose(T, expected, atol=1e-12)


def test_both_conventions_base_and_tool() -> None:
    base, tool = np.eye(4), np.eye(4)
    base[:3, 3], tool[:3, 3] = (1, 2, 3), (0, 0, 0.5)
    q = np.array([0.3, 0.2])
    standard = SerialChain.from_dh(
        [(0.1, 0.2, 0.3, 0.4), (0, 0, 0, 0, "prismatic")], [-1] * 2, [1] * 2, "standard", base, tool
    )
    modified = SerialChain.from_dh(
        [(0, 0, 0.3, 0.4), (0.1, 0.2, 0, 0, "prismatic")], [-1] * 2, [1] * 2, "modified", base, tool
    )
    np.testing.assert_allclose(standard.forward(q), modified.forward(q), atol=1e-15)
    np.testing.assert_allclose(standard.forward(q)[:3, 3] - (1, 2, 3.3), _turned(0.7, 0.2, 0.7), atol=1e-15)


def _turned(theta: float, alpha: float, along: float) -> list[float]:
    x, y, z = 0.1, -math.sin(alpha) * along, math.cos(alpha) * along
    return [math.cos(theta) * x - math.sin(theta) * y, math.sin(theta) * x + math.cos(theta) * y, z]


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: SerialChain.from_dh([], [], []), "a chain needs at least one row"),
        (lambda: SerialChain.from_dh([(0, 0, 0, 0)], [0, 0], [1, 1]), "1 joints need 1 lower and upper limits"),
        (lambda: SerialChain.from_dh([(0, 0, 0, 0)], [1], [0]), "each lower limit must be at most the upper one"),
        (lambda: SerialChain.from_dh([(0, 0, 0, 0)], [np.nan], [0]), "each lower limit must be at most the upper one"),
        (lambda: SerialChain.from_dh([(0, 0, 0, 0, "hinge")], [0], [1]), "row 1: the kind must be 'revolute' or"),
        (lambda: SerialChain.from_dh([(0, 0, np.inf, 0)], [0], [1]), "row 1 must be finite"),
        (lambda: irb120().forward(np.zeros(5)), r"joint positions must be 6 numbers, found shape \(5,\)"),
        (lambda: irb120().forward([np.nan] * 6), "joint positions must be finite"),
        (lambda: irb120().jacobian("up"), "joint positions must be numbers, found 'up'"),
        (lambda: irb120().inverse(np.eye(3), np.zeros(6)), r"a pose must be a 4×4 or 3×4 matrix, found shape \(3, 3\)"),
        (lambda: irb120().inverse(np.eye(4) * 2, np.zeros(6)), "upper left 3×3 block of a pose must be a rotation"),
        (lambda: irb120().inverse(np.diag([1, 1, -1, 1]), np.zeros(6)), "must be a rotation matrix"),
        (lambda: irb120().inverse(np.diag([1, 1, 1, 2]), np.zeros(6)), "the last row of a pose must be 0 0 0 1"),
        (lambda: irb120().inverse(np.eye(4), np.zeros(6), tolerance=0), "the tolerance must be positive, found 0"),
        (lambda: irb120().follow(np.full((4, 4), np.nan), np.zeros(6)), "a pose must be finite"),
    ],
)
def test_malformed_arguments_are_refused(make: Any, text: str) -> None:
    with pytest.raises(CommandError, match=text):
        make()


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(sorted(CHAINS)), st.integers(0, 2**32 - 1))
def test_forward_of_inverse_is_identity(name: str, seed: int) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(seed)
    T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
    found = chain.inverse(T, start)
    assert found.reached, (found.position_error, found.rotation_error)
    assert found.reason == ""
    assert (chain.lower <= found.q).all()
    assert (found.q <= chain.upper).all()
    np.testing.assert_allclose(chain.forward(found.q), T, atol=2e-5)
    # no joint could be nearer to the seed by whole turns
    for turns in (-2 * PI, 2 * PI):
        other = found.q + turns
        open_to_it = (chain.arrays.kinds == 0) & (chain.lower <= other) & (other <= chain.upper)
        assert (np.abs(found.q - start) <= np.abs(other - start) + 1e-9)[open_to_it].all()


@pytest.mark.parametrize("name", CHAINS)
def test_inverse_from_the_answer_is_the_answer(name: str) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(4)
    for _ in range(20):
        q = joints_of(chain, rng)
        np.testing.assert_allclose(chain.inverse(chain.forward(q), q).q, q, atol=1e-9)
        near = np.clip(q + rng.normal(size=chain.n) * 1e-3, chain.lower, chain.upper)
        if name != "seven" and name != "telemax":
            np.testing.assert_allclose(chain.inverse(chain.forward(q), near).q, q, atol=0.2)


def test_same_question_has_the_same_answer() -> None:
    chain, rng = CHAINS["irb120"], np.random.default_rng(5)
    for _ in range(20):
        T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
        assert (chain.inverse(T, start).q == chain.inverse(T, start).q).all()


def test_continuous_joint_stays_at_its_own_turn() -> None:
    chain = CHAINS["scara"]
    q = np.array([0.3, 0.5, 0.1, 40.0])
    found = chain.inverse(chain.forward(q), [0.2, 0.4, 0.1, 39.0])
    assert found.reached
    np.testing.assert_allclose(found.q, q, atol=1e-4)


@pytest.mark.parametrize(
    ("position", "reason"), [((5.0, 0.0, 0.3), "too far"), ((0.0, 0.0, -0.3), "joint limit"), ((0.2, 0.0, -0.2), "")]
)
def test_unreachable_position_says_why(position: tuple[float, float, float], reason: str) -> None:
    T = np.diag([1.0, -1.0, -1.0, 1.0])
    T[:3, 3] = position
    found = CHAINS["irb120"].inverse(T, np.zeros(6))
    assert found.reached == (reason == "") or reason == ""
    if reason:
        assert found.reason == reason
    assert found.position_error == pytest.approx(
        float(np.linalg.norm(CHAINS["irb120"].forward(found.q)[:3, 3] - T[:3, 3])), abs=1e-12
    )


def test_far_target_is_approached_straight_position_first() -> None:
    chain = CHAINS["irb120"]
    T = np.eye(4)
    T[:3, 3] = 2.0, 1.0, 0.29
    found = chain.inverse(T, np.zeros(6))
    tip = chain.forward(found.q)[:3, 3]
    # fully stretched, the tip is on the line from the shoulder to the target
    reach = math.hypot(0.302, 0.07) + 0.27 + 0.072
    assert np.linalg.norm(tip - (0, 0, 0.29)) > reach - 0.02
    assert found.reason == "too far"


def test_unreachable_orientation_keeps_the_position() -> None:
    chain = CHAINS["five"]
    T = chain.forward([0.3, -0.8, 1.2, 0.4, 0.1])
    c, s = math.cos(0.5), math.sin(0.5)
    T[:3, :3] = T[:3, :3] @ np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    found = chain.inverse(T, np.zeros(5))
    assert not found.reached
    assert found.position_error < 2e-3
    assert found.rotation_error > 0.1


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_never_a_wrong_answer_called_reached(seed: int) -> None:
    chain, rng = CHAINS["irb120"], np.random.default_rng(seed)
    T = chain.forward(joints_of(chain, rng))
    T[:3, 3] += rng.normal(size=3) * 0.3
    found = chain.inverse(T, joints_of(chain, rng))
    D = chain.forward(found.q)
    distance = float(np.linalg.norm(D[:3, 3] - T[:3, 3]))
    angle = math.acos(min(max((np.trace(D[:3, :3].T @ T[:3, :3]) - 1) / 2, -1.0), 1.0))
    assert found.position_error == pytest.approx(distance, abs=1e-9)
    assert found.rotation_error == pytest.approx(angle, abs=1e-6)
    assert found.reached == (found.position_error <= 1e-5 and found.rotation_error <= 1e-5)
    assert (found.reason == "") == found.reached


def circle(chain: SerialChain, q: Floats, radius: float, steps: int) -> list[Floats]:
    """Return poses dragged around a circle of the given radius beside the tip's pose at q."""
    poses = []
    for k in range(steps):
        T = chain.forward(q)
        phase = 2 * PI * k / steps
        T[:3, 3] += radius * np.array([1 - math.cos(phase), math.sin(phase), 0.5 * math.sin(2 * phase)])
        poses.append(T)
    return poses


def middle(chain: SerialChain) -> Floats:
    low, high = np.maximum(chain.lower, -PI), np.minimum(chain.upper, PI)
    return np.asarray(low + 0.55 * (high - low))


def test_urdf_without_a_chain_between_the_links_is_refused(tmp_path: Path) -> None:
    links = "".join(f'<link name="{name}"/>' for name in ("base", "arm", "side"))
    joints = "".join(
        f'<joint name="to {child}" type="continuous"><parent link="base"/><child link="{child}"/></joint>'
        for child in ("arm", "side")
    )
    path = tmp_path / "robot.urdf"
    path.write_text(f'<robot name="it">{links}{joints}</robot>')
    with pytest.raises(RobotFileError, match="tip 'side' is not carried by base 'arm'"):
        SerialChain.from_urdf(path, "arm", "side")
    with pytest.raises(RobotFileError, match="there is no link or site 'hand' to be the tip"):
        SerialChain.from_urdf(path, "base", "hand")
    with pytest.raises(CommandError, match=r"row 1 must be \(a, alpha, d, theta\[, kind\]\), found 3 entries"):
        SerialChain.from_dh([(0, 0, 0)], [0], [1])  # type: ignore[list-item]  # the tested fault


@pytest.mark.parametrize("name", CHAINS)
def test_follow_keeps_up_with_a_pose_in_reach(name: str) -> None:
    chain = CHAINS[name]
    q = start = middle(chain)
    goal = start + 0.05 * np.minimum(chain.upper - chain.lower, 2.0)
    for k in range(110):
        q = chain.follow(chain.forward(start + (goal - start) * min(k / 100, 1.0)), q)
    np.testing.assert_allclose(chain.forward(q), chain.forward(goal), atol=1e-6)


def follow_all(chain: SerialChain, q: Floats, poses: list[Floats]) -> Floats:
    """Follow the poses and return the joints, having checked that no step is a jump and none leaves the limits."""
    for T in poses:
        moved = chain.follow(T, q)
        scale = np.where(chain.arrays.kinds == 0, 1.0, chain.length)
        assert (np.abs(moved - q) <= 0.1 * scale + 1e-12).all()
        assert (chain.lower <= moved).all()
        assert (moved <= chain.upper).all()
        q = moved
    return q


@pytest.mark.parametrize("name", CHAINS)
def test_follow_is_continuous_out_of_reach_and_finds_back(name: str) -> None:
    chain = CHAINS[name]
    start = middle(chain)
    there_and_back = []
    for k in range(2000):
        T = chain.forward(start)
        away = T[:3, 3] - chain.arrays.fixed[0, :, 3]
        T[:3, 3] += 2.0 * chain.reach * math.sin(PI * k / 1999) * away / np.linalg.norm(away)
        there_and_back.append(T)
    q = follow_all(chain, start, [*there_and_back, *[chain.forward(start)] * 100])
    np.testing.assert_allclose(chain.forward(q), chain.forward(start), atol=1e-5)
    # dragged all around the arm it may end in another posture, but it gets there without a jump
    follow_all(chain, start, circle(chain, start, 3.0 * chain.reach, 2000))


@settings(max_examples=25)
@given(st.sampled_from(sorted(CHAINS)), st.integers(0, 2**32 - 1))
def test_follow_never_jumps_wherever_the_target_is_dragged(name: str, seed: int) -> None:
    chain, rng = CHAINS[name], np.random.default_rng(seed)
    q = joints_of(chain, rng)
    corners, turns = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    poses, T = [], chain.forward(q)
    for corner, turn in zip(corners, turns, strict=True):
        # far outside, from one side of the arm to another, turning on the way
        there = 2.0 * chain.reach * corner / np.linalg.norm(corner)
        for _ in range(150):
            T = T.copy()
            T[:3, 3] += (there - T[:3, 3]) / 40
            T[:3, :3] = about(0.02 * turn) @ T[:3, :3]
            poses.append(T)
    q = follow_all(chain, q, poses)
    # and it comes to rest before a target that does
    for _ in range(1500):
        before, q = q, chain.follow(T, q)
    assert np.abs(q - before).max() < 2e-3


def about(turn: Floats) -> Floats:
    """Return the rotation by a rotation vector."""
    angle = float(np.linalg.norm(turn))
    x, y, z = turn / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K)


def test_follow_rests_before_a_far_pose() -> None:
    chain = CHAINS["irb120"]
    T = chain.forward(np.array([0.2, 0.3, -0.2, 0.3, 0.6, 0.1]))
    T[:3, 3] += 1.5, 0.5, 0.2
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.6, 0.1])
    for _ in range(2000):
        q, before = chain.follow(T, q), q
    assert np.abs(q - before).max() < 2e-3


@settings(max_examples=15)
@given(st.sampled_from([-1.0, 1.0]), st.floats(0.1, 0.5), st.sampled_from([20, 200, 1000]), st.floats(-0.3, 0.3))
def test_follow_keeps_the_elbow_on_its_side(side: float, bend: float, steps: int, askew: float) -> None:
    chain, stretched = CHAINS["irb120"], math.atan2(0.07, 0.302) - PI / 2
    q = np.array([0.2, -0.2, stretched + side * bend, 0.7, 0.7, 0.7])
    T = chain.forward(q)
    away = T[:3, 3] - (0.0, 0.0, 0.29) + (0.0, askew, 0.0)
    for share in (*np.linspace(0.0, 1.0, steps), *np.ones(200), *np.linspace(1.0, 0.0, steps), *np.zeros(400)):
        target = T.copy()
        target[:3, 3] += share * away / np.linalg.norm(away)
        q = chain.follow(target, q)
        assert side * (q[2] - stretched) > 0.0
    np.testing.assert_allclose(chain.forward(q), T, atol=1e-5)


def test_import_needs_no_mujoco() -> None:
    code = "import sys, farhand.kinematics; sys.exit('mujoco' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
