"""The SCARA, against the paper's equations; and the contract, over a serial arm, the Delta and the SCARA alike."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import Delta, Kinematics, Scara, SerialChain

PI = math.pi
SCARA = Scara()
IRB120 = SerialChain.from_dh(
    [
        (0, -PI / 2, 0.290, 0), (0.270, 0, 0, -PI / 2), (0.070, -PI / 2, 0, 0), (0, PI / 2, 0.302, 0),
        (0, -PI / 2, 0, 0), (0, 0, 0.072, PI),
    ],
    [-2.879, -1.919, -1.919, -2.793, -2.094, -6.981],
    [2.879, 1.919, 1.221, 2.793, 2.094, 6.981],
)  # fmt: skip
MECHANISMS: dict[str, Kinematics] = {
    "irb120": IRB120,
    "delta": Delta(),
    "scara": SCARA,
    "long scara": Scara(links=(0.4, 0.25), offsets=(0.3, -0.05, 0.0)),
}
NAMES = st.sampled_from(sorted(MECHANISMS))
SEEDS = st.integers(0, 2**32 - 1)
AWAY = st.floats(0.11, 0.59)
DIRECTION = st.floats(-PI, PI)
HEIGHT = st.floats(0.15, 0.45)


def joints_of(mechanism: Kinematics, rng: np.random.Generator) -> Floats:
    return rng.uniform(np.maximum(mechanism.lower, -PI), np.minimum(mechanism.upper, PI))


def pose(x: float, y: float, z: float, yaw: float = 0.0) -> Floats:
    c, s = math.cos(yaw), math.sin(yaw)
    return np.array([[c, -s, 0, x], [s, c, 0, y], [0, 0, 1, z], [0, 0, 0, 1]])


def wrap(angle: float) -> float:
    return math.remainder(angle, 2 * PI)


def paper(x: float, y: float, z: float, second: bool) -> list[float]:
    """Return the paper's equation (9), signs mended, for equal links of 0.30 m."""
    phi, gamma = math.atan2(y, x), math.acos((2 * 0.09 - x * x - y * y) / (2 * 0.09))
    sign = -1.0 if second else 1.0
    turns = (phi - sign * PI / 2, sign * gamma / 2, sign * (PI - gamma), sign * (gamma / 2 - PI / 2))
    base, shoulder, elbow, wrist = (wrap(turn) for turn in turns)
    return [base, z - 0.15, shoulder, elbow, wrist]


@given(st.lists(st.floats(-3, 3), min_size=5, max_size=5))
def test_forward_is_the_papers(q: list[float]) -> None:
    base, lift, shoulder, elbow, wrist = q
    one, two = base + shoulder, base + shoulder + elbow
    x, y = 0.3 * (math.cos(one) + math.cos(two)), 0.3 * (math.sin(one) + math.sin(two))
    np.testing.assert_allclose(SCARA.forward(q), pose(x, y, lift + 0.15, two + wrist), atol=1e-14)


@given(AWAY, DIRECTION, HEIGHT)
def test_radial_is_the_papers_first_branch_and_the_second_near_it(away: float, phi: float, z: float) -> None:
    x, y = away * math.cos(phi), away * math.sin(phi)
    found = SCARA.radial((x, y, z))
    assert found.reached
    first, second = paper(x, y, z, second=False), paper(x, y, z, second=True)
    assert [abs(wrap(a - b)) < 1e-6 for a, b in zip(found.q, first, strict=True)] == [True] * 5
    for branch in (first, second):
        near = SCARA.radial((x, y, z), branch)
        np.testing.assert_allclose(near.q, branch, atol=1e-6)
        np.testing.assert_allclose(SCARA.forward(near.q), pose(x, y, z, phi), atol=1e-7)


@given(AWAY, DIRECTION, HEIGHT, DIRECTION)
def test_wrist_takes_the_yaw(away: float, phi: float, z: float, yaw: float) -> None:
    x, y = away * math.cos(phi), away * math.sin(phi)
    found = SCARA.inverse(pose(x, y, z, yaw))
    assert found.reached
    radial = SCARA.radial((x, y, z))
    np.testing.assert_allclose(found.q[:4], radial.q[:4], atol=1e-9)
    assert abs(wrap(found.q[4] - radial.q[4] - (yaw - phi))) < 1e-9


@given(SEEDS)
def test_no_other_joints_of_the_pose_are_nearer_to_the_seed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    q, start = joints_of(SCARA, rng), joints_of(SCARA, rng)
    found = SCARA.inverse(SCARA.forward(q), start)
    assert found.reached
    assert np.linalg.norm(found.q - start) <= np.linalg.norm(q - start) + 1e-9


@pytest.mark.parametrize(
    ("place", "nearest", "reason"),
    [
        ((0.9, 0.0, 0.2), (0.6, 0.0, 0.2), "too far"),
        ((0.0, -2.0, 1.0), (0.0, -0.6, 0.45), "too far"),
        ((0.3, 0.3, 0.0), (0.3, 0.3, 0.15), "joint limit"),
        ((0.03, 0.04, 0.3), (0.6 * 0.6 * math.cos(1.39626340159546), 0.8 * 0.6 * math.cos(1.39626340159546), 0.3),
         "joint limit"),
    ],
)  # fmt: skip
def test_out_of_reach_it_comes_as_near_as_it_can(
    place: tuple[float, float, float], nearest: tuple[float, float, float], reason: str
) -> None:
    found = SCARA.inverse(pose(*place, 0.7), np.zeros(5))
    np.testing.assert_allclose(SCARA.forward(found.q), pose(*nearest, 0.7), atol=1e-7)
    assert (found.reached, found.reason) == (False, reason)
    assert found.position_error == pytest.approx(math.dist(place, nearest), abs=1e-7)


def test_tilted_pose_gets_its_position_and_its_yaw() -> None:
    T = pose(0.3, 0.2, 0.3, 0.5)
    c, s = math.cos(0.3), math.sin(0.3)
    T[:3, :3] = T[:3, :3] @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    found = SCARA.inverse(T)
    assert (found.reached, found.reason) == (False, "orientation")
    assert found.rotation_error == pytest.approx(0.3)
    np.testing.assert_allclose(SCARA.forward(found.q)[:3, 3], T[:3, 3], atol=1e-12)


def test_limits_that_forbid_every_branch_are_answered_by_search() -> None:
    narrow = Scara(lower=[-0.1, 0, -0.1, -2.0, -0.1], upper=[0.1, 0.3, 0.1, 2.0, 0.1])
    found = narrow.inverse(pose(-0.4, 0.1, 0.3, 2.0), np.zeros(5))
    assert not found.reached
    assert ((narrow.lower <= found.q) & (found.q <= narrow.upper)).all()


def test_on_the_column_the_arm_keeps_its_direction() -> None:
    folding = Scara(lower=[-PI, 0, -PI, -PI, -PI], upper=[PI, 0.3, PI, PI, PI])
    found = folding.inverse(pose(0, 0, 0.3), [0.4, 0.1, 0.3, 3.0, 0.0])
    assert found.reached
    assert found.q[0] + found.q[2] == pytest.approx(0.7)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: Scara(links=(0.3, 0)), "links must be positive lengths in metres, found 0.3 and 0"),
        (lambda: Scara(links=(0.3, math.nan)), "a SCARA's links must be finite"),
        (lambda: Scara(offsets=(0.1, 0.1, math.inf)), "a SCARA's offsets must be finite"),
        (lambda: Scara(lower=[1] * 5, upper=[0] * 5), "each lower limit must be at most the upper one"),
        (lambda: SCARA.radial([0.1, 0.2]), r"a position must be 3 numbers, found shape \(2,\)"),
        (lambda: SCARA.inverse(np.eye(4), [0] * 4), r"the seed must be 5 numbers, found shape \(4,\)"),
        (lambda: SCARA.inverse(np.eye(4), tolerance=0), "the tolerance must be positive, found 0"),
    ],
)
def test_malformed_arguments_are_refused(make: Any, text: str) -> None:
    with pytest.raises(CommandError, match=text):
        make()


@given(NAMES, SEEDS)
def test_contract_forward_of_inverse_is_identity(name: str, seed: int) -> None:
    mechanism, rng = MECHANISMS[name], np.random.default_rng(seed)
    T = mechanism.forward(joints_of(mechanism, rng))
    found = mechanism.inverse(T, joints_of(mechanism, rng))
    assert (found.reached, found.reason) == (True, "")
    assert ((mechanism.lower <= found.q) & (found.q <= mechanism.upper)).all()
    np.testing.assert_allclose(mechanism.forward(found.q), T, atol=2e-5)
    # engaging never jumps: the joints there are answer their own pose
    again = mechanism.inverse(T, found.q)
    np.testing.assert_allclose(again.q, found.q, atol=1e-4)


@given(NAMES, SEEDS)
def test_contract_jacobian_is_the_slope_of_forward(name: str, seed: int) -> None:
    mechanism, rng = MECHANISMS[name], np.random.default_rng(seed)
    q = joints_of(mechanism, rng)
    J, R = mechanism.jacobian(q), mechanism.forward(q)[:3, :3]
    assert J.shape == (6, mechanism.n)
    for i in range(mechanism.n):
        d = np.zeros(mechanism.n)
        d[i] = 1e-6
        slope = (mechanism.forward(q + d) - mechanism.forward(q - d)) / 2e-6
        spin = slope[:3, :3] @ R.T
        np.testing.assert_allclose(J[:3, i], slope[:3, 3], atol=1e-7)
        np.testing.assert_allclose(J[3:, i], (spin[2, 1], spin[0, 2], spin[1, 0]), atol=1e-7)


@given(NAMES, SEEDS)
def test_contract_never_calls_a_wrong_answer_reached(name: str, seed: int) -> None:
    mechanism, rng = MECHANISMS[name], np.random.default_rng(seed)
    T = mechanism.forward(joints_of(mechanism, rng))
    T[:3, 3] += rng.normal(size=3) * rng.choice([1e-6, 1e-5, 0.1, 1.0])
    found = mechanism.inverse(T, joints_of(mechanism, rng))
    tip = mechanism.forward(found.q)
    distance = float(np.linalg.norm(tip[:3, 3] - T[:3, 3]))
    angle = math.acos(min(max((np.trace(tip[:3, :3].T @ T[:3, :3]) - 1) / 2, -1.0), 1.0))
    assert found.position_error == pytest.approx(distance, abs=1e-9)
    assert found.rotation_error == pytest.approx(angle, abs=1e-6)
    assert found.reached == (found.position_error <= 1e-5 and found.rotation_error <= 1e-5)
    assert (found.reason == "") == found.reached
    assert ((mechanism.lower <= found.q) & (found.q <= mechanism.upper)).all()


@given(NAMES, SEEDS)
def test_contract_follow_is_continuous_also_out_of_reach(name: str, seed: int) -> None:
    mechanism, rng = MECHANISMS[name], np.random.default_rng(seed)
    q = joints_of(mechanism, rng)
    T, way = mechanism.forward(q), rng.normal(size=3)
    for k in range(150):
        target = T.copy()
        target[:3, 3] += way * math.sin(2 * PI * k / 150)
        moved = mechanism.follow(target, q)
        assert np.abs(moved - q).max() <= 0.1 + 1e-12
        assert ((mechanism.lower <= moved) & (moved <= mechanism.upper)).all()
        q = moved


@pytest.mark.parametrize("name", MECHANISMS)
def test_contract_follow_keeps_up_with_a_pose_in_reach(name: str) -> None:
    mechanism = MECHANISMS[name]
    low, high = np.maximum(mechanism.lower, -PI), np.minimum(mechanism.upper, PI)
    q = start = low + 0.55 * (high - low)
    goal = start + 0.05 * (high - low)
    for k in range(110):
        q = mechanism.follow(mechanism.forward(start + (goal - start) * min(k / 100, 1.0)), q)
    np.testing.assert_allclose(mechanism.forward(q), mechanism.forward(goal), atol=1e-6)
