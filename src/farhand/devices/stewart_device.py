"""A hand controller like RSI's: a grip handle on an inverted Stewart platform without motors."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.devices.shape import DARK, METAL, WARM, DeviceRod, DeviceShape, DeviceSolid
from farhand.kernels import Floats
from farhand.kinematics import Stewart
from farhand.poses import Pose

__all__ = ["stewart"]

HEIGHT_M = -0.30
HALF_WIDTH_M, HALF_HEIGHT_M = 0.05, 0.04


class StewartSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        force: N at the handle; 0, as RSI's legs have potentiometers and no motors.
        torque: Nm at the handle.
    """

    force: Annotated[float, Meta(ge=0.0, le=500.0)] = 0.0
    torque: Annotated[float, Meta(ge=0.0, le=50.0)] = 0.0


@DEVICES.register("stewart")
def stewart(settings: dict[str, Any]) -> Device:
    """Grip handle on an inverted Stewart platform, like RSI's: six axes without force feedback."""
    config = convert(settings, StewartSettings)
    # The paper gives no size. Chosen for a hand at a desk: ±5 cm sideways, ±4 cm up and down, ±25° in the middle.
    mechanism = Stewart(base_radius=0.20, platform_radius=0.18, height=HEIGHT_M, stroke=0.07)
    middle = 0.5 * (mechanism.lower + mechanism.upper)
    return Device(
        name="stewart",
        label="Stewart platform",
        kinematics=mechanism,
        rest=tuple(middle.tolist()),
        active=(config.force > 0.0 or config.torque > 0.0,) * 6,
        lower=(-HALF_WIDTH_M, -HALF_WIDTH_M, HEIGHT_M - HALF_HEIGHT_M),
        upper=(HALF_WIDTH_M, HALF_WIDTH_M, HEIGHT_M + HALF_HEIGHT_M),
        force=config.force,
        torque=config.torque,
        mass=0.5,
        inertia=2e-3,
        friction=2.0,
        trigger=True,
        shape=_shape(mechanism),
    )


def _shape(mechanism: Stewart) -> DeviceShape:
    """Return the shape: two plates, six telescopic legs, and a grip below."""
    above, below = mechanism.anchors
    shortest = float(mechanism.lower.min())

    def points(q: Floats, T_base_tip: Floats) -> Floats:
        del q
        return np.vstack([above, T_base_tip[:3, 3] + below @ T_base_tip[:3, :3].T])

    outer = [DeviceRod(i, 6 + i, 0.6 * shortest, 0.010, DARK) for i in range(6)]
    inner = [DeviceRod(6 + i, i, 0.9 * shortest, 0.006, METAL) for i in range(6)]
    plate = DeviceSolid("cylinder", (float(np.linalg.norm(above[0])), 0.008), Pose((0.0, 0.0, 0.01)), DARK)
    ring = DeviceSolid("cylinder", (float(np.linalg.norm(below[0])), 0.006), colour=DARK)
    grip = DeviceSolid("capsule", (0.018, 0.05), Pose((0.0, 0.0, -0.07)), WARM)
    return DeviceShape(points=points, rods=(*outer, *inner), base=(plate,), handle=(ring, grip))
