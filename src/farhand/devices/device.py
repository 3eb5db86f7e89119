"""What is constant about a master that has joints, and the registry of their kinds.

Base axes are as the operator sits before the device: x away from the operator, y to the left, z up. So a hand that
pushes forward drives a robot that it stands behind forward, without an axis table.
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
    """A master that has joints: how it moves, how far, and what it can make a hand feel.

    Args:
        name: As the registry has it.
        label: What people call it.
        kinematics: From its base to where the hand holds it.
        rest: Joint positions in which it lies when nobody holds it.
        active: Which joints can push back.
        lower: Lowest x, y, z that the hand can bring its tip to, base axes, metres.
        upper: Highest.
        force: N that it can exert at its tip; 0 without force feedback.
        torque: Nm likewise.
        mass: Kilograms that the hand feels when it moves the tip freely.
        inertia: kg·m² that it feels when it turns the tip freely.
        friction: N·s/m that resist a motion of the tip.
        trigger: Whether it has a gripper's trigger.
        shape: What it looks like; a serial one need not say.
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
        """Return what it looks like, if that is known."""
        if self.shape is None and isinstance(self.kinematics, SerialChain):
            return serial_shape(self.kinematics, self.rest)
        return self.shape


DeviceFactory = Callable[[dict[str, Any]], Device]
"""Makes a device from its settings in a cell file."""

DEVICES: Registry[DeviceFactory] = Registry("device")
