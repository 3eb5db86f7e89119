"""The kinds of drives: their gains, the actuators of the compiled model, and the drives themselves."""

from __future__ import annotations

from typing import Any, TypeAlias

from farhand.world.blueprint import Placement
from farhand.world.drives.drive import Drive, DriveArrays, Floats, Ints
from farhand.world.drives.pid_drive import PidDrive, PidGains, check_pid
from farhand.world.drives.position_drive import PositionDrive, PositionGains, position_gains
from farhand.world.drives.velocity_drive import VelocityDrive, VelocityGains, check_velocity

__all__ = ["DriveGains", "drive_of", "gains_for", "set_actuator_gains"]

DriveGains: TypeAlias = PositionGains | PidGains | VelocityGains
"""The gains of one arm's drive, of any kind."""


def gains_for(placement: Placement, inertia: Floats, dt: float) -> DriveGains:
    """Return the gains of a robot's drive, checked.

    Args:
        placement: The robot.
        inertia: Of its arm's joints, at home.
        dt: Seconds per tick.

    Raises:
        DriveError: If they do not fit the arm, or are not stable.
    """
    if placement.drive.kind == "pid":
        return check_pid(placement, inertia, dt)
    if placement.drive.kind == "velocity":
        return check_velocity(placement, inertia, dt)
    return position_gains(placement, inertia, dt)


def set_actuator_gains(model: Any, actuators: Ints, tuned: DriveGains) -> None:
    """Set the gains of the compiled model's actuators: force = gain·ctrl − kp·q − kd·q̇."""
    if isinstance(tuned, PositionGains):
        model.actuator_gainprm[actuators, 0] = tuned.kp
        model.actuator_biasprm[actuators, 1] = -tuned.kp
        model.actuator_biasprm[actuators, 2] = -tuned.kd
    elif isinstance(tuned, VelocityGains):
        model.actuator_gainprm[actuators, 0] = tuned.kv
        model.actuator_biasprm[actuators, 2] = -tuned.kv


def drive_of(tuned: DriveGains, arrays: DriveArrays) -> Drive:
    """Return the drive with these gains."""
    if isinstance(tuned, PidGains):
        return PidDrive(tuned, arrays)
    if isinstance(tuned, VelocityGains):
        return VelocityDrive(tuned, arrays)
    return PositionDrive(tuned, arrays)
