"""The inverse of arms of seven joints by closed form: one joint is held, the six others follow.

The joint is held where the seed has it, then at values around it, ever farther, until the six others have a posture
within their limits; a few values more may have a nearer one. A target near the seed's own pose is left to a descent
first: there all seven joints share a short way. Nothing counts before forward kinematics has measured it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.descent import (
    DescentArm,
    angle_of,
    descend,
    distance_of,
    evaluate,
    work_of,
    work_size,
)
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.inverse import finish, unwind
from farhand.kinematics.arithmetic.link_frames import TURNS
from farhand.kinematics.arithmetic.packed_arm import arm_of, arm_size, pack_arm
from farhand.kinematics.closed.spherical_wrist import POLISH, ROOM, ROUGH, WristScratch, all_postures, room_of

__all__ = ["JOINTS", "HeldChain", "held_size", "held_solve", "pack_held"]

JOINTS = 7
VALUES = 12  # of the held joint, over its range, in the first pass; the next ones halve the spacing
PASSES = 5
MORE = 2  # values after the first one that has a posture, for a nearer one
NEAR = 1.2  # radians, and lengths, to a target that a descent from the seed is likely to reach
ITERATIONS = 12  # of that descent
STEEP = 0.3  # what four of them must leave of the error at most


class HeldChain(NamedTuple):
    """The chain as it is solved, and which of its joints is held.

    Args:
        fixed: (7, 3, 4) transforms before the joints, in the order in which they are solved.
        tool: (3, 4) transform after the last of them.
        which: (3,) index of the held joint in that order, `PARALLEL` or `MEETING`, and 1 if the order is backward.
        wrist: (4,) where the last three axes meet: along the first of them, and as seen from the end.
    """

    fixed: Floats
    tool: Floats
    which: Ints
    wrist: Floats


class HeldScratch(NamedTuple):
    """Scratch: what the six other joints are while one is held, all in the order in which they are solved.

    Args:
        fixed: (6, 3, 4) transforms before the joints.
        lower: (6,) lower limits.
        upper: (6,) upper limits.
        seed: (6,) joints to stay near.
        centre: (2, 3) the wrist's centre from link 3 and from the end.
        goal: (3, 4) pose of the end.
        best: (7,) the nearest joints found.
        wrist: Scratch of the closed form.
    """

    fixed: Floats
    lower: Floats
    upper: Floats
    seed: Floats
    centre: Floats
    goal: Floats
    best: Floats
    wrist: WristScratch


@kernel("i8()")
def held_size() -> int:
    """Return how many numbers `held_solve` works in."""
    return int(work_size(JOINTS) + ROOM + 72 + 18 + 6 + 12 + JOINTS)


@kernel(inline=True)
def held_room_of(flat: Floats) -> HeldScratch:
    """Name the parts of a flat array of `held_size()` numbers, which must come from Python; see `view`."""
    start = work_size(JOINTS) + ROOM
    return HeldScratch(
        view(flat, start, (6, 3, 4)),
        view(flat, start + 72, (6,)),
        view(flat, start + 78, (6,)),
        view(flat, start + 84, (6,)),
        view(flat, start + 90, (2, 3)),
        view(flat, start + 96, (3, 4)),
        view(flat, start + 108, (JOINTS,)),
        room_of(flat, work_size(JOINTS)),
    )


def pack_held(arrays: ChainArrays, lower: Floats, upper: Floats, held: HeldChain) -> Floats:
    """Return what `held_solve` needs of an arm, as one flat array."""
    parts = (held.fixed.ravel(), held.tool.ravel(), held.wrist, held.which.view(np.float64))
    return np.concatenate((pack_arm(arrays, lower, upper), *parts))


@kernel(inline=True)
def held_of(flat: Floats) -> HeldChain:
    """Return what `pack_held` has put behind the arm."""
    start = arm_size(JOINTS)
    return HeldChain(
        view(flat, start, (JOINTS, 3, 4)),
        view(flat, start + 84, (3, 4)),
        view(flat.view(np.int64), start + 100, (3,)),
        view(flat, start + 96, (4,)),
    )


@kernel("Tuple((b1, f8, f8))(f8[::1], f8[:, ::1], f8[::1], f8, f8, f8[::1], f8[::1])")
def held_solve(
    constants: Floats,
    target: Floats,
    seed: Floats,
    tolerance: float,
    length: float,
    q: Floats,
    scratch: Floats,
) -> tuple[bool, float, float]:
    """Find joints within their limits that bring the tip to the target, near the seed.

    Args:
        constants: See `pack_held`.
        target: (3, 4) or (4, 4) pose.
        seed: (7,) joints to stay near.
        tolerance: Metres and radians.
        length: Metres that one radian is worth.
        q: (7,) result, of no meaning unless it is reached.
        scratch: (`held_size()`,) numbers.

    Returns:
        Whether it is reached, and the remaining metres and radians.
    """
    arm, held = arm_of(constants, JOINTS), held_of(constants)
    work, room = work_of(scratch, JOINTS), held_room_of(scratch)
    for i in range(JOINTS):
        q[i] = min(max(seed[i], arm.lower[i]), arm.upper[i])
    evaluate(arm, target, q, work.frames, work.error)
    near = distance_of(work.error) <= NEAR * length and angle_of(work.error) <= NEAR
    if near:
        # all seven joints share a short way, which holding one would not
        descend(arm, target, length, tolerance, np.int64(ITERATIONS), STEEP, q, work)
        if distance_of(work.error) <= tolerance and angle_of(work.error) <= tolerance:
            unwind(arm, seed, q)
            return finish(arm, target, tolerance, q, work)
    set_out(arm, held, target, seed, room)
    if not search_values(arm, held, seed, length, near, room):
        return False, np.inf, np.inf
    for i in range(JOINTS):
        q[i] = room.best[i]
    reached, distance, angle = finish(arm, target, tolerance, q, work)
    if not reached and distance <= ROUGH and angle <= ROUGH:
        # axes that a file has rounded: what is left of the error is small
        descend(arm, target, length, tolerance, np.int64(POLISH), 1.0, q, work)
        return finish(arm, target, tolerance, q, work)
    return reached, distance, angle


@kernel()
def set_out(arm: DescentArm, held: HeldChain, target: Floats, seed: Floats, room: HeldScratch) -> None:
    """Write what does not change with the held joint: the six others, their limits and seed, and the goal."""
    backward = held.which[2] == 1
    for k in range(6):
        i, j = joint_of(held, k), k if k < held.which[0] else k + 1
        room.lower[k] = -arm.upper[i] if backward else arm.lower[i]
        room.upper[k] = -arm.lower[i] if backward else arm.upper[i]
        room.seed[k] = -seed[i] if backward else seed[i]
        for r in range(3):
            for c in range(4):
                room.fixed[k, r, c] = held.fixed[j, r, c]
    for r in range(3):
        room.centre[1, r] = held.wrist[1 + r]
        room.goal[r, 3] = 0.0 if backward else target[r, 3]
        for c in range(3):
            room.goal[r, c] = target[c, r] if backward else target[r, c]
            if backward:
                room.goal[r, 3] -= target[c, r] * target[c, 3]


@kernel()
def search_values(
    arm: DescentArm, held: HeldChain, seed: Floats, length: float, thorough: bool, room: HeldScratch
) -> bool:
    """Hold the joint at the seed, then to both sides of it, ever farther; return whether a posture was found.

    Values to come are farther from the seed than the one at hand: a pass ends where they alone are farther than the
    best posture, or a few values after the first one that has a posture. Where none has, the next pass looks between.
    A thorough search makes all passes to their ends.
    """
    i, sign = (JOINTS - 1 - held.which[0], -1.0) if held.which[2] == 1 else (held.which[0], 1.0)
    turns, around = arm.kinds[i] == TURNS, math.pi if arm.kinds[i] == TURNS else 3.0 * length
    start = min(max(seed[i], arm.lower[i]), arm.upper[i])
    # a whole turn, as far to both sides as limits allow
    low = max(arm.lower[i], min(start - around, arm.upper[i] - 2.0 * around))
    high = min(arm.upper[i], max(start + around, arm.lower[i] + 2.0 * around))
    step, nearest = (high - low) / VALUES, np.inf
    for level in range(PASSES):
        left = VALUES * 2 ** (PASSES + 1) if thorough else 1 + MORE
        for k in range(2 * VALUES * 2**level + 1):
            away = step * ((k + 1) // 2)
            value = start + (away if k % 2 == 1 else -away)
            if away * away >= nearest or left == 0 or (k > 0 and step == 0.0):
                break
            if value < low or value > high or (level > 0 and (k + 1) // 2 % 2 == 0):
                continue
            hold(held, sign * value, turns, room)
            nearest = keep_nearest(held, value, sign, seed, i, length, nearest, room)
            left -= nearest < np.inf
        if nearest < np.inf and not thorough:
            break
        step *= 0.5
    return nearest < np.inf


@kernel()
def hold(held: HeldChain, value: float, turns: bool, room: HeldScratch) -> None:
    """Write fixed_h·Z(value)·fixed_(h+1), and where that puts the wrist's centre as seen from the third joint."""
    h = held.which[0]
    A, B, F = held.fixed[h], held.fixed[h + 1], room.fixed[h]
    c, s, shift = (math.cos(value), math.sin(value), 0.0) if turns else (1.0, 0.0, value)
    for r in range(3):
        x, y, z = c * A[r, 0] + s * A[r, 1], c * A[r, 1] - s * A[r, 0], A[r, 2]
        for k in range(4):
            F[r, k] = x * B[0, k] + y * B[1, k] + z * B[2, k]
        F[r, 3] += A[r, 3] + shift * z
    for r in range(3):
        room.centre[0, r] = room.fixed[3, r, 3] + held.wrist[0] * room.fixed[3, r, 2]


@kernel()
def keep_nearest(
    held: HeldChain, value: float, sign: float, seed: Floats, i: int, length: float, nearest: float, room: HeldScratch
) -> float:
    """Keep the nearest posture with joint i at a value, if it is nearer than the best; return the best's distance².

    Postures are in the order and of the sign in which they are solved; the best joints are the arm's.
    """
    off, postures = (value - seed[i]) ** 2, room.wrist.postures
    count = all_postures(
        held.which[1], room.fixed, held.tool, room.lower, room.upper, room.centre, room.goal, room.seed, length,
        nearest - off, room.wrist,
    )  # fmt: skip
    for p in range(count):
        cost = off
        for k in range(6):
            cost += (postures[p, k] - room.seed[k]) ** 2
        if cost < nearest:
            nearest, room.best[i] = cost, value
            for k in range(6):
                room.best[joint_of(held, k)] = sign * postures[p, k]
    return nearest


@kernel(inline=True)
def joint_of(held: HeldChain, k: int) -> int:
    """Return which of the arm's joints is number k of the six that are solved."""
    j = k if k < held.which[0] else k + 1
    return int(JOINTS - 1 - j if held.which[2] == 1 else j)
