"""Chains from Denavit–Hartenberg tables: rows of numbers become the constant transforms between joints."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal, NamedTuple

import numpy as np

from farhand.errors import CommandError
from farhand.kernels import Floats, Ints
from farhand.kinematics.arithmetic.link_frames import SLIDES, TURNS

__all__ = ["ChainArrays", "Convention", "Row", "arrays_from_dh"]

Convention = Literal["standard", "modified"]
Row = tuple[float, float, float, float] | tuple[float, float, float, float, str]
KINDS = {"revolute": TURNS, "prismatic": SLIDES}


class ChainArrays(NamedTuple):
    """Constant arrays of an arm, as kernels read them, contiguous; for other arms than chains see `link_frames`.

    Args:
        fixed: (n, 3, 4) transform before each joint.
        kinds: (n,) 0 for a joint that turns about its z axis, 1 for one that slides along it, 2 for an arm of a Delta.
        tool: (3, 4) transform from the last joint to the tip.
    """

    fixed: Floats
    kinds: Ints
    tool: Floats

    @classmethod
    def of(cls, fixed: Sequence[Floats], kinds: Sequence[int], tool: Floats) -> ChainArrays:
        """Return the arrays of a chain.

        Args:
            fixed: (4, 4) transform before each joint.
            kinds: Kind of each joint, as above.
            tool: (4, 4) transform from the last joint to the tip.
        """
        rows = np.ascontiguousarray([T[:3] for T in fixed], dtype=np.float64)
        return cls(rows, np.ascontiguousarray(kinds, dtype=np.int64), np.ascontiguousarray(tool[:3], dtype=np.float64))


def arrays_from_dh(rows: Sequence[Row], convention: Convention, base: Floats, tool: Floats) -> ChainArrays:
    """Return the chain of a Denavit–Hartenberg table.

    Standard: T_i = Rz(θ)·Tz(d)·Tx(a)·Rx(α). Modified (Craig): T_i = Rx(α)·Tx(a)·Rz(θ)·Tz(d). A revolute joint adds
    to θ, a prismatic one to d; either way the joint is about or along the z axis between the two constant halves.

    Args:
        rows: (a, α, d, θ) or (a, α, d, θ, "revolute" | "prismatic"), metres and radians.
        convention: Convention of the table.
        base: (4, 4) transform before the table.
        tool: (4, 4) transform after it.

    Raises:
        CommandError: If a row or the convention is malformed.
    """
    if convention not in ("standard", "modified"):
        raise CommandError(f"the convention must be 'standard' or 'modified', found {convention!r}")
    if not rows:
        raise CommandError("a chain needs at least one row")
    fixed, kinds, pending = [], [], base
    for number, row in enumerate(rows):
        a, alpha, d, theta, kind = _checked(row, number)
        across = _shift(a, 0.0, 0.0) @ _turn_x(alpha)
        along = _shift(0.0, 0.0, d) @ _turn_z(theta)
        if convention == "standard":
            fixed.append(pending @ along)
            pending = across
        else:
            fixed.append(pending @ across @ along)
            pending = np.eye(4)
        kinds.append(kind)
    return ChainArrays.of(fixed, kinds, pending @ tool)


def _checked(row: Row, number: int) -> tuple[float, float, float, float, int]:
    if len(row) not in (4, 5):
        raise CommandError(f"row {number + 1} must be (a, alpha, d, theta[, kind]), found {len(row)} entries")
    kind = row[4] if len(row) == 5 else "revolute"
    if kind not in KINDS:
        raise CommandError(f"row {number + 1}: the kind must be 'revolute' or 'prismatic', found {kind!r}")
    a, alpha, d, theta = (float(value) for value in row[:4])
    if not all(map(math.isfinite, (a, alpha, d, theta))):
        raise CommandError(f"row {number + 1} must be finite, found {row[:4]}")
    return a, alpha, d, theta, KINDS[kind]


def _turn_x(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[1.0, 0.0, 0.0, 0.0], [0.0, c, -s, 0.0], [0.0, s, c, 0.0], [0.0, 0.0, 0.0, 1.0]])


def _turn_z(angle: float) -> Floats:
    c, s = math.cos(angle), math.sin(angle)
    return np.array([[c, -s, 0.0, 0.0], [s, c, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])


def _shift(x: float, y: float, z: float) -> Floats:
    T = np.eye(4)
    T[:3, 3] = x, y, z
    return T
