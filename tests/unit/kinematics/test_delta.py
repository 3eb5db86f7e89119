"""The Delta, against the spheres of its lower arms, finite differences and a search over its angles."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import Delta

PI = math.pi
DELTA = Delta()
ANGLES = st.lists(st.floats(-PI / 2, PI / 2), min_size=3, max_size=3).map(np.array)
PLACES = st.tuples(st.floats(-1.5, 1.5), st.floats(-1.5, 1.5), st.floats(-1.5, 0.5)).map(np.array)


def at(position: Any) -> Floats:
    T = np.eye(4)
    T[:3, 3] = position
    return T


def residuals(delta: Delta, q: Floats, p: Floats) -> Floats:
    """Return |lower arm| − L2 of each arm, by the paper's equation (3) with its misprint mended."""
    R, r, L1, L2 = 0.20, 0.04, 0.20, 0.50
    found = []
    for direction, angle in zip(np.deg2rad([210, 330, 90]), q, strict=True):
        outward = np.array([math.cos(direction), math.sin(direction), 0.0])
        elbow = (R + L1 * math.cos(angle)) * outward + (0, 0, L1 * math.sin(angle))
        found.append(np.linalg.norm(p + r * outward - elbow) - L2)
    return np.array(found)


@given(ANGLES)
def test_forward_closes_every_arm_below_its_elbows(q: Floats) -> None:
    T = DELTA.forward(q)
    np.testing.assert_allclose(residuals(DELTA, q, T[:3, 3]), 0.0, atol=1e-12)
    np.testing.assert_array_equal(T[:3, :3], np.eye(3))
    assert T[2, 3] < 0.0


def test_level_arms_hang_the_platform_on_the_axis() -> None:
    np.testing.assert_allclose(DELTA.forward([0, 0, 0])[:3, 3], (0, 0, -math.sqrt(0.5**2 - 0.36**2)), atol=1e-15)
    # straight down: negative angles, and the lowest of both
    np.testing.assert_allclose(
        DELTA.forward([-PI / 2] * 3)[:3, 3], (0, 0, -0.2 - math.sqrt(0.5**2 - 0.16**2)), atol=1e-15
    )


def test_raising_the_arm_at_90_degrees_draws_the_platform_to_it_and_up() -> None:
    x, y, z = DELTA.forward([0, 0, 0.3])[:3, 3] - DELTA.forward([0, 0, 0])[:3, 3]
    assert abs(x) < 1e-15
    assert y > 0.0
    assert z > 0.0


@given(ANGLES)
def test_forward_of_inverse_is_identity_everywhere_in_the_limits(q: Floats) -> None:
    T = DELTA.forward(q)
    assert DELTA.reachable(T[:3, 3])
    found = DELTA.inverse(T)
    assert found.reached
    assert found.reason == ""
    assert ((DELTA.lower <= found.q) & (found.q <= DELTA.upper)).all()
    np.testing.assert_allclose(DELTA.forward(found.q), T, atol=1e-9)


@given(st.lists(st.floats(-PI / 2, PI / 4), min_size=3, max_size=3).map(np.array))
def test_inverse_of_forward_is_identity_up_to_45_degrees(q: Floats) -> None:
    # there no elbow can be on the inner side
    np.testing.assert_allclose(DELTA.inverse(DELTA.forward(q)).q, q, atol=1e-6)


@given(ANGLES)
def test_jacobian_is_the_slope_of_forward(q: Floats) -> None:
    J = DELTA.jacobian(q)
    assert J.shape == (6, 3)
    assert (J[3:] == 0.0).all()
    for i in range(3):
        d = np.zeros(3)
        d[i] = 1e-6
        slope = (DELTA.forward(q + d) - DELTA.forward(q - d))[:3, 3] / 2e-6
        np.testing.assert_allclose(J[:3, i], slope, atol=1e-7)


def nearest_on_a_grid(p: Floats) -> float:
    return float(np.linalg.norm(GRID - p, axis=1).min())


STEPS = np.linspace(-PI / 2, PI / 2, 25)
GRID = np.array([DELTA.forward([a, b, c])[:3, 3] for a in STEPS for b in STEPS for c in STEPS])


@given(PLACES)
def test_out_of_reach_it_comes_as_near_as_any_angles_do(p: Floats) -> None:
    found = DELTA.inverse(at(p))
    tip = DELTA.forward(found.q)[:3, 3]
    assert found.position_error == pytest.approx(float(np.linalg.norm(tip - p)), abs=1e-12)
    assert found.reached == (found.position_error <= 1e-5)
    assert found.reached == DELTA.reachable(p) or found.position_error < 1e-5
    assert (found.reason in ("too far", "joint limit")) == (not found.reached)
    assert found.position_error <= nearest_on_a_grid(p) + 1e-9


@example(np.array([0.75, -0.75, 0.0]), np.array([0.0, -1.0, 0.0]))  # along a singular direction it converges slowly
@given(PLACES, PLACES)
def test_nearest_position_cannot_be_improved(p: Floats, other: Floats) -> None:
    found = DELTA.inverse(at(p))
    if not found.reached:
        q = DELTA.inverse(at(other)).q
        for share in (1e-3, 1e-2, 0.1, 1.0):
            tip = DELTA.forward(found.q + share * (q - found.q))[:3, 3]
            assert np.linalg.norm(tip - p) >= found.position_error - 1e-6  # a micrometre of more than a metre


@pytest.mark.parametrize("p", [(0, 0, -2.0), (1.0, 1.0, -0.4), (0, 0, -0.7)])
def test_far_position_is_called_too_far(p: tuple[float, float, float]) -> None:
    assert DELTA.inverse(at(p)).reason == "too far"


def test_limit_is_named_where_only_a_limit_is_in_the_way() -> None:
    p = DELTA.forward([1.0, 1.0, 1.0])[:3, 3]
    found = Delta(limits=(-1.0, 0.8)).inverse(at(p))
    assert found.reason == "joint limit"
    np.testing.assert_allclose(found.q, 0.8)


def test_turned_pose_gets_its_position() -> None:
    T = at((0.05, -0.1, -0.45))
    T[:2, :2] = [[math.cos(0.4), -math.sin(0.4)], [math.sin(0.4), math.cos(0.4)]]
    found = DELTA.inverse(T, [0.0, 0.1, 0.2])
    assert (found.reached, found.reason) == (False, "orientation")
    assert found.rotation_error == pytest.approx(0.4)
    assert found.position_error < 1e-12
    np.testing.assert_allclose(DELTA.forward(found.q)[:3, 3], T[:3, 3], atol=1e-12)


def test_wrong_side_of_the_elbows_is_out_of_reach() -> None:
    p = DELTA.forward([0.2, 0.2, 0.2])[:3, 3]
    mirrored = p * (1, 1, -1) + (0, 0, 2 * 0.2 * math.sin(0.2))
    np.testing.assert_allclose(residuals(DELTA, np.full(3, 0.2), mirrored), 0.0, atol=1e-12)
    assert not DELTA.reachable(mirrored)
    assert not DELTA.inverse(at(mirrored)).reached


@given(st.lists(PLACES, min_size=2, max_size=4), ANGLES)
def test_follow_never_jumps_and_arrives(places: list[Floats], q: Floats) -> None:
    for p in places:
        for _ in range(60):
            moved = DELTA.follow(at(p), q)
            assert np.abs(moved - q).max() <= 0.1 + 1e-12
            assert ((DELTA.lower <= moved) & (moved <= DELTA.upper)).all()
            q = moved
        if DELTA.reachable(p):
            np.testing.assert_allclose(DELTA.forward(q)[:3, 3], p, atol=1e-9)


def test_follow_leaves_a_stretched_arm_at_once() -> None:
    delta = Delta(limits=(-PI, PI))
    edge = delta.inverse(at((0, 0, -0.9)))
    assert edge.reason == "too far"
    # all arms straight: no angle moves the platform upward at first order
    assert np.abs(delta.jacobian(edge.q)).max() < 1e-3
    moved = delta.follow(at((0, 0, -0.4)), edge.q)
    assert np.abs(moved - edge.q).max() > 0.09


def test_flat_lower_arms_are_damped() -> None:
    delta = Delta(lower=0.36 + 1e-15)
    assert np.isfinite(delta.jacobian([0, 0, 0])).all()
    assert np.abs(delta.jacobian([0, 0, 0])).max() < 20.0


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Delta(upper=0), "a Delta's upper must be a positive length in metres, found 0"),
        (lambda: Delta(lower=math.nan), "a Delta's lower must be a positive length in metres, found nan"),
        (lambda: Delta(base_radius=math.inf), "a Delta's base_radius must be a positive length"),
        (lambda: Delta(platform_radius=0.3), "base must be wider than its platform, found radii 0.2 and 0.3"),
        (lambda: Delta(lower=0.1), "lower arms must be longer than base_radius − platform_radius = 0.16, found 0.1"),
        (lambda: Delta(limits=(1, 0)), "a Delta's limits must rise and be within ±π, found 1.0 and 0.0"),
        (lambda: Delta(lower=0.2).forward([0, 0, 0]), "the lower arms cannot meet at a platform at the angles"),
        (lambda: Delta(lower=0.2).jacobian([0, 0, 0]), "the lower arms cannot meet at a platform at the angles"),
        (lambda: DELTA.forward([0, 0]), r"joint positions must be 3 numbers, found shape \(2,\)"),
        (lambda: DELTA.inverse(np.eye(3)), "a pose must be a 4×4 or 3×4 matrix"),
        (lambda: DELTA.inverse(np.eye(4), [0, 0, math.nan]), "the seed must be finite"),
        (lambda: DELTA.inverse(np.eye(4), tolerance=-1), "the tolerance must be positive, found -1"),
        (lambda: DELTA.reachable([0, 0, math.inf]), "a position must be finite"),
    ],
)
def test_malformed_arguments_are_refused(make: Any, text: str) -> None:
    with pytest.raises(CommandError, match=text):
        make()
