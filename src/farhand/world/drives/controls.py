"""The arithmetic of every drive in a tick: one kernel each, which writes what the actuators are told."""

from __future__ import annotations

import math

from farhand.kernels import Floats, Ints, kernel

__all__ = ["pid_control", "position_control", "velocity_control"]

INTEGRAL_SHARE = 0.3  # the integral of a PID may take up to this share of the effort


@kernel("void(f8[::1],f8[::1],i8[::1],i8[::1],i8[::1],f8[:,::1],f8[::1],f8[::1],f8[::1],f8)")
def position_control(
    ctrl: Floats,
    qpos: Floats,
    actuators: Ints,
    at: Ints,
    dofs: Ints,
    gains: Floats,
    q: Floats,
    rates: Floats,
    forward: Floats,
    dt: float,
) -> None:
    """Write q* + (kd·q̇* + ff)/kp to the actuators of one group; rows of `gains` are kp, kd, top velocity.

    A set-point is meant for the end of the tick, the spring pulls from its beginning: q* = q − dt·q̇*. Spring and
    damper together ask for the velocity q̇* + kp/kd·(q* − q); beyond the top one they ask for that and no more.
    """
    for i in range(q.shape[0]):
        # velocity that spring and damper command together
        kp, kd, top = gains[i, 0], gains[i, 1], gains[i, 2]
        here, wanted = qpos[at[i]], q[i] - dt * rates[i]
        asked = rates[i] + kp / kd * (wanted - here)
        # beyond the top velocity: the target that commands exactly that; else the set-point
        if abs(asked) > top:
            ctrl[actuators[i]] = here + (kd * math.copysign(top, asked) + forward[dofs[i]]) / kp
        else:
            ctrl[actuators[i]] = wanted + (kd * rates[i] + forward[dofs[i]]) / kp


@kernel("void(f8[::1],f8[::1],f8[::1],f8[::1],i8[::1],i8[::1],i8[::1],f8[:,::1],f8[::1],f8[::1],f8[::1],f8)")
def pid_control(
    ctrl: Floats,
    qpos: Floats,
    qvel: Floats,
    integral: Floats,
    actuators: Ints,
    at: Ints,
    dofs: Ints,
    gains: Floats,
    q: Floats,
    rates: Floats,
    forward: Floats,
    dt: float,
) -> None:
    """Write τ = kp·e + ki·∫e + kd·ė + ff to the motors of one group; the integral is updated, limited in range.

    Rows of `gains` are kp, ki, kd, effort, top velocity, brake. The feedback is held to what brings the joint to its
    top velocity, brake·(±top − q̇), so that it does not drive it beyond.
    """
    for i in range(q.shape[0]):
        # error at the end of the tick, and its limited integral
        error, rate = q[i] - dt * rates[i] - qpos[at[i]], qvel[dofs[i]]
        total = integral[i] + error * dt
        if gains[i, 1] > 0.0:
            most = INTEGRAL_SHARE * gains[i, 3] / gains[i, 1]
            total = min(max(total, -most), most)
        integral[i] = total
        # feedback, held to what the top velocity allows
        pull = gains[i, 0] * error + gains[i, 1] * total + gains[i, 2] * (rates[i] - rate)
        top, brake = gains[i, 4], gains[i, 5]
        pull = min(max(pull, brake * (-top - rate)), brake * (top - rate))
        # with the feedforward
        ctrl[actuators[i]] = pull + forward[dofs[i]]


@kernel("void(f8[::1],f8[::1],f8[::1],i8[::1],i8[::1],i8[::1],f8[:,::1],f8[::1],f8[::1],f8[::1],f8)")
def velocity_control(
    ctrl: Floats,
    qpos: Floats,
    kept: Floats,
    actuators: Ints,
    at: Ints,
    dofs: Ints,
    gains: Floats,
    q: Floats,
    rates: Floats,
    forward: Floats,
    dt: float,
) -> None:
    """Write u + ff/kv to the velocity actuators of one group; integrators and lagged values are updated.

    Rows of `gains` are kp, ki, range, share of the lead, share of the lag that a step makes up, kv, top velocity.
    """
    n = q.shape[0]
    for i in range(n):
        # error, and its limited integral
        error = q[i] - dt * rates[i] - qpos[at[i]]
        most, share, top = gains[i, 2], gains[i, 3], gains[i, 6]
        total = min(max(kept[i] + gains[i, 1] * error * dt, -most), most)
        # velocity command through a lead-lag filter
        raw = gains[i, 0] * error + total
        lagged = kept[n + i] + gains[i, 4] * (raw - kept[n + i])
        asked = rates[i] + share * raw + (1.0 - share) * lagged
        # While the velocity saturates the integrator waits, or it would have to be worked off again.
        if abs(asked) <= top or asked * error < 0.0:
            kept[i] = total
        # limited, with the feedforward
        kept[n + i] = lagged
        ctrl[actuators[i]] = min(max(asked, -top), top) + forward[dofs[i]] / gains[i, 5]
