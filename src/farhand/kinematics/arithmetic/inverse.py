"""Inverse kinematics by search: descents from the seed and from random joints, under a budget of iterations.

The random joints come from a generator seeded by the arguments, so the same call has the same answer.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.descent import DescentArm, Work, angle_of, descend, distance_of, evaluate, work_of
from farhand.kinematics.arithmetic.link_frames import TURNS, slides

__all__ = ["solve"]

Bits = NDArray[np.uint64]

ITERATIONS = 60  # of one descent
RESTARTS = 300
FIRST_RANGE = 0.3  # share of the joints' ranges that the first restart is drawn from
RANGE_STEP = 0.05  # growth of that share with each further restart
SURE_ATTEMPTS = 2  # first attempts, so near to the seed that their solution is taken
EXTRA_ATTEMPTS = 2  # further attempts after a later solution, for a nearer one
RESTARTS_TOO_FAR = 3  # a few attempts for the nearest pose, if the target is known to be out of reach
FINAL_ITERATIONS = 200  # iterations of the last descents, towards a target out of reach
SEARCH_PROGRESS, FINAL_PROGRESS = 0.3, 1.0 - 1e-6  # largest share of the error that four iterations may leave
POSITION_FIRST = 0.03  # weight of rotation, as a share, where position comes first


@kernel(
    "Tuple((b1, f8, f8))(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[::1], f8[::1],"
    " f8[:, ::1], f8[::1], f8, f8, b1, f8[::1], f8[::1])"
)
def solve(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    lower: Floats,
    upper: Floats,
    target: Floats,
    seed: Floats,
    tolerance: float,
    length: float,
    too_far: bool,
    q: Floats,
    scratch: Floats,
) -> tuple[bool, float, float]:
    """Find joints within their limits that bring the tip to the target, or as near as possible, position first.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        kinds: (n,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        lower: (n,) lower limits.
        upper: (n,) upper limits.
        target: (3, 4) or (4, 4) pose.
        seed: (n,) joints to start from and to stay near, radians or metres.
        tolerance: Metres and radians.
        length: Metres that one radian counts as.
        too_far: True if the target is known to be out of reach: a few attempts then look for the nearest pose.
        q: (n,) result.
        scratch: (`work_size(n)`,) numbers.

    Returns:
        Whether the target is reached, and the remaining metres and radians.
    """
    # arm, scratch and random generator
    n = q.shape[0]
    arm = DescentArm(fixed, kinds, tool, lower, upper)
    work = work_of(scratch, n)
    best, best_cost = np.empty(n), np.inf
    random = np.empty(1, np.uint64)
    seed_random(target, seed, random)
    # attempts: first from the seed, then from joints ever farther around it
    nearest, left = np.inf, 1 + (RESTARTS_TOO_FAR if too_far else RESTARTS)
    attempt = 0
    while left > 0:
        start_joints(arm, seed, length, attempt, random, q)
        descend(arm, target, length, tolerance, np.int64(ITERATIONS), SEARCH_PROGRESS, q, work)
        left -= 1
        attempt += 1
        # reached: turn joints back to the seed
        if distance_of(work.error) <= tolerance and angle_of(work.error) <= tolerance:
            unwind(arm, seed, q)
            if attempt <= SURE_ATTEMPTS:
                # found from the seed or from near it: there is hardly a nearer solution
                return finish(arm, target, tolerance, q, work)
            # found from random joints: a few more attempts may find a nearer solution
            left = min(left, EXTRA_ATTEMPTS) if nearest == np.inf else left
            nearest = keep_nearer(seed, q, nearest, best)
            continue
        # not reached: remember the nearest miss, unless there is a solution
        if nearest < np.inf:
            continue
        cost = distance_of(work.error) + POSITION_FIRST * length * angle_of(work.error)
        if cost < best_cost:
            best_cost = cost
            for i in range(n):
                best[i] = q[i]
    # the best solution
    for i in range(n):
        q[i] = best[i]
    if nearest < np.inf:
        return finish(arm, target, tolerance, q, work)
    # none: descend from the nearest miss, first with full, then with falling weight of rotation
    descend(arm, target, length, tolerance, np.int64(FINAL_ITERATIONS), FINAL_PROGRESS, q, work)
    if not (distance_of(work.error) <= tolerance and angle_of(work.error) <= tolerance):
        descend(arm, target, POSITION_FIRST * length, tolerance, np.int64(FINAL_ITERATIONS), FINAL_PROGRESS, q, work)
        descend(arm, target, POSITION_FIRST**2 * length, tolerance, np.int64(FINAL_ITERATIONS), FINAL_PROGRESS, q, work)
    unwind(arm, seed, q)
    return finish(arm, target, tolerance, q, work)


@kernel()
def keep_nearer(seed: Floats, q: Floats, nearest: float, best: Floats) -> float:
    """Keep joints that are nearer to the seed than the best so far; return the best squared distance."""
    # squared distance to the seed
    squared = 0.0
    for i in range(q.shape[0]):
        squared += (q[i] - seed[i]) ** 2
    if squared >= nearest:
        return nearest
    # nearer: keep them
    for i in range(q.shape[0]):
        best[i] = q[i]
    return squared


@kernel()
def finish(arm: DescentArm, target: Floats, tolerance: float, q: Floats, work: Work) -> tuple[bool, float, float]:
    """Measure the result by forward kinematics, independently of the search."""
    evaluate(arm, target, q, work.frames, work.error)
    # within the limits
    inside = True
    for i in range(q.shape[0]):
        if not (arm.lower[i] <= q[i] <= arm.upper[i]):
            inside = False
    # and at the target
    distance, angle = distance_of(work.error), angle_of(work.error)
    return inside and distance <= tolerance and angle <= tolerance, distance, angle


@kernel()
def start_joints(arm: DescentArm, seed: Floats, length: float, attempt: int, random: Bits, q: Floats) -> None:
    """Write the starting joints of an attempt: the seed, then joints around it, from ever wider ranges.

    So the first solution found is usually near the seed.
    """
    share = min(1.0, FIRST_RANGE + attempt * RANGE_STEP)
    for i in range(q.shape[0]):
        # the seed, clamped
        start = min(max(seed[i], arm.lower[i]), arm.upper[i])
        if attempt == 0:
            q[i] = start
            continue
        # a joint without limits starts within half a turn of the seed (or a few lengths, if it slides)
        around = math.pi if not slides(arm.kinds[i]) else 3.0 * length
        low = arm.lower[i] if arm.lower[i] > -np.inf else min(seed[i], arm.upper[i]) - around
        high = arm.upper[i] if arm.upper[i] < np.inf else max(seed[i], arm.lower[i]) + around
        # a random position, drawn towards the seed
        anywhere = low + (high - low) * draw(random)
        q[i] = start + share * (anywhere - start)


@kernel()
def unwind(arm: DescentArm, seed: Floats, q: Floats) -> None:
    """Turn joints by whole turns to the position nearest to the seed within their limits."""
    for i in range(q.shape[0]):
        if arm.kinds[i] != TURNS:  # its followers need not come round with it
            continue
        # whole turns to the seed, fewer where a limit is in the way
        turns = np.round((seed[i] - q[i]) / (2.0 * math.pi))
        away = 1.0 if turns > 0.0 else -1.0
        while turns != 0.0:
            turned = q[i] + 2.0 * math.pi * turns
            if arm.lower[i] <= turned <= arm.upper[i]:
                q[i] = turned
                break
            turns -= away


@kernel()
def seed_random(target: Floats, seed: Floats, random: Bits) -> None:
    """Hash the bits of the target and the seed into the generator's state (FNV-like), never zero."""
    # target, then seed
    state = np.uint64(0xCBF29CE484222325)
    for bits in target.view(np.uint64).flat:
        state = (state ^ bits ^ (bits >> np.uint64(32))) * np.uint64(0x100000001B3)
    for bits in seed.view(np.uint64):
        state = (state ^ bits ^ (bits >> np.uint64(32))) * np.uint64(0x100000001B3)
    random[0] = state | np.uint64(1)


@kernel()
def draw(random: Bits) -> float:
    """Return the next number in [0, 1) of a xorshift64* generator."""
    # next state
    x = random[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    random[0] = x
    # its 53 upper bits as a fraction
    return float((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) / 9007199254740992.0
