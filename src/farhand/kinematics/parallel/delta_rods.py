"""Kernels of a Delta's undriven joints: the platform's, and those at the elbows from which the rods hang.

The platform shifts by p. At the elbow of arm i a bar across the arm carries two rods; it turns by φ against the upper
arm, and each rod swings by β on it. With s = p − c_i seen outward (o), across (t) and up (z), and ψ = θ + φ:

    s = L2·(cosβ·(cosψ·o + sinψ·z) + sinβ·t),    so    β = asin(s_t/L2),    ψ = atan2(s_z, s_o).

The twelve values are x, y, z of the platform, then φ, β and β again (the second rod) of each arm.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.kernels import Floats, kernel
from farhand.kinematics.arithmetic.delta_spheres import COS, SIN, delta_jacobian_into, elbow_into, tip_of_angles

__all__ = ["COUNT", "close_into", "undriven_into"]

COUNT = 12
STEP = 1e-5  # s of the finite difference that gives accelerations


@kernel("void(f8[::1], f8[::1], f8[::1])")
def undriven_into(size: Floats, q: Floats, out: Floats) -> None:
    """Write the positions of all undriven joints at motor angles q.

    Args:
        size: (e, L1, L2), metres.
        q: (3,) motor angles.
        out: (12,) result.
    """
    # platform
    p, c = np.empty(3), np.empty(3)
    tip_of_angles(size, q, p)
    out[0], out[1], out[2] = p[0], p[1], p[2]
    # per arm: rod direction s, then β and φ
    for i in range(3):
        elbow_into(size, q, i, c)
        x, y, z = p[0] - c[0], p[1] - c[1], p[2] - c[2]
        sine = (y * COS[i] - x * SIN[i]) / size[2]
        out[3 + 3 * i] = math.atan2(z, x * COS[i] + y * SIN[i]) - q[i]
        out[4 + 3 * i] = out[5 + 3 * i] = math.asin(min(max(sine, -1.0), 1.0))


@kernel()
def undriven_rates_into(size: Floats, q: Floats, rates: Floats, out: Floats) -> None:
    """Write the rates of all undriven joints at motor rates.

    β̇ = ṡ_t/(L2·cosβ), ψ̇ = (cosψ·ṡ_z − sinψ·ṡ_o)/(L2·cosβ), φ̇ = ψ̇ − θ̇.
    """
    # platform rates by the Jacobian
    p, c, J = np.empty(3), np.empty(3), np.empty((3, 3))
    delta_jacobian_into(size, q, p, J)
    for r in range(3):
        out[r] = J[r, 0] * rates[0] + J[r, 1] * rates[1] + J[r, 2] * rates[2]
    # per arm: rod direction s and its rate, then β̇ and φ̇
    for i in range(3):
        elbow_into(size, q, i, c)
        x, y, z = p[0] - c[0], p[1] - c[1], p[2] - c[2]
        outward = x * COS[i] + y * SIN[i]
        flat = math.sqrt(outward * outward + z * z)  # L2·cosβ
        turning = size[1] * rates[i]
        v_out = out[0] * COS[i] + out[1] * SIN[i] + turning * math.sin(q[i])
        v_up = out[2] - turning * math.cos(q[i])
        out[3 + 3 * i] = (outward * v_up - z * v_out) / (flat * flat) - rates[i]
        out[4 + 3 * i] = out[5 + 3 * i] = (out[1] * COS[i] - out[0] * SIN[i]) / flat


@kernel("void(f8[::1], f8[::1], f8[::1], f8[::1], f8[:, ::1], f8[::1], f8[::1])")
def close_into(
    size: Floats, q: Floats, rates: Floats, accelerations: Floats, G: Floats, moving: Floats, gathering: Floats
) -> None:
    """Write the motion of the undriven joints: u̇ = G·q̇ and ü = G·q̈ + Ġ·q̇.

    Args:
        size: (e, L1, L2), metres.
        q: (3,) motor angles.
        rates: (3,) motor rates.
        accelerations: (3,) motor accelerations.
        G: (12, 3) result.
        moving: (12,) result, u̇.
        gathering: (12,) result, ü.
    """
    # columns of G: the rates for one motor at unit rate
    later, faster = np.empty(3), np.empty(3)
    for i in range(3):
        for k in range(3):
            faster[k] = 1.0 if k == i else 0.0
        undriven_rates_into(size, q, faster, moving)
        for u in range(COUNT):
            G[u, i] = moving[u]
    # rates a moment later
    for i in range(3):
        later[i], faster[i] = q[i] + STEP * rates[i], rates[i] + STEP * accelerations[i]
    undriven_rates_into(size, later, faster, gathering)
    # u̇ = G·q̇, and ü by finite difference
    for u in range(COUNT):
        moving[u] = G[u, 0] * rates[0] + G[u, 1] * rates[1] + G[u, 2] * rates[2]
        gathering[u] = (gathering[u] - moving[u]) / STEP
