"""Scratch memory of a servo step: one flat array with named parts. Kernels that share it compile once."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.servo.qp import QpWork

__all__ = ["Count", "Scratch", "carve", "scratch_size"]

# To numba a constant is a type of its own, so a call with 0 compiles again; np.int64(0) has the type of any integer.
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
        K: (n, n) how J turns towards the unmet command.
        g: (n,) linear part.
        low: (n,) lower bounds.
        high: (n,) upper bounds.
        y: (n,) solution.
        free_y: (n,) solution without bounds.
        v: (n,) one eigenvector.
        wanted: (6,) scaled command.
        rest: (6,) the part of it that cannot be met.
        limits: (5, n) limits of the joints, narrowed by folds.
        A: (m, n) normals of the walls.
        b: (m,) right sides of the walls.
        why: (2, n) the limits behind the lower and the upper bound.
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
    limits: Floats
    A: Floats
    b: Floats
    why: Ints
    qp: QpWork


@kernel("i8(i8, i8)")
def scratch_size(n: int, m: Count) -> int:
    """Return the number of values that `carve` needs for n joints and m walls."""
    # the parts in the order of `carve`
    return int(12 * (n + 1) + 6 * n + 72 + 6 * n * n + 6 * n + 12 + 5 * n + (m + 5) * (n + 1) + 2 * n + (n + 1) + 1)


@kernel(inline=True)
def carve(flat: Floats, n: int, m: Count) -> Scratch:
    """Name the parts of a flat array of `scratch_size(n, m)` numbers, which must come from Python; see `view`."""
    # where each part begins
    jacobian = 12 * (n + 1)
    gram = jacobian + 6 * n
    squares = gram + 72
    lines = squares + 6 * n * n
    sixes = lines + 6 * n
    limits = sixes + 12
    walls = limits + 5 * n
    solver = walls + m * (n + 1)
    # integers share the memory
    whole, ints = flat.view(np.int64), solver + 5 * (n + 1)
    # name the parts; nothing is copied
    return Scratch(
        view(flat, 0, (n + 1, 3, 4)),
        view(flat, jacobian, (6, n)),
        view(flat, gram, (12, 6)),
        view(flat, squares, (n, n)),
        view(flat, squares + n * n, (n, n)),
        view(flat, squares + 2 * n * n, (n, n)),
        view(flat, squares + 3 * n * n, (n, n)),
        view(flat, lines, (n,)),
        view(flat, lines + n, (n,)),
        view(flat, lines + 2 * n, (n,)),
        view(flat, lines + 3 * n, (n,)),
        view(flat, lines + 4 * n, (n,)),
        view(flat, lines + 5 * n, (n,)),
        view(flat, sixes, (6,)),
        view(flat, sixes + 6, (6,)),
        view(flat, limits, (5, n)),
        view(flat, walls, (m, n)),
        view(flat, walls + m * n, (m,)),
        view(whole, ints, (2, n)),
        QpWork(
            view(flat, squares + 4 * n * n, (n, n)),
            view(flat, squares + 5 * n * n, (n, n)),
            view(flat, solver, (5, n + 1)),
            view(whole, ints + 2 * n, (n + 1,)),
            view(whole, ints + 3 * n + 1, (1,)),
        ),
    )
