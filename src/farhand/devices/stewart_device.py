"""A hand controller like RSI's: a grip handle on an inverted Stewart platform that is read, not driven."""

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

HEIGHT = -0.30
HALF_WIDTH, HALF_HEIGHT = 0.05, 0.04


class StewartSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a cell file may set.

    Args:
        force: N at the handle. RSI's legs carry potentiometers and no motors, so none unless set.
        torque: Nm at the handle, likewise.
    """

    force: Annotated[float, Meta(ge=0.0, le=500.0)] = 0.0
    torque: Annotated[float, Meta(ge=0.0, le=50.0)] = 0.0


@DEVICES.register("stewart")
def stewart(settings: dict[str, Any]) -> Device:
    """Grip handle on an inverted Stewart platform, as RSI's: six axes that are read."""
    config = convert(settings, StewartSettings)
    # The paper gives no size. Ours: ±5 cm sideways, ±4 cm up and down, and ±25° in the middle, for a hand on a desk.
    mechanism = Stewart(base_radius=0.20, platform_radius=0.18, height=HEIGHT, stroke=0.07)
    middle = 0.5 * (mechanism.lower + mechanism.upper)
    return Device(
        name="stewart",
        label="Stewart platform",
        kinematics=mechanism,
        rest=tuple(middle.tolist()),
        active=(config.force > 0.0 or config.torque > 0.0,) * 6,
        lower=(-HALF_WIDTH, -HALF_WIDTH, HEIGHT - HALF_HEIGHT),
        upper=(HALF_WIDTH, HALF_WIDTH, HEIGHT + HALF_HEIGHT),
        force=config.force,
        torque=config.torque,
        mass=0.5,
        inertia=2e-3,
        friction=2.0,
        trigger=True,
        shape=_shape(mechanism),
    )


def _shape(mechanism: Stewart) -> DeviceShape:
    """Return two plates, six legs of two tubes that slide in each other, and a grip below."""
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
