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
from farhand.world.drives.controls import pid_control
from farhand.world.drives.drive import Floats, Wires, least_inertia, restlessness, share_that_calms, tops

__all__ = ["PidDrive", "PidGains", "check_pid"]

BRAKE = 0.5  # share of what is too fast that the drive takes away in one step
MOST_ARMATURE = 1e3  # kg·m²: no joint has more
LOWERED = (
    ("the integral", (0, 1, 0)),
    ("the derivative", (0, 0, 1)),
    ("the proportional", (1, 0, 0)),
    ("all", (1, 1, 1)),
)
SHARES = (0.2, 0.4, 0.7, 1.0)  # of the critical damping that are tried for a loop that lacks it


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
    """Return the PID gains, refused if the explicit loop would be unstable or swing for long.

    The loop around rest, with e the position error and s its integral, one semi-implicit step of dt:
    v' = v − dt·M⁻¹·(kp·e + ki·s' + kd·v), e' = e + dt·v', s' = s + dt·e.

    Raises:
        DriveError: If there are not three gains for each joint, one has nothing that brings it back, or they do
            not bring it to rest; says what would do.
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
            text = f"{joint.label or joint.name} has no proportional gain: nothing brings it to where it shall be"
            raise DriveError(placement.name, text)
    problem = _restlessness(inertia, gains, dt)
    if problem:
        text = f"these PID gains {problem} at a step of {dt * 1e3:g} ms"
        raise DriveError(placement.name, f"{text}; {_advice(inertia, gains, dt)}")
    return PidGains(gains, BRAKE * least_inertia(inertia) / dt, joints)


def _restlessness(inertia: Floats, gains: Floats, dt: float) -> str:
    n = len(gains)
    inverse, eye, zero = np.linalg.inv(inertia), np.eye(n), np.zeros((n, n))
    kp, ki, kd = (np.diag(gains[:, k]) for k in range(3))
    s_next = np.hstack([eye, dt * eye, zero])  # of the state (s, e, v)
    pull = ki @ s_next + np.hstack([zero, kp, kd])
    v_next = np.hstack([zero, zero, eye]) - dt * inverse @ pull
    e_next = np.hstack([zero, eye, zero]) + dt * v_next
    s_next[gains[:, 1] == 0] = 0.0  # an integral that nothing uses neither grows nor shrinks
    return restlessness(np.vstack([s_next, e_next, v_next]))


def _advice(inertia: Floats, gains: Floats, dt: float) -> str:
    """Return what would do, each tried by the same check."""
    remedies = []
    damping = _stabilising_derivative(inertia, gains, dt)
    if damping is not None:
        remedies.append(f"derivative gains of {', '.join(f'{kd:g}' for kd in damping.tolist())} would do")
    for name, which in LOWERED:
        share = _calming_share(inertia, gains, dt, np.array(which))
        if share is not None:
            remedies.append(f"{100 * share:.2g} % of {name} gains would do")
            break  # lowering all is more than is needed
    extra = _stabilising_armature(inertia, gains, dt)
    if extra is not None:
        remedies.append(f"{extra:.2g} kg·m² more rotor inertia (armature) would do")
    return ", or ".join([*remedies, "use the position drive"])


def _calming_share(inertia: Floats, gains: Floats, dt: float, which: Floats) -> float | None:
    """Return the share of some gains (1 among proportional, integral, derivative) with which the loop is stable."""
    return share_that_calms(lambda share: _restlessness(inertia, gains * (1.0 - which + share * which), dt))


def _stabilising_derivative(inertia: Floats, gains: Floats, dt: float) -> Floats | None:
    """Return larger derivative gains with which the loop is stable, if it lacks nothing else."""
    critical = 2.0 * np.sqrt(gains[:, 0] * np.diag(inertia))
    for share in SHARES:
        wanted = np.maximum(gains[:, 2], share * critical)
        rounded = np.array([float(f"{kd:.3g}") for kd in wanted])
        damped = np.column_stack([gains[:, :2], rounded])
        if (wanted > gains[:, 2]).any() and not _restlessness(inertia, damped, dt):
            return rounded
    return None


def _stabilising_armature(inertia: Floats, gains: Floats, dt: float) -> float | None:
    """Return the least rotor inertia, to be added to every joint, with which the loop is stable; None if none does."""
    extra = 1e-4
    while extra < MOST_ARMATURE:
        if not _restlessness(inertia + extra * np.eye(len(gains)), gains, dt):
            return 1.25 * extra  # so that it still does when it is rounded
        extra *= 1.25
    return None
