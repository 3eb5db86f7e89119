"""The memory a servo step works in: one flat array, given names. Kernels that share it compile once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.qp import QpWork

__all__ = ["Count", "Scratch", "carve", "scratch_size"]

# To numba a constant is a type of its own, so a call with 0 compiles again; np.int64(0) is any integer.
Count = int | np.int64


class Scratch(NamedTuple):
    """Parts of the scratch for n joints and m walls. Unknowns are scaled: y = q̇ for turns, q̇/length for slides.

    Args:
        frames: (n + 1, 3, 4) frames at the present joints.
        J: (6, n) scaled Jacobian.
        gram: (12, 6) two squares for the singularity test of redundant arms.
        H: (n, n) quadratic part.
        D: (n, n) eigenvalues on the diagonal.
        V: (n, n) eigenvectors in columns.
        K: (n, n) how J bends towards what it cannot meet.
        g: (n,) linear part.
        low: (n,) lower bounds.
        high: (n,) upper bounds.
        y: (n,) solution.
        free_y: (n,) solution without bounds.
        v: (n,) one eigenvector.
        wanted: (6,) scaled command.
        rest: (6,) what of it cannot be met.
        A: (m, n) normals of the walls.
        b: (m,) right sides of the walls.
        why: (2, n) which limit is the lower and the upper bound.
        qp: Scratch of the solver.
    """

    frames: Floats
    J: Floats
    gram: Floats
    H: Floats
    D: Floats
    V: Floats
    K: Floats
    g: Floats
    low: Floats
    high: Floats
    y: Floats
    free_y: Floats
    v: Floats
    wanted: Floats
    rest: Floats
    A: Floats
    b: Floats
    why: Ints
    qp: QpWork


@kernel("i8(i8, i8)")
def scratch_size(n: int, m: Count) -> int:
    """Return how many numbers `carve` needs for n joints and m walls."""
    return int(12 * (n + 1) + 6 * n + 72 + 6 * n * n + 6 * n + 12 + m * (n + 1) + 5 * (n + 1) + 2 * n + (n + 1) + 1)


@kernel()
def plane(flat: Floats, start: Count, rows: Count, columns: Count) -> Floats:
    """Return a (rows, columns) view of a part of the flat array."""
    return flat[start : start + rows * columns].reshape((rows, columns))


@kernel()
def carve(flat: Floats, n: int, m: Count) -> Scratch:
    """Name the parts of a flat array of `scratch_size(n, m)` numbers."""
    jacobian = 12 * (n + 1)
    gram = jacobian + 6 * n
    squares = gram + 72
    lines = squares + 6 * n * n
    sixes = lines + 6 * n
    walls = sixes + 12
    solver = walls + m * (n + 1)
    whole = flat[solver + 5 * (n + 1) :].view(np.int64)
    return Scratch(
        flat[: 12 * (n + 1)].reshape((n + 1, 3, 4)),
        plane(flat, jacobian, 6, n),
        plane(flat, gram, 12, 6),
        plane(flat, squares, n, n),
        plane(flat, squares + n * n, n, n),
        plane(flat, squares + 2 * n * n, n, n),
        plane(flat, squares + 3 * n * n, n, n),
        flat[lines : lines + n],
        flat[lines + n : lines + 2 * n],
        flat[lines + 2 * n : lines + 3 * n],
        flat[lines + 3 * n : lines + 4 * n],
        flat[lines + 4 * n : lines + 5 * n],
        flat[lines + 5 * n : lines + 6 * n],
        flat[sixes : sixes + 6],
        flat[sixes + 6 : sixes + 12],
        plane(flat, walls, m, n),
        flat[walls + m * n : walls + m * n + m],
        whole[: 2 * n].reshape((2, n)),
        QpWork(
            plane(flat, squares + 4 * n * n, n, n),
            plane(flat, squares + 5 * n * n, n, n),
            plane(flat, solver, 5, n + 1),
            whole[2 * n : 3 * n + 1],
            whole[3 * n + 1 : 3 * n + 2],
        ),
    )
