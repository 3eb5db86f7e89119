"""Singular postures: slow on the way in, always a way out.

Near a singular posture some joint motions v hardly move the tip (σ = ‖J·v‖ small), and a command in the lost direction
would ask for endless rates. Each such v with σ < σ₀ is treated by itself; all other directions stay exact.

*Damping.* λ = λ₀·(1 − (σ/σ₀)²)² is added to H along v, so the rate along v is c·σ/(σ² + λ) for a command c: bounded,
and fading to nothing at the singularity. If the rest r of the command that cannot be met bends the arm back
(κ = r̂·∂J/∂v·v < 0: it pulls an arm that is stretched already), then |κ|·|r|/gain joins λ. That is the missing part of
the true Hessian over the servo's horizon 1/gain; without it an arm that reaches for a far target trembles.

*Way out.* A posture that is exactly singular answers a command in the lost direction with nothing at all. But moving
along ±v either gains that direction at second order (κ > 0: the stretched arm that shall come back) or turns the lost
direction away (κ = 0, r̂ᵀ·∂J/∂v ≠ 0: wrist or shoulder aligned). Where one of the two holds, the rate along v gets
|r|/(σ' + σ) on top, σ' = √(σ² + λ), which makes it c/σ' in all: what a chain with σ' instead of σ would do.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.qp import inverse_factor
from farhand.kinematics.rigid import TURNS, frames_into, jacobian_into
from farhand.kinematics.scratch import Scratch

__all__ = ["is_near_singular", "normal_into_square", "pull_into", "scaled_jacobian", "treat_singular"]

SIGMA_NEAR = 0.1  # σ₀: below this a direction counts as nearly lost (1 = one radian of the tip per radian)
DAMPING = 0.05**2  # λ₀
LEAST_DAMPING = 1e-7  # everywhere: makes H positive definite for redundant arms
CLEAR = 0.05  # κ and ‖r̂ᵀ·∂J/∂v‖ from which a way out counts as clear
PROBE = 1e-4  # radians (or lengths) over which ∂J/∂v is measured


@kernel()
def scaled_jacobian(frames: Floats, kinds: Ints, length: float, J: Floats) -> None:
    """Write the Jacobian without units: shifts in arm lengths, and slides in arm lengths too."""
    jacobian_into(frames, kinds, J)
    for i in range(kinds.shape[0]):
        if kinds[i] == TURNS:
            for r in range(3):
                J[r, i] /= length
        # a slide's column is m/m already: (1/length)·length


@kernel()
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


@kernel()
def pull_into(J: Floats, wanted: Floats, g: Floats) -> None:
    """Write g = Jᵀ·wanted."""
    for i in range(g.shape[0]):
        g[i] = 0.0
        for r in range(6):
            g[i] += J[r, i] * wanted[r]


@kernel()
def is_near_singular(s: Scratch) -> bool:
    """Tell whether any σ may be below σ₀: 1/σ_min² ≤ trace(G⁻¹), with G the smaller one of Jᵀ·J and J·Jᵀ."""
    J, n = s.J, s.J.shape[1]
    if n <= 6:
        return trace_of_inverse(s.H, s.D) > 1.0 / SIGMA_NEAR**2
    for i in range(6):
        for j in range(i + 1):
            product = 0.0
            for k in range(n):
                product += J[i, k] * J[j, k]
            s.gram[i, j] = product
    return trace_of_inverse(s.gram[:6], s.gram[6:]) > 1.0 / SIGMA_NEAR**2


@kernel()
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
def escape_sign(
    s: Scratch, q: Floats, rates: Floats, lower: Floats, upper: Floats, kinds: Ints, length: float
) -> float:
    """Return which way along ±v to leave: with the first-order motion, else with the present one, else inward."""
    score = 0.0
    for i in range(q.shape[0]):
        scale = 1.0 if kinds[i] == TURNS else length
        score += s.v[i] * (s.free_y[i] + 0.1 * rates[i] / scale)
        if lower[i] > -np.inf and upper[i] < np.inf:
            score += 1e-6 * s.v[i] * (0.5 * (lower[i] + upper[i]) - q[i]) / scale
    return 1.0 if score >= 0.0 else -1.0


@kernel()
def treat_singular(
    fixed: Floats,
    kinds: Ints,
    tool: Floats,
    lower: Floats,
    upper: Floats,
    q: Floats,
    rates: Floats,
    length: float,
    gain: float,
    s: Scratch,
) -> float:
    """Add damping and ways out to H and g for every direction that is nearly lost; return the largest damping.

    Args:
        fixed: (n, 3, 4) transforms before the joints.
        kinds: (n,) kinds of joints.
        tool: (3, 4) transform after the last joint.
        lower: (n,) lower limits.
        upper: (n,) upper limits.
        q: (n,) joint positions.
        rates: (n,) present joint rates.
        length: Arm length, metres, by which J is scaled.
        gain: 1/s; its inverse is the horizon of the second-order terms.
        s: Scratch with J, H, g and wanted; H and g are changed.
    """
    n = q.shape[0]
    eigen(s.H, s.D, s.V)
    size = unmet(s)
    largest = 0.0
    for k in range(n):
        value = s.D[k, k]
        damping = damping_of(value)
        if damping <= 0.0:
            continue
        for i in range(n):
            s.v[i] = s.V[i, k]
        kappa, opening = 0.0, 0.0
        if size > 1e-12:
            kappa, opening = bend(fixed, kinds, tool, q, length, size, s)
        damping += max(0.0, -kappa) * size / gain
        share = min(max(1.0 + kappa / CLEAR, 0.0), 1.0) * min(opening / CLEAR, 1.0)
        out = escape_sign(s, q, rates, lower, upper, kinds, length) * share * size
        out /= math.sqrt(value + damping) + math.sqrt(max(value, 0.0))
        for i in range(n):
            s.g[i] += (value + damping) * out * s.v[i]
            for j in range(n):
                s.H[i, j] += damping * s.v[i] * s.v[j]
        largest = max(largest, damping)
    return largest


@kernel()
def bend(
    fixed: Floats, kinds: Ints, tool: Floats, q: Floats, length: float, size: float, s: Scratch
) -> tuple[float, float]:
    """Return κ = r̂·(∂J/∂v)·v and ‖r̂ᵀ·∂J/∂v‖: what moving along v gains in the direction of the rest."""
    for i in range(q.shape[0]):
        s.q[i] = q[i] + PROBE * s.v[i] * (1.0 if kinds[i] == TURNS else length)
    frames_into(fixed, kinds, tool, s.q, s.probe_frames)
    scaled_jacobian(s.probe_frames, kinds, length, s.probe_jacobian)
    kappa, opening = 0.0, 0.0
    for i in range(q.shape[0]):
        row = 0.0
        for r in range(6):
            row += s.rest[r] * (s.probe_jacobian[r, i] - s.J[r, i])
        row /= size * PROBE
        kappa += row * s.v[i]
        opening += row * row
    return kappa, math.sqrt(opening)
