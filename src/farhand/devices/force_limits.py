"""Force limits of a device: the part of a wrench that its joints and motors can exert.

Joint torques are τ = Jᵀ·W. A joint without a motor has none, so W must be perpendicular to its column of J: the force
is kept and the torque dropped, as a passive wrist transmits a force as if it acted at the wrist. A mechanism of fewer
than six joints exerts only wrenches in the span of its columns. No motor exceeds its torque limit.
"""

from __future__ import annotations

import math

import numpy as np

from farhand.devices.device import Device
from farhand.kernels import Floats, Ints, kernel
from farhand.kinematics.parallel.stewart_legs import solve_square
from farhand.types import Vector

__all__ = ["ForceLimits"]

TORQUE_WEIGHT = 10.0  # weight of a change of torque against one of force, 1/m²: torque changes first
REGULARISATION = 1e-9  # share of the trace added to the diagonal, so that a singular pose can be solved


class ForceLimits:
    """The limits of a device's motors.

    The torque limit of a motor is that of the full tip force and torque in the rest pose: force × lever.

    Args:
        device: The device.
    """

    def __init__(self, device: Device) -> None:
        self._device = device
        self._motors = any(device.active)
        self._active = np.array(device.active, dtype=np.int64)
        J = device.kinematics.jacobian(device.rest)
        levers, turns = np.linalg.norm(J[:3], axis=0), np.linalg.norm(J[3:], axis=0)
        self.limits: Floats = self._active * (device.force * levers + device.torque * turns)

    def exerted(self, joints: Vector, wrench: Vector) -> Vector:
        """Return the wrench that the device can exert for a wanted one at its tip, base axes.

        If a motor is at its limit all are reduced, so that the force keeps its direction.

        Args:
            joints: (n,) joint positions.
            wrench: (6,) wanted force (N) and torque (Nm).
        """
        wanted = _capped(wrench, self._device.force, self._device.torque)
        if not any(wanted) or not self._motors:
            return (0.0,) * 6
        W = np.array(wanted)
        limit_wrench(self._device.kinematics.jacobian(joints), self._active, self.limits, self._device.force, W)
        return tuple(W.tolist())


def _capped(wrench: Vector, force: float, torque: float) -> Vector:
    """Return a wrench with force and torque limited in magnitude."""
    x, y, z, a, b, c = wrench
    pull, turn = math.sqrt(x * x + y * y + z * z), math.sqrt(a * a + b * b + c * c)
    k = 1.0 if pull <= force else force / pull
    r = 1.0 if turn <= torque else torque / turn
    return (x * k, y * k, z * k, a * r, b * r, c * r)


@kernel("void(f8[:, ::1], i8[::1], f8[::1], f8, f8[::1])")
def limit_wrench(J: Floats, active: Ints, limits: Floats, force: float, W: Floats) -> None:
    """Reduce a wrench to the part that joints and motors can exert.

    Args:
        J: (6, n) Jacobian at the tip.
        active: (n,) 1 for a joint with a motor.
        limits: (n,) greatest torques of the motors.
        force: Greatest force at the tip, N.
        W: (6,) wrench, changed in place.
    """
    n = J.shape[1]
    # project onto the span of J
    if n < 6:
        every = np.arange(n)
        multipliers = multipliers_of(J, every, W, 1.0)
        for r in range(6):
            W[r] = 0.0
            for k in range(n):
                W[r] += J[r, k] * multipliers[k, 0]
    # remove the part that needs torque of joints without motors
    passive = np.flatnonzero(active == 0)
    if passive.shape[0] > 0:
        multipliers = multipliers_of(J, passive, W, TORQUE_WEIGHT)
        for r in range(6):
            for k in range(passive.shape[0]):
                W[r] -= (1.0 if r < 3 else TORQUE_WEIGHT) * J[r, passive[k]] * multipliers[k, 0]
    # scale down to the limits of tip force and motors
    pull = math.sqrt(W[0] * W[0] + W[1] * W[1] + W[2] * W[2])
    share = force / pull if pull > force and force > 0.0 else 1.0
    for i in range(n):
        torque = 0.0
        for r in range(6):
            torque += J[r, i] * W[r]
        if active[i] and abs(torque) * share > limits[i]:
            share = limits[i] / abs(torque)
    for r in range(6):
        W[r] *= share


@kernel()
def multipliers_of(J: Floats, columns: Ints, W: Floats, torque_weight: float) -> Floats:
    """Return λ (m, 1) with Cᵀ·G·C·λ = Cᵀ·W for columns C of J and G = diag(1, 1, 1, g, g, g)."""
    m = columns.shape[0]
    # normal equations
    H, b, trace = np.empty((m, m)), np.empty((m, 1)), 0.0
    for i in range(m):
        b[i, 0] = 0.0
        for r in range(6):
            b[i, 0] += J[r, columns[i]] * W[r]
        for j in range(m):
            H[i, j] = 0.0
            for r in range(6):
                H[i, j] += (1.0 if r < 3 else torque_weight) * J[r, columns[i]] * J[r, columns[j]]
        trace += H[i, i]
    # regularise and solve
    for i in range(m):
        H[i, i] += REGULARISATION * trace
    if not solve_square(H, b):
        for i in range(m):
            b[i, 0] = 0.0
    return b
