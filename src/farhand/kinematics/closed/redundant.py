"""Inverse kinematics of arms of seven joints by closed form: one joint is held, the six others follow.

The joint is held at the seed's value, then at values ever farther around it, until the six others have a posture within
their limits; a few more values may give a nearer one. For a target near the seed's own pose a descent is tried first:
it lets all seven joints share a short move. Every result is measured by forward kinematics.
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
from farhand.kinematics.closed.spherical_wrist import (
    POLISH,
    ROUGH,
    WRIST_SIZE,
    WristScratch,
    all_postures,
    wrist_scratch,
)

__all__ = ["JOINTS", "HeldChain", "held_size", "held_solve", "pack_held"]

JOINTS = 7
VALUES = 12  # values of the held joint over its range in the first pass; each further pass halves the spacing
PASSES = 5
EXTRA_VALUES = 2  # further values after the first that has a posture, for a nearer one
DESCENT_RANGE = 1.2  # radians, and arm lengths, within which a descent from the seed is likely to reach a target
ITERATIONS = 12  # of that descent
DESCENT_PROGRESS = 0.3  # largest share of the error that four iterations may leave


class HeldChain(NamedTuple):
    """The chain in the order in which it is solved, and its held joint.

    Args:
        fixed: (7, 3, 4) transforms before the joints, in the order in which they are solved.
        tool: (3, 4) transform after the last of them.
        which: (3,) index of the held joint in this order, `PARALLEL` or `MEETING`, and 1 if the order is reversed.
        wrist: (4,) where the last three axes meet: distance along the first of them, position in the end's frame.
    """

    fixed: Floats
    tool: Floats
    which: Ints
    wrist: Floats


class HeldScratch(NamedTuple):
    """Scratch: the six other joints while one is held, in the order in which they are solved.

    Args:
        fixed: (6, 3, 4) transforms before the joints.
        lower: (6,) lower limits.
        upper: (6,) upper limits.
        seed: (6,) joints to stay near.
        centre: (2, 3) the wrist's centre in the frames of joint 3 and of the end.
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
    """Return the number of values of `held_solve`'s scratch."""
    # descent, wrist, transforms, three vectors, centre, goal, best
    return int(work_size(JOINTS) + WRIST_SIZE + 72 + 18 + 6 + 12 + JOINTS)


@kernel(inline=True)
def held_scratch(flat: Floats) -> HeldScratch:
    """Name the parts of a flat array of `held_size()` numbers, which must come from Python; see `view`."""
    # behind the scratch of the descent and the wrist; nothing is copied
    start = work_size(JOINTS) + WRIST_SIZE
    return HeldScratch(
        view(flat, start, (6, 3, 4)),
        view(flat, start + 72, (6,)),
        view(flat, start + 78, (6,)),
        view(flat, start + 84, (6,)),
        view(flat, start + 90, (2, 3)),
        view(flat, start + 96, (3, 4)),
        view(flat, start + 108, (JOINTS,)),
        wrist_scratch(flat, work_size(JOINTS)),
    )


def pack_held(arrays: ChainArrays, lower: Floats, upper: Floats, held: HeldChain) -> Floats:
    """Return an arm's constants for `held_solve` as one flat array."""
    parts = (held.fixed.ravel(), held.tool.ravel(), held.wrist, held.which.view(np.float64))
    return np.concatenate((pack_arm(arrays, lower, upper), *parts))


@kernel(inline=True)
def held_of(flat: Floats) -> HeldChain:
    """Return views of the chain that `pack_held` put behind the arm."""
    # behind the arm; nothing is copied
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
        seed: (7,) joints to stay near, radians or metres.
        tolerance: Metres and radians.
        length: Metres that one radian counts as.
        q: (7,) result, meaningless unless reached.
        scratch: (`held_size()`,) numbers.

    Returns:
        Whether the target is reached, and the remaining metres and radians.
    """
    # start at the seed
    arm, held = arm_of(constants, JOINTS), held_of(constants)
    work, memory = work_of(scratch, JOINTS), held_scratch(scratch)
    for i in range(JOINTS):
        q[i] = min(max(seed[i], arm.lower[i]), arm.upper[i])
    evaluate(arm, target, q, work.frames, work.error)
    near = distance_of(work.error) <= DESCENT_RANGE * length and angle_of(work.error) <= DESCENT_RANGE
    if near:
        # a descent lets all seven joints share a short move, which holding one does not
        descend(arm, target, length, tolerance, np.int64(ITERATIONS), DESCENT_PROGRESS, q, work)
        if distance_of(work.error) <= tolerance and angle_of(work.error) <= tolerance:
            unwind(arm, seed, q)
            return finish(arm, target, tolerance, q, work)
    # search over values of the held joint
    prepare(arm, held, target, seed, memory)
    if not search_values(arm, held, seed, length, near, memory):
        return False, np.inf, np.inf
    for i in range(JOINTS):
        q[i] = memory.best[i]
    # measure by forward kinematics
    reached, distance, angle = finish(arm, target, tolerance, q, work)
    if not reached and distance <= ROUGH and angle <= ROUGH:
        # the file rounded the axes: a few steps of descent remove the small error
        descend(arm, target, length, tolerance, np.int64(POLISH), 1.0, q, work)
        return finish(arm, target, tolerance, q, work)
    return reached, distance, angle


@kernel()
def prepare(arm: DescentArm, held: HeldChain, target: Floats, seed: Floats, memory: HeldScratch) -> None:
    """Write all that does not depend on the held joint's value: the other six, their limits and seed, the goal."""
    backward = held.which[2] == 1
    # the six other joints; backward, positions are negated
    for k in range(6):
        i, j = joint_of(held, k), k if k < held.which[0] else k + 1
        memory.lower[k] = -arm.upper[i] if backward else arm.lower[i]
        memory.upper[k] = -arm.lower[i] if backward else arm.upper[i]
        memory.seed[k] = -seed[i] if backward else seed[i]
        for r in range(3):
            for c in range(4):
                memory.fixed[k, r, c] = held.fixed[j, r, c]
    # wrist centre and goal; backward, the goal is the inverse pose
    for r in range(3):
        memory.centre[1, r] = held.wrist[1 + r]
        memory.goal[r, 3] = 0.0 if backward else target[r, 3]
        for c in range(3):
            memory.goal[r, c] = target[c, r] if backward else target[r, c]
            if backward:
                memory.goal[r, 3] -= target[c, r] * target[c, 3]


@kernel()
def search_values(
    arm: DescentArm, held: HeldChain, seed: Floats, length: float, thorough: bool, memory: HeldScratch
) -> bool:
    """Hold the joint at the seed, then at values ever farther on both sides; return whether a posture was found.

    Later values are farther from the seed. A pass ends where they alone are farther than the best posture, or a few
    values after the first one that has a posture. If none has, the next pass tries values in between. A thorough search
    completes all passes.
    """
    # the held joint of the arm, and its range
    i, sign = (JOINTS - 1 - held.which[0], -1.0) if held.which[2] == 1 else (held.which[0], 1.0)
    turns, around = arm.kinds[i] == TURNS, math.pi if arm.kinds[i] == TURNS else 3.0 * length
    start = min(max(seed[i], arm.lower[i]), arm.upper[i])
    # a whole turn, as far to both sides as limits allow
    low = max(arm.lower[i], min(start - around, arm.upper[i] - 2.0 * around))
    high = min(arm.upper[i], max(start + around, arm.lower[i] + 2.0 * around))
    # passes of halved spacing
    step, nearest = (high - low) / VALUES, np.inf
    for level in range(PASSES):
        left = VALUES * 2 ** (PASSES + 1) if thorough else 1 + EXTRA_VALUES
        # values by distance from the seed; stop where they alone are too far
        for k in range(2 * VALUES * 2**level + 1):
            away = step * ((k + 1) // 2)
            value = start + (away if k % 2 == 1 else -away)
            if away * away >= nearest or left == 0 or (k > 0 and step == 0.0):
                break
            # skip values out of range or already tried
            if value < low or value > high or (level > 0 and (k + 1) // 2 % 2 == 0):
                continue
            # hold the joint there, and keep the nearest posture
            hold(held, sign * value, turns, memory)
            nearest = keep_nearest(held, value, sign, seed, i, length, nearest, memory)
            left -= nearest < np.inf
        if nearest < np.inf and not thorough:
            break
        step *= 0.5
    return nearest < np.inf


@kernel()
def hold(held: HeldChain, value: float, turns: bool, memory: HeldScratch) -> None:
    """Write fixed_h·Z(value)·fixed_(h+1), and the wrist's centre that follows, in the frame of the third joint."""
    # merge the transforms before and after the held joint
    h = held.which[0]
    A, B, F = held.fixed[h], held.fixed[h + 1], memory.fixed[h]
    c, s, shift = (math.cos(value), math.sin(value), 0.0) if turns else (1.0, 0.0, value)
    for r in range(3):
        x, y, z = c * A[r, 0] + s * A[r, 1], c * A[r, 1] - s * A[r, 0], A[r, 2]
        for k in range(4):
            F[r, k] = x * B[0, k] + y * B[1, k] + z * B[2, k]
        F[r, 3] += A[r, 3] + shift * z
    # wrist centre in the third joint's frame
    for r in range(3):
        memory.centre[0, r] = memory.fixed[3, r, 3] + held.wrist[0] * memory.fixed[3, r, 2]


@kernel()
def keep_nearest(
    held: HeldChain, value: float, sign: float, seed: Floats, i: int, length: float, nearest: float, memory: HeldScratch
) -> float:
    """Keep the nearest posture with joint i at a value, if it is nearer than the best; return the best distance².

    Postures are in the order and sign in which they are solved; the best joints are in the arm's own.
    """
    # all postures of the six others
    off, postures = (value - seed[i]) ** 2, memory.wrist.postures
    count = all_postures(
        held.which[1], memory.fixed, held.tool, memory.lower, memory.upper, memory.centre, memory.goal, memory.seed,
        length, nearest - off, memory.wrist,
    )  # fmt: skip
    # distance of each from the seed; keep the nearest, in the arm's order
    for p in range(count):
        cost = off
        for k in range(6):
            cost += (postures[p, k] - memory.seed[k]) ** 2
        if cost < nearest:
            nearest, memory.best[i] = cost, value
            for k in range(6):
                memory.best[joint_of(held, k)] = sign * postures[p, k]
    return nearest


@kernel(inline=True)
def joint_of(held: HeldChain, k: int) -> int:
    """Return the arm's index of joint k of the six that are solved."""
    # skip the held joint, then undo the order
    j = k if k < held.which[0] else k + 1
    return int(JOINTS - 1 - j if held.which[2] == 1 else j)
