"""What an operator is shown of avoidance: the nearest pair, which ways the tip is free to go, how far each joint."""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.distances.arena import Arena
from farhand.distances.clearance import Near
from farhand.kernels import Floats
from farhand.types import Vector

__all__ = ["Outlook", "outlook"]

SEEN = 0.15  # metres within which a pair is shown
SHUT = 0.003  # metres of room below which a way towards it counts as shut
SOON = 0.5  # radians (or metres) of one joint within which a pair must be able to stop the arm to be shown
HEEDED = 0.05  # metres of room within which a pair that must not touch comes before one that touches already
AGAINST = 0.02  # share of a way that may lead against a pair before that counts
WAYS: Floats = np.vstack((np.eye(3), -np.eye(3)))  # +x, +y, +z, -x, -y, -z in base axes


class Outlook(Struct, frozen=True):
    """How an arm stands with its surroundings.

    Args:
        pair: The pair that leaves least room, of those that a joint could close soon: neighbouring links are always
            near to each other, and no news.
        room: Metres until it stops the arm; below zero: it is too near.
        gently: It may be touched.
        ways: Whether the tip is free to go +x, +y, +z, -x, -y, -z, base axes, without turning.
        lower: How far down each joint may go by itself before a pair stops it, as far as can be told from here.
        upper: Likewise up.
    """

    pair: Near
    room: float
    gently: bool
    ways: tuple[bool, ...]
    lower: Vector
    upper: Vector


def outlook(arena: Arena, q: Vector) -> Outlook | None:
    """Return how an arm stands with its surroundings; None if nothing is near that it could soon come nearer to.

    Args:
        arena: The arm among things, as it last looked at them.
        q: Its joints.
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
    return Outlook(pairs[least], float(rooms[least]), gently[least], ways, lower, upper)


def _foremost(pairs: tuple[Near, ...], gently: list[bool], rooms: Floats) -> int | None:
    """Return which pair to show: the one that leaves least room, unless it touches already and another must not."""
    soon = [k for k, pair in enumerate(pairs) if rooms[k] <= SOON * np.abs(pair.gradient).max()]
    if not soon:
        return None
    least = min(soon, key=lambda k: float(rooms[k]))
    if gently[least] and rooms[least] < SHUT:
        heeded = [k for k in soon if not gently[k] and rooms[k] < HEEDED]
        return min(heeded, key=lambda k: float(rooms[k]), default=least)
    return least


def _limits(arena: Arena, q: Floats, gradients: Floats, rooms: Floats) -> tuple[Vector, Vector]:
    """Return joint limits as the pairs set them: q ± room / |∂d/∂q|, within the fixed ones."""
    lower, upper = arena.servo.limits.lower.copy(), arena.servo.limits.upper.copy()
    for gradient, room in zip(gradients, np.maximum(rooms, 0.0), strict=True):
        for i, slope in enumerate(gradient.tolist()):
            if slope > 1e-6:
                lower[i] = max(lower[i], q[i] - room / slope)
            elif slope < -1e-6:
                upper[i] = min(upper[i], q[i] - room / slope)
    return tuple(lower.tolist()), tuple(upper.tolist())


def _free_ways(jacobian: Floats, gradients: Floats) -> tuple[bool, ...]:
    """Return which ways the tip can go without turning and without closing any of some pairs."""
    if not len(gradients):
        return (True,) * len(WAYS)
    steps = np.linalg.pinv(jacobian, rcond=1e-3)[:, :3] @ WAYS.T
    opening = gradients @ steps
    sizes = np.linalg.norm(gradients, axis=1)[:, None] * np.linalg.norm(steps, axis=0)[None] + 1e-9
    return tuple((opening / sizes >= -AGAINST).all(axis=0).tolist())
