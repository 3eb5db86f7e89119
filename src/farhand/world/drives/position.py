"""The position drive: τ = kp·(q* − q) + kd·(q̇* − q̇) + feed-forward, told to MuJoCo's actuator as one position."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from farhand.errors import DriveError
from farhand.world.blueprint import Placement
from farhand.world.drives.base import Floats, Wires, least_inertia, tops
from farhand.world.drives.controls import position_control

__all__ = ["PositionDrive", "PositionGains", "position_gains"]

# Full effort bends a position drive by this much, so stiffness follows from the size of the motor.
BEND_HINGE = math.radians(0.5)
BEND_SLIDE = 0.0005
# The spring is integrated explicitly; kp·dt²/inertia beyond about 1 rings, so stay well below.
STIFFEST = 0.2


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
    kd = 2·√(kp·Mᵢᵢ), unless it is given: no overshoot.

    Raises:
        DriveError: If there is not one stiffness, or not one damping, for each joint.
    """
    joints, asked, damping = placement.model.arm.joints, placement.drive.stiffness, placement.drive.damping
    for field, values in (("stiffness", asked), ("damping", damping)):
        if values and len(values) != len(joints):
            problem = f"drive.{field} has {len(values)} numbers, the arm has {len(joints)} joints"
            raise DriveError(placement.name, problem)
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array(asked or [joint.effort / bend for joint, bend in zip(joints, bends, strict=True)])
    kp = np.minimum(wanted, STIFFEST * least_inertia(inertia) / dt**2)
    kd = np.array(damping) if damping else 2.0 * np.sqrt(kp * np.diag(inertia))
    return PositionGains(kp, kd, tops(joints))


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
