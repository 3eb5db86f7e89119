"""The guard: no limit is ever passed, rates are reached exactly, and rest is rest."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.errors import CommandError
from farhand.kernels import Floats
from farhand.kinematics import Guard, JointLimits

DT = 0.002
SLACK = 1e-9


def limits_of(rng: np.random.Generator, n: int) -> JointLimits:
    velocity = rng.uniform(0.1, 8.0, n)
    acceleration = velocity * 10 ** rng.uniform(0.0, 1.5, n)
    jerk = acceleration * 10 ** rng.uniform(0.7, 2.5, n)
    lower = -rng.uniform(0.01, 3.0, n)
    upper = rng.uniform(0.01, 3.0, n)
    continuous = rng.random(n) < 0.15
    lower[continuous], upper[continuous] = -np.inf, np.inf
    return JointLimits.of(lower, upper, velocity, acceleration, jerk)


def wishes(rng: np.random.Generator, n: int, ticks: int, top: Floats) -> Floats:
    """Mixed commands: noise, bang-bang, long holds, pushes into one limit, a little rubbish."""
    wanted = np.empty((ticks, n))
    start = 0
    while start < ticks:
        stop = start + int(rng.integers(1, 400))
        kind = rng.integers(6)
        size = (min(stop, ticks) - start, n)
        if kind == 0:
            part = rng.normal(size=size) * top
        elif kind == 1:
            part = np.sign(rng.normal(size=size)) * top * 3
        elif kind == 2:
            part = np.broadcast_to(rng.uniform(-1.2, 1.2, n) * top, size)
        elif kind == 3:
            part = np.broadcast_to(np.sign(rng.normal(size=n)) * 1e6, size)
        elif kind == 4:
            part = np.zeros(size)
        else:
            part = rng.choice([np.nan, np.inf, -np.inf, 0.1, -5.0, 1e300], size=size)
        wanted[start : start + size[0]] = part
        start = stop
    return wanted


def drive(guard: Guard, q: Floats, wanted: Floats, before: Floats | None = None) -> tuple[Floats, Floats, Floats]:
    v, a = np.zeros_like(q), np.zeros_like(q)
    path = [(q, v, a)]
    for i, wish in enumerate(wanted):
        q, v, a, _ = guard.step(q, v, a, wish, None if before is None else before[i])
        path.append((q, v, a))
    Q, V, A = (np.array(part) for part in zip(*path, strict=True))
    return Q, V, A


@settings(max_examples=12, deadline=None)
@given(st.integers(0, 2**32 - 1), st.booleans())
def test_no_limit_is_ever_passed(seed: int, told: bool) -> None:
    rng, n = np.random.default_rng(seed), 8
    limits = limits_of(rng, n)
    guard = Guard(limits, DT)
    low, high = np.maximum(limits.lower, -5.0), np.minimum(limits.upper, 5.0)
    start = np.where(rng.random(n) < 0.3, rng.choice([0.0, 1.0], n), rng.random(n))
    wanted = wishes(rng, n, 8500, limits.velocity)
    # What the guard is told of the commands before may be true, or any nonsense.
    with np.errstate(invalid="ignore"):
        before = wanted + wishes(rng, n, 8500, limits.acceleration * DT) if told else None
    Q, V, A = drive(guard, low + start * (high - low), wanted, before)
    assert (limits.lower - SLACK <= Q).all()
    assert (limits.upper + SLACK >= Q).all()
    assert (np.abs(V) <= limits.velocity + SLACK).all()
    assert (np.abs(A) <= limits.acceleration + SLACK).all()
    assert (np.abs(np.diff(A, axis=0)) <= limits.jerk * DT * (1 + SLACK)).all()
    np.testing.assert_allclose(np.diff(V, axis=0), A[1:] * DT, atol=1e-11)
    np.testing.assert_allclose(np.diff(Q, axis=0), V[1:] * DT, atol=1e-11)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1), st.floats(-1.0, 1.0))
def test_constant_rate_is_reached_exactly_and_without_overshoot(seed: int, share: float) -> None:
    limits = limits_of(np.random.default_rng(seed), 1)
    limits = JointLimits.of([-np.inf], [np.inf], limits.velocity, limits.acceleration, limits.jerk)
    wanted = share * limits.velocity
    _, V, A = drive(Guard(limits, DT), np.zeros(1), np.tile(wanted, (6000, 1)))
    assert V[-1] == wanted
    assert A[-1] == 0.0
    assert (np.abs(V) <= abs(wanted) * (1 + 1e-9)).all()
    assert (np.diff(V[:, 0]) * np.sign(share) >= -1e-12).all()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_hold_comes_to_exact_rest(seed: int) -> None:
    rng = np.random.default_rng(seed)
    limits = limits_of(rng, 4)
    guard = Guard(limits, DT)
    Q, V, A = drive(guard, np.zeros(4), wishes(rng, 4, 300, limits.velocity))
    q, v, a = Q[-1], V[-1], A[-1]
    for _ in range(6000):
        q, v, a, _ = guard.step(q, v, a, np.zeros(4))
    assert (v == 0.0).all()
    assert (a == 0.0).all()
    assert (guard.step(q, v, a, np.zeros(4))[0] == q).all()


def test_a_smooth_command_is_followed_without_lag_if_its_change_is_told() -> None:
    limits = JointLimits.of([-9.0], [9.0], [4.0], [25.0], [500.0])
    t = np.arange(2000) * DT
    wanted = 1.5 * np.sin(3 * t)[:, None] ** 2
    before = np.vstack([[[0.0]], wanted[:-1]])
    lag = [np.abs(drive(Guard(limits, DT), np.zeros(1), wanted, b)[1][1:] - wanted).max() for b in (before, None)]
    assert lag[0] < 1e-6
    assert lag[1] > 1e-3


def one(lower: float = -1.0, upper: float = 1.0) -> JointLimits:
    return JointLimits.of([lower], [upper], [2.0], [10.0], [200.0])


def test_push_into_a_limit_comes_close_and_says_so() -> None:
    guard = Guard(one(), DT)
    q, v, a = np.zeros(1), np.zeros(1), np.zeros(1)
    flags = np.zeros(1, np.int64)
    for _ in range(3000):
        q, v, a, flags = guard.step(q, v, a, np.ones(1))
    assert 1.0 - 1e-4 < q[0] <= 1.0 + SLACK
    assert flags[0] & 2


def test_joint_beyond_its_limit_only_moves_inward() -> None:
    guard = Guard(one(), DT)
    q, v, a = np.array([1.5]), np.zeros(1), np.zeros(1)
    for _ in range(100):
        q, v, a, flags = guard.step(q, v, a, np.ones(1))
        assert q[0] <= 1.5
        assert flags[0] & 2
    before = q[0]
    for _ in range(1000):
        q, v, a, _ = guard.step(q, v, a, -np.ones(1))
        assert q[0] <= before
        before = q[0]
    assert q[0] < 1.0


@pytest.mark.parametrize(("wish", "flag"), [(0.5, 0), (3.0, 1), (np.nan, 4), (np.inf, 4)])
def test_flags_name_the_fault_of_the_command(wish: float, flag: int) -> None:
    guard = Guard(one(), DT)
    assert guard.step(np.zeros(1), np.zeros(1), np.zeros(1), np.array([wish]))[3][0] == flag


def test_command_that_is_no_number_brakes() -> None:
    guard = Guard(one(-np.inf, np.inf), DT)
    q, v, a = np.zeros(1), np.ones(1), np.zeros(1)
    for _ in range(500):
        q, v, a, _ = guard.step(q, v, a, np.array([np.nan]))
    assert v[0] == a[0] == 0.0
    assert np.isfinite(q[0])


def test_limits_must_make_sense() -> None:
    with pytest.raises(CommandError, match="each jerk limit must be positive and finite"):
        JointLimits.of([0], [1], [1], [1], [0])
    with pytest.raises(CommandError, match="a tick must last between 0 and 1 s, found 0"):
        Guard(one(), 0.0)
