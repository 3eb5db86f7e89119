"""Delta master: a handle on three arms, moved without turning; all three push back."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.kinematics import Delta

__all__ = ["delta"]

BASE_RADIUS, PLATFORM_RADIUS, UPPER_ARM, LOWER_ARM = 0.20, 0.04, 0.20, 0.50
# Ours: a box well inside the work space, whose every point the motors reach within ±90°.
HALF_WIDTH, LOWEST, HIGHEST = 0.15, -0.52, -0.32


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a cell file may set.

    Args:
        scale: Size against the paper's (R 20, r 4, L1 20, L2 50 cm): all lengths and the travel are multiplied by it.
        force: N at the handle; the paper has no force, this is ours.
    """

    scale: Annotated[float, Meta(ge=0.1, le=10.0)] = 1.0
    force: Annotated[float, Meta(ge=0.0, le=200.0)] = 20.0


@DEVICES.register("delta")
def delta(settings: dict[str, Any]) -> Device:
    """Delta master: a handle on three arms, moved without turning."""
    config = convert(settings, Settings)
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
    )
