"""A master arm like the da Vinci's MTM: an arm of three joints with a gimbal of four, all motorised."""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Struct

from farhand.config import convert
from farhand.devices.device import DEVICES, Device
from farhand.kinematics import SerialChain
from farhand.kinematics.arithmetic.dh_tables import Row

__all__ = ["mtm"]

QUARTER = math.pi / 2
# Link lengths of the research kit: upper arm 279.4, forearm 364.5, gimbal 150.6 mm.
ROWS: tuple[Row, ...] = (
    (0.0, QUARTER, 0.0, -QUARTER),
    (0.2794, 0.0, 0.0, -QUARTER),
    (0.3645, -QUARTER, 0.0, QUARTER),
    (0.0, QUARTER, 0.1506, 0.0),
    (0.0, -QUARTER, 0.0, 0.0),
    (0.0, QUARTER, 0.0, -QUARTER),
    (0.0, 0.0, 0.0, QUARTER),
)
# The table has y away from the operator.
BASE = np.array([[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]])
NAMES = ("outer yaw", "shoulder", "elbow", "platform", "wrist pitch", "wrist yaw", "wrist roll")
LOWER_DEG = (-65.0, -15.0, -50.0, -200.0, -95.0, -42.0, -480.0)
UPPER_DEG = (65.0, 50.0, 35.0, 90.0, 180.0, 42.0, 450.0)
REST_DEG = (0.0, 15.0, -10.0, 0.0, 90.0, 0.0, 0.0)
HALF_TRAVEL_M = (0.10, 0.15, 0.10)  # chosen here: within reach while the handle keeps its orientation at rest


class MtmSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings in a cell file; the figures are chosen here.

    Args:
        force: N at the handle.
        torque: Nm at the handle.
    """

    force: Annotated[float, Meta(ge=0.0, le=100.0)] = 6.0
    torque: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.2


@DEVICES.register("mtm")
def mtm(settings: dict[str, Any]) -> Device:
    """Master arm like the da Vinci's: seven joints, all with force feedback."""
    config = convert(settings, MtmSettings)
    lower, upper, rest = np.radians(LOWER_DEG), np.radians(UPPER_DEG), np.radians(REST_DEG)
    plain = SerialChain.from_dh(ROWS, lower, upper, base=BASE)
    chain = SerialChain(plain.arrays, lower, upper, NAMES)
    x, y, z = chain.forward(rest)[:3, 3].tolist()
    return Device(
        name="mtm",
        label="MTM-like arm",
        kinematics=chain,
        rest=tuple(rest.tolist()),
        active=(True,) * 7,
        lower=(x - HALF_TRAVEL_M[0], y - HALF_TRAVEL_M[1], z - HALF_TRAVEL_M[2]),
        upper=(x + HALF_TRAVEL_M[0], y + HALF_TRAVEL_M[1], z + HALF_TRAVEL_M[2]),
        force=config.force,
        torque=config.torque,
        mass=0.4,
        inertia=1e-3,
        friction=1.0,
        trigger=True,
    )
