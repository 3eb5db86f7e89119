"""The closed form of arms with a spherical wrist, against forward kinematics and the iterative search."""

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from farhand.kernels import Floats
from farhand.kinematics import ChainArrays, SerialChain
from farhand.kinematics.arithmetic.descent import work_size
from farhand.kinematics.arithmetic.inverse import solve

PI = math.pi
SEEDS = st.integers(0, 2**32 - 1)
IRB120_ROWS = [
    (0, -PI / 2, 0.290, 0), (0.270, 0, 0, -PI / 2), (0.070, -PI / 2, 0, 0), (0, PI / 2, 0.302, 0),
    (0, -PI / 2, 0, 0), (0, 0, 0.072, PI),
]  # fmt: skip
IRB120_UPPER = [2.879, 1.919, 1.221, 2.793, 2.094, 6.981]
IRB120_LOWER = [-2.879, -1.919, -1.919, -2.793, -2.094, -6.981]


def rotation(rng: np.random.Generator) -> Floats:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return np.asarray(Q if np.linalg.det(Q) > 0 else -Q)


def pose(R: Floats, p: ArrayLike) -> Floats:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, np.asarray(p)
    return T


def irb120() -> SerialChain:
    return SerialChain.from_dh(IRB120_ROWS, IRB120_LOWER, IRB120_UPPER)


def mounted() -> SerialChain:
    """The IRB 120 hanging askew, with a bent tool."""
    rng = np.random.default_rng(7)
    base, tool = pose(rotation(rng), (0.5, -1.0, 2.0)), pose(rotation(rng), (0.03, 0.05, 0.2))
    return SerialChain.from_dh(IRB120_ROWS, IRB120_LOWER, IRB120_UPPER, base=base, tool=tool)


def puma() -> SerialChain:
    """A Puma 560: its upper arm is beside the column."""
    rows = [
        (0, PI / 2, 0, 0), (0.4318, 0, 0, 0), (0.0203, -PI / 2, 0.15005, 0), (0, PI / 2, 0.4318, 0),
        (0, -PI / 2, 0, 0), (0, 0, 0.05625, 0),
    ]  # fmt: skip
    return SerialChain.from_dh(
        rows, np.deg2rad([-160, -225, -45, -110, -100, -266]), np.deg2rad([160, 45, 225, 170, 100, 266])
    )


def crs_a460() -> SerialChain:
    rows = [
        (0, -PI / 2, 0.3302, 0), (0.3048, 0, 0, -PI / 2), (0, -PI / 2, 0, -PI / 2), (0, PI / 2, 0.3302, 0),
        (0, -PI / 2, 0, 0), (0, 0, 0.0762, 0),
    ]  # fmt: skip
    upper = np.deg2rad([175, 90, 110, 180, 105, 180])
    return SerialChain.from_dh(rows, -upper, upper)


def axis_frame(rng: np.random.Generator) -> Floats:
    """Return a turn about and a shift along z: where on its axis a file puts a joint's frame is its own affair."""
    a = rng.uniform(-PI, PI)
    R = np.array([[math.cos(a), -math.sin(a), 0], [math.sin(a), math.cos(a), 0], [0, 0, 1]])
    return pose(R, (0, 0, rng.uniform(-0.3, 0.3)))


def about_x(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1, 0, 0, 0], [0, c, -s, 0], [0, s, c, 0], [0, 0, 0, 1.0]])


def random_arm(seed: int, square: bool) -> SerialChain:
    """Return an arm with a closed form, frames anywhere on the axes, axes either way round, limits narrow or none."""
    rng = np.random.default_rng(seed)
    angles = rng.choice([-1, 1], 4) * PI / 2 if square else rng.choice([-1, 1], 4) * rng.uniform(0.9, PI - 0.9, 4)
    a1, a2, a3, b = rng.uniform(0.0, 0.2), rng.uniform(0.2, 0.5), rng.uniform(0.2, 0.5), rng.uniform(-0.1, 0.1)
    steps = [
        pose(rotation(rng), rng.normal(size=3)),
        pose(np.eye(3), (a1, 0, 0)) @ about_x(angles[0]),
        pose(np.eye(3), (a2, 0, b)) @ about_x(rng.choice([0.0, PI])),
        pose(np.eye(3), (a3, 0, 0)) @ about_x(angles[1]),
        about_x(angles[2]),
        about_x(angles[3]),
        pose(rotation(rng), rng.normal(size=3) * 0.1),
    ]
    # the wrist's axes must keep meeting: a shift of one frame along its axis is undone by the next one
    slides = [axis_frame(rng) for _ in range(6)]
    fixed = [steps[0] @ slides[0]]
    fixed += [np.linalg.inv(slides[i - 1]) @ steps[i] @ slides[i] for i in range(1, 6)]
    arrays = ChainArrays.of(fixed, [0] * 6, np.linalg.inv(slides[5]) @ steps[6])
    upper = rng.choice([1.5, 2.9, 6.3, np.inf], 6)
    return SerialChain(arrays, -upper * rng.choice([0.7, 1.0]), upper)


ARMS = {"irb120": irb120(), "mounted": mounted(), "puma": puma(), "crs a-460": crs_a460()}
ARMS |= {f"square {k}": random_arm(k, square=True) for k in range(4)}
ARMS |= {f"oblique {k}": random_arm(100 + k, square=False) for k in range(4)}
NAMES = st.sampled_from(sorted(ARMS))


def joints_of(chain: SerialChain, rng: np.random.Generator) -> Floats:
    return rng.uniform(np.maximum(chain.lower, -2 * PI), np.minimum(chain.upper, 2 * PI))


def searched(chain: SerialChain, T: Floats, seed: Floats, tolerance: float) -> tuple[bool, Floats]:
    """Return the iterative search's answer."""
    q = np.empty(6)
    found, _, _ = solve(
        *chain.arrays, chain.lower, chain.upper, T, seed, tolerance, chain.length, False, q, np.empty(work_size(6))  # noqa: FBT003
    )  # fmt: skip
    return bool(found), q


@pytest.mark.parametrize("name", ARMS)
def test_arm_is_detected(name: str) -> None:
    assert ARMS[name].closed_form


@pytest.mark.parametrize("seed", range(40))
def test_every_arm_of_the_kind_is_detected(seed: int) -> None:
    assert random_arm(seed, square=False).closed_form


def changed(row: int, **values: float) -> SerialChain:
    rows = [list(r) for r in IRB120_ROWS]
    for name, value in values.items():
        rows[row][("a", "alpha", "d", "theta").index(name)] = value
    return SerialChain.from_dh([(r[0], r[1], r[2], r[3]) for r in rows], IRB120_LOWER, IRB120_UPPER)


@pytest.mark.parametrize(
    "chain",
    [
        changed(3, a=0.001),  # axes 4 and 5 miss each other
        changed(4, a=0.001),  # axes 5 and 6 do
        changed(4, d=0.001),  # axis 6 misses where 4 and 5 meet
        changed(1, alpha=0.01),  # shoulder and elbow are not parallel
        changed(0, alpha=0.0),  # base and shoulder are
        changed(3, alpha=0.0),  # axes 4 and 5 are one
        changed(4, alpha=0.0),  # axes 5 and 6 are one
        changed(1, a=0.0),  # no upper arm
        SerialChain.from_dh(IRB120_ROWS[:5], IRB120_LOWER[:5], IRB120_UPPER[:5]),
        SerialChain.from_dh([*IRB120_ROWS[:5], (0, 0, 0, 0, "prismatic")], IRB120_LOWER, IRB120_UPPER),
    ],
)
def test_other_arms_are_left_to_the_search(chain: SerialChain) -> None:
    assert not chain.closed_form
    q = 0.4 * chain.lower + 0.6 * np.minimum(chain.upper, 1.0)
    assert chain.inverse(chain.forward(q), q + 0.01).reached


def test_rounded_right_angles_are_polished() -> None:
    rows = [(a, round(alpha, 4), d, round(theta, 4)) for a, alpha, d, theta in IRB120_ROWS]
    chain, rng = SerialChain.from_dh(rows, IRB120_LOWER, IRB120_UPPER), np.random.default_rng(3)
    assert chain.closed_form
    for _ in range(50):
        q = joints_of(chain, rng)
        found = chain.inverse(chain.forward(q), q, tolerance=1e-9)
        assert found.reached
        np.testing.assert_allclose(found.q, q, atol=1e-3)


URDF = """<robot name="arm"><link name="l0"/>{}</robot>"""
LINK = """<link name="l{i}"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial></link><joint name="j{i}" type="revolute"><parent link="l{p}"/><child link="l{i}"/><origin xyz="{xyz}"/>
<axis xyz="{axis}"/><limit lower="-2.5" upper="2.5" effort="9" velocity="2"/></joint>"""


def test_arm_of_a_file_is_detected(tmp_path: Path) -> None:
    places = ["0 0 0.3", "0.05 0.1 0", "0 0 0.3", "0.1 -0.1 0.05", "0.25 0 0", "0 0 0"]
    axes = ["0 0 1", "0 1 0", "0 -1 0", "1 0 0", "0 1 0", "-1 0 0"]
    links = [LINK.format(i=i + 1, p=i, xyz=places[i], axis=axes[i]) for i in range(6)]
    (tmp_path / "arm.urdf").write_text(URDF.format("".join(links)))
    chain, rng = SerialChain.from_urdf(tmp_path / "arm.urdf", "l0", "l6"), np.random.default_rng(2)
    assert chain.closed_form
    for _ in range(50):
        q = joints_of(chain, rng)
        np.testing.assert_allclose(chain.inverse(chain.forward(q), q, 1e-9).q, q, atol=1e-6)


@settings(max_examples=400)
@given(NAMES, SEEDS)
def test_forward_of_inverse_is_identity(name: str, seed: int) -> None:
    chain, rng = ARMS[name], np.random.default_rng(seed)
    T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
    found = chain.inverse(T, start, tolerance=1e-9)
    assert (found.reached, found.reason) == (True, "")
    assert ((chain.lower <= found.q) & (found.q <= chain.upper)).all()
    np.testing.assert_allclose(chain.forward(found.q), T, atol=3e-9)


@settings(max_examples=400)
@given(SEEDS, SEEDS, st.booleans())
def test_every_posture_is_found_on_any_arm(arm: int, seed: int, square: bool) -> None:
    chain, rng = random_arm(arm, square), np.random.default_rng(seed)
    q = joints_of(chain, rng)
    np.testing.assert_allclose(chain.inverse(chain.forward(q), q, tolerance=1e-9).q, q, atol=1e-5)


@pytest.mark.parametrize("name", ARMS)
def test_answer_is_never_farther_from_the_seed_than_the_searchs(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(11)
    for _ in range(300):
        T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
        found = chain.inverse(T, start, tolerance=1e-9)
        also, q = searched(chain, T, start, 1e-9)
        assert found.reached
        if also:
            assert np.linalg.norm(found.q - start) <= np.linalg.norm(q - start) + 1e-5


@pytest.mark.parametrize("name", ["irb120", "puma", "crs a-460"])
def test_reachability_agrees_with_the_search(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(12)
    reached = 0
    for _ in range(60):
        T = pose(rotation(rng), rng.uniform((-0.6, -0.6, -0.3), (0.6, 0.6, 0.9)))
        start = joints_of(chain, rng)
        found = chain.inverse(T, start)
        assert found.reached == searched(chain, T, start, 1e-5)[0]
        reached += found.reached
    assert 5 < reached < 55


@pytest.mark.parametrize("bend", [0.0, 1e-13, 1e-10, 1e-8, 1e-6, 1e-4])
@pytest.mark.parametrize("name", ["irb120", "puma", "crs a-460", "mounted"])
def test_aligned_wrist_is_reached_and_stays_near(name: str, bend: float) -> None:
    chain, rng = ARMS[name], np.random.default_rng(13)
    for _ in range(20):
        q = joints_of(chain, rng)
        q[4] = bend
        start = np.clip(q + rng.normal(size=6) * 0.1, chain.lower, chain.upper)
        found = chain.inverse(chain.forward(q), start, tolerance=1e-9)
        assert found.reached
        np.testing.assert_allclose(chain.forward(found.q), chain.forward(q), atol=3e-9)
        assert np.linalg.norm(found.q - start) <= np.linalg.norm(q - start) + 1e-6


def test_aligned_wrist_shares_the_turn_and_minds_the_limits() -> None:
    chain = ARMS["irb120"]
    q, start = np.array([0.1, 0.2, 0.3, 0.4, 0.0, 0.6]), np.array([0.1, 0.2, 0.3, 0.0, 0.0, 0.0])
    np.testing.assert_allclose(chain.inverse(chain.forward(q), start).q, [0.1, 0.2, 0.3, 0.5, 0.0, 0.5], atol=1e-9)
    low, high = chain.lower.copy(), chain.upper.copy()
    low[5], high[5] = -0.2, 0.2
    narrow = SerialChain(chain.arrays, low, high)
    np.testing.assert_allclose(narrow.inverse(chain.forward(q), start).q, [0.1, 0.2, 0.3, 0.8, 0.0, 0.2], atol=1e-9)


@pytest.mark.parametrize("shift", [0.0, 1e-12, 1e-10, 1e-7, 1e-5])
def test_wrist_above_the_column_keeps_the_base(shift: float) -> None:
    chain, rng = ARMS["irb120"], np.random.default_rng(14)
    for _ in range(20):
        R = rotation(rng)
        T = pose(R, np.array([shift, 0, 0.29 + 0.45]) + R @ (0, 0, 0.072))
        start = joints_of(chain, rng)
        found = chain.inverse(T, start, tolerance=1e-9)
        if found.reached:
            assert shift > 1e-9 or abs(math.remainder(found.q[0] - start[0], PI)) < 1e-9
        assert np.isfinite(found.q).all()
    upright = chain.inverse(pose(np.eye(3), (shift, 0, 0.29 + 0.45 + 0.072)), np.zeros(6), tolerance=1e-9)
    assert upright.reached


def test_stretched_arm_is_reached() -> None:
    chain, rng = ARMS["irb120"], np.random.default_rng(15)
    straight = -math.atan2(0.302, 0.07)
    shoulder = np.array([0, 0, 0.29])
    for _ in range(20):
        q = joints_of(chain, rng)
        q[2] = straight
        wrist = chain.frames(q)[4, :3, 3]
        assert np.linalg.norm(wrist - shoulder) == pytest.approx(0.27 + math.hypot(0.302, 0.07))
        assert chain.inverse(chain.forward(q), q, tolerance=1e-9).reached


@pytest.mark.parametrize("name", ["irb120", "puma", "crs a-460"])
def test_joints_at_their_limits_are_within_them(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(16)
    for _ in range(50):
        q = np.where(rng.random(6) < 0.5, chain.lower, chain.upper)
        found = chain.inverse(chain.forward(q), q, tolerance=1e-9)
        assert found.reached
        np.testing.assert_allclose(found.q, q, atol=1e-6)


def test_whole_turns_stay_with_the_seed() -> None:
    chain = ARMS["irb120"]
    q = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    for turns in (-1, 0, 1):
        start = q.copy()
        start[5] += 2 * PI * turns
        np.testing.assert_allclose(chain.inverse(chain.forward(q), start).q, start, atol=1e-9)
    # a second turn is beyond the limit: the nearest within it
    start[5] += 2 * PI
    np.testing.assert_allclose(chain.inverse(chain.forward(q), start).q[5], 0.6 + 2 * PI)
