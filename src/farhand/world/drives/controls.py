"""The arithmetic of every drive in a tick: one kernel each, which writes the commands of the actuators."""

from __future__ import annotations

import math

from farhand.kernels import Floats, Ints, kernel

__all__ = ["pid_control", "position_control", "velocity_control"]

INTEGRAL_SHARE = 0.3  # greatest share of the effort that the integral of a PID takes


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

    A set-point is for the end of the tick, but the spring pulls from its beginning: q* = q − dt·q̇*. Spring and damper
    together ask for the velocity q̇* + kp/kd·(q* − q), limited to the top velocity.
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

    Rows of `gains` are kp, ki, kd, effort, top velocity, brake. The feedback is limited to brake·(±top − q̇), with
    which the joint reaches its top velocity and does not exceed it.
    """
    for i in range(q.shape[0]):
        # error at the end of the tick, and its limited integral
        error, rate = q[i] - dt * rates[i] - qpos[at[i]], qvel[dofs[i]]
        total = integral[i] + error * dt
        if gains[i, 1] > 0.0:
            most = INTEGRAL_SHARE * gains[i, 3] / gains[i, 1]
            total = min(max(total, -most), most)
        integral[i] = total
        # feedback, limited to the top velocity
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
        # anti-windup: the integrator waits while the velocity saturates
        if abs(asked) <= top or asked * error < 0.0:
            kept[i] = total
        # limited, with the feedforward
        kept[n + i] = lagged
        ctrl[actuators[i]] = min(max(asked, -top), top) + forward[dofs[i]] / gains[i, 5]
