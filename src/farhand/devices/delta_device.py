"""Delta master: a handle on three motorised arms; it moves without turning."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.devices.shape import DARK, METAL, WARM, DeviceRod, DeviceShape, DeviceSolid
from farhand.kernels import Floats
from farhand.kinematics import Delta
from farhand.poses import Pose

__all__ = ["delta", "delta_shape"]

BASE_RADIUS, PLATFORM_RADIUS, UPPER_ARM, LOWER_ARM = 0.20, 0.04, 0.20, 0.50
# Chosen here: a box well inside the work space; the motors reach every point of it within ±90°.
ARMS = np.radians([210.0, 330.0, 90.0])
HALF_WIDTH, LOWEST, HIGHEST = 0.15, -0.52, -0.32


class DeltaSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        scale: Size relative to the paper's (R 20, r 4, L1 20, L2 50 cm); it multiplies all lengths and the travel.
        force: N at the handle; chosen here, as the paper gives none.
    """

    scale: Annotated[float, Meta(ge=0.1, le=10.0)] = 1.0
    force: Annotated[float, Meta(ge=0.0, le=200.0)] = 20.0


@DEVICES.register("delta")
def delta(settings: dict[str, Any]) -> Device:
    """Delta master: a handle on three arms that moves without turning."""
    config = convert(settings, DeltaSettings)
    k = config.scale
    mechanism = Delta(k * BASE_RADIUS, k * PLATFORM_RADIUS, k * UPPER_ARM, k * LOWER_ARM)
    T_base_rest = mechanism.forward([0.0, 0.0, 0.0])
    T_base_rest[2, 3] = 0.5 * k * (LOWEST + HIGHEST)
    return Device(
        name="delta",
        label="Delta master",
        kinematics=mechanism,
        rest=tuple(mechanism.inverse(T_base_rest).q.tolist()),
        active=(True, True, True),
        lower=(-k * HALF_WIDTH, -k * HALF_WIDTH, k * LOWEST),
        upper=(k * HALF_WIDTH, k * HALF_WIDTH, k * HIGHEST),
        force=config.force,
        mass=0.25,
        friction=1.0,
        shape=delta_shape(k * BASE_RADIUS, k * PLATFORM_RADIUS, k * UPPER_ARM, k * LOWER_ARM),
    )


def delta_shape(base_radius: float, platform_radius: float, upper: float, lower: float) -> DeviceShape:
    """Return the shape of a Delta: base plate, upper arms, pairs of rods, platform and knob; lengths in metres."""
    k = upper / UPPER_ARM  # scale of the thicknesses
    outward = np.stack([np.cos(ARMS), np.sin(ARMS), np.zeros(3)], axis=1)
    across = np.stack([-np.sin(ARMS), np.cos(ARMS), np.zeros(3)], axis=1) * 0.5 * platform_radius
    shoulders = base_radius * outward

    def points(q: Floats, T_base_tip: Floats) -> Floats:
        drop = np.array([0.0, 0.0, 1.0]) * np.sin(q)[:, None]
        elbows = shoulders + upper * (outward * np.cos(q)[:, None] + drop)
        wrists = T_base_tip[:3, 3] + platform_radius * outward
        return np.vstack(
            [shoulders, elbows, elbows + across, elbows - across, wrists + across, wrists - across, T_base_tip[:3, 3]]
        )

    thick, thin = 0.016 * k, 0.007 * k
    arms = [DeviceRod(i, 3 + i, upper, thick, DARK) for i in range(3)]
    rods = [DeviceRod(6 + 3 * side + i, 12 + 3 * side + i, lower, thin, METAL) for i in range(3) for side in (0, 1)]
    plate = DeviceSolid("cylinder", (base_radius, 0.012 * k), Pose((0.0, 0.0, 0.02 * k)), DARK)
    motors = tuple(
        DeviceSolid("cylinder", (0.028 * k, 0.03 * k), Pose((x, y, 0.0), _lying(angle)), METAL)
        for (x, y, _), angle in zip(shoulders.tolist(), ARMS.tolist(), strict=True)
    )
    platform = DeviceSolid("cylinder", (1.2 * platform_radius, 0.006 * k), colour=DARK)
    knob = DeviceSolid("sphere", (0.022 * k,), Pose((0.0, 0.0, -0.025 * k)), WARM)
    return DeviceShape(points=points, rods=(*arms, *rods), base=(plate, *motors), handle=(platform, knob))


def _lying(angle: float) -> tuple[float, float, float, float]:
    """Return the rotation that lays a cylinder across an arm."""
    c, s, h = math.cos(angle / 2), math.sin(angle / 2), math.sqrt(0.5)
    return (c * h, c * h, s * h, s * h)
