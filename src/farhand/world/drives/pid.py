"""The explicit torque loop of the published systems: τ = kp·e + ki·∫e + kd·ė + feed-forward.

Explicit loops are unstable where the joint's inertia is small for the time step; `check_pid` refuses such gains before
they are used.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.errors import DriveError
from farhand.formats.model import JointSpec
from farhand.world.blueprint import Placement
from farhand.world.drives.base import Floats, Wires, least_inertia, tops
from farhand.world.drives.controls import pid_control

__all__ = ["PidDrive", "PidGains", "check_pid"]

BRAKE = 0.5  # share of what is too fast that the drive takes away in one step


class PidGains(Struct, frozen=True):
    """Gains of an arm's PID drive.

    Args:
        gains: (n, 3) proportional, integral, derivative.
        brake: Nm·s/rad by which a joint that is too fast is slowed down.
        joints: Whose they are.
    """

    gains: Floats
    brake: Floats
    joints: tuple[JointSpec, ...]

    def stiffness(self) -> Floats:
        """Return Nm/rad (N/m) of each joint."""
        return np.maximum(self.gains[:, 0], 1e-9)


class PidDrive:
    """Drives an arm by plain motors."""

    def __init__(self, gains: PidGains, wires: Wires) -> None:
        self._wires = wires
        effort = np.array([joint.effort for joint in gains.joints])
        self._gains = np.ascontiguousarray(np.column_stack([gains.gains, effort, tops(gains.joints), gains.brake]))

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Tell the motors what to do in this tick."""
        wires = self._wires
        pid_control(
            wires.ctrl, wires.qpos, wires.qvel, wires.kept, wires.actuators, wires.at, wires.dofs,
            self._gains, q, rates, forward, wires.dt,
        )  # fmt: skip

    def hold(self) -> None:
        """Forget what was integrated; the next tick's set-point does the rest."""
        self._wires.kept[:] = 0.0


def check_pid(placement: Placement, inertia: Floats, dt: float) -> PidGains:
    """Return the PID gains, refused if the explicit loop would be unstable.

    The loop around rest, with e the position error and s its integral, one semi-implicit step of dt:
    v' = v − dt·M⁻¹·(kp·e + ki·s' + kd·v), e' = e + dt·v', s' = s + dt·e. Stable if every eigenvalue of that map lies
    inside the unit circle.

    Raises:
        DriveError: If there are not three gains for each joint, or they diverge; names the armature that would help.
    """
    joints, gains = placement.model.arm.joints, np.array(placement.drive.gains, dtype=np.float64)
    if gains.shape != (len(joints), 3):
        raise DriveError(
            placement.name,
            f"a PID drive needs three gains (proportional, integral, derivative) for each "
            f"of its {len(joints)} joints, found {len(placement.drive.gains)} sets",
        )
    if _grows(inertia, gains, dt):
        extra = _stabilising_armature(inertia, gains, dt)
        raise DriveError(
            placement.name,
            f"these PID gains diverge at a step of {dt * 1e3:g} ms; lower the "
            f"gains, use the position drive, or give the joints {extra:.2g} kg·m² more rotor inertia (armature)",
        )
    return PidGains(gains, BRAKE * least_inertia(inertia) / dt, joints)


def _grows(inertia: Floats, gains: Floats, dt: float) -> bool:
    n = len(gains)
    inverse, eye, zero = np.linalg.inv(inertia), np.eye(n), np.zeros((n, n))
    kp, ki, kd = (np.diag(gains[:, k]) for k in range(3))
    s_next = np.hstack([eye, dt * eye, zero])  # of the state (s, e, v)
    pull = ki @ s_next + np.hstack([zero, kp, kd])
    v_next = np.hstack([zero, zero, eye]) - dt * inverse @ pull
    e_next = np.hstack([zero, eye, zero]) + dt * v_next
    s_next[gains[:, 1] == 0] = 0.0  # an integral that nothing uses neither grows nor shrinks
    step = np.vstack([s_next, e_next, v_next])
    return bool(np.abs(np.linalg.eigvals(step)).max() > 1.0 - 1e-9)


def _stabilising_armature(inertia: Floats, gains: Floats, dt: float) -> float:
    """Return the least rotor inertia, to be added to every joint, with which the loop is stable."""
    extra = 1e-4
    while _grows(inertia + extra * np.eye(len(gains)), gains, dt) and extra < 1e3:
        extra *= 1.25
    return extra
