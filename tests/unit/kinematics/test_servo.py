"""The servo step: every limit is kept, singular postures are left, and the tip goes where it is told."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import Guard, JointLimits, SerialChain, Servo, ServoStep
from farhand.kinematics.serial.fold_search import find_folds, is_stretched
from farhand.kinematics.servo.rate_bounds import ACCELERATION, BRAKING

PI = math.pi
DT = 0.002
IRB120_ROWS = [
    (0, -PI / 2, 0.290, 0, "revolute"),
    (0.270, 0, 0, -PI / 2, "revolute"),
    (0.070, -PI / 2, 0, 0, "revolute"),
    (0, PI / 2, 0.302, 0, "revolute"),
    (0, -PI / 2, 0, 0, "revolute"),
    (0, 0, 0.072, PI, "revolute"),
]
IRB120 = SerialChain.from_dh(
    IRB120_ROWS,
    [-2.879, -1.919, -1.919, -2.793, -2.094, -6.981],
    [2.879, 1.919, 1.221, 2.793, 2.094, 6.981],
)
SEVEN = SerialChain.from_dh(
    [
        (0, -PI / 2, 0.34, 0),
        (0, PI / 2, 0, 0),
        (0, PI / 2, 0.4, 0),
        (0, -PI / 2, 0, 0),
        (0, -PI / 2, 0.4, 0),
        (0, PI / 2, 0, 0),
        (0, 0, 0.126, 0),
    ],
    [-2.9] * 7,
    [2.9] * 7,
)
FOUR = SerialChain.from_dh(
    [
        (0.3, 0, 0.2, 0, "revolute"),
        (0.25, PI, 0, 0, "revolute"),
        (0, 0, 0, 0, "prismatic"),
        (0, 0, 0.05, 0, "revolute"),
    ],
    [-2.4, -2.6, 0.0, -np.inf],
    [2.4, 2.6, 0.2, np.inf],
)
FIVE = SerialChain.from_dh(
    [(0, -PI / 2, 0.2, 0), (0.3, 0, 0, 0), (0.25, 0, 0, 0), (0, -PI / 2, 0, -PI / 2), (0, 0, 0.1, 0)],
    [-2.9, -2.0, -2.5, -2.0, -3.0],
    [2.9, 2.0, 2.5, 2.0, 3.0],
)
ONE = SerialChain.from_dh([(0.3, 0, 0, 0)], [-1.0], [1.0])
CHAINS = {"irb120": IRB120, "seven": SEVEN, "four": FOUR, "five": FIVE, "one": ONE}


def limits_of(chain: SerialChain) -> JointLimits:
    n = chain.n
    return JointLimits.of(chain.lower, chain.upper, [3.0] * n, [20.0] * n, [600.0] * n)


SERVOS = {name: Servo(chain, limits_of(chain), DT) for name, chain in CHAINS.items()}
ZERO = np.zeros(6)


def joints_of(chain: SerialChain, rng: np.random.Generator) -> Floats:
    return rng.uniform(np.maximum(chain.lower, -PI), np.minimum(chain.upper, PI))


def run(
    servo: Servo, q: Floats, T: Floats, twist: Floats, ticks: int, *, moving: bool = False
) -> tuple[Floats, Floats, list[ServoStep]]:
    """Run servo and guard; a moving target is shifted and turned by its twist."""
    guard = Guard(servo.limits, servo.dt)
    v, a = np.zeros_like(q), np.zeros_like(q)
    steps = []
    for _ in range(ticks):
        if moving:
            T = T.copy()
            T[:3, 3] += twist[:3] * DT
            T[:3, :3] = turn(twist[3:] * DT) @ T[:3, :3]
        step = servo.tip(q, v, T, twist)
        steps.append(step)
        q, v, a, _ = guard.step(q, v, a, step.rates)
    return q, T, steps


def turn(vector: Floats) -> Floats:
    """Return the rotation matrix of a rotation vector (Rodrigues)."""
    angle = float(np.linalg.norm(vector))
    if angle < 1e-12:
        return np.eye(3)
    x, y, z = vector / angle
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.asarray(np.eye(3) + math.sin(angle) * K + (1 - math.cos(angle)) * K @ K)


@pytest.mark.parametrize("name", CHAINS)
def test_tip_arrives_and_rests(name: str) -> None:
    chain, servo = CHAINS[name], SERVOS[name]
    low, high = np.maximum(chain.lower, -PI), np.minimum(chain.upper, PI)
    start, goal = low + 0.6 * (high - low), low + 0.65 * (high - low)
    q, T, steps = run(servo, start, chain.forward(goal), ZERO, 1500)
    np.testing.assert_allclose(chain.forward(q), T, atol=1e-6)
    assert np.abs(steps[-1].rates).max() < 1e-5
    assert all(step.feasible for step in steps)


def test_moving_target_is_tracked_by_its_twist() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    twist = np.array([0.05, -0.1, 0.05, 0.1, 0.2, -0.1])
    q, _, steps = run(SERVOS["irb120"], q, IRB120.forward(q), twist, 300, moving=True)
    assert np.abs(steps[-1].error).max() < 5e-4
    np.testing.assert_allclose(IRB120.jacobian(q) @ steps[-1].rates, twist, atol=1e-2)


@settings(max_examples=30, deadline=None)
@given(st.floats(-0.5, 0.5), st.floats(0.1, 0.6), st.floats(-0.6, 0.0), st.floats(-1.0, 1.0), st.floats(-1.0, 1.0))
def test_where_a_joint_ends_the_tip_comes_to_its_place_first(a: float, b: float, c: float, x: float, y: float) -> None:
    servo, end = SERVOS["irb120"], IRB120.upper[4]
    start = np.array([a, b, c, 0.3, end - 0.05, 0.2])
    goal = IRB120.forward(start)
    # tilted beyond the wrist's range, and slightly shifted
    tilt = IRB120.forward(np.array([0.0, 0.0, 0.0, 0.0, 0.3, 0.0]))[:3, :3] @ IRB120.forward(np.zeros(6))[:3, :3].T
    goal[:3, :3] = tilt @ goal[:3, :3]
    goal[:3, 3] += 0.02 * x, 0.02 * y, 0.0
    _, _, steps = run(servo, start, goal, ZERO, 2000)
    if BRAKING in np.abs(steps[-1].active):
        off = steps[-1].error
        assert np.linalg.norm(off[:3]) / IRB120.length < 0.1 * np.linalg.norm(off[3:]) + 1e-4


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(sorted(CHAINS)), st.integers(0, 2**32 - 1))
def test_rates_keep_every_limit(name: str, seed: int) -> None:
    chain, servo, rng = CHAINS[name], SERVOS[name], np.random.default_rng(seed)
    q = joints_of(chain, rng)
    if rng.random() < 0.3:  # at a limit, or a little beyond it
        q = np.where(np.isfinite(chain.upper), chain.upper + rng.choice([0.0, 1e-9, 1e-2]), q)
    rates = rng.uniform(-3.0, 3.0, chain.n)
    m = int(rng.integers(0, 4))
    walls = np.hstack((rng.normal(size=(m, 3)), rng.uniform(0, 0.1, (m, 1))))
    T = chain.forward(joints_of(chain, rng))
    twist, wanted = rng.normal(size=6), rng.normal(size=chain.n) * 4
    for step in (servo.tip(q, rates, T, twist, walls), servo.joints(q, rates, wanted, walls)):
        assert (np.abs(step.rates) <= 3.0 + 1e-9).all()
        assert (step.rates[q >= chain.upper] <= 1e-9).all()
        assert (step.rates[q <= chain.lower] >= -1e-9).all()
        velocity = (chain.jacobian(q) @ step.rates)[:3]
        assert (walls[:, :3] @ velocity <= walls[:, 3] + 1e-7).all()
        if step.feasible:
            # only near the ends of its way is a joint told to brake harder than it can, not at a fold
            ends = np.minimum(chain.upper - q, q - chain.lower) < 0.5
            assert ((np.abs(step.rates - rates) <= 20.0 * DT + 1e-9) | ends).all()


@pytest.mark.parametrize("name", CHAINS)
def test_no_limit_is_passed_in_twenty_thousand_steps_towards_anything(name: str) -> None:
    # five chains: a hundred thousand steps in all
    chain, servo, rng = CHAINS[name], SERVOS[name], np.random.default_rng(5)
    limits = servo.limits
    q, rates = joints_of(chain, rng), np.zeros(chain.n)
    T, twist = chain.forward(q), np.zeros(6)
    for k in range(20_000):
        if k % 100 == 0:
            T, twist = chain.forward(joints_of(chain, rng)), rng.normal(size=6) * rng.choice([0.0, 0.3, 3.0])
        step = servo.tip(q, rates, T, twist)
        assert step.feasible
        assert (np.abs(step.rates) <= limits.velocity * (1 + 1e-9)).all()
        assert (np.abs(step.rates - rates) <= limits.acceleration * DT * (1 + 1e-6)).all()
        rates = step.rates
        q = q + DT * rates
        assert (chain.lower <= q).all()
        assert (q <= chain.upper).all()


@pytest.mark.parametrize("name", CHAINS)
def test_guard_seldom_meets_position_limits_behind_the_servo(name: str) -> None:
    chain, servo = CHAINS[name], SERVOS[name]
    guard = Guard(servo.limits, DT)
    q = 0.5 * (np.maximum(chain.lower, -PI) + np.minimum(chain.upper, PI))
    v, a, held = np.zeros(chain.n), np.zeros(chain.n), 0
    rng = np.random.default_rng(7)
    wanted = np.zeros(chain.n)
    for k in range(3000):
        if k % 600 == 0:
            wanted = rng.choice([-3.0, 3.0], chain.n)
        step = servo.joints(q, v, wanted)
        q, v, a, flags = guard.step(q, v, a, step.rates)
        held += int((flags & 2).any())
    assert held < 30


# ── Singular postures ────────────────────────────────────────────────────────────────────────────────────────────

STRETCHED = np.array([0.3, 0.5, math.atan2(0.07, 0.302) - PI / 2, 0.0, 0.0, 0.0])


def over_base_axis() -> Floats:
    """Return joints with the wrist centre above the base axis, where x of the wrist is zero for q1 = 0."""
    q = np.array([0.0, -0.9, 0.0, 0.3, 0.9, 0.0])
    grid = np.linspace(-1.9, 1.2, 1000)
    x = [wrist_x(q, q3) for q3 in grid]
    k = int(np.flatnonzero(np.diff(np.sign(x)))[0])
    low, high = grid[k], grid[k + 1]
    for _ in range(80):
        middle = 0.5 * (low + high)
        if wrist_x(q, low) * wrist_x(q, middle) > 0:
            low = middle
        else:
            high = middle
    q[0], q[2] = 0.4, low
    return q


def wrist_x(q: Floats, q3: float) -> float:
    return float(IRB120.frames([0.0, q[1], q3, 0.0, 0.0, 0.0])[4][0, 3])


def smallest(q: Floats) -> float:
    return float(np.linalg.svd(IRB120.jacobian(q))[1][-1])


SINGULAR = {
    "stretched out": STRETCHED,
    "wrist aligned": np.array([0.2, 0.3, 0.2, 0.5, 0.0, 0.3]),
    "over the base axis": over_base_axis(),
    "home": np.zeros(6),
}


@pytest.mark.parametrize("name", SINGULAR)
def test_singular_postures_of_the_tests_are_singular(name: str) -> None:
    assert smallest(SINGULAR[name]) < 1e-9


@pytest.mark.parametrize("name", SINGULAR)
def test_every_exit_of_a_singular_posture_is_open(name: str) -> None:
    """Any twist that some near posture can follow makes progress from the singular one."""
    start = SINGULAR[name]
    tip = IRB120.forward(start)
    ways = [sign * axis for axis in np.eye(6) for sign in (1.0, -1.0)]
    lost = np.linalg.svd(IRB120.jacobian(start))[0][:, -1]
    for way in [*ways, lost, -lost]:
        twist = way * np.array([0.05] * 3 + [0.25] * 3)
        goal = tip.copy()
        goal[:3, 3] += twist[:3]
        goal[:3, :3] = turn(twist[3:]) @ goal[:3, :3]
        if not IRB120.inverse(goal, start).reached:
            continue
        q, _, steps = run(SERVOS["irb120"], start, tip, twist, 500, moving=True)
        q, _, more = run(SERVOS["irb120"], q, goal, ZERO, 1500)
        left = np.abs(more[-1].error)
        assert left.max() < 0.25 * np.abs(twist).max(), (way, left)
        assert all((np.abs(step.rates) <= 3.0 + 1e-9).all() for step in steps + more)


def test_pull_back_from_full_stretch_arrives() -> None:
    inward = IRB120.forward(SINGULAR["stretched out"])
    centre = IRB120.frames(SINGULAR["stretched out"])[1][:3, 3]
    inward[:3, 3] += 0.1 * (centre - inward[:3, 3]) / np.linalg.norm(centre - inward[:3, 3])
    _, _, steps = run(SERVOS["irb120"], SINGULAR["stretched out"], inward, ZERO, 2500)
    assert np.abs(steps[-1].error).max() < 1e-3


def test_far_target_stretches_the_arm_without_trembling() -> None:
    start = np.array([0.3, 0.4, -0.9, 0.2, 0.5, 0.1])
    far = IRB120.forward(start)
    far[:3, 3] += 1.0, 0.3, 0.3
    _, _, steps = run(SERVOS["irb120"], start, far, ZERO, 4000)
    late = np.array([step.rates for step in steps[-500:]])
    assert np.abs(late).max() < 0.05
    assert (np.abs(np.diff(late, axis=0)) < 1e-3).all()


# Angle of the stretched elbow, and the point from which the tip is drawn away.
ELBOWS = {"irb120": (2, STRETCHED[2]), "seven": (3, 0.0), "four": (1, 0.0), "five": (2, 0.0)}
SHOULDERS = {"irb120": 0.29, "seven": 0.34, "four": 0.2, "five": 0.2}


def quick(name: str) -> Servo:
    """Return a servo with the IRB 120's rates, accelerations and jerks."""
    chain = CHAINS[name]
    n = chain.n
    return Servo(chain, JointLimits.of(chain.lower, chain.upper, [4.36] * n, [25.0] * n, [5000.0] * n), DT)


QUICK = {name: quick(name) for name in ELBOWS}


def follow(servo: Servo, q: Floats, path: list[Floats]) -> Floats:
    """Run servo and guard along targets from rest, as a lane does, and return the joints on the way."""
    guard, v, a, before, way = Guard(servo.limits, DT), np.zeros_like(q), np.zeros_like(q), np.zeros_like(q), [q]
    for T in path:
        wanted = servo.tip(q, v, T, ZERO).rates
        q, v, a, _ = guard.step(q, v, a, wanted, before)
        before = wanted
        way.append(q)
    return np.array(way)


def out_and_back(T: Floats, step: Floats, ticks: int, times: int) -> list[Floats]:
    """Return targets that go a step away in so many ticks, stay 0.8 s, come back as fast, and stay 1.2 s."""
    shares = np.concatenate((np.linspace(0.0, 1.0, ticks), np.ones(400), np.linspace(1.0, 0.0, ticks), np.zeros(600)))
    path = []
    for share in np.tile(shares, times):
        target = T.copy()
        target[:3, 3] += share * step
        path.append(target)
    return path


@settings(max_examples=20, deadline=None)
@given(
    st.sampled_from(sorted(ELBOWS)),
    st.sampled_from([-1.0, 1.0]),
    st.floats(0.1, 0.5),
    st.tuples(*[st.floats(-0.3, 0.3)] * 4),
    st.sampled_from([2, 20, 200, 1000]),
    st.integers(1, 2),
)
def test_elbow_keeps_its_side_when_the_tip_is_drawn_out_of_reach(
    name: str, side: float, bend: float, turned: tuple[float, ...], ticks: int, times: int
) -> None:
    chain, servo, (elbow, stretched) = CHAINS[name], QUICK[name], ELBOWS[name]
    q = np.full(chain.n, 0.1) if name == "four" else np.full(chain.n, 0.7)
    q[:2] = turned[:2]
    q[elbow] = stretched + side * bend
    T = chain.forward(q)
    away = T[:3, 3] - (0.0, 0.0, SHOULDERS[name])
    away += np.linalg.norm(away) * np.array([0.0, *turned[2:]])
    way = follow(servo, q, out_and_back(T, away / np.linalg.norm(away), ticks, times))
    assert (side * (way[:, elbow] - stretched) > 0.0).all()
    if name == "seven":
        return  # its other joints are free to wander, and may come back another way
    assert (side * (way[:, elbow] - stretched)).min() < 0.1  # it did stretch
    assert np.linalg.norm(chain.forward(way[-1])[:3, 3] - T[:3, 3]) < 1e-3
    assert (way[-1] > chain.lower + 0.01).all()
    assert (way[-1] < chain.upper - 0.01).all()


@pytest.mark.parametrize("name", ELBOWS)
def test_fold_is_found_and_named_and_leaving_is_free(name: str) -> None:
    chain, servo, (elbow, stretched) = CHAINS[name], QUICK[name], ELBOWS[name]
    found = find_folds(chain, np.ones(6))
    assert np.isfinite(found).sum() == 1
    assert found[0, elbow] == pytest.approx(stretched, abs=1e-6)
    q = np.full(chain.n, 0.1) if name == "four" else np.full(chain.n, 0.7)
    for side in (-1.0, 1.0):
        q[elbow] = stretched + side * 0.0299
        T = chain.forward(q)
        out = (T[:3, 3] - (0.0, 0.0, SHOULDERS[name])) * np.array([1.0, 1.0, name != "four"])
        # asked for outward, whatever binds, the elbow comes no nearer to the fold
        held = servo.tip(q, np.zeros(chain.n), T, np.array([*out, 0, 0, 0]))
        assert side * held.rates[elbow] >= 0.0
        back = servo.tip(q, np.zeros(chain.n), T, np.array([*-out, 0, 0, 0]))
        assert side * back.rates[elbow] > 0.01
        # a command that this turn of the elbow alone would meet is held by the fold and says so
        alone = np.zeros(chain.n)
        alone[elbow] = -side
        straight = servo.tip(q, np.zeros(chain.n), T, chain.jacobian(q) @ alone)
        assert straight.active[elbow] == -4 * side
        assert side * straight.rates[elbow] >= 0.0


@pytest.mark.parametrize("name", ELBOWS)
@pytest.mark.parametrize("beyond", [0.0, -1e-4, 1e-4, -0.02, 0.02])
def test_an_arm_at_its_fold_leaves_to_either_side(name: str, beyond: float) -> None:
    chain, servo, (elbow, stretched) = CHAINS[name], QUICK[name], ELBOWS[name]
    q = np.full(chain.n, 0.1) if name == "four" else np.full(chain.n, 0.7)
    q[elbow] = stretched + beyond
    for side in (-1.0, 1.0):
        # by the joint itself, also through the stretched posture
        way, rates = q.copy(), np.zeros(chain.n)
        wanted = np.zeros(chain.n)
        wanted[elbow] = side
        for _ in range(200):
            rates = servo.joints(way, rates, wanted).rates
            way = way + DT * rates
        assert side * (way[elbow] - stretched) > 0.3
    # and by the tip: to the side on which it is, and where it is on none, to the one that has room
    T, far = chain.forward(q), 0.2 if abs(beyond) < 0.01 else 0.01
    back = T[:3, 3] - (0.0, 0.0, SHOULDERS[name] if name != "four" else T[2, 3])
    T[:3, 3] -= far * back / np.linalg.norm(back)
    there = follow(servo, q, [T] * 1500)[-1]
    assert np.linalg.norm(chain.forward(there)[:3, 3] - T[:3, 3]) < 1e-3
    assert abs(beyond) < 0.01 or beyond * (there[elbow] - stretched) > 0.0


def test_a_fold_back_is_told_from_a_stretch() -> None:
    arm = SerialChain.from_dh([(0.4, 0, 0, 0), (0.2, 0, 0, 1.0), (0, 0, 0, 0)], [-7.0] * 3, [7.0] * 3)
    folds = find_folds(arm, np.array([1.0, 1, 0, 0, 0, 1]))[:, 1]
    assert sorted(folds) == pytest.approx([-1.0, PI - 1.0], abs=1e-6)
    assert is_stretched(arm, 1, -1.0)
    assert not is_stretched(arm, 1, PI - 1.0)


def test_wrist_and_shoulder_are_no_folds_and_a_fold_is_passed_by_joints() -> None:
    q = STRETCHED.copy()
    q[2] += 0.05
    rates = np.zeros(6)
    for _ in range(200):
        rates = QUICK["irb120"].joints(q, rates, np.array([0, 0, -1.0, 0, 0, 0])).rates
        q = q + DT * rates
    assert q[2] < STRETCHED[2] - 0.01
    T = IRB120.forward(np.array([0.2, 0.3, 0.2, 0.5, -0.3, 0.3]))
    way = follow(QUICK["irb120"], np.array([0.2, 0.3, 0.2, 0.5, 0.3, 0.3]), [T] * 1500)
    np.testing.assert_allclose(IRB120.forward(way[-1]), T, atol=1e-4)


def test_entering_a_singularity_slows_and_says_so() -> None:
    q = SINGULAR["wrist aligned"].copy()
    q[4] = 0.02
    step = SERVOS["irb120"].tip(q, np.zeros(6), IRB120.forward(q), np.array([0, 0, 0, 1.0, 0, 0]))
    assert step.damping > 0.0
    q[4] = 1.0
    assert SERVOS["irb120"].tip(q, np.zeros(6), IRB120.forward(q), ZERO).damping == 0.0


def test_a_slow_lift_is_not_made_up_for_by_swinging_the_wrist() -> None:
    # with the wrist nearly aligned, the last 0.06 mm/s of 1 mm/s would cost 19 mrad/s of two joints
    rows = [(0, 0, 0, 0, "prismatic"), *IRB120_ROWS]
    lifted = SerialChain.from_dh(rows, [0.0, *IRB120.lower], [0.35, *IRB120.upper])
    limits = JointLimits.of(lifted.lower, lifted.upper, [3.0] * 7, [0.47, *[20.0] * 6], [600.0] * 7)
    q = np.array([0.18, 0.3, 0.4, -0.3, 0.5, 0.005, 0.2])
    step = Servo(lifted, limits, DT).tip(q, np.zeros(7), lifted.forward(q), np.array([0, 0, 1e-3, 0, 0, 0]))
    assert step.active.tolist() == [ACCELERATION, 0, 0, 0, 0, 0, 0]
    np.testing.assert_allclose((lifted.jacobian(q) @ step.rates)[:3], [0, 0, 1e-3], atol=2e-5)
    assert np.abs(step.rates[1:]).max() < 2e-3


# ── Walls, joints, flags ─────────────────────────────────────────────────────────────────────────────────────────


def test_wall_stops_the_approach_and_lets_the_tip_slide() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    twist = np.array([0.02, 0.01, 0.0, 0, 0, 0])
    wall = np.array([[1.0, 0.0, 0.0, 0.0]])
    rates = np.zeros(6)
    for _ in range(50):
        step = SERVOS["irb120"].tip(q, rates, IRB120.forward(q), twist, wall)
        rates = step.rates
    velocity = IRB120.jacobian(q) @ step.rates
    assert velocity[0] < 1e-9
    assert velocity[1] == pytest.approx(0.01, abs=2e-3)
    assert step.walls.tolist() == [1]
    back = SERVOS["irb120"].tip(q, rates, IRB120.forward(q), -twist, wall)
    assert back.walls.tolist() == [0]


def test_wall_met_too_fast_gives_up_the_acceleration_limit_first() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    rates = np.linalg.solve(IRB120.jacobian(q), np.array([0.5, 0, 0, 0, 0, 0]))
    wall = np.array([[1.0, 0.0, 0.0, 0.0]])
    step = SERVOS["irb120"].tip(q, rates, IRB120.forward(q), ZERO, wall)
    assert not step.feasible
    assert (IRB120.jacobian(q) @ step.rates)[0] < 1e-9
    pushed = np.array([[1.0, 0.0, 0.0, -100.0]])
    assert np.isfinite(SERVOS["irb120"].tip(q, rates, IRB120.forward(q), ZERO, pushed).rates).all()


def test_more_walls_than_reserved() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    walls = np.tile(np.array([[0.0, 0.0, 1.0, 0.0]]), (40, 1))
    step = SERVOS["irb120"].tip(q, np.zeros(6), IRB120.forward(q), np.array([0, 0, 0.01, 0, 0, 0]), walls)
    assert (IRB120.jacobian(q) @ step.rates)[2] < 1e-9
    assert step.walls.sum() == 1


@pytest.mark.parametrize(
    ("q", "rate", "wanted", "chosen", "flag"),
    [
        (0.0, 0.0, 0.01, 0.01, 0),
        (0.0, 3.0, 9.0, 3.0, 1),
        (0.0, -3.0, -9.0, -3.0, -1),
        (0.0, 0.0, 1.0, 0.04, 3),
        (0.0, 0.0, -1.0, -0.04, -3),
        (1.0, 0.0, 1.0, 0.0, 2),
        (1.0, 0.5, 1.0, 0.0, 2),
        (-1.5, 0.0, -1.0, 0.0, -2),
        (1.5, 0.0, -0.02, -0.02, 0),
    ],
)
def test_flags_name_the_limit(q: float, rate: float, wanted: float, chosen: float, flag: int) -> None:
    step = SERVOS["one"].joints(np.array([q]), np.array([rate]), np.array([wanted]))
    assert step.rates[0] == pytest.approx(chosen, abs=1e-12)
    assert step.active[0] == flag


def test_joint_walls_hold_the_tip() -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    wanted = np.linalg.solve(IRB120.jacobian(q), np.array([0.02, 0.01, 0, 0, 0, 0]))
    step = SERVOS["irb120"].joints(q, wanted, wanted, np.array([[1.0, 0.0, 0.0, 0.0]]))
    assert (IRB120.jacobian(q) @ step.rates)[0] < 1e-9
    assert step.walls.tolist() == [1]


def test_braking_bound_stops_before_the_limit() -> None:
    servo = SERVOS["one"]
    q, v = np.zeros(1), np.zeros(1)
    for _ in range(2000):
        v = servo.joints(q, v, np.array([3.0])).rates
        q = q + v * DT
        assert q[0] <= 1.0
    assert q[0] > 0.99


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_numbers_that_are_not_finite_stand_still(bad: float) -> None:
    q = np.array([0.2, 0.3, -0.2, 0.3, 0.8, 0.1])
    servo, still = SERVOS["irb120"], np.zeros(6)
    for step in (
        servo.tip(q, still, IRB120.forward(q), np.full(6, bad)),
        servo.tip(q * bad, still, IRB120.forward(q), still),
        servo.tip(q, q * bad, IRB120.forward(q), still),
        servo.tip(q, still, np.full((4, 4), bad), still),
        servo.joints(q, still, q * bad),
    ):
        assert not step.feasible
        assert (step.rates == 0.0).all()


def test_settings_must_make_sense() -> None:
    with pytest.raises(CommandError, match="the chain has 6 joints, the limits are for 1"):
        Servo(IRB120, limits_of(ONE), DT)
    with pytest.raises(CommandError, match="a tick must last between 0 and 1 s"):
        Servo(ONE, limits_of(ONE), 0.0)
    with pytest.raises(CommandError, match="the gain must be between 0 and 1/dt = 500"):
        Servo(ONE, limits_of(ONE), DT, gain=501.0)
