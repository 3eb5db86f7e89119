"""Check events about cameras: the camera exists, and the numbers are in range."""

from __future__ import annotations

import math

from farhand.cell.event_checks import CHECKS, placement_of
from farhand.errors import CommandError, UnknownNameError
from farhand.types import AimCamera, DegradeCamera
from farhand.world import Blueprint

__all__ = ["MAX_DELAY_S", "MIN_RATE_HZ", "check_aim", "check_degrading"]

MIN_RESOLUTION = 0.02  # share of a picture's pixels, in each direction
MIN_RATE_HZ, MAX_RATE_HZ = 0.2, 60.0  # pictures per second
MAX_DELAY_S = 5.0


@CHECKS.register(AimCamera)
def check_aim(event: AimCamera, blueprint: Blueprint) -> None:
    """Check that a camera has a head that turns, and that its aim is finite.

    Raises:
        UnknownNameError: If the robot has no such camera.
        CommandError: If the camera does not turn, or a number is not finite.
    """
    cameras = {camera.name: camera for camera in placement_of(event.robot, blueprint).cameras}
    if event.camera not in cameras:
        raise UnknownNameError("camera", event.camera, cameras)
    if cameras[event.camera].head is None:
        raise CommandError(f"the camera {event.camera} of {event.robot} does not turn")
    if not all(math.isfinite(value) for value in (event.pan, event.tilt, event.zoom)):
        raise CommandError("a camera's pan, tilt and zoom must be finite numbers")


@CHECKS.register(DegradeCamera)
def check_degrading(event: DegradeCamera, blueprint: Blueprint) -> None:
    """Check the degradation of one camera, or of all cameras of a robot.

    Raises:
        UnknownNameError: If the robot has no such camera.
        CommandError: If a number is out of range.
    """
    cameras = [camera.name for camera in placement_of(event.robot, blueprint).cameras]
    if event.camera not in cameras and not (event.camera == "" and cameras):
        raise UnknownNameError("camera", event.camera, cameras)
    if not MIN_RESOLUTION <= event.resolution <= 1.0:
        raise CommandError(f"a camera's resolution is a share from {MIN_RESOLUTION:g} to 1, found {event.resolution:g}")
    if event.rate != 0.0 and not MIN_RATE_HZ <= event.rate <= MAX_RATE_HZ:
        allowed = f"0 (unchanged) or from {MIN_RATE_HZ:g} to {MAX_RATE_HZ:g} pictures per second"
        raise CommandError(f"a camera's rate is {allowed}, found {event.rate:g}")
    if not 0.0 <= event.noise <= 1.0:
        raise CommandError(f"a camera's noise is from 0 to 1, found {event.noise:g}")
    if not 0.0 <= event.delay <= MAX_DELAY_S:
        raise CommandError(f"a camera's delay is from 0 to {MAX_DELAY_S:g} s, found {event.delay:g}")
