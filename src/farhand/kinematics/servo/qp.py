"""Small dense quadratic programs, solved exactly: the dual active-set method of Goldfarb and Idnani (1983).

    minimise ½·xᵀ·H·x − gᵀ·x   subject to   lower ≤ x ≤ upper,   A·x ≥ b

The method starts at the free minimum and adds violated constraints one by one, dropping those whose multiplier would
turn negative; so it needs no feasible start and ends after a few steps, or finds that there is no solution.
Constraints are numbered 0…n−1 (lower bounds), n…2n−1 (upper bounds), 2n… (rows).

With H = L·Lᵀ, active normals N and L⁻¹·N = Q·[R; 0], the scratch keeps B = L⁻ᵀ·Q and R, updated by plane rotations.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel

__all__ = ["INFEASIBLE", "NOT_CONVEX", "UNFINISHED", "QpWork", "make_qp_work", "qp_solve"]

INFEASIBLE = -1
UNFINISHED = -2
NOT_CONVEX = -3

# rows of the scratch vectors: normal, d = Bᵀ·normal, direction z, dual direction r, multipliers u; a row taken out of
# an array would have its references counted, which costs more than the arithmetic
NORMAL, D, Z, DUAL, U = 0, 1, 2, 3, 4
FEASIBLE = 1e-10  # a constraint violated by less than this (relative to its own size) holds
DEPENDENT = 1e-12  # squared sine of the angle below which a normal counts as in the span of the active ones


class QpWork(NamedTuple):
    """Scratch for n unknowns.

    Args:
        B: (n, n) L⁻ᵀ·Q.
        R: (n, n) upper triangle.
        vectors: (5, n + 1) normal, d = Bᵀ·normal, direction z, dual direction r, multipliers u.
        active: (n + 1,) numbers of the active constraints; the first `filled[0]` are valid afterwards.
        filled: (1,) number of active constraints.
    """

    B: Floats
    R: Floats
    vectors: Floats
    active: Ints
    filled: Ints


def make_qp_work(n: int) -> QpWork:
    """Return scratch for n unknowns."""
    return QpWork(
        np.zeros((n, n)), np.zeros((n, n)), np.zeros((5, n + 1)), np.zeros(n + 1, np.int64), np.zeros(1, np.int64)
    )


@kernel()
def qp_solve(
    H: Floats,
    g: Floats,
    lower: Floats,
    upper: Floats,
    A: Floats,
    b: Floats,
    rows: int | np.int64,
    factored: bool,
    x: Floats,
    work: QpWork,
) -> int:
    """Solve the program of the module docstring.

    Args:
        H: (n, n) symmetric and positive definite; only the lower half is read.
        g: (n,) linear part.
        lower: (n,) lower bounds, minus infinity for none.
        upper: (n,) upper bounds, infinity for none.
        A: (≥ rows, n) normals of the rows.
        b: (≥ rows,) right sides.
        rows: Number of rows of A and b that count.
        factored: True if `work.B` already is L⁻ᵀ of H, as `inverse_factor` writes it.
        x: (n,) result.
        work: Scratch; afterwards `active` lists the active constraints.

    Returns:
        Number of steps (1 if the free minimum is feasible), or INFEASIBLE, UNFINISHED (more than 10·(n + rows)
        steps) or NOT_CONVEX.
    """
    # start at the minimum without constraints
    n = x.shape[0]
    work.filled[0] = 0
    if not factored and not inverse_factor(H, work.B):
        return NOT_CONVEX
    free_minimum(work, g, x)
    # until all constraints hold, take the one violated most
    steps, most = 1, 10 * (n + rows + 1)
    while steps <= most:
        p = most_violated(lower, upper, A, b, rows, x)
        if p < 0:
            return steps
        # step towards it, dropping active constraints that would push the wrong way
        normal_into(p, A, n, work.vectors)
        multiplier = 0.0
        while True:
            steps += 1
            done, multiplier = take_step(p, multiplier, lower, upper, A, b, x, work)
            if done == INFEASIBLE:
                return INFEASIBLE
            if done == 1:
                break
            if steps > most:
                return UNFINISHED
    return UNFINISHED


@kernel(inline=True)
def inverse_factor(H: Floats, B: Floats) -> bool:
    """Write B = L⁻ᵀ (upper triangle) for H = L·Lᵀ; return False if H is not positive definite."""
    n = H.shape[0]
    # L into the lower triangle, its inverse diagonal on the diagonal
    for i in range(n):
        for j in range(i + 1):
            s = H[i, j]
            for k in range(j):
                s -= B[i, k] * B[j, k]
            if i == j:
                if not s > 0.0:
                    return False
                B[i, i] = 1.0 / math.sqrt(s)
            else:
                B[i, j] = s * B[j, j]
    # row i of L⁻¹ becomes column i of L⁻ᵀ, above the diagonal
    for i in range(n):
        for j in range(i):
            s = B[i, j] * B[j, j]
            for k in range(j + 1, i):
                s += B[i, k] * B[j, k]
            B[j, i] = -s * B[i, i]
    for i in range(n):
        for j in range(i):
            B[i, j] = 0.0
    return True


@kernel(inline=True)
def free_minimum(work: QpWork, g: Floats, x: Floats) -> None:
    """Write the minimum without constraints, x = H⁻¹·g = B·Bᵀ·g."""
    n, B, V = x.shape[0], work.B, work.vectors
    # Bᵀ·g, with B upper triangular
    for j in range(n):
        total = 0.0
        for i in range(j + 1):
            total += B[i, j] * g[i]
        V[D, j] = total
    # times B
    for i in range(n):
        total = 0.0
        for j in range(i, n):
            total += B[i, j] * V[D, j]
        x[i] = total


@kernel(inline=True)
def slack(p: int, lower: Floats, upper: Floats, A: Floats, b: Floats, x: Floats) -> float:
    """Return normal_p · x − b_p, negative where violated."""
    n = x.shape[0]
    # bounds are unit normals
    if p < n:
        return float(x[p] - lower[p])
    if p < 2 * n:
        return float(upper[p - n] - x[p - n])
    # rows
    s = -b[p - 2 * n]
    for i in range(n):
        s += A[p - 2 * n, i] * x[i]
    return float(s)


@kernel(inline=True)
def most_violated(lower: Floats, upper: Floats, A: Floats, b: Floats, rows: int | np.int64, x: Floats) -> int:
    """Return the constraint violated most, relative to its size, or -1 if all hold."""
    n = x.shape[0]
    worst, p = -FEASIBLE, -1
    # lower and upper bounds
    for i in range(n):
        below = (x[i] - lower[i]) / (1.0 + abs(x[i]))
        above = (upper[i] - x[i]) / (1.0 + abs(x[i]))
        if below < worst:
            worst, p = below, i
        if above < worst:
            worst, p = above, n + i
    # rows
    for r in range(rows):
        s, size = -b[r], 0.0
        for i in range(n):
            s += A[r, i] * x[i]
            size += abs(A[r, i]) * (1.0 + abs(x[i]))
        # a row without a normal cannot be changed by a step: it holds, or the program is infeasible
        s /= max(size, 1e-3 * abs(b[r]), 1e-300)
        if s < worst:
            worst, p = s, 2 * n + r
    return p


@kernel(inline=True)
def normal_into(p: int, A: Floats, n: int, V: Floats) -> None:
    """Write the normal of constraint p."""
    # a row's normal is its own
    for i in range(n):
        V[NORMAL, i] = A[p - 2 * n, i] if p >= 2 * n else 0.0
    # a bound's is a unit vector
    if p < n:
        V[NORMAL, p] = 1.0
    elif p < 2 * n:
        V[NORMAL, p - n] = -1.0


@kernel(inline=True)
def take_step(
    p: int, multiplier: float, lower: Floats, upper: Floats, A: Floats, b: Floats, x: Floats, work: QpWork
) -> tuple[int, float]:
    """Move towards constraint p until it holds (1), another one is dropped first (0), or neither is possible.

    Returns:
        (1, 0 or INFEASIBLE; multiplier of p so far).
    """
    n, k = x.shape[0], work.filled[0]
    V = work.vectors
    # directions that move x and the multipliers
    squared, squared_free = directions(work, n, k)
    # dual bound: the first active constraint whose multiplier reaches zero
    dual, drop = np.inf, -1
    for a in range(k):
        if V[DUAL, a] > 0.0 and V[U, a] < dual * V[DUAL, a]:
            dual, drop = V[U, a] / V[DUAL, a], a
    # primal bound: where p holds; none if its normal lies in the span of the active ones
    independent = k < n and squared_free > DEPENDENT * squared
    primal = -slack(p, lower, upper, A, b, x) / squared_free if independent else np.inf
    # the shorter bound ends the step
    step = min(dual, primal)
    if step == np.inf:
        return INFEASIBLE, multiplier
    # move x and the multipliers
    if independent:
        for i in range(n):
            x[i] += step * V[Z, i]
    for a in range(k):
        V[U, a] -= step * V[DUAL, a]
    multiplier += step
    # p holds: make it active; else drop the one that blocks
    if primal <= dual:
        add_constraint(p, multiplier, n, k, work)
        return 1, multiplier
    drop_constraint(drop, n, k, work)
    return 0, multiplier


@kernel(inline=True)
def directions(work: QpWork, n: int, k: int) -> tuple[float, float]:
    """Write d = Bᵀ·normal, z = B₂·d₂ and r = R⁻¹·d₁; return ‖d‖² and ‖d₂‖² = normal·z."""
    # d, and the part of its length that no active constraint takes
    B, R, V = work.B, work.R, work.vectors
    squared, squared_free = 0.0, 0.0
    for j in range(n):
        d = 0.0
        for i in range(n):
            d += B[i, j] * V[NORMAL, i]
        V[D, j] = d
        squared += d * d
        if j >= k:
            squared_free += d * d
    # primal direction: the free part of d through B
    for i in range(n):
        z = 0.0
        for j in range(k, n):
            z += B[i, j] * V[D, j]
        V[Z, i] = z
    # dual direction: back substitution through R
    for a in range(k - 1, -1, -1):
        s = V[D, a]
        for j in range(a + 1, k):
            s -= R[a, j] * V[DUAL, j]
        V[DUAL, a] = s / R[a, a]
    return squared, squared_free


@kernel(inline=True)
def add_constraint(p: int, multiplier: float, n: int, k: int, work: QpWork) -> None:
    """Append constraint p: rotate B's free columns until d has a single free entry; d is then R's new column."""
    V = work.vectors
    # rotate the free entries of d into one
    for j in range(n - 1, k, -1):
        length = math.sqrt(V[D, j - 1] * V[D, j - 1] + V[D, j] * V[D, j])
        if length == 0.0:
            continue
        c, s = V[D, j - 1] / length, V[D, j] / length
        V[D, j - 1], V[D, j] = length, 0.0
        rotate_columns(work.B, n, j, c, s)
    # append the column and its multiplier
    for a in range(k + 1):
        work.R[a, k] = V[D, a]
    V[U, k] = multiplier
    work.active[k] = p
    work.filled[0] = k + 1


@kernel()
def drop_constraint(drop: int, n: int, k: int, work: QpWork) -> None:
    """Remove an active constraint: close the gap in R, then rotate its subdiagonal away."""
    R, V = work.R, work.vectors
    # close the gap
    for a in range(drop, k - 1):
        V[U, a] = V[U, a + 1]
        work.active[a] = work.active[a + 1]
        for i in range(a + 2):
            R[i, a] = R[i, a + 1]
    # make R upper triangular again, and rotate B along
    for a in range(drop, k - 1):
        length = math.sqrt(R[a, a] * R[a, a] + R[a + 1, a] * R[a + 1, a])
        if length == 0.0:
            continue
        c, s = R[a, a] / length, R[a + 1, a] / length
        for j in range(a, k - 1):
            first, second = R[a, j], R[a + 1, j]
            R[a, j], R[a + 1, j] = c * first + s * second, c * second - s * first
        rotate_columns(work.B, n, a + 1, c, s)
    work.filled[0] = k - 1


@kernel(inline=True)
def rotate_columns(B: Floats, n: int, j: int, c: float, s: float) -> None:
    """Rotate columns j − 1 and j of B by the plane rotation (c, s)."""
    # one rotation per row
    for i in range(n):
        first, second = B[i, j - 1], B[i, j]
        B[i, j - 1], B[i, j] = c * first + s * second, c * second - s * first
