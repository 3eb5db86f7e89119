"""The position drive: τ = kp·(q* − q) + kd·(q̇* − q̇) + feed-forward, told to MuJoCo's actuator as one position."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from farhand.errors import DriveError
from farhand.world.blueprint import Placement
from farhand.world.drives.controls import position_control
from farhand.world.drives.drive import Floats, Wires, least_inertia, tops

__all__ = ["PositionDrive", "PositionGains", "position_gains"]

# Full effort bends a position drive by this much, so stiffness follows from the size of the motor.
BEND_HINGE = math.radians(0.5)
BEND_SLIDE = 0.0005
# The spring is integrated explicitly; kp·dt²/inertia beyond about 1 rings, so stay well below.
STIFFEST = 0.2
# The damper is integrated implicitly only while it asks for less than the effort. Beyond, the whole effort pushes for a
# whole step: with kd·dt/inertia beyond 2 it throws the joint as fast to the other side, and so on for ever.
DAMPEST = 2.0
LIVELIEST = 0.1  # share of the critical damping: with less a joint swings for long


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
    kd = 2·√(kp·Mᵢᵢ), unless it is given: no overshoot. One that is given is at least LIVELIEST of that, and at most
    DAMPEST·m/dt.

    Raises:
        DriveError: If there is not one stiffness, or not one damping, for each joint, or a damping with which it would
            not come to rest; names the joint and what would do.
    """
    joints, asked, damping = placement.model.arm.joints, placement.drive.stiffness, placement.drive.damping
    for field, values in (("stiffness", asked), ("damping", damping)):
        if values and len(values) != len(joints):
            problem = f"drive.{field} has {len(values)} numbers, the arm has {len(joints)} joints"
            raise DriveError(placement.name, problem)
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array(asked or [joint.effort / bend for joint, bend in zip(joints, bends, strict=True)])
    kp = np.minimum(wanted, STIFFEST * least_inertia(inertia) / dt**2)
    critical = 2.0 * np.sqrt(kp * np.diag(inertia))
    if not damping:
        return PositionGains(kp, critical, tops(joints))
    _check_damping(placement, LIVELIEST * critical, DAMPEST * least_inertia(inertia) / dt)
    return PositionGains(kp, np.array(damping), tops(joints))


def _check_damping(placement: Placement, least: Floats, most: Floats) -> None:
    """Check that every joint comes to rest: neither rings nor is thrown to and fro by its damper."""
    rows = zip(placement.model.arm.joints, placement.drive.damping, least.tolist(), most.tolist(), strict=True)
    for joint, found, low, high in rows:
        if not low <= found <= high:
            why = "swing for long" if found < low else "be thrown to and fro by it"
            unit = "Nm·s/rad" if joint.kind == "hinge" else "N·s/m"
            text = f"with a damping of {found:.3g} {unit} {joint.label or joint.name} would {why}"
            raise DriveError(placement.name, f"{text}; {low:.3g} to {high:.3g} would do")


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
