"""Top speed and top acceleration of the tip, for translation and rotation apart."""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.base import FILTERS, NO_NOTES, View
from farhand.poses import Quaternion, Vec3, conjugate, rotate
from farhand.types import HOLD, Demand, Frame, Note, TipTwist

__all__ = ["Smooth"]

ZERO: Vec3 = (0.0, 0.0, 0.0)


class Smooth(Struct, frozen=True, forbid_unknown_fields=True):
    """Keeps a demanded twist within speed and acceleration limits, keeping its direction.

    Args:
        speed: m/s.
        acceleration: m/s², when getting faster.
        braking: m/s², when getting slower or letting go.
        turn_speed: rad/s.
        turn_acceleration: rad/s².
        turn_braking: rad/s².
    """

    speed: Annotated[float, Meta(gt=0.0)] = 1.0
    acceleration: Annotated[float, Meta(gt=0.0)] = 2.5
    braking: Annotated[float, Meta(gt=0.0)] = 2.5
    turn_speed: Annotated[float, Meta(gt=0.0)] = 3.0
    turn_acceleration: Annotated[float, Meta(gt=0.0)] = 10.0
    turn_braking: Annotated[float, Meta(gt=0.0)] = 10.0

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with its tip twist limited.

        Letting go brakes along the path, and only then holds the joints; a stop brakes every joint at once.
        """
        motion = demand.motions.get("arm")
        if motion is None and demand.source == HOLD and memory and memory[1:] != (ZERO, ZERO):
            motion = TipTwist(ZERO, ZERO, *memory[0])
        if not isinstance(motion, TipTwist):
            return demand, None, NO_NOTES
        frames = (motion.frame, motion.turn_frame)
        last_linear, last_angular = _seen_in(frames, memory, view.T_base_tip.rotation) if memory else (ZERO, ZERO)
        linear, fast = _capped(motion.linear, self.speed)
        angular, spinning = _capped(motion.angular, self.turn_speed)
        linear = _towards(last_linear, linear, self.acceleration * view.dt, self.braking * view.dt)
        angular = _towards(last_angular, angular, self.turn_acceleration * view.dt, self.turn_braking * view.dt)
        twist = TipTwist(linear, angular, *frames)
        notes = (self._too_fast(),) if fast or spinning else NO_NOTES
        return replace(demand, motions={**demand.motions, "arm": twist}), (frames, linear, angular), notes

    def _too_fast(self) -> Note:
        limits = f"{self.speed:g} m/s and {math.degrees(self.turn_speed):.0f}°/s"
        return Note("smooth.speed", f"Asked for more than the top speed of the tip ({limits}).", "slow")


def _seen_in(frames: tuple[Frame, Frame], memory: Any, turn: Quaternion) -> tuple[Vec3, Vec3]:
    """Return the remembered twist in the axes that are in use now."""
    if memory[0] == frames:
        return memory[1], memory[2]
    return tuple(  # type: ignore[return-value] # two vectors, one for each frame
        vector if old == new else rotate(turn if new == "base" else conjugate(turn), vector)
        for old, new, vector in zip(memory[0], frames, memory[1:], strict=True)
    )


def _capped(v: Vec3, most: float) -> tuple[Vec3, bool]:
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if length <= most:
        return v, False
    k = most / length
    return (v[0] * k, v[1] * k, v[2] * k), True


def _towards(now: Vec3, wanted: Vec3, faster: float, slower: float) -> Vec3:
    """Return `now` moved towards `wanted`, by at most `faster` or, where that slows down, `slower`."""
    x, y, z = wanted[0] - now[0], wanted[1] - now[1], wanted[2] - now[2]
    length = math.sqrt(x * x + y * y + z * z)
    most = slower if now[0] * x + now[1] * y + now[2] * z < 0.0 else faster
    if length <= most:
        return wanted
    k = most / length
    return (now[0] + x * k, now[1] + y * k, now[2] + z * k)


@FILTERS.register("smooth")
def _make(table: dict[str, Any]) -> Smooth:
    """Top speed and acceleration of the tip, translation and rotation apart."""
    return convert(table, Smooth)
