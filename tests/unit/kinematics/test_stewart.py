"""The Stewart platform: closed form one way, Newton the other, and the contract that every mechanism keeps."""

import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import Kinematics, Stewart
from farhand.poses import Pose, from_rotation_vector, matrix

STEWART = Stewart()
UPRIGHT = Stewart(base_radius=0.16, platform_radius=0.15, height=0.20, stroke=0.05)
MIDDLE = 0.5 * (STEWART.lower + STEWART.upper)
SEEDS = st.integers(0, 2**32 - 1)
SHIFT = st.tuples(*[st.floats(-0.05, 0.05)] * 2, st.floats(-0.04, 0.04))


def pose(shift: tuple[float, ...], turn: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Floats:
    x, y, z = shift
    a, b, c = turn
    return matrix(Pose((x, y, z - 0.30), from_rotation_vector((a, b, c))))


def legs_of(mechanism: Stewart, T: Floats) -> Floats:
    """Return the lengths from their definition: |p + R·b − a|."""
    base, platform = mechanism.anchors
    return np.asarray(np.linalg.norm(T[:3, 3] + platform @ T[:3, :3].T - base, axis=1))


def test_legs_stand_in_pairs_and_each_leads_to_the_nearest() -> None:
    base, platform = STEWART.anchors
    np.testing.assert_allclose(np.hypot(base[:, 0], base[:, 1]), 0.20)
    np.testing.assert_allclose(np.hypot(platform[:, 0], platform[:, 1]), 0.18)
    for leg, end in enumerate(base):
        assert np.linalg.norm(platform - end, axis=1).argmin() == leg
        assert sorted(np.linalg.norm(base - end, axis=1))[1] == pytest.approx(0.4 * math.sin(math.radians(10)))


def test_all_legs_at_half_stroke_hold_the_platform_level_at_its_height() -> None:
    np.testing.assert_allclose(STEWART.forward(MIDDLE), pose((0, 0, 0)), atol=1e-12)
    assert UPRIGHT.forward(0.5 * (UPRIGHT.lower + UPRIGHT.upper))[2, 3] == pytest.approx(0.20)


@given(SHIFT)
def test_inverse_is_the_closed_form(shift: tuple[float, ...]) -> None:
    T = pose(shift)
    found = STEWART.inverse(T)
    assert (found.reached, found.reason) == (True, "")
    np.testing.assert_allclose(found.q, legs_of(STEWART, T), atol=1e-12)


@pytest.mark.parametrize("mechanism", [STEWART, UPRIGHT])
def test_every_corner_of_the_limits_holds_a_platform(mechanism: Stewart) -> None:
    level = math.copysign(1.0, float(np.linalg.det(mechanism.jacobian(0.5 * (mechanism.lower + mechanism.upper)))))
    for corner in itertools.product((False, True), repeat=6):
        q = np.where(corner, mechanism.upper, mechanism.lower)
        np.testing.assert_allclose(legs_of(mechanism, mechanism.forward(q)), q, atol=1e-11)
        assert level * np.linalg.det(mechanism.jacobian(q)) > 0.0  # never beyond a singular pose


@given(SEEDS)
def test_forward_of_inverse_is_identity(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q = rng.uniform(STEWART.lower, STEWART.upper)
    T = STEWART.forward(q)
    found = STEWART.inverse(T, rng.uniform(STEWART.lower, STEWART.upper))
    assert found.reached
    np.testing.assert_allclose(found.q, q, atol=1e-10)
    np.testing.assert_allclose(STEWART.forward(found.q), T, atol=1e-9)


@given(SEEDS)
def test_jacobian_is_the_slope_of_forward(seed: int) -> None:
    rng = np.random.default_rng(seed)
    # half of the stroke: near the corners the slope itself changes fast
    q = MIDDLE + 0.5 * rng.uniform(STEWART.lower - MIDDLE, STEWART.upper - MIDDLE)
    J, R = STEWART.jacobian(q), STEWART.forward(q)[:3, :3]
    for i in range(6):
        d = np.zeros(6)
        d[i] = 1e-6
        slope = (STEWART.forward(q + d) - STEWART.forward(q - d)) / 2e-6
        spin = slope[:3, :3] @ R.T
        np.testing.assert_allclose(J[:3, i], slope[:3, 3], rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(J[3:, i], (spin[2, 1], spin[0, 2], spin[1, 0]), rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(
    ("T", "reason"),
    [
        (pose((0.0, 0.0, 0.2)), "joint limit"),
        (pose((0.3, 0.1, 0.0)), "joint limit"),
        (pose((2.0, 0.0, 0.0)), "too far"),
        (pose((0.0, 0.0, 0.0), (0.0, 0.0, 1.5)), "orientation"),
        (pose((0.01, 0.0, 0.0), (1.2, 0.0, 0.0)), "orientation"),
    ],
)
def test_out_of_reach_it_comes_as_near_as_it_can(T: Floats, reason: str) -> None:
    found = STEWART.inverse(T)
    assert (found.reached, found.reason) == (False, reason)
    assert ((STEWART.lower <= found.q) & (found.q <= STEWART.upper)).all()
    tip = STEWART.forward(found.q)
    assert found.position_error == pytest.approx(np.linalg.norm(tip[:3, 3] - T[:3, 3]), abs=1e-9)
    # no legs around are nearer in position, position first
    rng = np.random.default_rng(0)
    for _ in range(200):
        q = np.clip(found.q + rng.normal(scale=0.01, size=6), STEWART.lower, STEWART.upper)
        assert np.linalg.norm(STEWART.forward(q)[:3, 3] - T[:3, 3]) > found.position_error - 2e-3


def test_straight_out_the_nearest_is_all_legs_drawn_out() -> None:
    found = STEWART.inverse(pose((0.0, 0.0, -0.5)))
    np.testing.assert_allclose(found.q, STEWART.upper, atol=1e-9)


@given(SEEDS)
def test_following_is_continuous_and_arrives(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shift, turn = rng.uniform(-0.04, 0.04, 3), rng.uniform(-0.1, 0.1, 3)
    target, q = pose(tuple(shift), tuple(turn)), MIDDLE
    for _ in range(40):
        moved = STEWART.follow(target, q)
        assert np.abs(moved - q).max() <= 0.01 + 1e-12
        q = moved
    wanted = STEWART.inverse(target)
    if wanted.reached:
        np.testing.assert_allclose(STEWART.forward(q), target, atol=1e-8)


def test_following_out_of_reach_rests_at_the_edge_and_comes_back() -> None:
    q, away = MIDDLE, pose((0.3, 0.0, 0.0))
    gaps = []
    for _ in range(300):
        q = STEWART.follow(away, q)
        gaps.append(float(np.linalg.norm(STEWART.forward(q)[:3, 3] - away[:3, 3])))
    assert gaps[-1] == pytest.approx(gaps[-20], abs=1e-4)
    assert gaps[-1] < gaps[0]
    for _ in range(40):
        q = STEWART.follow(pose((0, 0, 0)), q)
    np.testing.assert_allclose(q, MIDDLE, atol=1e-12)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Stewart(base_radius=0.0), "radii and stroke must be positive"),
        (lambda: Stewart(height=0.0), "height must not be zero, found 0.0"),
        (lambda: Stewart(base_spread=3.0), "less than a third of a turn, found 3.0"),
        (lambda: Stewart(stroke=0.5), "the stroke must be shorter than a leg's 0.3"),
        (lambda: STEWART.forward([1.0, 0.01, 1.0, 0.01, 1.0, 0.01]), "hold no platform"),
        (lambda: STEWART.jacobian([0.3] * 5), r"joint positions must be 6 numbers, found shape \(5,\)"),
        (lambda: STEWART.inverse(np.eye(4), tolerance=0), "the tolerance must be positive, found 0"),
    ],
)
def test_malformed_arguments_are_refused(make: Any, text: str) -> None:
    with pytest.raises(CommandError, match=text):
        make()


def test_it_keeps_the_contract_by_type() -> None:
    mechanism: Kinematics = STEWART
    assert mechanism.names == ("leg1", "leg2", "leg3", "leg4", "leg5", "leg6")
