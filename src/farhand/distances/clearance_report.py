"""Collision avoidance as shown to the operator: the nearest pair, free directions of the tip, range of each joint."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.distances.arena import Arena
from farhand.distances.clearance import Near
from farhand.kernels import Floats
from farhand.types import Vector

__all__ = ["ClearanceReport", "clearance_report"]

SEEN = 0.15  # distance within which a pair is shown, metres
SHUT = 0.003  # clearance below which a direction towards a pair counts as blocked, metres
SOON = 0.5  # radians (or metres) of one joint within which a pair must stop the arm to be shown
HEEDED = 0.05  # clearance within which a pair that must not touch is shown before one that already touches, metres
AGAINST = 0.02  # share of a direction that may close a pair and still count as free
WAYS: Floats = np.vstack((np.eye(3), -np.eye(3)))  # +x, +y, +z, -x, -y, -z in base axes


class ClearanceReport(Struct, frozen=True):
    """Clearance of an arm to its surroundings, for the operator.

    Args:
        pair: The pair with the least clearance left among those that one joint could soon close; neighbouring links are
            always near each other, which is not worth showing.
        room: Clearance left until the pair stops the arm, metres; negative: it is too near.
        gently: True if the pair may touch.
        ways: True for each of +x, +y, +z, -x, -y, -z, base axes, in which the tip can move without turning.
        lower: Position down to which each joint may move alone before a pair stops it, to first order.
        upper: Likewise up.
    """

    pair: Near
    room: float
    gently: bool
    ways: tuple[bool, ...]
    lower: Vector
    upper: Vector


def clearance_report(arena: Arena, q: Vector) -> ClearanceReport | None:
    """Return the clearance of an arm to its surroundings; None if no pair could soon come nearer.

    Args:
        arena: The arm and its surroundings, as last updated.
        q: Its joint positions, radians or metres.
    """
    joints, keep = np.array(q), arena.servo.keep
    pairs = arena.clearance.near(joints, SEEN)
    if not pairs:
        return None
    gently = [arena.touchable(pair) for pair in pairs]
    rooms = np.array([pair.distance - (0.0 if soft else keep) for pair, soft in zip(pairs, gently, strict=True)])
    least = _foremost(pairs, gently, rooms)
    if least is None:
        return None
    hard = [k for k in range(len(pairs)) if not gently[k]]
    gradients = np.array([pairs[k].gradient for k in hard]).reshape(-1, len(q))
    lower, upper = _limits(arena, joints, gradients, rooms[hard])
    near = gradients[rooms[hard] < SHUT]
    ways = _free_ways(arena.clearance.chain.jacobian(joints), near)
    return ClearanceReport(pairs[least], float(rooms[least]), gently[least], ways, lower, upper)


def _foremost(pairs: tuple[Near, ...], gently: list[bool], rooms: Floats) -> int | None:
    """Return the index of the pair to show: the least clearance, unless that pair touches and another must not."""
    soon = [k for k, pair in enumerate(pairs) if rooms[k] <= SOON * np.abs(pair.gradient).max()]
    if not soon:
        return None
    least = min(soon, key=lambda k: float(rooms[k]))
    if gently[least] and rooms[least] < SHUT:
        heeded = [k for k in soon if not gently[k] and rooms[k] < HEEDED]
        return min(heeded, key=lambda k: float(rooms[k]), default=least)
    return least


def _limits(arena: Arena, q: Floats, gradients: Floats, rooms: Floats) -> tuple[Vector, Vector]:
    """Return joint limits that follow from the pairs: q ± room / |∂d/∂q|, within the fixed limits."""
    lower, upper = arena.servo.limits.lower.copy(), arena.servo.limits.upper.copy()
    for gradient, room in zip(gradients, np.maximum(rooms, 0.0), strict=True):
        for i, slope in enumerate(gradient.tolist()):
            if slope > 1e-6:
                lower[i] = max(lower[i], q[i] - room / slope)
            elif slope < -1e-6:
                upper[i] = min(upper[i], q[i] - room / slope)
    return tuple(lower.tolist()), tuple(upper.tolist())


def _free_ways(jacobian: Floats, gradients: Floats) -> tuple[bool, ...]:
    """Return for each direction whether the tip can move without turning and without closing any of some pairs."""
    if not len(gradients):
        return (True,) * len(WAYS)
    steps = np.linalg.pinv(jacobian, rcond=1e-3)[:, :3] @ WAYS.T
    opening = gradients @ steps
    sizes = np.linalg.norm(gradients, axis=1)[:, None] * np.linalg.norm(steps, axis=0)[None] + 1e-9
    return tuple((opening / sizes >= -AGAINST).all(axis=0).tolist())
