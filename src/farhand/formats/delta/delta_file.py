"""The fields of a ``robot.toml`` with a ``[delta]`` table, decoded and checked once. Metres, kilograms, seconds."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from farhand.errors import RobotFileError
from farhand.formats.camera_tables import CameraFile
from farhand.formats.model import WristSpec
from farhand.formats.tomltext import converted, toml_values

__all__ = ["DeltaFile", "DeltaRobotFile", "MassFile", "MotorFile", "decode"]

Triple = tuple[float, float, float]
Positive = Annotated[float, Meta(gt=0.0)]
NotNegative = Annotated[float, Meta(ge=0.0)]
Degrees = Annotated[float, Meta(ge=-90.0, le=90.0)]


class MotorFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Limits of all three motors. At zero an upper arm is level; at negative angles it hangs down.

    Args:
        lower_deg: Lowest angle.
        upper_deg: Highest angle.
        home_deg: Angle at home.
        velocity: Top rate, rad/s.
        acceleration: Top acceleration, rad/s².
        jerk: Top jerk, rad/s³.
        effort: Top torque, Nm.
        armature: Inertia of the rotor at the arm, kg·m².
        damping: Viscous friction, Nm·s.
    """

    lower_deg: Degrees = -90.0
    upper_deg: Degrees = 90.0
    home_deg: Degrees = 0.0
    velocity: Positive
    acceleration: Positive
    jerk: Positive
    effort: Positive
    armature: Positive
    damping: NotNegative = 0.0


class MassFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Masses of the parts, kilograms.

    Args:
        base: Plate, motors and stand.
        upper: One upper arm.
        bar: The bar across an elbow, with its bearings.
        rod: One of the two rods of a lower arm.
        platform: The platform.
    """

    base: Positive = 10.0
    upper: Positive
    bar: Positive
    rod: Positive
    platform: Positive


class DeltaFile(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The mechanism; its base frame lies in the plane of the motors, z up, arms at 210°, 330° and 90°.

    Args:
        base_radius: From the base's centre to each motor.
        platform_radius: From the platform's centre to each lower arm.
        upper: Length of an upper arm.
        lower: Length of a lower arm.
        gap: Between the two rods of a lower arm.
        stand: Height of the legs that hold the base; 0 for none.
        motor: Limits of the motors.
        mass: Masses of the parts.
    """

    base_radius: Positive
    platform_radius: Positive
    upper: Positive
    lower: Positive
    gap: Positive
    stand: NotNegative = 0.0
    motor: MotorFile
    mass: MassFile


class DeltaRobotFile(Struct, frozen=True, forbid_unknown_fields=True):
    """A whole file.

    Args:
        delta: The mechanism.
        name: Name of the robot.
        summary: One sentence about it.
        colour: Of its upper arms.
        cameras: Its cameras.
        wrist: Its force sensor between wrist and tool, if it has one of its own.
    """

    delta: DeltaFile
    name: str = ""
    summary: str = ""
    colour: Triple = (0.85, 0.85, 0.87)
    cameras: tuple[CameraFile, ...] = ()
    wrist: WristSpec | None = None


def decode(data: bytes, path: Path) -> DeltaRobotFile:
    """Return the file.

    Raises:
        RobotFileError: If it is not TOML, a field is unknown or missing, a value is wrong, or the lengths do not make a
            Delta.
    """
    file = converted(toml_values(data, path), DeltaRobotFile, path, "")
    delta, motor = file.delta, file.delta.motor
    inward = delta.base_radius - delta.platform_radius
    if inward <= 0:
        problem = f"must be less than base_radius = {delta.base_radius:g}, found {delta.platform_radius:g}"
        raise RobotFileError(path, problem, field="delta.platform_radius")
    if delta.lower <= inward + delta.upper:
        needed = f"base_radius − platform_radius + upper = {inward + delta.upper:g}"
        problem = f"must be more than {needed}, so that the lower arms always meet, found {delta.lower:g}"
        raise RobotFileError(path, problem, field="delta.lower")
    if delta.gap >= 2 * delta.base_radius:
        raise RobotFileError(path, f"is wider than the base, found {delta.gap:g}", field="delta.gap")
    if not motor.lower_deg < motor.upper_deg:
        problem = f"must be below upper_deg, found {motor.lower_deg:g} and {motor.upper_deg:g}"
        raise RobotFileError(path, problem, field="delta.motor.lower_deg")
    if not motor.lower_deg <= motor.home_deg <= motor.upper_deg:
        limits = f"{motor.lower_deg:g} to {motor.upper_deg:g}"
        problem = f"must lie within the limits {limits}, found {motor.home_deg:g}"
        raise RobotFileError(path, problem, field="delta.motor.home_deg")
    return file


def home_of(delta: DeltaFile) -> tuple[float, float]:
    """Return the platform's height at home, and the angle of an elbow's bar against its upper arm there.

    All arms at the same angle θ hold the platform on the axis: z = L1·sinθ − √(L2² − (e + L1·cosθ)²).
    """
    angle = math.radians(delta.motor.home_deg)
    out = delta.base_radius - delta.platform_radius + delta.upper * math.cos(angle)
    drop = math.sqrt(delta.lower**2 - out**2)
    return delta.upper * math.sin(angle) - drop, math.atan2(-drop, -out) - angle
