"""The quadratic program: compared with trying every set of active constraints."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.servo.qp import INFEASIBLE, NOT_CONVEX, QpWork, make_qp_work, qp_solve

M, V = "f8[:, ::1]", "f8[::1]"


@kernel(f"i8({M}, {V}, {V}, {V}, {M}, {V}, {V}, {M}, {M}, {M}, i8[::1], i8[::1])")
def solve_from_python(
    H: Floats, g: Floats, low: Floats, high: Floats, A: Floats, b: Floats,
    x: Floats, B: Floats, R: Floats, vectors: Floats, active: Ints, filled: Ints,
) -> int:  # fmt: skip
    return qp_solve(H, g, low, high, A, b, A.shape[0], bool(0), x, QpWork(B, R, vectors, active, filled))


def solve(H: Floats, g: Floats, low: Floats, high: Floats, A: Floats, b: Floats) -> tuple[int, Floats, list[int]]:
    x, work = np.empty(len(g)), make_qp_work(len(g))
    steps = solve_from_python(H, g, low, high, A, b, x, *work)
    return steps, x, work.active[: work.filled[0]].tolist()


def constraints(low: Floats, high: Floats, A: Floats, b: Floats) -> tuple[Floats, Floats]:
    eye = np.eye(len(low))
    N, c = np.vstack((eye, -eye, A)), np.concatenate((low, -high, b))
    return N[np.isfinite(c)], c[np.isfinite(c)]


def enumerate_all(H: Floats, g: Floats, N: Floats, c: Floats) -> Floats | None:
    """Return the optimum by trying every set of active constraints, or None if there is no feasible one."""
    n, value = len(g), np.inf
    best: Floats | None = None
    for size in range(n + 1):
        for chosen in itertools.combinations(range(len(c)), size):
            A, b = N[list(chosen)], c[list(chosen)]
            if size and np.linalg.matrix_rank(A) < size:
                continue
            K = np.block([[H, -A.T], [A, np.zeros((size, size))]])
            x = np.linalg.solve(K, np.concatenate((g, b)))[:n]
            cost = float(0.5 * x @ H @ x - g @ x)
            if (N @ x - c > -1e-8).all() and cost < value:
                best, value = x, cost
    return best


def random_problem(rng: np.random.Generator, n: int, m: int) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    M = rng.normal(size=(n, n))
    H = M @ M.T + rng.choice([1e-3, 1.0]) * np.eye(n)
    low, high = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    A, b = rng.normal(size=(m, n)), rng.normal(size=m) - 0.5
    kind = rng.integers(5)
    if kind == 0:
        high[0] = low[0]  # fixed
    elif kind == 1 and m > 1:
        A[1], b[1] = A[0], b[0]  # the same row twice
    elif kind == 2 and m:
        A[0], b[0] = np.eye(n)[0], low[0]  # a row that is a bound
    elif kind == 3 and m:
        A[0], b[0] = -2.0 * np.eye(n)[0], -2.0 * high[0] + 0.1  # parallel to a bound, a little stricter
    else:
        low[0], high[0] = -np.inf, np.inf
    return H, rng.normal(size=n) * 3, low, high, A, b


@settings(max_examples=150, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 3), st.integers(0, 3))
def test_equals_the_best_of_all_active_sets(seed: int, n: int, m: int) -> None:
    H, g, low, high, A, b = random_problem(np.random.default_rng(seed), n, m)
    steps, x, _ = solve(H, g, low, high, A, b)
    expected = enumerate_all(H, g, *constraints(low, high, A, b))
    if expected is None:
        assert steps == INFEASIBLE
    else:
        assert steps > 0
        np.testing.assert_allclose(x, expected, atol=1e-7)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(4, 9), st.integers(0, 12))
def test_satisfies_the_optimality_conditions(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    H, g, low, high, A, b = random_problem(rng, n, m)
    low, high = np.minimum(low, 0.0), np.maximum(high, 0.0)
    b = np.minimum(b, 0.0)  # zero is feasible
    steps, x, active = solve(H, g, low, high, A, b)
    assert steps > 0
    N = np.vstack((np.eye(n), -np.eye(n), A))
    c = np.concatenate((low, -high, b))
    assert (N @ x - c > -1e-8).all()
    # the gradient is a sum of active normals with multipliers that push, never pull
    gradient = H @ x - g
    if active:
        u = np.linalg.lstsq(N[active].T, gradient, rcond=None)[0]
        assert (u > -1e-6).all()
        np.testing.assert_allclose(N[active] @ x, c[active], atol=1e-8)
        gradient = gradient - N[active].T @ u
    np.testing.assert_allclose(gradient, 0.0, atol=1e-6)


def test_contradicting_rows_are_infeasible() -> None:
    one, none = np.ones(1), np.zeros((0, 1))
    assert solve(np.eye(1), one, one, -one, none, np.zeros(0))[0] == INFEASIBLE
    A = np.array([[1.0, 1.0], [-1.0, -1.0]])
    free = np.full(2, np.inf)
    assert solve(np.eye(2), np.ones(2), -free, free, A, np.array([1.0, 1.0]))[0] == INFEASIBLE


def test_row_without_normal_holds_or_is_infeasible() -> None:
    free = np.full(2, 5.0)
    assert solve(np.eye(2), np.ones(2), -free, free, np.zeros((1, 2)), np.array([-1.0]))[0] > 0
    assert solve(np.eye(2), np.ones(2), -free, free, np.zeros((1, 2)), np.array([1.0]))[0] == INFEASIBLE


@pytest.mark.parametrize("H", [np.zeros((2, 2)), -np.eye(2), np.full((2, 2), np.nan)])
def test_matrix_that_is_not_positive_definite_is_refused(H: Floats) -> None:
    free = np.full(2, 5.0)
    assert solve(H, np.ones(2), -free, free, np.zeros((0, 2)), np.zeros(0))[0] == NOT_CONVEX
