"""Geomagic Touch: a stylus on a small arm, with force feedback on three of its six joints."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.devices.shape import WARM, DeviceSolid, serial_shape
from farhand.kinematics import SerialChain
from farhand.kinematics.arithmetic.dh_tables import Row
from farhand.poses import Pose

__all__ = ["touch"]

LINK = 0.1321
STYLUS = 0.030
QUARTER = math.pi / 2
ROWS: tuple[Row, ...] = (
    (0.0, -QUARTER, -LINK, math.pi),
    (LINK, 0.0, 0.0, 0.0),
    (0.0, QUARTER, 0.0, QUARTER),
    (0.0, QUARTER, LINK, 0.0),
    (0.0, QUARTER, 0.0, QUARTER),
    (0.0, 0.0, STYLUS, 0.0),
)
# The table has z down and x away from the operator; half a turn about x gives the base axes of devices.
BASE = np.diag([1.0, -1.0, -1.0, 1.0])
NAMES = ("waist", "shoulder", "elbow", "stylus yaw", "stylus pitch", "stylus roll")
# Chosen here after the real device. The elbow is measured from the upper arm; 0 is straight.
LOWER_DEG = (-56.0, 0.0, -155.0, -147.5, -75.0, -147.5)
UPPER_DEG = (56.0, 100.0, -20.0, 147.5, 75.0, 147.5)
REST_DEG = (0.0, 40.0, -120.0, 0.0, 0.0, 0.0)
# A pen of 14 cm, held near its point; the last joint turns about its own length.
STYLUS_BODY = (DeviceSolid("capsule", (0.006, 0.055), Pose((0.0, 0.0, -0.03)), WARM),)
TRAVEL_M = (0.070, 0.160, 0.120)  # depth, width and height of the maker's work space


class TouchSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in a cell file.

    Args:
        force: N at the tip; the maker's peak force is 3.3 N.
    """

    force: Annotated[float, Meta(ge=0.0, le=100.0)] = 3.3


@DEVICES.register("touch")
def touch(settings: dict[str, Any]) -> Device:
    """Geomagic Touch: a stylus on an arm, with force feedback on three of six joints."""
    config = convert(settings, TouchSettings)
    lower, upper, rest = np.radians(LOWER_DEG), np.radians(UPPER_DEG), np.radians(REST_DEG)
    plain = SerialChain.from_dh(ROWS, lower, upper, base=BASE)
    chain = SerialChain(plain.arrays, lower, upper, NAMES)
    x, y, z = chain.forward(rest)[:3, 3].tolist()
    depth, width, height = TRAVEL_M
    return Device(
        name="touch",
        label="Geomagic Touch",
        kinematics=chain,
        rest=tuple(rest.tolist()),
        active=(True, True, True, False, False, False),
        lower=(x - depth / 2, y - width / 2, z - height / 2),
        upper=(x + depth / 2, y + width / 2, z + height / 2),
        force=config.force,
        mass=0.045,  # the maker's figure for the tip
        inertia=3e-5,  # a stylus of 20 g about its gimbal: chosen here
        friction=0.5,
        shape=serial_shape(chain, tuple(rest.tolist()), STYLUS_BODY),
    )
