"""Arms of seven joints that have a closed form as soon as one is held, against forward kinematics and the search."""

import math
import pickle
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from farhand.kernels import Floats
from farhand.kinematics import ChainArrays, SerialChain
from farhand.kinematics.arithmetic.descent import work_size
from farhand.kinematics.arithmetic.inverse import solve
from farhand.kinematics.arithmetic.link_frames import SLIDES, TURNS
from farhand.kinematics.closed.closed_forms import closed_form_of
from farhand.kinematics.closed.held_joint import find_held
from farhand.kinematics.closed.redundant import HeldChain, held_size, held_solve, pack_held
from farhand.kinematics.closed.shoulder import MEETING, PARALLEL
from farhand_bench.arms import irb120, panda, telemax

PI = math.pi
SEEDS = st.integers(0, 2**32 - 1)
PLACES = {PARALLEL: (0, 3), MEETING: (0, 2, 3)}  # where a joint more leaves each of the two forms


def rotation(rng: np.random.Generator) -> Floats:
    Q, R = np.linalg.qr(rng.normal(size=(3, 3)))
    Q = Q * np.sign(np.diag(R))
    return np.asarray(Q if np.linalg.det(Q) > 0 else -Q)


def pose(R: Floats, p: ArrayLike) -> Floats:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = R, np.asarray(p)
    return T


def anywhere(rng: np.random.Generator) -> Floats:
    return pose(rotation(rng), rng.normal(size=3) * 0.15)


def along_x(a: float, alpha: float, b: float = 0.0) -> Floats:
    c, s = math.cos(alpha), math.sin(alpha)
    return np.array([[1, 0, 0, a], [0, c, -s, 0], [0, s, c, b], [0, 0, 0, 1.0]])


def random_arm(seed: int) -> SerialChain:
    """Return six joints with a closed form and one more, which turns or slides, read from either end."""
    rng = np.random.default_rng(seed)
    form = int(rng.choice([PARALLEL, MEETING]))
    bend = rng.choice([-1, 1], 4) * rng.uniform(0.9, PI - 0.9, 4)
    second = (
        along_x(rng.uniform(0.2, 0.5), 0.0, 0.1) if form == PARALLEL else along_x(rng.uniform(0.2, 0.5), bend[3], 0.2)
    )
    steps: list[Floats] = [
        anywhere(rng),
        along_x(rng.uniform(0.0, 0.2) if form == PARALLEL else 0.0, bend[0]),
        second,
        along_x(rng.uniform(0.2, 0.5), bend[1]),
        along_x(0.0, bend[2]),
        along_x(0.0, bend[0]),
    ]
    kinds, place = [TURNS] * 6, int(rng.choice(PLACES[form]))
    steps.insert(place, anywhere(rng))
    kinds.insert(place, int(rng.choice([TURNS, SLIDES])))
    tool = anywhere(rng)
    if rng.random() < 0.5:
        steps, tool = [np.asarray(np.linalg.inv(T)) for T in (tool, *steps[:0:-1])], np.asarray(np.linalg.inv(steps[0]))
        kinds.reverse()
    upper = np.where(np.array(kinds) == SLIDES, 0.3, rng.choice([1.5, 2.9, 6.3, np.inf], 7))
    return SerialChain(ChainArrays.of(steps, kinds, tool), -upper * rng.choice([0.7, 1.0]), upper)


def iiwa() -> SerialChain:
    """Three axes meet at the shoulder, three at the wrist."""
    rows = [
        (0, -PI / 2, 0.36, 0), (0, PI / 2, 0, 0), (0, PI / 2, 0.42, 0), (0, -PI / 2, 0, 0), (0, -PI / 2, 0.4, 0),
        (0, PI / 2, 0, 0), (0, 0, 0.126, 0),
    ]  # fmt: skip
    upper = np.deg2rad([170, 120, 170, 120, 170, 120, 175])
    return SerialChain.from_dh(rows, -upper, upper)


def mounted() -> SerialChain:
    """The Panda hanging askew, with a bent tool."""
    rng, arm = np.random.default_rng(5), panda()
    fixed = [np.vstack((F, (0, 0, 0, 1))) for F in arm.arrays.fixed]
    fixed[0] = anywhere(rng) @ fixed[0]
    return SerialChain(ChainArrays.of(fixed, [TURNS] * 7, anywhere(rng)), arm.lower, arm.upper)


ARMS = {"panda": panda(), "telemax": telemax(), "iiwa": iiwa(), "mounted": mounted()}
ARMS |= {f"random {k}": random_arm(k) for k in range(8)}
NAMES = st.sampled_from(sorted(ARMS))


def held_of(chain: SerialChain) -> HeldChain:
    held = find_held(chain.arrays, chain.reach, chain.length)
    assert held is not None
    return held


def joints_of(chain: SerialChain, rng: np.random.Generator) -> Floats:
    return rng.uniform(np.maximum(chain.lower, -2 * PI), np.minimum(chain.upper, 2 * PI))


def closed(chain: SerialChain, T: Floats, seed: Floats, tolerance: float) -> tuple[bool, Floats]:
    """Return the answer of the closed form alone."""
    q, constants = np.empty(7), pack_held(chain.arrays, chain.lower, chain.upper, held_of(chain))
    found, _, _ = held_solve(constants, T, seed, tolerance, chain.length, q, np.empty(held_size()))
    return bool(found), q


def searched(chain: SerialChain, T: Floats, seed: Floats, tolerance: float) -> tuple[bool, Floats]:
    """Return the answer of the iterative search alone."""
    q = np.empty(7)
    found, _, _ = solve(
        *chain.arrays, chain.lower, chain.upper, T, seed, tolerance, chain.length, False, q, np.empty(work_size(7))  # noqa: FBT003
    )  # fmt: skip
    return bool(found), q


@pytest.mark.parametrize(
    ("name", "joint", "form", "backward"),
    [("panda", 0, MEETING, 1), ("telemax", 3, PARALLEL, 0), ("iiwa", 0, MEETING, 0), ("mounted", 0, MEETING, 1)],
)
def test_which_joint_is_held(name: str, joint: int, form: int, backward: int) -> None:
    assert held_of(ARMS[name]).which.tolist() == [joint, form, backward]


@pytest.mark.parametrize("seed", range(60))
def test_every_arm_of_the_kind_is_detected(seed: int) -> None:
    held_of(random_arm(seed))


def shifted(chain: SerialChain, joint: int, shift: tuple[float, float, float]) -> SerialChain:
    fixed = chain.arrays.fixed.copy()
    fixed[joint, :, 3] += shift
    return SerialChain(chain.arrays._replace(fixed=fixed), chain.lower, chain.upper)


@pytest.mark.parametrize(
    "chain",
    [
        shifted(panda(), 1, (0.001, 0, 0)),  # axes 1 and 2 miss each other
        shifted(panda(), 2, (0.001, 0, 0)),  # axes 2 and 3 do
        shifted(shifted(panda(), 5, (0.001, 0, 0)), 6, (0, 0, 0.001)),  # axis 5 misses axis 6, and axis 7 too
        shifted(telemax(), 5, (0.001, 0, 0)),  # so do those of the wrist
        SerialChain(panda().arrays._replace(kinds=np.array([0, 0, 0, 1, 0, 0, 0])), [-1.0] * 7, [1.0] * 7),
        SerialChain.from_dh([(0.1, PI / 2, 0.1, 0)] * 7, [-2.0] * 7, [2.0] * 7),
        SerialChain.from_dh([(0.1, PI / 2, 0.1, 0)] * 8, [-2.0] * 8, [2.0] * 8),
    ],
)
def test_other_arms_are_left_to_the_search(chain: SerialChain) -> None:
    assert closed_form_of(chain.arrays, chain.lower, chain.upper, chain.reach, chain.length) is None
    q = 0.4 * chain.lower + 0.6 * np.minimum(chain.upper, 1.0)
    assert chain.inverse(chain.forward(q), q + 0.01).reached


@settings(max_examples=300)
@given(NAMES, SEEDS)
def test_forward_of_inverse_is_identity(name: str, seed: int) -> None:
    chain, rng = ARMS[name], np.random.default_rng(seed)
    T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
    found = chain.inverse(T, start, tolerance=1e-9)
    assert ((chain.lower <= found.q) & (found.q <= chain.upper)).all()
    if found.reached:
        np.testing.assert_allclose(chain.forward(found.q), T, atol=3e-9)


@pytest.mark.parametrize("name", ARMS)
def test_closed_form_finds_nearly_all_without_the_search(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(21)
    found = [closed(chain, chain.forward(joints_of(chain, rng)), joints_of(chain, rng), 1e-9) for _ in range(200)]
    assert sum(reached for reached, _ in found) >= 198
    assert all(((chain.lower <= q) & (q <= chain.upper)).all() for reached, q in found if reached)


@settings(max_examples=300)
@given(SEEDS, SEEDS)
def test_every_posture_is_found_where_the_held_joint_cannot_move(arm: int, seed: int) -> None:
    chain, rng = random_arm(arm), np.random.default_rng(seed)
    held = held_of(chain)
    joint = 6 - held.which[0] if held.which[2] else held.which[0]
    q, lower, upper = joints_of(chain, rng), chain.lower.copy(), chain.upper.copy()
    lower[joint] = upper[joint] = q[joint]
    pinned = SerialChain(chain.arrays, lower, upper)
    reached, found = closed(pinned, chain.forward(q), joints_of(pinned, rng), 1e-9)
    assert reached
    np.testing.assert_allclose(chain.forward(found), chain.forward(q), atol=3e-9)


@pytest.mark.parametrize("name", ["panda", "telemax", "iiwa"])
def test_answers_are_nearer_to_the_seed_than_the_searchs(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(22)
    ours, theirs = [], []
    for _ in range(400):
        T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
        ours.append(np.linalg.norm(chain.inverse(T, start).q - start))
        theirs.append(np.linalg.norm(searched(chain, T, start, 1e-5)[1] - start))
    assert np.mean(ours) <= np.mean(theirs)


@pytest.mark.parametrize("name", ["panda", "telemax", "iiwa"])
def test_near_targets_have_near_answers(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(23)
    for _ in range(300):
        q = joints_of(chain, rng)
        start = np.clip(q + rng.normal(size=7) * 0.03, chain.lower, chain.upper)
        found = chain.inverse(chain.forward(q), start)
        assert found.reached
        assert np.linalg.norm(found.q - start) <= 0.6


def test_same_question_has_the_same_answer() -> None:
    chain, rng = ARMS["panda"], np.random.default_rng(24)
    for _ in range(20):
        T, start = chain.forward(joints_of(chain, rng)), joints_of(chain, rng)
        assert (chain.inverse(T, start).q == chain.inverse(T, start).q).all()


@pytest.mark.parametrize("name", ["panda", "telemax", "iiwa"])
def test_reachability_agrees_with_the_search(name: str) -> None:
    chain, rng = ARMS[name], np.random.default_rng(25)
    reached = 0
    for _ in range(25):
        T = pose(rotation(rng), rng.uniform((-0.8, -0.8, -0.2), (0.8, 0.8, 1.2)))
        start = joints_of(chain, rng)
        found = chain.inverse(T, start)
        assert found.reached >= searched(chain, T, start, 1e-5)[0]
        reached += found.reached
    assert 3 < reached < 25


def test_rounded_right_angles_are_polished() -> None:
    arm, rng = panda(), np.random.default_rng(26)
    rounded = SerialChain(arm.arrays._replace(fixed=np.round(arm.arrays.fixed, 6)), arm.lower, arm.upper)
    fixed = rounded.arrays.fixed.copy()
    fixed[2, 0, 3] += 1e-5  # axes 2 and 3 miss each other by a rounding error of a file
    rounded = SerialChain(rounded.arrays._replace(fixed=fixed), arm.lower, arm.upper)
    found = [
        closed(rounded, rounded.forward(q), joints_of(arm, rng), 1e-9)
        for q in rng.uniform(arm.lower, arm.upper, (50, 7))
    ]
    assert sum(reached for reached, _ in found) >= 48


def test_joints_without_limits_stay_at_their_own_turn() -> None:
    chain = SerialChain(iiwa().arrays, [-np.inf] * 7, [np.inf] * 7)
    rng = np.random.default_rng(27)
    for _ in range(50):
        T, start = chain.forward(rng.uniform(-PI, PI, 7)), rng.uniform(-30.0, 30.0, 7)
        found = chain.inverse(T, start)
        assert found.reached
        assert np.abs(found.q - start).max() <= PI + 1e-9


@pytest.mark.parametrize("make", [irb120, panda])
def test_an_arm_from_another_process_takes_the_kernel_that_is_compiled_here(make: Callable[[], SerialChain]) -> None:
    """A kernel that travels along would be compiled when it is first called: that took ten seconds."""
    chain = make()
    sent = pickle.dumps(chain)
    assert b"numba" not in sent
    arrived: SerialChain = pickle.loads(sent)
    q = 0.4 * chain.lower + 0.6 * chain.upper
    np.testing.assert_array_equal(arrived.inverse(chain.forward(q), q).q, chain.inverse(chain.forward(q), q).q)
