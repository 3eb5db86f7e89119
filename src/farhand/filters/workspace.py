"""A box-shaped work area: the tip brakes before each face, and moves freely along it and back inside."""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import ConfigError, convert
from farhand.filters.filter import FILTERS, NO_NOTES, View
from farhand.poses import Vec3
from farhand.types import Demand, Note, Wall

__all__ = ["Workspace"]

SPEED_GAIN_MPS = 0.3  # m/s: more than any arm gains within one tick
_FACES: tuple[tuple[int, bool, Vec3, str], ...] = (
    (0, True, (1.0, 0.0, 0.0), "front"),
    (0, False, (-1.0, 0.0, 0.0), "rear"),
    (1, True, (0.0, 1.0, 0.0), "left"),
    (1, False, (0.0, -1.0, 0.0), "right"),
    (2, True, (0.0, 0.0, 1.0), "upper"),
    (2, False, (0.0, 0.0, -1.0), "lower"),
)


class Workspace(Struct, frozen=True, forbid_unknown_fields=True):
    """Keeps the tip inside a box in base axes by bounding its velocity towards each face: v ≤ √(2·a·d).

    The servo honours these bounds for every kind of motion (jog, joints, autonomous). Outside the box only motion that
    does not lead further out is free.

    Args:
        lower: Lowest x, y, z of the tip, metres.
        upper: Highest x, y, z, metres.
        braking: Deceleration before a face, m/s²; less where the joints cannot brake as hard.
    """

    lower: Vec3
    upper: Vec3
    braking: Annotated[float, Meta(ge=0.01)] = 2.5

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with a velocity bound for each face that is near enough to matter."""
        position, walls = view.T_base_tip.position, []
        # Beyond this distance no speed that the tip can reach in this tick is too high.
        braking = min(self.braking, view.brakes)
        near = 0.5 * (view.tip_speed + SPEED_GAIN_MPS) ** 2 / braking
        (x, y, z), (a, b, c), (d, e, f) = position, self.lower, self.upper
        if min(x - a, y - b, z - c, d - x, e - y, f - z) > near:
            return demand, memory, NO_NOTES
        for axis, is_upper, normal, name in _FACES:
            gap = (self.upper[axis] - position[axis]) if is_upper else (position[axis] - self.lower[axis])
            if gap > near:
                continue
            left = max(0.0, gap)
            # A single tick may not cross the gap either.
            speed = min(math.sqrt(2.0 * braking * left), left / view.dt)
            walls.append(Wall(normal, speed, name, gap, kind="face"))
        return (replace(demand, walls=demand.walls + tuple(walls)) if walls else demand), memory, NO_NOTES

    def tightens(self, before: Workspace) -> bool:
        """Return whether this box lies within the other, and brakes no later."""
        inside = all(a >= b for a, b in zip(self.lower, before.lower, strict=True))
        inside = inside and all(a <= b for a, b in zip(self.upper, before.upper, strict=True))
        return inside and self.braking <= before.braking


@FILTERS.register("workspace")
def _make(table: dict[str, Any]) -> Workspace:
    """Keep the tip inside a box."""
    box = convert(table, Workspace)
    for axis, name in enumerate("xyz"):
        if box.lower[axis] >= box.upper[axis]:
            raise ConfigError(
                "lower", f"lower {name} ({box.lower[axis]}) must be below upper {name} ({box.upper[axis]})"
            )
    return box
