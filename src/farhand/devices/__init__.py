"""Devices: models of masters that have joints, with kinematics, range and force feedback.

A new one is one new file that registers itself.
"""

from farhand.devices.device import DEVICES, Device
from farhand.registry import import_all

__all__ = ["DEVICES", "Device"]

import_all(__name__, __path__)
