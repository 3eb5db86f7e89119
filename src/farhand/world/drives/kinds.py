"""The kinds of drives by name: what the compiled model must be told of each, and what makes it."""

from __future__ import annotations

from typing import Any, TypeAlias

from farhand.world.blueprint import Placement
from farhand.world.drives.drive import Drive, Floats, Ints, Wires
from farhand.world.drives.pid_drive import PidDrive, PidGains, check_pid
from farhand.world.drives.position_drive import PositionDrive, PositionGains, position_gains
from farhand.world.drives.velocity_drive import VelocityDrive, VelocityGains, check_velocity

__all__ = ["Tuned", "drive_of", "tuned_for", "wire_actuators"]

Tuned: TypeAlias = PositionGains | PidGains | VelocityGains
"""The gains of one arm's drive, whatever its kind."""


def tuned_for(placement: Placement, inertia: Floats, dt: float) -> Tuned:
    """Return the gains of a robot's drive, checked.

    Args:
        placement: The robot.
        inertia: Of its arm's joints, at home.
        dt: Seconds per tick.

    Raises:
        DriveError: If they do not fit, or would not hold the arm stably.
    """
    if placement.drive.kind == "pid":
        return check_pid(placement, inertia, dt)
    if placement.drive.kind == "velocity":
        return check_velocity(placement, inertia, dt)
    return position_gains(placement, inertia, dt)


def wire_actuators(model: Any, actuators: Ints, tuned: Tuned) -> None:
    """Set the gains that the compiled model's own actuators have: force = gain·ctrl − kp·q − kd·q̇."""
    if isinstance(tuned, PositionGains):
        model.actuator_gainprm[actuators, 0] = tuned.kp
        model.actuator_biasprm[actuators, 1] = -tuned.kp
        model.actuator_biasprm[actuators, 2] = -tuned.kd
    elif isinstance(tuned, VelocityGains):
        model.actuator_gainprm[actuators, 0] = tuned.kv
        model.actuator_biasprm[actuators, 2] = -tuned.kv


def drive_of(tuned: Tuned, wires: Wires) -> Drive:
    """Return the drive with these gains."""
    if isinstance(tuned, PidGains):
        return PidDrive(tuned, wires)
    if isinstance(tuned, VelocityGains):
        return VelocityDrive(tuned, wires)
    return PositionDrive(tuned, wires)
