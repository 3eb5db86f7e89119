"""CyberImpact: a motorised grip handle with three sliding and three turning axes, all with force feedback."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.devices.shape import DARK, METAL, WARM, DeviceRod, DeviceShape, DeviceSolid
from farhand.kernels import Floats
from farhand.kinematics import ChainArrays, SerialChain
from farhand.kinematics.arithmetic.link_frames import SLIDES, TURNS
from farhand.poses import Pose

__all__ = ["cyberimpact"]

TRAVEL_M = 3.0 * 0.0254  # three inches to either side
TURN_RAD = math.radians(45.0)  # the paper gives no angular range: chosen here
NAMES = ("x", "y", "z", "yaw", "pitch", "roll")


class CyberImpactSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in a cell file. Travel and axes are those of the paper; the figures are chosen here.

    Args:
        force: N at the handle.
        torque: Nm at the handle.
    """

    force: Annotated[float, Meta(ge=0.0, le=500.0)] = 40.0
    torque: Annotated[float, Meta(ge=0.0, le=50.0)] = 2.0


@DEVICES.register("cyberimpact")
def cyberimpact(settings: dict[str, Any]) -> Device:
    """CyberImpact: a grip handle with six axes of force feedback and 6 in of travel."""
    config = convert(settings, CyberImpactSettings)
    high = np.array([TRAVEL_M] * 3 + [TURN_RAD] * 3)
    return Device(
        name="cyberimpact",
        label="CyberImpact",
        kinematics=SerialChain(_chain(), -high, high, NAMES),
        rest=(0.0,) * 6,
        active=(True,) * 6,
        lower=(-TRAVEL_M,) * 3,
        upper=(TRAVEL_M,) * 3,
        force=config.force,
        torque=config.torque,
        mass=0.8,
        inertia=2e-3,
        friction=2.0,
        trigger=True,
        shape=_shape(),
    )


def _shape() -> DeviceShape:
    """Return the shape: slides along x, y and z, each on the one before it, and a grip in a gimbal."""
    low, between = -0.24, -0.19  # heights of the x and the y slide

    def points(q: Floats, T_base_tip: Floats) -> Floats:
        x, y = float(q[0]), float(q[1])
        return np.array(
            [(x, -0.12, between), (x, 0.12, between), (x, y, between), (x, y, 0.0), T_base_tip[:3, 3].tolist()]
        )

    rail = DeviceRod(0, 1, 0.24, 0.018, METAL)
    tube = DeviceRod(2, 3, 0.12, 0.022, DARK)
    column = DeviceRod(4, 2, 0.10, 0.014, METAL)
    bed = DeviceSolid("box", (0.16, 0.05, 0.02), Pose((0.0, 0.0, low)), DARK)
    grip = DeviceSolid("capsule", (0.018, 0.045), colour=WARM)
    ball = DeviceSolid("sphere", (0.024,), Pose((0.0, 0.0, -0.03)), METAL)
    return DeviceShape(points=points, rods=(rail, tube, column), base=(bed,), handle=(grip, ball))


def _chain() -> ChainArrays:
    """Return the chain: slides along x, y and z, then turns about z, y and x that intersect in the handle."""
    axes = [(SLIDES, "x"), (SLIDES, "y"), (SLIDES, "z"), (TURNS, "z"), (TURNS, "y"), (TURNS, "x")]
    fixed, here = [], np.eye(4)
    for _, axis in axes:
        wanted = _frame_along(axis)
        fixed.append(here.T @ wanted)
        here = wanted
    return ChainArrays.of(fixed, [kind for kind, _ in axes], here.T)


def _frame_along(axis: str) -> Floats:
    """Return a frame at the origin whose z points along a base axis."""
    T = np.eye(4)
    T[:3, :3] = np.roll(np.eye(3), "zxy".index(axis), axis=0)
    return T
