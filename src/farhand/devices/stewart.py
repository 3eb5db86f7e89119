"""A hand controller like RSI's: a grip handle on an inverted Stewart platform that is read, not driven."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.kinematics import Stewart

__all__ = ["stewart"]

HEIGHT = -0.30
HALF_WIDTH, HALF_HEIGHT = 0.05, 0.04


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
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
    config = convert(settings, Settings)
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
    )
