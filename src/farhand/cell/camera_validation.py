"""Whether an event about a camera fits the robot, and its numbers make sense."""

from __future__ import annotations

import math

from farhand.cell.event_checks import CHECKS, placement_of
from farhand.errors import CommandError, UnknownNameError
from farhand.types import AimCamera, DegradeCamera
from farhand.world import Blueprint

__all__ = ["LATEST", "RAREST", "check_aim", "check_degrading"]

COARSEST = 0.02  # share of a picture's pixels, in each direction
RAREST, MOST_OFTEN = 0.2, 60.0  # pictures a second
LATEST = 5.0  # s


@CHECKS.register(AimCamera)
def check_aim(event: AimCamera, blueprint: Blueprint) -> None:
    """Check that a camera can be turned, and is to be turned somewhere.

    Raises:
        UnknownNameError: If the robot has no such camera.
        CommandError: If it cannot be turned, or the numbers make no sense.
    """
    cameras = {camera.name: camera for camera in placement_of(event.robot, blueprint).cameras}
    if event.camera not in cameras:
        raise UnknownNameError("camera", event.camera, cameras)
    if cameras[event.camera].head is None:
        raise CommandError(f"the camera {event.camera} of {event.robot} cannot be turned")
    if not all(math.isfinite(value) for value in (event.pan, event.tilt, event.zoom)):
        raise CommandError("a camera is aimed by pan, tilt and zoom, which must be finite numbers")


@CHECKS.register(DegradeCamera)
def check_degrading(event: DegradeCamera, blueprint: Blueprint) -> None:
    """Check how the pictures of a camera, or of all cameras of a robot, are to be degraded.

    Raises:
        UnknownNameError: If the robot has no such camera.
        CommandError: If the numbers make no sense.
    """
    cameras = [camera.name for camera in placement_of(event.robot, blueprint).cameras]
    if event.camera not in cameras and not (event.camera == "" and cameras):
        raise UnknownNameError("camera", event.camera, cameras)
    if not COARSEST <= event.resolution <= 1.0:
        raise CommandError(f"a camera's resolution is a share from {COARSEST:g} to 1, found {event.resolution:g}")
    if event.rate != 0.0 and not RAREST <= event.rate <= MOST_OFTEN:
        allowed = f"0, as they come, or {RAREST:g} to {MOST_OFTEN:g}"
        raise CommandError(f"a camera's pictures a second are {allowed}, found {event.rate:g}")
    if not 0.0 <= event.noise <= 1.0:
        raise CommandError(f"a camera's noise is from 0 to 1, found {event.noise:g}")
    if not 0.0 <= event.delay <= LATEST:
        raise CommandError(f"a camera's delay is from 0 to {LATEST:g} s, found {event.delay:g}")
