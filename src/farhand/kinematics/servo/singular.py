"""Singular postures: slow on the way in, always a way out.

Near a singular posture some joint motions v hardly move the tip (σ = ‖J·v‖ small), and a command in the lost direction
would ask for endless rates. Each such v with σ < σ₀ is treated by itself; all other directions stay exact.

*Damping.* λ = λ₀·(1 − (σ/σ₀)²)² is added to H along v, so the rate along v is c·σ/(σ² + λ) for a command c: bounded,
and fading to nothing at the singularity.

*Bending.* What no joint motion can meet of the command is the rest r. As the joints move, the Jacobian turns towards or
away from it: K_ij = r·∂J_j/∂q_i. Over the servo's horizon 1/gain that is the missing part −K/gain of the true Hessian;
its row sums are added to H's diagonal. Without them an arm that reaches for a far target trembles.

*Way out.* A posture that is exactly singular answers a command in the lost direction with nothing at all. But moving
along ±v either gains that direction at second order (κ = vᵀ·K·v/|r| > 0: the stretched arm that shall come back) or
turns the lost direction away (κ = 0, Kᵀ·v ≠ 0: wrist or shoulder aligned). Where one of the two holds, the rate along v
gets |r|/(σ' + σ) on top, σ' = √(σ² + λ), which makes it c/σ' in all: what a chain with σ' instead of σ would do.
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
    "far_from_singular",
    "is_near_singular",
    "normal_into_square",
    "place_first",
    "pull_into",
    "scaled_jacobian",
    "treat_singular",
]

SIGMA_NEAR = 0.1  # σ₀: below this a direction counts as nearly lost (1 = one radian of the tip per radian)
DAMPING = 0.05**2  # λ₀
LEAST_DAMPING = 1e-7  # everywhere: makes H positive definite for redundant arms
ROOM = 0.05  # how much room within the limits counts against present motion, where both ways lead out
GOES_ON = 0.1  # how much present motion counts at most against where the command leads, as a share of the rate out
TAKES_PART = 0.2  # |v_i| from which a joint counts as part of the motion v
HELD = 1e-3  # rad before a fold at which a joint counts as held there
LOST, LEAST_LOST = 1e-3, 1e-4  # share of a command, and 1/s, that must go unmet for a posture to count as slowing it
CLEAR = 0.05  # κ and ‖Kᵀ·v‖/|r| from which a way out counts as clear


@kernel(inline=True)
def scaled_jacobian(frames: Floats, kinds: Ints, length: float, J: Floats) -> None:
    """Write the Jacobian without units: shifts in arm lengths, and slides in arm lengths too."""
    jacobian_into(frames, kinds, J)
    for i in range(kinds.shape[0]):
        if not slides(kinds[i]):
            for r in range(3):
                J[r, i] /= length
        elif kinds[i] >= LEADS:  # what follows a slide may turn the tip
            for r in range(3, 6):
                J[r, i] *= length
        # a slide's column is m/m already: (1/length)·length


@kernel(inline=True)
def normal_into_square(J: Floats, H: Floats) -> None:
    """Write H = Jᵀ·J + least damping."""
    n = J.shape[1]
    for i in range(n):
        for j in range(i + 1):
            s = 0.0
            for r in range(6):
                s += J[r, i] * J[r, j]
            H[i, j] = s
            H[j, i] = s
        H[i, i] += LEAST_DAMPING


@kernel(inline=True)
def pull_into(J: Floats, wanted: Floats, g: Floats) -> None:
    """Write g = Jᵀ·wanted."""
    for i in range(g.shape[0]):
        g[i] = 0.0
        for r in range(6):
            g[i] += J[r, i] * wanted[r]


@kernel()
def place_first(s: Scratch, weight: float) -> None:
    """Let the tip's place count more than its turn: where a joint ends, it comes as near as it can in place first.

    Where all of a command can be done, that changes nothing. It fades in slowly from where a singular posture begins:
    place and turn balance somewhere there, and if the balance were steep the arm would swing about it.
    """
    n = s.J.shape[1]
    for i in range(n):
        for r in range(3):
            s.g[i] += weight * s.J[r, i] * s.wanted[r]
        for j in range(n):
            for r in range(3):
                s.H[i, j] += weight * s.J[r, i] * s.J[r, j]


@kernel(inline=True)
def is_near_singular(s: Scratch) -> bool:
    """Tell whether any σ may be below σ₀: 1/σ_min² ≤ trace(G⁻¹), with G the smaller one of Jᵀ·J and J·Jᵀ.

    An arm of fewer than six joints always lacks directions. For one of six the solver's scratch holds the factor of H
    afterwards.
    """
    J, n = s.J, s.J.shape[1]
    if n < 6:
        return True
    if n == 6:
        return trace_of_inverse(s.H, s.qp.B) > 1.0 / SIGMA_NEAR**2
    for i in range(6):
        for j in range(i + 1):
            product = 0.0
            for k in range(n):
                product += J[i, k] * J[j, k]
            s.gram[i, j] = product
    return trace_of_inverse(s.gram[:6], s.gram[6:]) > 1.0 / SIGMA_NEAR**2


@kernel(inline=True)
def far_from_singular(s: Scratch) -> float:
    """Return how far from all singular postures the arm is that `is_near_singular` has just found not to be near one.

    0 where one begins, 1 from half as much again on.
    """
    B = s.qp.B if s.J.shape[1] == 6 else s.gram[6:]
    trace = 0.0
    for i in range(6):
        for j in range(i, 6):
            trace += B[i, j] * B[i, j]
    return min(max(2.0 * (1.0 / (SIGMA_NEAR * math.sqrt(trace)) - 1.0), 0.0), 1.0)


@kernel(inline=True)
def trace_of_inverse(G: Floats, B: Floats) -> float:
    """Return trace(G⁻¹) = ‖L⁻ᵀ‖² (Frobenius), infinite where G is singular."""
    if not inverse_factor(G, B):
        return np.inf
    s = 0.0
    for i in range(G.shape[0]):
        for j in range(i, G.shape[0]):
            s += B[i, j] * B[i, j]
    return s


@kernel()
def eigen(H: Floats, D: Floats, V: Floats) -> None:
    """Write the eigenvalues of H on D's diagonal and its eigenvectors into V's columns (Jacobi's rotations)."""
    n = H.shape[0]
    for i in range(n):
        for j in range(n):
            D[i, j] = H[i, j]
            V[i, j] = 1.0 if i == j else 0.0
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
    theta = 0.5 * (D[q, q] - D[p, p]) / D[p, q]
    t = math.copysign(1.0, theta) / (abs(theta) + math.sqrt(theta * theta + 1.0))
    c = 1.0 / math.sqrt(t * t + 1.0)
    s = t * c
    for k in range(D.shape[0]):
        D[k, p], D[k, q] = c * D[k, p] - s * D[k, q], s * D[k, p] + c * D[k, q]
    for k in range(D.shape[0]):
        D[p, k], D[q, k] = c * D[p, k] - s * D[q, k], s * D[p, k] + c * D[q, k]
        V[k, p], V[k, q] = c * V[k, p] - s * V[k, q], s * V[k, p] + c * V[k, q]


@kernel()
def damping_of(value: float) -> float:
    """Return λ for an eigenvalue σ² of H."""
    share = 1.0 - max(value, 0.0) / SIGMA_NEAR**2
    return DAMPING * share * share if share > 0.0 else 0.0


@kernel()
def unmet(s: Scratch) -> float:
    """Write the damped rates y and the rest of the command they leave, r = wanted − J·y; return |r|."""
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
    size = 0.0
    for r in range(6):
        s.rest[r] = s.wanted[r]
        for i in range(n):
            s.rest[r] -= s.J[r, i] * s.free_y[i]
        size += s.rest[r] * s.rest[r]
    return math.sqrt(size)


@kernel()
def escape_sign(s: Scratch, q: Floats, rates: Floats, limits: Floats, kinds: Ints, length: float, rate: float) -> float:
    """Return which way along ±v to leave at a rate: where the command leads, where it moves, where joints have room.

    Beside the singular posture the command leads one way alone. Present motion decides only next to it: if it counted
    in full, a wrist that swings past its aim would swing on, and leave a path that it could keep.
    """
    leads, moving, room = 0.0, 0.0, 0.0
    for i in range(q.shape[0]):
        scale = 1.0 if not slides(kinds[i]) else length
        leads += s.v[i] * s.free_y[i]
        moving += s.v[i] * rates[i] / scale
        half = 0.5 * (limits[1, i] - limits[0, i])
        if 0.0 < half < np.inf:
            room += s.v[i] * (limits[0, i] + half - q[i]) / half
    most = GOES_ON * rate
    moving = min(max(moving, -most), most)
    return 1.0 if leads + moving + ROOM * room * rate >= 0.0 else -1.0


@kernel()
def room_ahead(s: Scratch, sign: float, q: Floats, limits: Floats, narrow: Floats, gain: float) -> float:
    """Return the rate along ±v at which no joint that takes part would be at its fold before the horizon 1/gain.

    A push against a fold would only move the other joints, to and fro, and so would one that fights the command which
    holds the joint there: there is none. Limits of the joints themselves leave a way out as it is.
    """
    most = np.inf
    for i in range(q.shape[0]):
        if abs(s.v[i]) > TAKES_PART:
            most = min(most, gain * fold_ahead(i, sign * s.v[i], q, limits, narrow) / abs(s.v[i]))
        if fold_ahead(i, s.free_y[i], q, limits, narrow) < HELD:
            return 0.0
    return most


@kernel()
def fold_ahead(i: int, way: float, q: Floats, limits: Floats, narrow: Floats) -> float:
    """Return how far joint i is from the fold that lies ahead of it, at least 0; infinite if none does."""
    if way > 0.0 and narrow[1, i] < limits[1, i]:
        return float(max(narrow[1, i] - q[i], 0.0))
    if way < 0.0 and narrow[0, i] > limits[0, i]:
        return float(max(q[i] - narrow[0, i], 0.0))
    return np.inf


@kernel()
def treat_singular(
    fixed: Floats, kinds: Ints, tool: Floats, weights: Floats,
    limits: Floats, narrow: Floats, q: Floats, rates: Floats, length: float, gain: float, s: Scratch,
) -> float:  # fmt: skip
    """Add damping, bending and ways out to H and g; return the largest damping of a direction that is nearly lost.

    It is 0 where the command is met all the same: a joint motion that moves no tip, as of two joints about the same
    axis, costs nothing.

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
    n = q.shape[0]
    eigen(s.H, s.D, s.V)
    size = unmet(s)
    if kinds[0] >= LEADS:
        tied_bend_into(fixed, kinds, tool, q, length, weights, s.rest, s.K)
    else:
        bend_into(kinds, s)
    for i in range(n):
        for j in range(n):
            s.H[i, i] += 0.5 * abs(s.K[i, j] + s.K[j, i]) / gain
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
                push(s, sign * min(openness(s, size) * rate, room_ahead(s, sign, q, limits, narrow, gain)))
    asked = 0.0
    for r in range(6):
        asked += s.wanted[r] * s.wanted[r]
    return largest if size > max(LOST * math.sqrt(asked), LEAST_LOST) else 0.0


@kernel()
def bend_into(kinds: Ints, s: Scratch) -> None:
    """Write K_ij = r·∂J_j/∂q_i: with a ≤ b the joints in order, z_a × (linear part of J_b), and z_i × z_j if i < j."""
    n, J, r = kinds.shape[0], s.J, s.rest
    for i in range(n):
        for j in range(n):
            a, b = min(i, j), max(i, j)
            s.K[i, j] = 0.0
            if kinds[a] != TURNS:
                continue
            x, y, z = J[3, a], J[4, a], J[5, a]
            s.K[i, j] += r[0] * (y * J[2, b] - z * J[1, b])
            s.K[i, j] += r[1] * (z * J[0, b] - x * J[2, b])
            s.K[i, j] += r[2] * (x * J[1, b] - y * J[0, b])
            if i < j:
                s.K[i, j] += r[3] * (y * J[5, b] - z * J[4, b])
                s.K[i, j] += r[4] * (z * J[3, b] - x * J[5, b])
                s.K[i, j] += r[5] * (x * J[4, b] - y * J[3, b])


@kernel()
def openness(s: Scratch, size: float) -> float:
    """Return from 0 to 1 how clearly moving along v makes the rest of the command possible."""
    n = s.v.shape[0]
    kappa, opening = 0.0, 0.0
    for j in range(n):
        row = 0.0
        for i in range(n):
            row += s.v[i] * s.K[i, j]
        kappa += row * s.v[j]
        opening += row * row
    opening = math.sqrt(opening) / size
    return min(max(1.0 + kappa / size / CLEAR, 0.0), 1.0) * min(opening / CLEAR, 1.0)


@kernel()
def push(s: Scratch, rate: float) -> None:
    """Add a rate along v to the solution: g += H·v·rate."""
    n = s.v.shape[0]
    for i in range(n):
        for j in range(n):
            s.g[i] += s.H[i, j] * s.v[j] * rate
