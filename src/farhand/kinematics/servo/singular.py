"""Singular postures: damped on the way in, always with a way out.

Near a singular posture some joint motions v hardly move the tip (σ = ‖J·v‖ small), and a command in the lost direction
would demand unbounded rates. Each such v with σ < σ₀ is treated by itself; all other directions stay exact.

*Damping.* λ = λ₀·(1 − (σ/σ₀)²)² is added to H along v, so the rate along v is c·σ/(σ² + λ) for a command c: bounded,
and zero at the singularity.

*Bending.* The rest r is the part of the command that no joint motion can meet. As the joints move, the Jacobian turns
towards or away from it: K_ij = r·∂J_j/∂q_i. Over the horizon 1/gain that is the missing part −K/gain of the Hessian;
its row sums are added to H's diagonal. Without them an arm that reaches for a far target trembles.

*Way out.* In an exactly singular posture a command in the lost direction yields no motion. But moving along ±v either
gains that direction at second order (κ = vᵀ·K·v/|r| > 0: the stretched arm that must come back) or
turns the lost direction away (κ = 0, Kᵀ·v ≠ 0: wrist or shoulder aligned). Where one of the two holds, the rate along v
gets |r|/(σ' + σ) on top, σ' = √(σ² + λ), which makes it c/σ' in all: the rate of a chain with σ' instead of σ.

*Self-motion.* Joint motions of a redundant arm that leave the tip where it is (σ = 0) are damped by λ₀ in every
posture. Undamped, they would make up at any rate for a joint at its limit: with an aligned wrist, a lift that is
0.1 mm/s too slow would cost 30 mrad/s of the wrist. Such rates change from tick to tick, and jerk limits keep joints
from following them together.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.arithmetic.link_frames import LEADS, TURNS, jacobian_into, slides
from farhand.kinematics.arithmetic.ties import tied_bend_into
from farhand.kinematics.servo.qp import inverse_factor
from farhand.kinematics.servo.scratch import Scratch

__all__ = [
    "damp_self_motion",
    "far_from_singular",
    "is_near_singular",
    "normal_into_square",
    "pull_into",
    "scaled_jacobian",
    "treat_singular",
    "weigh_position",
]

SIGMA_NEAR = 0.1  # σ₀: below this a direction counts as nearly lost (1 = one radian of the tip per radian)
DAMPING = 0.05**2  # λ₀
LEAST_DAMPING = 1e-7  # everywhere: makes H positive definite for redundant arms
RANGE_WEIGHT = 0.05  # weight of the distance to the limits against present motion, where both signs lead out
MOTION_WEIGHT = 0.1  # largest weight of present motion against the command, as a share of the rate out
TAKES_PART = 0.2  # |v_i| from which a joint counts as part of the motion v
HELD = 1e-3  # rad before a fold at which a joint counts as held there
LOST, LEAST_LOST = 1e-3, 1e-4  # share of a command, and 1/s, that must be unmet before a posture counts as slowing it
CLEAR_EXIT = 0.05  # κ and ‖Kᵀ·v‖/|r| from which a way out counts as clear


@kernel(inline=True)
def scaled_jacobian(frames: Floats, kinds: Ints, length: float, J: Floats) -> None:
    """Write the Jacobian without units: shifts in arm lengths, and slides in arm lengths too."""
    # units out: shifts in arm lengths
    jacobian_into(frames, kinds, J)
    for i in range(kinds.shape[0]):
        if not slides(kinds[i]):
            for r in range(3):
                J[r, i] /= length
        elif kinds[i] >= LEADS:  # a joint that follows a slide may turn the tip
            for r in range(3, 6):
                J[r, i] *= length
        # a slide's column is m/m already: (1/length)·length


@kernel(inline=True)
def normal_into_square(J: Floats, H: Floats) -> None:
    """Write H = Jᵀ·J + least damping."""
    # lower half and its mirror image
    n = J.shape[1]
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for r in range(6):
                s += J[r, i] * J[r, j]
            H[i, j] = s
            H[j, i] = s
        # a least damping keeps H positive definite
        H[i, i] += LEAST_DAMPING


@kernel(inline=True)
def pull_into(J: Floats, wanted: Floats, g: Floats) -> None:
    """Write g = Jᵀ·wanted."""
    # one product per joint
    for i in range(g.shape[0]):
        g[i] = 0.0
        for r in range(6):
            g[i] += J[r, i] * wanted[r]


@kernel()
def weigh_position(s: Scratch, weight: float) -> None:
    """Give the tip's position more weight than its rotation, so that near a joint's end position comes first.

    Where the whole command can be met, that changes nothing. It fades in slowly from where a singular posture begins:
    position and rotation balance somewhere there, and a steep balance would make the arm swing about it.
    """
    n = s.J.shape[1]
    # add the position rows of the task once more, weighted
    for i in range(n):
        for r in range(3):
            s.g[i] += weight * s.J[r, i] * s.wanted[r]
        for j in range(n):
            for r in range(3):
                s.H[i, j] += weight * s.J[r, i] * s.J[r, j]


@kernel(inline=True)
def is_near_singular(s: Scratch) -> bool:
    """Return whether any σ may be below σ₀: 1/σ_min² ≤ trace(G⁻¹), with G the smaller one of Jᵀ·J and J·Jᵀ.

    An arm of fewer than six joints always lacks directions. For one of six the solver's scratch then holds the factor
    of H.
    """
    # too few joints for all directions
    J, n = s.J, s.J.shape[1]
    if n < 6:
        return True
    # six joints: H itself
    if n == 6:
        return trace_of_inverse(s.H, s.qp.B) > 1.0 / SIGMA_NEAR**2
    # more joints: J·Jᵀ
    for i in range(6):
        for j in range(i + 1):
            product = 0.0
            for k in range(n):
                product += J[i, k] * J[j, k]
            s.gram[i, j] = product
    return trace_of_inverse(s.gram[:6], s.gram[6:]) > 1.0 / SIGMA_NEAR**2


@kernel()
def damp_self_motion(s: Scratch) -> None:
    """Add λ₀·(1 − Jᵀ·(J·Jᵀ)⁻¹·J) to H of a redundant arm, right after `is_near_singular` returned false."""
    # W = L⁻¹·J by the inverse factor that the test left behind; K has no other use here
    n, B, W = s.J.shape[1], s.gram[6:], s.K
    for r in range(6):
        for i in range(n):
            W[r, i] = 0.0
            for k in range(r + 1):
                W[r, i] += B[k, r] * s.J[k, i]
    # add λ₀·(1 − Wᵀ·W)
    for i in range(n):
        s.H[i, i] += DAMPING
        for j in range(n):
            for r in range(6):
                s.H[i, j] -= DAMPING * W[r, i] * W[r, j]


@kernel(inline=True)
def far_from_singular(s: Scratch) -> float:
    """Return the distance from singular postures, 0 to 1, right after `is_near_singular` returned false.

    0 where a singular posture begins, 1 from half as far again on.
    """
    # the inverse factor that the test left behind
    B = s.qp.B if s.J.shape[1] == 6 else s.gram[6:]
    trace = 0.0
    for i in range(6):
        for j in range(i, 6):
            trace += B[i, j] * B[i, j]
    # its norm as a share of the threshold
    return min(max(2.0 * (1.0 / (SIGMA_NEAR * math.sqrt(trace)) - 1.0), 0.0), 1.0)


@kernel(inline=True)
def trace_of_inverse(G: Floats, B: Floats) -> float:
    """Return trace(G⁻¹) = ‖L⁻ᵀ‖² (Frobenius), infinite where G is singular."""
    # factor, then sum the squares
    if not inverse_factor(G, B):
        return np.inf
    s = 0.0
    for i in range(G.shape[0]):
        for j in range(i, G.shape[0]):
            s += B[i, j] * B[i, j]
    return s


@kernel()
def eigen(H: Floats, D: Floats, V: Floats) -> None:
    """Write the eigenvalues of H on D's diagonal and its eigenvectors into V's columns by Jacobi rotations."""
    # start from H and the identity
    n = H.shape[0]
    for i in range(n):
        for j in range(n):
            D[i, j] = H[i, j]
            V[i, j] = 1.0 if i == j else 0.0
    # sweep until the off-diagonal part vanishes
    for _ in range(12):
        off = 0.0
        for i in range(n):
            for j in range(i):
                off += abs(D[i, j])
        if off < 1e-15:
            return
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(D[p, q]) > 1e-18:
                    rotate(D, V, p, q)


@kernel()
def rotate(D: Floats, V: Floats, p: int, q: int) -> None:
    """Make D[p, q] zero by a rotation in the plane of p and q."""
    # the angle that makes the entry zero, by its tangent
    theta = 0.5 * (D[q, q] - D[p, p]) / D[p, q]
    t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    # columns, then rows and eigenvectors
    for k in range(D.shape[0]):
        D[k, p], D[k, q] = c * D[k, p] - s * D[k, q], s * D[k, p] + c * D[k, q]
    for k in range(D.shape[0]):
        D[p, k], D[q, k] = c * D[p, k] - s * D[q, k], s * D[p, k] + c * D[q, k]
        V[k, p], V[k, q] = c * V[k, p] - s * V[k, q], s * V[k, p] + c * V[k, q]


@kernel()
def damping_of(value: float) -> float:
    """Return λ for an eigenvalue σ² of H."""
    # fades in quadratically below σ₀
    share = 1.0 - max(value, 0.0) / SIGMA_NEAR**2
    return DAMPING * share * share if share > 0.0 else 0.0


@kernel()
def unmet(s: Scratch) -> float:
    """Write the damped rates y and the unmet part of the command, r = wanted − J·y; return |r|."""
    # damped solution, one eigenvector after the other
    n = s.J.shape[1]
    for i in range(n):
        s.free_y[i] = 0.0
    for k in range(n):
        along = 0.0
        for i in range(n):
            along += s.V[i, k] * s.g[i]
        along /= max(s.D[k, k], LEAST_DAMPING) + damping_of(s.D[k, k])
        for i in range(n):
            s.free_y[i] += along * s.V[i, k]
    # the command less the tip's motion
    size = 0.0
    for r in range(6):
        s.rest[r] = s.wanted[r]
        for i in range(n):
            s.rest[r] -= s.J[r, i] * s.free_y[i]
        size += s.rest[r] * s.rest[r]
    return math.sqrt(size)


@kernel()
def escape_sign(s: Scratch, q: Floats, rates: Floats, limits: Floats, kinds: Ints, length: float, rate: float) -> float:
    """Return the sign of v to leave along: where the command leads, where v moves, where the joints have range left.

    Beside the singular posture the command alone decides. Present motion counts only close to it: counted in full, a
    wrist that swings past its target would swing on and leave a path that it could keep.
    """
    leads, moving, room = 0.0, 0.0, 0.0
    # agreement of v with the command, with present motion, and with the range left
    for i in range(q.shape[0]):
        scale = 1.0 if not slides(kinds[i]) else length
        leads += s.v[i] * s.free_y[i]
        moving += s.v[i] * rates[i] / scale
        half = 0.5 * (limits[1, i] - limits[0, i])
        if 0.0 < half < np.inf:
            room += s.v[i] * (limits[0, i] + half - q[i]) / half
    # cap present motion, then decide
    most = MOTION_WEIGHT * rate
    moving = min(max(moving, -most), most)
    return 1.0 if leads + moving + RANGE_WEIGHT * room * rate >= 0.0 else -1.0


@kernel()
def rate_to_fold(s: Scratch, sign: float, q: Floats, limits: Floats, narrow: Floats, gain: float) -> float:
    """Return the rate along ±v at which no joint that takes part reaches its fold before the horizon 1/gain.

    A push against a fold would only swing the other joints to and fro, and so would one against the command that holds
    the joint there: both get rate 0. Joint limits leave the way out as it is.
    """
    most = np.inf
    for i in range(q.shape[0]):
        # time to the fold of each joint that takes part
        if abs(s.v[i]) > TAKES_PART:
            most = min(most, gain * fold_ahead(i, sign * s.v[i], q, limits, narrow) / abs(s.v[i]))
        # the command already holds a joint at its fold
        if fold_ahead(i, s.free_y[i], q, limits, narrow) < HELD:
            return 0.0
    return most


@kernel()
def fold_ahead(i: int, rate: float, q: Floats, limits: Floats, narrow: Floats) -> float:
    """Return the angle of joint i to the fold ahead of it, at least 0; infinite if there is none."""
    # a fold is a limit narrower than the joint's own
    if rate > 0.0 and narrow[1, i] < limits[1, i]:
        return float(max(narrow[1, i] - q[i], 0.0))
    if rate < 0.0 and narrow[0, i] > limits[0, i]:
        return float(max(q[i] - narrow[0, i], 0.0))
    return np.inf


@kernel()
def treat_singular(
    fixed: Floats, kinds: Ints, tool: Floats, weights: Floats,
    limits: Floats, narrow: Floats, q: Floats, rates: Floats, length: float, gain: float, s: Scratch,
) -> float:  # fmt: skip
    """Add damping, bending and ways out to H and g; return the largest damping of a nearly lost direction.

    It is 0 where the command is met anyway: a joint motion that moves no tip, as of two joints about the same axis,
    costs nothing.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        kinds: (n,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        weights: (≥ 6,) of the tip's dimensions, first.
        limits: (≥ 2, n) lower and upper positions.
        narrow: (≥ 2, n) the same, narrowed by folds.
        q: (n,) joint positions.
        rates: (n,) present joint rates.
        length: Arm length, metres, by which J is scaled.
        gain: 1/s; its inverse is the horizon of the second-order terms.
        s: Scratch with frames, J, H, g and wanted; H and g are changed.
    """
    # lost directions are eigenvectors of H; the rest is the unmet command
    n = q.shape[0]
    eigen(s.H, s.D, s.V)
    size = unmet(s)
    # bending: the missing second-order part, on the diagonal
    if kinds[0] >= LEADS:
        tied_bend_into(fixed, kinds, tool, q, length, weights, s.rest, s.K)
    else:
        bend_into(kinds, s)
    for i in range(n):
        for j in range(n):
            s.H[i, i] += 0.5 * abs(s.K[i, j] + s.K[j, i]) / gain
    # each nearly lost direction: damp it, then push out along it
    largest = 0.0
    for k in range(n):
        damping = damping_of(s.D[k, k])
        if damping > 0.0:
            largest = max(largest, damping)
            for i in range(n):
                s.v[i] = s.V[i, k]
                for j in range(n):
                    s.H[i, j] += damping * s.V[i, k] * s.V[j, k]
            if size > 1e-9:
                rate = size / (math.sqrt(s.D[k, k] + damping) + math.sqrt(max(s.D[k, k], 0.0)))
                sign = escape_sign(s, q, rates, narrow, kinds, length, rate)
                push(s, sign * min(openness(s, size) * rate, rate_to_fold(s, sign, q, limits, narrow, gain)))
    # report damping only where the command goes unmet
    asked = 0.0
    for r in range(6):
        asked += s.wanted[r] * s.wanted[r]
    return largest if size > max(LOST * math.sqrt(asked), LEAST_LOST) else 0.0


@kernel()
def bend_into(kinds: Ints, s: Scratch) -> None:
    """Write K_ij = r·∂J_j/∂q_i: with a ≤ b the joints in order, z_a × (linear part of J_b), and z_i × z_j if i < j."""
    # K is zero where joint a, the one nearer the base, slides
    n, J, r = kinds.shape[0], s.J, s.rest
    for i in range(n):
        for j in range(n):
            a, b = min(i, j), max(i, j)
            s.K[i, j] = 0.0
            if kinds[a] != TURNS:
                continue
            x, y, z = J[3, a], J[4, a], J[5, a]
            # shift of the tip
            s.K[i, j] += r[0] * (y * J[2, b] - z * J[1, b])
            s.K[i, j] += r[1] * (z * J[0, b] - x * J[2, b])
            s.K[i, j] += r[2] * (x * J[1, b] - y * J[0, b])
            # rotation: the later joint turns with the earlier one
            if i < j:
                s.K[i, j] += r[3] * (y * J[5, b] - z * J[4, b])
                s.K[i, j] += r[4] * (z * J[3, b] - x * J[5, b])
                s.K[i, j] += r[5] * (x * J[4, b] - y * J[3, b])


@kernel()
def openness(s: Scratch, size: float) -> float:
    """Return from 0 to 1 how clearly a motion along v makes the rest of the command possible."""
    # κ = vᵀ·K·v and ‖Kᵀ·v‖
    n = s.v.shape[0]
    kappa, opening = 0.0, 0.0
    for j in range(n):
        row = 0.0
        for i in range(n):
            row += s.v[i] * s.K[i, j]
        kappa += row * s.v[j]
        opening += row * row
    # open where the direction turns away and κ is not negative
    opening = math.sqrt(opening) / size
    return min(max(1.0 + kappa / size / CLEAR_EXIT, 0.0), 1.0) * min(opening / CLEAR_EXIT, 1.0)


@kernel()
def push(s: Scratch, rate: float) -> None:
    """Add a rate along v to the solution: g += H·v·rate."""
    # one product per joint
    n = s.v.shape[0]
    for i in range(n):
        for j in range(n):
            s.g[i] += s.H[i, j] * s.v[j] * rate
