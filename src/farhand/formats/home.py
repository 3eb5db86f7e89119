"""A home pose for robots without one in the file: near zero, within limits, bent enough to move in all directions."""

from __future__ import annotations

import itertools

import numpy as np

from farhand.formats.arm_chain import Choice
from farhand.formats.posing import Floats, Pair, Posed

__all__ = ["home_pose"]

_BENDS = (-0.9, 0.0, 0.9)
_SHARE = 0.35


def home_pose(posed: Posed, choice: Choice, ignored: set[Pair]) -> tuple[Floats, bool]:
    """Return a pose, and whether it is bent away from zero.

    Args:
        posed: The robot, with its rest pose as the starting point.
        choice: Its arm and tip.
        ignored: Pairs of bodies that always penetrate.
    """
    zero = posed.rest.copy()
    good = _SHARE * float(np.median([_dexterity(posed, choice, q) for q in posed.random_poses()]))
    if _dexterity(posed, choice, zero) >= good and not posed.touching(zero) - ignored:
        return zero, False
    # candidates come in the order of their bends, the smallest first; the first that faces front is taken, else the
    # first of all
    fallback, least = zero, len(posed.touching(zero) - ignored)
    behind: Floats | None = None
    for q in _bent(posed, choice):
        if _dexterity(posed, choice, q) < good or _below(posed, choice, q):
            continue
        count = len(posed.touching(q) - ignored)
        if count == 0 and _in_front(posed, choice, q):
            return q, True
        if count == 0 and behind is None:
            behind = q
        if count < least:
            fallback, least = q, count
    if behind is not None:
        return behind, True
    return fallback, fallback is not zero


def _bent(posed: Posed, choice: Choice) -> list[Floats]:
    """Return poses with joints two to five bent to either side, the smallest bends first."""
    middle = {j: (posed.lower[j] + posed.upper[j]) / 2 for j in choice.arm}
    first = {j: 0.0 if posed.lower[j] <= 0 <= posed.upper[j] else middle[j] for j in choice.arm}
    bendable = [j for j in choice.arm[1:6] if not posed.slides[j]]
    bends = sorted(itertools.product(_BENDS, repeat=len(bendable)), key=lambda b: (sum(map(abs, b)), b))
    poses = [posed.pose(first | {j: first[j] + d for j, d in zip(bendable, b, strict=True)}) for b in bends]
    return [*poses, posed.pose(middle)]


def _dexterity(posed: Posed, choice: Choice, q: Floats) -> float:
    """Return the distance of the arm from a singular pose: its smallest singular value."""
    dofs = [int(posed.model.jnt_dofadr[j]) for j in choice.arm]
    J = posed.jacobian(q, choice.body)[:, dofs]
    # lengths in units of the arm's own size, so that metres and radians count equally
    size = float(np.linalg.norm(posed.data.xpos[choice.body] - posed.data.xpos[choice.base])) + 0.1
    J[:3] /= size
    values = np.linalg.svd(J, compute_uv=False)
    return float(values[min(len(dofs), 6) - 1])


def _in_front(posed: Posed, choice: Choice, q: Floats) -> bool:
    posed.go(q)
    return bool(posed.data.xpos[choice.body][0] > posed.data.xpos[choice.base][0] - 0.02)


def _below(posed: Posed, choice: Choice, q: Floats) -> bool:
    posed.go(q)
    return bool(posed.data.xpos[choice.body][2] < posed.data.xpos[choice.base][2] + 0.02)
