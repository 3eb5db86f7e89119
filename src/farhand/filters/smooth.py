"""Top speed and top acceleration of the tip, for translation and rotation apart.

A jog is limited directly. A track is followed exactly as long as it stays within the limits; after a jump, or where
hand and robot disagree at the start, the tip catches up no faster than the limits allow.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.filter import FILTERS, NO_NOTES, View
from farhand.filters.leading import BASE, capped, kept_near, pursued, seen_in
from farhand.poses import Pose, Vec3, conjugate, from_rotation_vector, multiply, rotation_vector
from farhand.types import HOLD, Demand, Note, Quantity, TipTrack, TipTwist

__all__ = ["Smooth"]

ZERO: Vec3 = (0.0, 0.0, 0.0)
BRAKE_SHARE = 0.8  # share of the braking used in the approach: the rest is for the target's own motion meanwhile


class _Led(Struct, frozen=True):
    """Pose to which a tracked tip is led, with its velocities."""

    pose: Pose
    linear: Vec3
    angular: Vec3


class Smooth(Struct, frozen=True, forbid_unknown_fields=True):
    """Keeps a demanded twist within limits of speed and acceleration, without changing its direction.

    Args:
        speed: m/s.
        acceleration: m/s², when speeding up.
        braking: m/s², when slowing down or letting go.
        turn_speed: rad/s.
        turn_acceleration: rad/s².
        turn_braking: rad/s².
    """

    speed: Annotated[float, Meta(ge=1e-3)] = 1.0
    acceleration: Annotated[float, Meta(ge=0.01)] = 2.5
    braking: Annotated[float, Meta(ge=0.01)] = 2.5
    turn_speed: Annotated[float, Meta(ge=1e-3)] = 3.0
    turn_acceleration: Annotated[float, Meta(ge=0.01)] = 10.0
    turn_braking: Annotated[float, Meta(ge=0.01)] = 10.0

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with its tip twist limited.

        Letting go brakes along the path and then holds the joints; a stop brakes every joint at once.
        """
        motion = demand.motions.get("arm")
        if isinstance(motion, TipTrack):
            return self._track(demand, motion, view, memory)
        if isinstance(memory, _Led):
            memory = (BASE, memory.linear, memory.angular)
        if motion is None and demand.source == HOLD and memory and memory[1:] != (ZERO, ZERO):
            motion = TipTwist(ZERO, ZERO, *memory[0])
        if not isinstance(motion, TipTwist):
            return demand, None, NO_NOTES
        frames = (motion.frame, motion.turn_frame)
        linear, fast = capped(motion.linear, self.speed)
        angular, spinning = capped(motion.angular, self.turn_speed)
        if memory == (frames, linear, angular) and not (fast or spinning):
            return demand, memory, NO_NOTES  # already at the demanded velocity
        before, was, turned = memory or (frames, ZERO, ZERO)
        last_linear, last_angular = seen_in(frames, before, was, turned, view.T_base_tip.rotation)
        linear = _towards(last_linear, linear, self.acceleration * view.dt, self.braking * view.dt)
        angular = _towards(last_angular, angular, self.turn_acceleration * view.dt, self.turn_braking * view.dt)
        twist = TipTwist(linear, angular, *frames, motion.copies)
        notes = (self._too_fast(),) if fast or spinning else NO_NOTES
        return replace(demand, motions={**demand.motions, "arm": twist}), (frames, linear, angular), notes

    def tightens(self, before: Smooth) -> bool:
        """Return whether no limit is higher."""
        return all(getattr(self, name) <= getattr(before, name) for name in self.__struct_fields__)

    def _track(self, demand: Demand, motion: TipTrack, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with its track kept within the limits; the speed level scales the top speed."""
        if not isinstance(memory, _Led):
            memory = _Led(view.T_base_tip, ZERO, ZERO)
        here, dt, share = memory.pose, view.dt, view.speed
        (x, y, z), (a, b, c) = motion.pose.position, here.position
        way, turn = (x - a, y - b, z - c), rotation_vector(multiply(motion.pose.rotation, conjugate(here.rotation)))
        linear, fast = pursued(way, motion.linear, share * self.speed, BRAKE_SHARE * self.braking, dt)
        angular, spinning = pursued(turn, motion.angular, share * self.turn_speed, BRAKE_SHARE * self.turn_braking, dt)
        v = _towards(memory.linear, linear, self.acceleration * dt, self.braking * dt)
        w = _towards(memory.angular, angular, self.turn_acceleration * dt, self.turn_braking * dt)
        position = (a + v[0] * dt, b + v[1] * dt, c + v[2] * dt)
        rotation = multiply(from_rotation_vector((w[0] * dt, w[1] * dt, w[2] * dt)), here.rotation)
        led = _Led(kept_near(Pose(position, rotation), view.T_base_tip, v, w), v, w)
        track = TipTrack(led.pose, v, w)
        notes = (self._behind(share),) if fast or spinning else NO_NOTES
        return replace(demand, motions={**demand.motions, "arm": track}), led, notes

    def _behind(self, share: float) -> Note:
        return Note("smooth.behind", "slow", quantities=self._most(share))

    def _too_fast(self) -> Note:
        return Note("smooth.speed", "slow", quantities=self._most(1.0))

    def _most(self, share: float) -> tuple[Quantity, ...]:
        return (Quantity("speed", share * self.speed, "m/s"), Quantity("rate", share * self.turn_speed, "rad/s"))


def _towards(now: Vec3, wanted: Vec3, faster: float, slower: float) -> Vec3:
    """Return `now` moved towards `wanted`, by at most `faster`, or `slower` where that reduces the speed."""
    x, y, z = wanted[0] - now[0], wanted[1] - now[1], wanted[2] - now[2]
    length = math.sqrt(x * x + y * y + z * z)
    most = slower if now[0] * x + now[1] * y + now[2] * z < 0.0 else faster
    if length <= most:
        return wanted
    k = most / length
    return (now[0] + x * k, now[1] + y * k, now[2] + z * k)


@FILTERS.register("smooth")
def _make(table: dict[str, Any]) -> Smooth:
    """Limit the tip's speed and acceleration, translation and rotation apart."""
    return convert(table, Smooth)
