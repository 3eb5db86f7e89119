"""Poses form a group, and agree with MuJoCo's arithmetic."""

import math

import mujoco
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand import poses
from farhand.errors import CommandError
from farhand.poses import IDENTITY, Pose, Quaternion, Vec3, compose, inverse

numbers = st.floats(-10.0, 10.0, allow_subnormal=False)
vectors = st.tuples(numbers, numbers, numbers)
turns = st.tuples(*[st.floats(-2.0, 2.0, allow_subnormal=False)] * 3)


@st.composite
def quaternions(draw: st.DrawFn) -> Quaternion:
    q = draw(st.tuples(*[st.floats(-1.0, 1.0, allow_subnormal=False)] * 4).filter(lambda q: math.hypot(*q) > 1e-3))
    return poses.normalized(q)


@st.composite
def some_poses(draw: st.DrawFn) -> Pose:
    return Pose(draw(vectors), draw(quaternions()))


def near(a: Pose, b: Pose, tolerance: float = 1e-9) -> bool:
    return math.dist(a.position, b.position) < tolerance and poses.angle_between(a.rotation, b.rotation) < 1e-7


@given(some_poses())
def test_inverse_undoes(pose: Pose) -> None:
    assert near(compose(pose, inverse(pose)), IDENTITY, 1e-9)
    assert near(compose(inverse(pose), pose), IDENTITY, 1e-9)


@given(some_poses(), some_poses(), some_poses())
def test_composing_is_associative(a: Pose, b: Pose, c: Pose) -> None:
    assert near(compose(compose(a, b), c), compose(a, compose(b, c)), 1e-8)


@given(some_poses())
def test_matrix_and_back(pose: Pose) -> None:
    assert near(poses.from_matrix(poses.matrix(pose)), pose)


@given(some_poses(), some_poses())
def test_composing_is_the_product_of_matrices(a: Pose, b: Pose) -> None:
    np.testing.assert_allclose(poses.matrix(compose(a, b)), poses.matrix(a) @ poses.matrix(b), atol=1e-9)


@given(turns)
def test_logarithm_of_exponential(turn: Vec3) -> None:
    again = poses.rotation_vector(poses.from_rotation_vector(turn))
    if math.hypot(*turn) <= math.pi:
        assert math.dist(again, turn) < 1e-7
    assert math.hypot(*again) <= math.pi + 1e-12


@given(quaternions(), vectors)
def test_rotating_agrees_with_mujoco(q: Quaternion, v: Vec3) -> None:
    out = np.zeros(3)
    mujoco.mju_rotVecQuat(out, np.array(v), np.array(q))
    np.testing.assert_allclose(poses.rotate(q, v), out, atol=1e-9)


@given(some_poses(), some_poses(), st.floats(0.0, 1.0))
def test_interpolating_divides_the_way(a: Pose, b: Pose, share: float) -> None:
    middle = poses.interpolate(a, b, share)
    whole = math.dist(a.position, b.position)
    assert math.isclose(math.dist(a.position, middle.position), share * whole, abs_tol=1e-9)
    turn = poses.angle_between(a.rotation, b.rotation)
    assert math.isclose(poses.angle_between(a.rotation, middle.rotation), share * turn, abs_tol=1e-6)


@given(some_poses(), vectors, turns)
def test_moving_turns_about_the_pose_itself(pose: Pose, shift: Vec3, turn: Vec3) -> None:
    moved = poses.moved(pose, shift, turn)
    assert math.dist(moved.position, tuple(p + s for p, s in zip(pose.position, shift, strict=True))) < 1e-12
    expected = poses.matrix(Pose(rotation=poses.from_rotation_vector(turn))) @ poses.matrix(pose)
    np.testing.assert_allclose(poses.matrix(moved)[:3, :3], expected[:3, :3], atol=1e-9)


def test_rpy_follows_urdf() -> None:
    turn = poses.matrix(Pose(rotation=poses.from_rpy(0.1, 0.2, 0.3)))[:3, :3]
    parts = [
        poses.matrix(Pose(rotation=poses.from_rotation_vector(v)))[:3, :3]
        for v in ((0, 0, 0.3), (0, 0.2, 0), (0.1, 0, 0))
    ]
    np.testing.assert_allclose(turn, parts[0] @ parts[1] @ parts[2], atol=1e-12)


@given(roll=st.floats(-3.14, 3.14), pitch=st.floats(-1.57, 1.57), yaw=st.floats(-3.14, 3.14))
def test_roll_pitch_and_yaw_come_back(roll: float, pitch: float, yaw: float) -> None:
    turn = poses.from_rpy(roll, pitch, yaw)
    assert poses.angle_between(turn, poses.from_rpy(*poses.rpy(turn))) < 1e-6
    if abs(pitch) < 1.5:
        assert poses.rpy(turn) == pytest.approx((roll, pitch, yaw), abs=1e-7)


@pytest.mark.parametrize("up", [1.0, -1.0])
@pytest.mark.parametrize(("roll", "yaw"), [(0.0, 0.4), (0.3, 0.4), (-1.0, 2.5), (3.0, 0.0)])
def test_straight_up_and_down_roll_is_told_as_yaw(up: float, roll: float, yaw: float) -> None:
    turn = poses.from_rpy(roll, up * math.pi / 2, yaw)
    told = poses.rpy(turn)
    assert told[:2] == pytest.approx((0.0, up * math.pi / 2), abs=1e-5)
    assert poses.angle_between(turn, poses.from_rpy(*told)) < 1e-6


@pytest.mark.parametrize("bad", [np.eye(3), np.full((4, 4), np.nan), np.diag([2.0, 1, 1, 1]), np.diag([-1.0, 1, 1, 1])])
def test_what_is_no_pose_is_refused(bad: object) -> None:
    with pytest.raises(CommandError):
        poses.from_matrix(bad)  # type: ignore[arg-type] # on purpose


def test_a_zero_quaternion_is_refused() -> None:
    with pytest.raises(CommandError, match="is not a rotation"):
        poses.normalized((0.0, 0.0, 0.0, 0.0))
