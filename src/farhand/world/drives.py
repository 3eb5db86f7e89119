"""From set-points to what the actuators are told.

Both drives add the same feed-forward, the torques that the model says the wanted motion needs: bias(q, q̇) (gravity and
Coriolis) + M(q)·q̈ + what springs, dampers and dry friction take. What remains for the feedback is what the model does
not know: loads and contacts.

- *position* (default): a spring and damper; MuJoCo integrates the damping implicitly, so it can be stiff at 2 ms:
  τ = kp·(q* − q) + kd·(q̇* − q̇) + feed-forward, told to the actuator as one position q* + (kd·q̇* + ff)/kp.
- *pid*: the explicit torque loop of the published systems: τ = kp·e + ki·∫e + kd·ė + feed-forward. Explicit loops are
  unstable where the joint's inertia is small for the time step; `check_pid` refuses such gains before they are used.
"""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from farhand.errors import DriveError
from farhand.kernels import kernel
from farhand.world.blueprint import Placement

__all__ = ["check_pid", "inertia_matrix", "pid_control", "position_control", "position_gains"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Full effort bends a position drive by this much, so stiffness follows from the size of the motor.
BEND_HINGE = math.radians(0.5)
BEND_SLIDE = 0.0005
# The spring is integrated explicitly; kp·dt²/inertia beyond about 1 rings, so stay well below.
STIFFEST = 0.2
INTEGRAL_SHARE = 0.3  # the PID's integral term may take up to this share of the effort


@kernel("void(f8[::1],i8[::1],i8[::1],f8[::1],f8[::1],f8[::1],f8[::1],f8[::1],f8)")
def position_control(
    ctrl: Floats,
    actuators: Ints,
    dofs: Ints,
    kp: Floats,
    kd: Floats,
    q: Floats,
    rates: Floats,
    forward: Floats,
    dt: float,
) -> None:
    """Write q* + (kd·q̇* + ff)/kp to the actuators of one group.

    A set-point is meant for the end of the tick, the spring pulls from its beginning: q* = q − dt·q̇*.
    """
    for i in range(q.shape[0]):
        ctrl[actuators[i]] = q[i] - dt * rates[i] + (kd[i] * rates[i] + forward[dofs[i]]) / kp[i]


@kernel("void(f8[::1],i8[::1],i8[::1],i8[::1],f8[:,::1],f8[::1],f8[::1],f8[::1],f8[::1],f8[::1],f8[::1],f8[::1],f8)")
def pid_control(
    ctrl: Floats,
    actuators: Ints,
    qpos_at: Ints,
    dofs: Ints,
    gains: Floats,
    effort: Floats,
    qpos: Floats,
    qvel: Floats,
    q: Floats,
    rates: Floats,
    forward: Floats,
    integral: Floats,
    dt: float,
) -> None:
    """Write τ = kp·e + ki·∫e + kd·ė + ff to the motors of one group; the integral is updated, limited in range."""
    for i in range(q.shape[0]):
        error = q[i] - dt * rates[i] - qpos[qpos_at[i]]
        total = integral[i] + error * dt
        if gains[i, 1] > 0.0:
            most = INTEGRAL_SHARE * effort[i] / gains[i, 1]
            total = min(max(total, -most), most)
        integral[i] = total
        damping = gains[i, 2] * (rates[i] - qvel[dofs[i]])
        ctrl[actuators[i]] = gains[i, 0] * error + gains[i, 1] * total + damping + forward[dofs[i]]


def inertia_matrix(model: Any, data: Any, dofs: Ints) -> Floats:
    """Return the joint-space inertia of some dofs (kg·m², kg), the rest of the world held still."""
    full = np.zeros((model.nv, model.nv))
    for column, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, full[column], unit)
    return np.ascontiguousarray(full[np.ix_(dofs, dofs)])


def position_gains(placement: Placement, inertia: Floats, dt: float) -> tuple[Floats, Floats]:
    """Return stiffness and damping of each joint of an arm's position drive.

    kp = effort / bend, at most STIFFEST·m/dt² with m the smallest inertia that the joint can meet: 1/(M⁻¹)ᵢᵢ, the
    others free to move. kd = 2·√(kp·Mᵢᵢ): no overshoot.
    """
    joints, asked = placement.model.arm.joints, placement.drive.stiffness
    if asked and len(asked) != len(joints):
        raise DriveError(placement.name, f"drive.stiffness has {len(asked)} numbers, the arm has {len(joints)} joints")
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array(asked or [joint.effort / bend for joint, bend in zip(joints, bends, strict=True)])
    least = 1.0 / np.diag(np.linalg.inv(inertia))
    kp = np.minimum(wanted, STIFFEST * least / dt**2)
    return kp, 2.0 * np.sqrt(kp * np.diag(inertia))


def check_pid(placement: Placement, inertia: Floats, dt: float) -> Floats:
    """Return the PID gains as an array, refused if the explicit loop would be unstable.

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
    return gains


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
