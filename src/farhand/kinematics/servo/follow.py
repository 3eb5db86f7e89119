"""One local step towards a moving pose, for callers without a clock: no rates, only a longest step."""

from __future__ import annotations

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.descent import merit
from farhand.kinematics.arithmetic.link_frames import frames_into, pose_error_into, slides
from farhand.kinematics.servo.folds import narrow_limits
from farhand.kinematics.servo.qp import qp_solve
from farhand.kinematics.servo.scratch import Scratch, carve
from farhand.kinematics.servo.singular import (
    is_near_singular,
    normal_into_square,
    pull_into,
    scaled_jacobian,
    treat_singular,
)

__all__ = ["follow_step"]

LONGEST = 0.1  # radians of one step, or arm lengths of a slide
HALVINGS = 8


@kernel(
    "void(f8[:, :, ::1], i8[::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[:, ::1], f8[::1], f8, f8[::1], f8[::1])",
)
def follow_step(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    limits: Floats,
    folds: Floats,
    target: Floats,
    q: Floats,
    length: float,
    moved: Floats,
    scratch: Floats,
) -> None:
    """Write the joints after one step: minimise ‖W·(J·Δ − error)‖² within the limits, then halve until it helps.

    A step never makes the weighted error larger, so out of reach the arm comes to rest at the nearest pose.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        kinds: (n,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        limits: (2, n) lower and upper positions.
        folds: (2, n) see `find_folds`; the step stops before one.
        target: (3, 4) or (4, 4) pose.
        q: (n,) present joints.
        length: Arm length, metres: counts as one radian.
        moved: (n,) result.
        scratch: (`scratch_size(n, 0)`,) numbers.
    """
    # error at the present joints
    n = q.shape[0]
    s = carve(scratch, n, np.int64(0))
    frames_into(fixed, kinds, tool, q, s.frames)
    pose_error_into(s.frames[n], target, s.wanted)
    before = merit(s.wanted, length)
    # the step that the quadratic program prefers
    narrow_limits(limits, folds, q, s.limits)
    best_step(fixed, kinds, tool, limits, q, length, s)
    # halve it until the error does not grow
    share = 1.0
    for _ in range(HALVINGS):
        for i in range(n):
            step = share * s.y[i] * (1.0 if not slides(kinds[i]) else length)
            moved[i] = min(max(q[i] + step, limits[0, i]), limits[1, i])
        frames_into(fixed, kinds, tool, moved, s.frames)
        pose_error_into(s.frames[n], target, s.wanted)
        if merit(s.wanted, length) <= before * (1.0 + 1e-9) + 1e-18:
            return
        share *= 0.5
    # no step helps: stay
    for i in range(n):
        moved[i] = min(max(q[i], limits[0, i]), limits[1, i])


@kernel()
def best_step(fixed: Floats, kinds: Ints, tool: Floats, limits: Floats, q: Floats, length: float, s: Scratch) -> None:
    """Write the scaled step of the quadratic program into s.y.

    s.wanted holds the error and is scaled; s.limits hold the limits, narrowed by folds.
    """
    # normal equations of the scaled error
    scaled_jacobian(s.frames, kinds, length, s.J)
    normal_into_square(s.J, s.H)
    for r in range(3):
        s.wanted[r] /= length
    pull_into(s.J, s.wanted, s.g)
    # bounds: the joint limits and the longest step
    for i in range(q.shape[0]):
        scale = 1.0 if not slides(kinds[i]) else length
        s.low[i] = max(-LONGEST, min((s.limits[0, i] - q[i]) / scale, 0.0))
        s.high[i] = min(LONGEST, max((s.limits[1, i] - q[i]) / scale, 0.0))
        s.free_y[i] = 0.0
    # near a singular posture: damp the lost directions and open a way out
    if is_near_singular(s):
        still, alike = np.zeros(q.shape[0]), np.ones(6)
        treat_singular(fixed, kinds, tool, alike, limits, s.limits, q, still, length, 1.0, s)
    # solve; stay where there is no solution
    if qp_solve(s.H, s.g, s.low, s.high, s.A, s.b, s.A.shape[0], bool(0), s.y, s.qp) < 0:
        for i in range(q.shape[0]):
            s.y[i] = 0.0
