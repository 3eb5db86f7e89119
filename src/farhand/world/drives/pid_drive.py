"""The explicit torque loop of the published systems: τ = kp·e + ki·∫e + kd·ė + feed-forward.

Explicit loops are unstable if the joint's inertia is too small for the time step; `check_pid` refuses such gains.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.errors import DriveError
from farhand.formats.model import JointSpec
from farhand.world.blueprint import Placement
from farhand.world.drives.controls import pid_control
from farhand.world.drives.drive import DriveArrays, Floats, instability, least_inertia, stable_share, top_velocities

__all__ = ["PidDrive", "PidGains", "check_pid"]

BRAKE = 0.5  # share of excess speed that the drive removes in one step
MAX_ARMATURE = 1e3  # kg·m²: no joint has more
LOWERED = (
    ("the integral", (0, 1, 0)),
    ("the derivative", (0, 0, 1)),
    ("the proportional", (1, 0, 0)),
    ("all", (1, 1, 1)),
)
SHARES = (0.2, 0.4, 0.7, 1.0)  # of the critical damping, tried for a loop with too little


class PidGains(Struct, frozen=True):
    """Gains of an arm's PID drive.

    Args:
        gains: (n, 3) proportional, integral, derivative.
        brake: Nm·s/rad with which a joint above its top velocity is slowed down.
        joints: The arm's joints.
    """

    gains: Floats
    brake: Floats
    joints: tuple[JointSpec, ...]

    def stiffness(self) -> Floats:
        """Return Nm/rad (N/m) of each joint."""
        return np.maximum(self.gains[:, 0], 1e-9)


class PidDrive:
    """Drives an arm with plain torque motors."""

    def __init__(self, gains: PidGains, arrays: DriveArrays) -> None:
        self._arrays = arrays
        effort = np.array([joint.effort for joint in gains.joints])
        self._gains = np.ascontiguousarray(
            np.column_stack([gains.gains, effort, top_velocities(gains.joints), gains.brake])
        )

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Write the commands of the motors for this tick."""
        arrays = self._arrays
        pid_control(
            arrays.ctrl, arrays.qpos, arrays.qvel, arrays.kept, arrays.actuators, arrays.at, arrays.dofs,
            self._gains, q, rates, forward, arrays.dt,
        )  # fmt: skip

    def hold(self) -> None:
        """Clear the integrals; the next tick's set-point holds the joints."""
        self._arrays.kept[:] = 0.0


def check_pid(placement: Placement, inertia: Floats, dt: float) -> PidGains:
    """Return the PID gains, refused if the explicit loop would be unstable or oscillate for long.

    The loop around rest, with the position error e and its integral s, one semi-implicit step of dt: v' = v −
    dt·M⁻¹·(kp·e + ki·s' + kd·v), e' = e + dt·v', s' = s + dt·e.

    Raises:
        DriveError: If there are not three gains for each joint, a proportional gain is 0, or the loop is not stable;
            gives stable gains.
    """
    joints, gains = placement.model.arm.joints, np.array(placement.drive.gains, dtype=np.float64)
    if gains.shape != (len(joints), 3):
        raise DriveError(
            placement.name,
            f"a PID drive needs three gains (proportional, integral, derivative) for each "
            f"of its {len(joints)} joints, found {len(placement.drive.gains)} sets",
        )
    for joint, proportional in zip(joints, gains[:, 0].tolist(), strict=True):
        if proportional == 0.0:
            text = f"{joint.label or joint.name} has no proportional gain, so it would not reach its target"
            raise DriveError(placement.name, text)
    problem = _instability(inertia, gains, dt)
    if problem:
        text = f"these PID gains {problem} at a step of {dt * 1e3:g} ms"
        raise DriveError(placement.name, f"{text}; stable with {_advice(inertia, gains, dt)}")
    return PidGains(gains, BRAKE * least_inertia(inertia) / dt, joints)


def _instability(inertia: Floats, gains: Floats, dt: float) -> str:
    n = len(gains)
    inverse, eye, zero = np.linalg.inv(inertia), np.eye(n), np.zeros((n, n))
    kp, ki, kd = (np.diag(gains[:, k]) for k in range(3))
    s_next = np.hstack([eye, dt * eye, zero])  # of the state (s, e, v)
    pull = ki @ s_next + np.hstack([zero, kp, kd])
    v_next = np.hstack([zero, zero, eye]) - dt * inverse @ pull
    e_next = np.hstack([zero, eye, zero]) + dt * v_next
    s_next[gains[:, 1] == 0] = 0.0  # an unused integral has no dynamics
    return instability(np.vstack([s_next, e_next, v_next]))


def _advice(inertia: Floats, gains: Floats, dt: float) -> str:
    """Return stable alternatives, each tried by the same check."""
    remedies = []
    damping = _stable_derivative(inertia, gains, dt)
    if damping is not None:
        remedies.append(f"derivative gains of {', '.join(f'{kd:g}' for kd in damping.tolist())}")
    for name, which in LOWERED:
        share = _stable_share(inertia, gains, dt, np.array(which))
        if share is not None:
            remedies.append(f"{100 * share:.2g} % of {name} gains")
            break  # lowering fewer gains is enough
    extra = _stable_armature(inertia, gains, dt)
    if extra is not None:
        remedies.append(f"{extra:.2g} kg·m² more rotor inertia (armature)")
    return ", or ".join([*remedies, "the position drive"])


def _stable_share(inertia: Floats, gains: Floats, dt: float, which: Floats) -> float | None:
    """Return the share of some gains (1 among proportional, integral, derivative) with which the loop is stable."""
    return stable_share(lambda share: _instability(inertia, gains * (1.0 - which + share * which), dt))


def _stable_derivative(inertia: Floats, gains: Floats, dt: float) -> Floats | None:
    """Return larger derivative gains with which the loop is stable, if there are such."""
    critical = 2.0 * np.sqrt(gains[:, 0] * np.diag(inertia))
    for share in SHARES:
        wanted = np.maximum(gains[:, 2], share * critical)
        rounded = np.array([float(f"{kd:.3g}") for kd in wanted])
        damped = np.column_stack([gains[:, :2], rounded])
        if (wanted > gains[:, 2]).any() and not _instability(inertia, damped, dt):
            return rounded
    return None


def _stable_armature(inertia: Floats, gains: Floats, dt: float) -> float | None:
    """Return the least additional rotor inertia of every joint with which the loop is stable; None if there is none."""
    extra = 1e-4
    while extra < MAX_ARMATURE:
        if not _instability(inertia + extra * np.eye(len(gains)), gains, dt):
            return 1.25 * extra  # a margin for rounding
        extra *= 1.25
    return None
