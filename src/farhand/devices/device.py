"""The constant data of a master that has joints, and the registry of the kinds.

Base axes are those of an operator who sits in front of the device: x away from the operator, y to the left, z up. So a
hand that pushes forward drives a robot seen from behind forward, without an axis table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct

from farhand.devices.shape import DeviceShape, serial_shape
from farhand.kinematics import Kinematics, SerialChain
from farhand.poses import Vec3
from farhand.registry import Registry
from farhand.types import Vector

__all__ = ["DEVICES", "Device", "DeviceFactory"]


class Device(Struct, frozen=True, kw_only=True):
    """A master that has joints: kinematics, range, force feedback and inertia.

    Args:
        name: Name in the registry.
        label: Name on the page.
        kinematics: From its base to its tip, which the hand holds.
        rest: Joint positions of the released device.
        active: For each joint, whether it has a motor.
        lower: Lowest x, y, z of its tip's travel, base axes, metres.
        upper: Highest.
        force: Greatest force at its tip, N; 0 without force feedback.
        torque: Greatest torque at its tip, Nm.
        mass: Apparent mass at the tip, kg.
        inertia: Apparent inertia against turning the tip, kg·m².
        friction: Viscous friction at the tip, N·s/m.
        trigger: Whether it has a gripper's trigger.
        shape: How it is drawn; not needed for serial kinematics.
    """

    name: str
    label: str
    kinematics: Kinematics
    rest: Vector
    active: tuple[bool, ...]
    lower: Vec3
    upper: Vec3
    force: float = 0.0
    torque: float = 0.0
    mass: float = 0.1
    inertia: float = 1e-4
    friction: float = 0.0
    trigger: bool = False
    shape: DeviceShape | None = None

    def drawn(self) -> DeviceShape | None:
        """Return the shape to draw, if there is one."""
        if self.shape is None and isinstance(self.kinematics, SerialChain):
            return serial_shape(self.kinematics, self.rest)
        return self.shape


DeviceFactory = Callable[[dict[str, Any]], Device]
"""Makes a device from its settings in a cell file."""

DEVICES: Registry[DeviceFactory] = Registry("device")
