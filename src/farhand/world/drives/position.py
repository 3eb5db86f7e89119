"""The position drive: τ = kp·(q* − q) + kd·(q̇* − q̇) + feed-forward, told to MuJoCo's actuator as one position."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from farhand.errors import DriveError
from farhand.kernels import kernel
from farhand.world.blueprint import Placement
from farhand.world.drives.base import Floats, Ints, Wires, least_inertia, tops

__all__ = ["PositionDrive", "PositionGains", "position_gains"]

# Full effort bends a position drive by this much, so stiffness follows from the size of the motor.
BEND_HINGE = math.radians(0.5)
BEND_SLIDE = 0.0005
# The spring is integrated explicitly; kp·dt²/inertia beyond about 1 rings, so stay well below.
STIFFEST = 0.2


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
        kp, kd, top = gains[i, 0], gains[i, 1], gains[i, 2]
        here, wanted = qpos[at[i]], q[i] - dt * rates[i]
        asked = rates[i] + kp / kd * (wanted - here)
        if abs(asked) > top:
            ctrl[actuators[i]] = here + (kd * math.copysign(top, asked) + forward[dofs[i]]) / kp
        else:
            ctrl[actuators[i]] = wanted + (kd * rates[i] + forward[dofs[i]]) / kp


class PositionGains(Struct, frozen=True):
    """Gains of an arm's position drive: stiffness, damping, and top velocity of each joint."""

    kp: Floats
    kd: Floats
    top: Floats

    def stiffness(self) -> Floats:
        """Return Nm/rad (N/m) of each joint."""
        return self.kp


def position_gains(placement: Placement, inertia: Floats, dt: float) -> PositionGains:
    """Return the gains of each joint of an arm's position drive.

    kp = effort / bend, at most STIFFEST·m/dt² with m the smallest inertia that the joint can meet.
    kd = 2·√(kp·Mᵢᵢ): no overshoot.

    Raises:
        DriveError: If there is not one stiffness for each joint.
    """
    joints, asked = placement.model.arm.joints, placement.drive.stiffness
    if asked and len(asked) != len(joints):
        raise DriveError(placement.name, f"drive.stiffness has {len(asked)} numbers, the arm has {len(joints)} joints")
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array(asked or [joint.effort / bend for joint, bend in zip(joints, bends, strict=True)])
    kp = np.minimum(wanted, STIFFEST * least_inertia(inertia) / dt**2)
    return PositionGains(kp, 2.0 * np.sqrt(kp * np.diag(inertia)), tops(joints))


class PositionDrive:
    """Drives an arm by position actuators whose gains the compiled model has."""

    def __init__(self, gains: PositionGains, wires: Wires) -> None:
        self._wires = wires
        self._gains = np.ascontiguousarray(np.stack([gains.kp, gains.kd, gains.top], axis=1))

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Tell the actuators what to do in this tick."""
        wires = self._wires
        position_control(
            wires.ctrl, wires.qpos, wires.actuators, wires.at, wires.dofs, self._gains, q, rates, forward, wires.dt
        )

    def hold(self) -> None:
        """Keep the joints where they are."""
        self._wires.ctrl[self._wires.actuators] = self._wires.qpos[self._wires.at]
