"""Inverse kinematics in closed form for arms with a spherical wrist behind parallel or meeting axes (see `shoulder`).

A chain is Π fixed_i·Rz(q_i)·tool. The last three axes meet in a point W that the target places: three joints bring W
there, the other three turn the hand.

1. The first three have up to four solutions, two angles of two each.
2. Rz(q4)·A·Rz(q5)·B·Rz(q6) = M: the lower right entry depends on q5 alone, two solutions; q4 and q6 follow.

There are up to eight postures; each joint is then turned by whole turns towards the seed. Where axes 4 and 6 line up,
or W is on axis 1, one angle is free and stays near the seed. Every result is measured by forward kinematics.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from farhand.kernels import Floats, kernel
from farhand.kernels.views import view
from farhand.kinematics.arithmetic.angles import TURN, nearest_turn
from farhand.kinematics.arithmetic.descent import angle_of, descend, distance_of, evaluate, work_of, work_size
from farhand.kinematics.arithmetic.packed_arm import arm_of, arm_size
from farhand.kinematics.closed.shoulder import ALIGNED, PARALLEL, SLACK, meeting_places, parallel_places

__all__ = ["WRIST_SIZE", "WristScratch", "all_postures", "wrist_scratch", "wrist_solve"]

WHOLE = 1e-9  # tolerance within which a sum counts as exactly one
ROUGH = 1e-3  # metres and radians within which a few steps of descent still lead to the same posture
POLISH = 4  # iterations of that descent
WRIST_SIZE = 3 + 6 + 8 + 9 + 9 + 12 + 48


class WristScratch(NamedTuple):
    """Scratch of the closed form.

    Args:
        w: (3,) the wrist's centre in joint 1's frame.
        q: (6,) one posture, radians.
        costs: (8,) squared distance of each posture from the seed.
        hand: (3, 3) the hand's rotation without the tool.
        M: (3, 3) the same in the frame of joint 4 before it turns.
        places: (4, 3) the first three joints.
        postures: (8, 6) all of them.
    """

    w: Floats
    q: Floats
    costs: Floats
    hand: Floats
    M: Floats
    places: Floats
    postures: Floats


@kernel(inline=True)
def wrist_scratch(flat: Floats, start: int) -> WristScratch:
    """Name the `WRIST_SIZE` numbers of a flat array from `start` on, which must come from Python; see `view`."""
    # nothing is copied
    return WristScratch(
        view(flat, start, (3,)),
        view(flat, start + 3, (6,)),
        view(flat, start + 9, (8,)),
        view(flat, start + 17, (3, 3)),
        view(flat, start + 26, (3, 3)),
        view(flat, start + 35, (4, 3)),
        view(flat, start + 47, (8, 6)),
    )


@kernel("Tuple((b1, f8, f8))(f8[::1], f8[:, ::1], f8[::1], f8, f8, f8[::1], f8[::1])")
def wrist_solve(
    constants: Floats,
    target: Floats,
    seed: Floats,
    tolerance: float,
    length: float,
    q: Floats,
    scratch: Floats,
) -> tuple[bool, float, float]:
    """Find the posture of a pose that is nearest to the seed within the limits.

    Args:
        constants: The arm of six joints (see `pack_arm`), then the wrist's centre (2, 3); see `wrist_centre`.
        target: (3, 4) or (4, 4) pose.
        seed: (6,) joints to stay near, radians.
        tolerance: Metres and radians.
        length: Metres that one radian counts as.
        q: (6,) result, unchanged unless reached.
        scratch: (`work_size(6) + ROOM`,) numbers.

    Returns:
        Whether the target is reached, and the remaining metres and radians.
    """
    # all postures within the limits
    arm, centre = arm_of(constants, 6), view(constants, arm_size(6), (2, 3))
    work, memory = work_of(scratch, 6), wrist_scratch(scratch, work_size(6))
    count = all_postures(
        np.int64(PARALLEL), arm.fixed, arm.tool, arm.lower, arm.upper, centre, target, seed, length, np.inf, memory
    )
    postures, trial, costs = memory.postures, memory.q, memory.costs
    # squared distance of each from the seed
    for k in range(count):
        costs[k] = 0.0
        for i in range(6):
            costs[k] += (postures[k, i] - seed[i]) ** 2
    # the nearest first: measure it by forward kinematics
    for _ in range(count):
        k = int(np.argmin(costs[:count]))
        costs[k] = np.inf
        for i in range(6):
            trial[i] = postures[k, i]
        evaluate(arm, target, trial, work.frames, work.error)
        distance, angle = distance_of(work.error), angle_of(work.error)
        if not (distance <= tolerance and angle <= tolerance) and distance <= ROUGH and angle <= ROUGH:
            # the file rounded the axes: a few steps of descent remove the small error
            descend(arm, target, length, tolerance, np.int64(POLISH), 1.0, trial, work)
            distance, angle = distance_of(work.error), angle_of(work.error)
        # good enough: done
        if distance <= tolerance and angle <= tolerance:
            for i in range(6):
                q[i] = trial[i]
            return True, distance, angle
    return False, np.inf, np.inf


@kernel()
def all_postures(
    form: int | np.int64,
    fixed: Floats,
    tool: Floats,
    lower: Floats,
    upper: Floats,
    centre: Floats,
    target: Floats,
    seed: Floats,
    length: float,
    most: float,
    memory: WristScratch,
) -> int:
    """Write every posture within the limits into `room.postures`; return their number.

    Args:
        form: `PARALLEL` or `MEETING`; see `shoulder`.
        fixed: (6, 3, 4) transforms before the joints.
        tool: (3, 4) transform after the last joint.
        lower: (6,) lower limits.
        upper: (6,) upper limits.
        centre: (2, 3) the wrist's centre in the frames of joint 3 and of the tip.
        target: (3, 4) or (4, 4) pose.
        seed: (6,) joints to stay near, radians.
        length: Metres that one radian counts as.
        most: Largest squared distance of the first three joints from the seed; farther postures are left out.
        memory: Scratch and result.
    """
    hand, w, q = memory.hand, memory.w, memory.q
    # the hand's rotation without the tool, and the wrist's centre in joint 1's frame: w = R₁ᵀ·(W − p₁)
    for r in range(3):
        for c in range(3):
            hand[r, c] = target[r, 0] * tool[c, 0] + target[r, 1] * tool[c, 1] + target[r, 2] * tool[c, 2]
        q[r] = target[r, 3] - fixed[0, r, 3]
        for k in range(3):
            q[r] += target[r, k] * centre[1, k]
    for r in range(3):
        w[r] = fixed[0, 0, r] * q[0] + fixed[0, 1, r] * q[1] + fixed[0, 2, r] * q[2]
    # first three joints
    if form == PARALLEL:
        found = parallel_places(fixed, lower, upper, centre[0], w, seed, length, memory.places)
    else:
        found = meeting_places(fixed, lower, upper, centre[0], w, seed, length, memory.places)
    count = 0
    for place in range(found):
        # skip those too far from the seed
        away = 0.0
        for i in range(3):
            q[i] = memory.places[place, i]
            away += (q[i] - seed[i]) ** 2
        if away >= most:
            continue
        # last three joints: the wrist and its flip
        hand_in_wrist(fixed, q, hand, memory.M)
        for flip in (1.0, -1.0):
            if turn_hand(fixed, memory.M, flip, lower, upper, seed, q):
                for i in range(6):
                    memory.postures[count, i] = q[i]
                count += 1
    return count


@kernel()
def hand_in_wrist(fixed: Floats, q: Floats, hand: Floats, M: Floats) -> None:
    """Write M = (R₁·Rz(q1)·R₂·Rz(q2)·R₃·Rz(q3)·R₄)ᵀ·hand: removing one rotation after the other."""
    # start from the hand
    for r in range(3):
        for c in range(3):
            M[r, c] = hand[r, c]
    # remove each link's rotation, and of the first three the joint's
    for i in range(4):
        cosine, sine = (math.cos(q[i]), math.sin(q[i])) if i < 3 else (1.0, 0.0)
        for c in range(3):
            x, y, z = M[0, c], M[1, c], M[2, c]
            u = fixed[i, 0, 0] * x + fixed[i, 1, 0] * y + fixed[i, 2, 0] * z
            v = fixed[i, 0, 1] * x + fixed[i, 1, 1] * y + fixed[i, 2, 1] * z
            M[0, c], M[1, c] = cosine * u + sine * v, cosine * v - sine * u
            M[2, c] = fixed[i, 0, 2] * x + fixed[i, 1, 2] * y + fixed[i, 2, 2] * z


@kernel()
def bend_of(fixed: Floats, M: Floats, flip: float) -> float:
    """Return q5 with a·Rz(q5)·b = M₂₂, a the third row of A and b the third column of B; nan if there is none.

    With ρ·cos x = M₂₂ − a_z·b_z the half angle is tan²(x/2) = (ρ + a_z·b_z − M₂₂)/(ρ − a_z·b_z + M₂₂); 1 ∓ M₂₂ come
    from the other two entries of that column, so that no digits are lost where axes 4 and 6 line up.
    """
    # amplitude and constant part of a·Rz(q5)·b
    A, B = fixed[4], fixed[5]
    a, b = A[2, 0] * B[0, 2] + A[2, 1] * B[1, 2], A[2, 1] * B[0, 2] - A[2, 0] * B[1, 2]
    rho, rest = math.sqrt(a * a + b * b), A[2, 2] * B[2, 2]
    # 1 − M₂₂ and 1 + M₂₂ without cancellation
    sine2 = M[0, 2] * M[0, 2] + M[1, 2] * M[1, 2]
    below = sine2 / (1.0 + M[2, 2]) if M[2, 2] > 0.0 else 1.0 - M[2, 2]
    above = sine2 / (1.0 - M[2, 2]) if M[2, 2] < 0.0 else 1.0 + M[2, 2]
    # numerator and denominator of the half angle's tangent²; negative means out of reach
    most, least = rho + rest - 1.0, rho - rest - 1.0
    down = below + (most if abs(most) > WHOLE else 0.0)
    up = above + (least if abs(least) > WHOLE else 0.0)
    if down < -SLACK or up < -SLACK:
        return math.nan
    # phase plus or minus that angle
    return math.atan2(b, a) + flip * 2.0 * math.atan2(math.sqrt(max(down, 0.0)), math.sqrt(max(up, 0.0)))


@kernel()
def turn_hand(fixed: Floats, M: Floats, flip: float, lower: Floats, upper: Floats, seed: Floats, q: Floats) -> bool:
    """Write q4, q5 and q6 of one of the two postures of the wrist; return whether they are within the limits."""
    # q5
    A, B = fixed[4], fixed[5]
    q[4] = nearest_turn(bend_of(fixed, M, flip), seed[4], lower[4], upper[4], SLACK)
    if math.isnan(q[4]):
        return False
    # axis 6 as joint 4 sees it before it turns: A·Rz(q5)·b
    c, s = math.cos(q[4]), math.sin(q[4])
    bx, by = c * B[0, 2] - s * B[1, 2], s * B[0, 2] + c * B[1, 2]
    x, y = A[0, 0] * bx + A[0, 1] * by + A[0, 2] * B[2, 2], A[1, 0] * bx + A[1, 1] * by + A[1, 2] * B[2, 2]
    # q4 and q6, unless their axes coincide
    if M[0, 2] * M[0, 2] + M[1, 2] * M[1, 2] > ALIGNED * ALIGNED:
        q[3] = nearest_turn(math.atan2(M[1, 2], M[0, 2]) - math.atan2(y, x), seed[3], lower[3], upper[3], SLACK)
        q[5] = nearest_turn(roll_of(fixed, M, q), seed[5], lower[5], upper[5], SLACK)
        return not math.isnan(q[3] + q[5])
    return share_roll(fixed, M, lower, upper, seed, q)


@kernel()
def roll_of(fixed: Floats, M: Floats, q: Floats) -> float:
    """Return q6 for given q4 and q5, from the first column of Rz(q6) = (Rz(q4)·A·Rz(q5)·B)ᵀ·M."""
    # remove q4 and A
    A, B = fixed[4], fixed[5]
    c, s = math.cos(q[3]), math.sin(q[3])
    x, y, z = c * M[0, 0] + s * M[1, 0], c * M[1, 0] - s * M[0, 0], M[2, 0]
    u, v = A[0, 0] * x + A[1, 0] * y + A[2, 0] * z, A[0, 1] * x + A[1, 1] * y + A[2, 1] * z
    z = A[0, 2] * x + A[1, 2] * y + A[2, 2] * z
    # remove q5 and B
    c, s = math.cos(q[4]), math.sin(q[4])
    x, y = c * u + s * v, c * v - s * u
    return math.atan2(B[0, 1] * x + B[1, 1] * y + B[2, 1] * z, B[0, 0] * x + B[1, 0] * y + B[2, 0] * z)


@kernel()
def share_roll(fixed: Floats, M: Floats, lower: Floats, upper: Floats, seed: Floats, q: Floats) -> bool:
    """Write q4 and q6 where their axes coincide: only q4 ± q6 matters, and both leave the seed by the same angle.

    With rest = q6 − seed at q4 = seed, q4 is clamped to where both limits hold; whole turns of the rest are tried too.
    """
    # the turn that q4 and q6 share
    sign, best = 1.0 if M[2, 2] > 0.0 else -1.0, np.inf
    q[3] = seed[3]
    rest = roll_of(fixed, M, q) - seed[5]
    rest -= TURN * float(np.round(rest / TURN))
    # with whole turns: split it, keep both within limits, take the nearest
    for turn in (0.0, -TURN, TURN):
        far, near = sign * (seed[5] + rest + turn - lower[5]), sign * (seed[5] + rest + turn - upper[5])
        low, high = max(lower[3], seed[3] + min(far, near)), min(upper[3], seed[3] + max(far, near))
        turned = min(max(seed[3] + 0.5 * sign * (rest + turn), low), high)
        roll = min(max(seed[5] + rest + turn - sign * (turned - seed[3]), lower[5]), upper[5])
        cost = (turned - seed[3]) ** 2 + (roll - seed[5]) ** 2
        if low <= high and cost < best:
            best, q[3], q[5] = cost, turned, roll
    return best < np.inf
