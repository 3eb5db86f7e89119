"""The position drive: τ = kp·(q* − q) + kd·(q̇* − q̇) + feed-forward, given to MuJoCo's actuator as one position."""

from __future__ import annotations

import math

import numpy as np
from msgspec import Struct

from farhand.errors import DriveError
from farhand.world.blueprint import Placement
from farhand.world.drives.controls import position_control
from farhand.world.drives.drive import DriveArrays, Floats, least_inertia, top_velocities

__all__ = ["PositionDrive", "PositionGains", "position_gains"]

# Bend of a position drive at full effort: the stiffness follows from the size of the motor.
BEND_HINGE = math.radians(0.5)
BEND_SLIDE = 0.0005
# Limit of kp·dt²/inertia. The spring is integrated explicitly and rings from about 1.
MAX_STIFFNESS = 0.2
# Limit of kd·dt/inertia. The damper is integrated implicitly only below the effort. At the effort it acts for a whole
# step, and beyond 2 it reverses the joint's velocity at every step.
MAX_DAMPING = 2.0
LEAST_DAMPING = 0.1  # share of the critical damping: with less a joint oscillates for long


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

    kp = effort / bend, at most MAX_STIFFNESS·m/dt² with the smallest inertia m of the joint. kd = 2·√(kp·Mᵢᵢ), without
    overshoot, unless it is given. A given one is at least LEAST_DAMPING of that, and at most MAX_DAMPING·m/dt.

    Raises:
        DriveError: If there is not one stiffness, or not one damping, for each joint, or a damping is not stable; names
            the joint and the stable range.
    """
    joints, asked, damping = placement.model.arm.joints, placement.drive.stiffness, placement.drive.damping
    for field, values in (("stiffness", asked), ("damping", damping)):
        if values and len(values) != len(joints):
            problem = f"drive.{field} has {len(values)} numbers, the arm has {len(joints)} joints"
            raise DriveError(placement.name, problem)
    bends = [BEND_HINGE if joint.kind == "hinge" else BEND_SLIDE for joint in joints]
    wanted = np.array(asked or [joint.effort / bend for joint, bend in zip(joints, bends, strict=True)])
    kp = np.minimum(wanted, MAX_STIFFNESS * least_inertia(inertia) / dt**2)
    critical = 2.0 * np.sqrt(kp * np.diag(inertia))
    if not damping:
        return PositionGains(kp, critical, top_velocities(joints))
    _check_damping(placement, LEAST_DAMPING * critical, MAX_DAMPING * least_inertia(inertia) / dt)
    return PositionGains(kp, np.array(damping), top_velocities(joints))


def _check_damping(placement: Placement, least: Floats, most: Floats) -> None:
    """Check that every joint settles, with neither too little nor too much damping."""
    rows = zip(placement.model.arm.joints, placement.drive.damping, least.tolist(), most.tolist(), strict=True)
    for joint, found, low, high in rows:
        if not low <= found <= high:
            why = "oscillate for long" if found < low else "oscillate at every step"
            unit = "Nm·s/rad" if joint.kind == "hinge" else "N·s/m"
            text = f"with a damping of {found:.3g} {unit} {joint.label or joint.name} would {why}"
            raise DriveError(placement.name, f"{text}; {low:.3g} to {high:.3g} is stable")


class PositionDrive:
    """Drives an arm by position actuators, whose gains are in the compiled model."""

    def __init__(self, gains: PositionGains, arrays: DriveArrays) -> None:
        self._arrays = arrays
        self._gains = np.ascontiguousarray(np.stack([gains.kp, gains.kd, gains.top], axis=1))

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Write the commands of the actuators for this tick."""
        arrays = self._arrays
        position_control(
            arrays.ctrl,
            arrays.qpos,
            arrays.actuators,
            arrays.at,
            arrays.dofs,
            self._gains,
            q,
            rates,
            forward,
            arrays.dt,
        )

    def hold(self) -> None:
        """Hold the joints in their present positions."""
        self._arrays.ctrl[self._arrays.actuators] = self._arrays.qpos[self._arrays.at]
