"""The inverse of arms of seven joints by closed form: one joint is held, the six others follow.

The joint is held where the seed has it, then at values around it, ever farther, until the six others have a posture
within their limits. Nothing counts before forward kinematics has measured it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kernels.views import view
from farhand.kinematics.descent import Arm, angle_of, descend, distance_of, evaluate, work_of, work_size
from farhand.kinematics.inverse import finish, unwind
from farhand.kinematics.rigid import TURNS
from farhand.kinematics.wrist import POLISH, ROOM, ROUGH, Room, all_postures, room_of

__all__ = ["held_size", "held_solve"]

JOINTS = 7
VALUES = 48  # of the held joint at most, over its range
MORE = 2  # values after one that had a posture, for a nearer one
NEAR = 0.3  # radians, and lengths, from the seed's pose to the target within which a descent from the seed leads there
ITERATIONS = 12  # of that descent
STEEP = 0.3  # what four of them must leave of the error at most


class HeldRoom(NamedTuple):
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
    wrist: Room


@kernel("i8()")
def held_size() -> int:
    """Return how many numbers `held_solve` works in."""
    return int(work_size(JOINTS) + ROOM + 72 + 18 + 6 + 12 + JOINTS)


@kernel(inline=True)
def held_room_of(flat: Floats) -> HeldRoom:
    """Name the parts of a flat array of `held_size()` numbers, which must come from Python; see `view`."""
    start = work_size(JOINTS) + ROOM
    return HeldRoom(
        view(flat, start, (6, 3, 4)),
        view(flat, start + 72, (6,)),
        view(flat, start + 78, (6,)),
        view(flat, start + 84, (6,)),
        view(flat, start + 90, (2, 3)),
        view(flat, start + 96, (3, 4)),
        view(flat, start + 108, (JOINTS,)),
        room_of(flat, work_size(JOINTS)),
    )


@kernel(
    "Tuple((b1, f8, f8))(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[::1],"
    " f8[:, :, ::1], f8[:, ::1], i8[::1], f8[::1], f8[:, ::1], f8[::1], f8, f8, f8[::1], f8[::1])"
)
def held_solve(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    lower: Floats,
    upper: Floats,
    held_fixed: Floats,
    held_tool: Floats,
    which: Ints,
    wrist: Floats,
    target: Floats,
    seed: Floats,
    tolerance: float,
    length: float,
    q: Floats,
    scratch: Floats,
) -> tuple[bool, float, float]:
    """Find joints within their limits that bring the tip to the target, near the seed.

    Args:
        fixed: (7, 3, 4) transforms before the joints.
        kinds: (7,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        lower: (7,) lower limits.
        upper: (7,) upper limits.
        held_fixed: (7, 3, 4) see `Held`.
        held_tool: (3, 4) likewise.
        which: (3,) likewise.
        wrist: (4,) likewise.
        target: (3, 4) or (4, 4) pose.
        seed: (7,) joints to stay near.
        tolerance: Metres and radians.
        length: Metres that one radian is worth.
        q: (7,) result, of no meaning unless it is reached.
        scratch: (`held_size()`,) numbers.

    Returns:
        Whether it is reached, and the remaining metres and radians.
    """
    arm, work, room = Arm(fixed, kinds, tool, lower, upper), work_of(scratch, JOINTS), held_room_of(scratch)
    for i in range(JOINTS):
        q[i] = min(max(seed[i], lower[i]), upper[i])
    evaluate(arm, target, q, work.frames, work.error)
    if distance_of(work.error) <= NEAR * length and angle_of(work.error) <= NEAR:
        # all seven joints share a short way, which holding one would not
        descend(arm, target, length, tolerance, np.int64(ITERATIONS), STEEP, q, work)
        if distance_of(work.error) <= tolerance and angle_of(work.error) <= tolerance:
            unwind(arm, seed, q)
            return finish(arm, target, tolerance, q, work)
    set_out(arm, held_fixed, which, wrist, target, seed, room)
    if not search_values(arm, held_fixed, held_tool, which, wrist[0], seed, length, room):
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
def set_out(
    arm: Arm, held_fixed: Floats, which: Ints, wrist: Floats, target: Floats, seed: Floats, room: HeldRoom
) -> None:
    """Write what does not change with the held joint: six of the joints, their limits and seed, and the goal."""
    held, backward = which[0], which[2] == 1
    for k in range(6):
        j = k if k < held else k + 1
        i = JOINTS - 1 - j if backward else j
        room.lower[k] = -arm.upper[i] if backward else arm.lower[i]
        room.upper[k] = -arm.lower[i] if backward else arm.upper[i]
        room.seed[k] = -seed[i] if backward else seed[i]
        for r in range(3):
            for c in range(4):
                room.fixed[k, r, c] = held_fixed[j, r, c]
    for r in range(3):
        room.centre[1, r] = wrist[1 + r]
        room.goal[r, 3] = 0.0 if backward else target[r, 3]
        for c in range(3):
            room.goal[r, c] = target[c, r] if backward else target[r, c]
            if backward:
                room.goal[r, 3] -= target[c, r] * target[c, 3]


@kernel()
def search_values(
    arm: Arm, held_fixed: Floats, held_tool: Floats, which: Ints, along: float, seed: Floats, length: float, room: HeldRoom
) -> bool:
    """Hold the joint at the seed, then to both sides of it, ever farther; return whether a posture was found.

    Values to come are farther from the seed than the one at hand: the search ends where they alone are farther than
    the best posture, or a few values after the first one that has a posture.
    """
    held, form = which[0], which[1]
    i = JOINTS - 1 - held if which[2] == 1 else held
    sign = -1.0 if which[2] == 1 else 1.0
    turns = arm.kinds[i] == TURNS
    around = math.pi if turns else 3.0 * length
    start = min(max(seed[i], arm.lower[i]), arm.upper[i])
    low, high = max(arm.lower[i], start - 2.0 * around), min(arm.upper[i], start + 2.0 * around)
    step = min(high - low, 2.0 * around) / VALUES
    nearest, left = np.inf, 2 * VALUES
    for k in range(2 * VALUES + 1):
        away = step * ((k + 1) // 2)
        value = start + (away if k % 2 == 1 else -away)
        if away * away >= nearest or left == 0:
            break
        if value < low or value > high:
            continue
        hold(held_fixed, held, sign * value, turns, along, room)
        count = all_postures(
            form, room.fixed, held_tool, room.lower, room.upper, room.centre, room.goal, room.seed, length, room.wrist
        )
        nearest = keep_nearest(count, held, value, seed, which[2] == 1, nearest, room)
        if nearest < np.inf:
            left = min(left, MORE + 1) - 1
    return nearest < np.inf


@kernel()
def hold(held_fixed: Floats, held: int, value: float, turns: bool, along: float, room: HeldRoom) -> None:
    """Write fixed_h·Z(value)·fixed_(h+1), and where that puts the wrist's centre as seen from the third joint."""
    A, B = held_fixed[held], held_fixed[held + 1]
    c, s, shift = (math.cos(value), math.sin(value), 0.0) if turns else (1.0, 0.0, value)
    for r in range(3):
        x, y, z = c * A[r, 0] + s * A[r, 1], c * A[r, 1] - s * A[r, 0], A[r, 2]
        for k in range(4):
            room.fixed[held, r, k] = x * B[0, k] + y * B[1, k] + z * B[2, k]
        room.fixed[held, r, 3] += A[r, 3] + shift * z
    for r in range(3):
        room.centre[0, r] = room.fixed[3, r, 3] + along * room.fixed[3, r, 2]


@kernel()
def keep_nearest(
    count: int, held: int, value: float, seed: Floats, backward: bool, nearest: float, room: HeldRoom
) -> float:
    """Keep the posture that is nearest to the seed, if it is nearer than the best; return the best's squared distance."""
    at = JOINTS - 1 - held if backward else held
    for p in range(count):
        cost = (value - seed[at]) ** 2
        for k in range(6):
            cost += (room.wrist.postures[p, k] - room.seed[k]) ** 2
        if cost >= nearest:
            continue
        nearest = cost
        room.best[at] = value
        for k in range(6):
            j = k if k < held else k + 1
            if backward:
                room.best[JOINTS - 1 - j] = -room.wrist.postures[p, k]
            else:
                room.best[j] = room.wrist.postures[p, k]
    return nearest
