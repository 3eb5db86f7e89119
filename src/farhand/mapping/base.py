"""What every mapping offers, and the registry of their kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

from msgspec import Struct

from farhand.registry import Registry
from farhand.types import GripRate, GripTo, Motion, Reading, RobotState, Vector

__all__ = ["MAPPINGS", "Driven", "Mapping", "MappingFactory", "grip_motion"]


class Driven(Struct, frozen=True):
    """What a mapping must know of the robot it drives, all constant.

    Args:
        velocity: Top rate of each joint of the arm.
        opening: Metres between open fingers; 0 without a gripper.
        grip_speed: Top speed of the fingers, m/s.
    """

    velocity: Vector
    opening: float = 0.0
    grip_speed: float = 0.0


class Mapping(Protocol):
    """Turns readings into motions."""

    @property
    def feel(self) -> str:
        """One sentence: how it will feel to drive with it."""

    def __call__(self, reading: Reading, robot: RobotState, memory: Any) -> tuple[dict[str, Motion], Any]:
        """Return a motion for each group that shall move, and the mapping's next memory (None at engagement)."""


MappingFactory = Callable[[dict[str, Any], Driven], Mapping]
"""Makes a mapping from its table in a cell file, for the robot it drives."""

MAPPINGS: Registry[MappingFactory] = Registry("mapping")


def grip_motion(reading: Reading, axis: float, driven: Driven) -> dict[str, Motion]:
    """Return the gripper's motion: by trigger position if there is one, else by rate (positive opens)."""
    if driven.opening <= 0.0:
        return {}
    if reading.grip is not None:
        return {"gripper": GripTo((1.0 - reading.grip) * driven.opening)}
    return {"gripper": GripRate(axis * driven.grip_speed)} if axis else {}
