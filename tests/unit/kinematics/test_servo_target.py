"""The tip target of a jog: the same arithmetic as with poses, for ever orthonormal, and never far ahead."""

import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from farhand import poses
from farhand.kernels import Floats
from farhand.kinematics.servo.target import limit_target_lead, push_target
from farhand.poses import Pose, Vec3

ON_LINE, BEGINS = True, True
DT = 0.002
vectors = st.tuples(*[st.floats(-3.0, 3.0, allow_subnormal=False)] * 3)
turns = st.tuples(*[st.floats(-3.0, 3.0, allow_subnormal=False)] * 3)


def array(pose: Pose) -> Floats:
    return np.array(poses.rows_of(pose)).reshape(3, 4)


@given(vectors, turns, vectors, turns, st.booleans(), st.booleans())
def test_pushing_is_moving_a_pose_exactly(at: Vec3, turn: Vec3, v: Vec3, w: Vec3, tool: bool, tool_turn: bool) -> None:
    pose = Pose(at, poses.from_rotation_vector(turn))
    target, twist = array(pose), np.array([*v, *w])
    push_target(target, twist, tool, tool_turn, DT)
    angular = poses.rotate(pose.rotation, w) if tool_turn else w
    # the same by many small pushes: a velocity in tool axes turns along
    small, parts = array(pose), 500
    for _ in range(parts):
        push_target(small, np.array([*v, *w]), tool, tool_turn, DT / parts)
    np.testing.assert_allclose(target, small, atol=1e-8)
    np.testing.assert_allclose(twist[:3] * DT, target[:, 3] - at, atol=1e-9)
    np.testing.assert_allclose(twist[3:], angular, atol=1e-9)


def test_many_pushes_leave_a_rotation() -> None:
    target, tool = array(poses.IDENTITY), True
    for _ in range(200_000):
        push_target(target, np.array([0.1, 0.0, 0.0, 0.7, -0.4, 1.1]), tool, tool, DT)
    R = target[:, :3]
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-12)


@given(vectors, turns, st.floats(0.001, 2.0), st.floats(0.005, 2.0))
def test_a_target_is_pulled_back_along_its_lead(shift: Vec3, turn: Vec3, lead: float, turn_lead: float) -> None:
    if math.hypot(*turn) > math.pi:
        return
    target, error = array(Pose(shift, poses.from_rotation_vector(turn))), np.array([*shift, *turn])
    dropped = np.zeros(6)
    limit_target_lead(target, error, np.zeros(6), not ON_LINE, not BEGINS, lead, 0.0, turn_lead, dropped)
    np.testing.assert_allclose(dropped[:3], np.array(shift) - target[:, 3], atol=1e-9)
    left = poses.from_matrix(np.vstack([target, [0, 0, 0, 1]]))
    ahead, turned = math.hypot(*shift), math.hypot(*turn)
    assert math.isclose(math.hypot(*left.position), min(ahead, lead), abs_tol=1e-9)
    assert math.isclose(math.hypot(*poses.rotation_vector(left.rotation)), min(turned, turn_lead), abs_tol=1e-7)


@given(vectors, vectors, st.floats(0.0, 0.1), st.floats(0.0, 0.1), st.booleans())
def test_a_target_on_a_line_is_pulled_back_along_it_alone(
    error: Vec3, way: Vec3, lead: float, leash: float, begins: bool
) -> None:
    target, off, twist = array(Pose(error)), np.array([*error, 0.1, 0.2, 0.3]), np.array([*way, 1.0, 2.0, 3.0])
    dropped = np.zeros(6)
    limit_target_lead(target, off, twist, ON_LINE, begins, lead, leash, 1.0, dropped)
    speed = math.hypot(*way)
    if speed == 0.0:
        np.testing.assert_array_equal(off[:3], error)
        return
    unit = np.array(way) / speed
    ahead = float(unit @ error)
    aside = np.array(error) - ahead * unit
    beside = float(np.linalg.norm(aside))
    if begins and beside > lead:
        aside *= lead / beside
    most = min(lead, math.sqrt(max(leash**2 - float(aside @ aside), 0.0)))
    np.testing.assert_allclose(off[:3], min(ahead, most) * unit + aside, atol=1e-6)
    # the follower is at the origin, and the target within its leash
    within = min(1.0, leash / max(float(np.linalg.norm(off[:3])), 1e-12))
    np.testing.assert_allclose(target[:, 3], within * off[:3], atol=1e-9)
    np.testing.assert_allclose(dropped[:3], np.array(error) - target[:, 3], atol=1e-9)
    np.testing.assert_array_equal(off[3:], (0.1, 0.2, 0.3))
