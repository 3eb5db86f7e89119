"""Top speed and top acceleration of the tip, for translation and rotation apart.

What jogs is limited as it is. What tracks a pose is led after it: exactly, as long as that stays within the limits;
after a jump, or where hand and robot disagree when they are joined, at no more than they allow.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.base import FILTERS, NO_NOTES, View
from farhand.poses import (
    Pose,
    Quaternion,
    Vec3,
    angle_between,
    conjugate,
    from_rotation_vector,
    interpolate,
    multiply,
    rotate,
    rotation_vector,
)
from farhand.types import HOLD, Demand, Frame, Note, TipTrack, TipTwist

__all__ = ["Smooth"]

ZERO: Vec3 = (0.0, 0.0, 0.0)
BASE: tuple[Frame, Frame] = ("base", "base")
CLOSING = 25.0  # 1/s: how fast the rest of a way is closed
LEAD, TURN_LEAD, LEAD_TIME = 0.002, 0.01, 0.05  # m, rad, s: how far ahead of the set-point a track is led
MARGIN = 0.8  # of the braking that is used on the way there: the rest is for what the target does meanwhile


class _Led(Struct, frozen=True):
    """Where a tracked tip is led to, and how it moves there."""

    pose: Pose
    linear: Vec3
    angular: Vec3


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
        if isinstance(motion, TipTrack):
            return self._track(demand, motion, view, memory)
        if isinstance(memory, _Led):
            memory = (BASE, memory.linear, memory.angular)
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

    def tightens(self, before: Smooth) -> bool:
        """Return whether no limit is higher."""
        return all(getattr(self, name) <= getattr(before, name) for name in self.__struct_fields__)

    def _track(self, demand: Demand, motion: TipTrack, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with its track led within the limits; the speed level bounds how fast that may be."""
        if not isinstance(memory, _Led):
            memory = _Led(view.T_base_tip, ZERO, ZERO)
        here, dt, share = memory.pose, view.dt, view.speed
        (x, y, z), (a, b, c) = motion.pose.position, here.position
        way, turn = (x - a, y - b, z - c), rotation_vector(multiply(motion.pose.rotation, conjugate(here.rotation)))
        linear, fast = _pursued(way, motion.linear, share * self.speed, self.braking, dt)
        angular, spinning = _pursued(turn, motion.angular, share * self.turn_speed, self.turn_braking, dt)
        v = _towards(memory.linear, linear, self.acceleration * dt, self.braking * dt)
        w = _towards(memory.angular, angular, self.turn_acceleration * dt, self.turn_braking * dt)
        position = (a + v[0] * dt, b + v[1] * dt, c + v[2] * dt)
        rotation = multiply(from_rotation_vector((w[0] * dt, w[1] * dt, w[2] * dt)), here.rotation)
        led = _Led(_kept_near(Pose(position, rotation), view.T_base_tip, v, w), v, w)
        track = TipTrack(led.pose, v, w)
        notes = (self._behind(share),) if fast or spinning else NO_NOTES
        return replace(demand, motions={**demand.motions, "arm": track}), led, notes

    def _behind(self, share: float) -> Note:
        limits = f"{share * self.speed:.2g} m/s and {math.degrees(share * self.turn_speed):.0f}°/s"
        return Note("smooth.behind", f"The hand is ahead of the robot, which may go at most {limits}.", "slow")

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


def _kept_near(pose: Pose, tip: Pose, linear: Vec3, angular: Vec3) -> Pose:
    """Return a pose no further from the tip's set-point than that can follow.

    Where a limit holds the arm, what leads it waits for it, and the way back begins at once.
    """
    away = math.dist(pose.position, tip.position)
    most = LEAD + LEAD_TIME * math.hypot(*linear)
    if away > most:
        pose = Pose(_between(tip.position, pose.position, most / away), pose.rotation)
    turned = angle_between(pose.rotation, tip.rotation)
    most = TURN_LEAD + LEAD_TIME * math.hypot(*angular)
    if turned > most:
        pose = Pose(pose.position, interpolate(tip, pose, most / turned).rotation)
    return pose


def _between(a: Vec3, b: Vec3, share: float) -> Vec3:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


def _pursued(way: Vec3, moving: Vec3, top: float, braking: float, dt: float) -> tuple[Vec3, bool]:
    """Return the velocity that meets a moving target, and whether the top speed keeps it from that.

    Args:
        way: From here to where the target is now.
        moving: The target's own velocity.
        top: Top speed.
        braking: What may be used to get slower.
        dt: Seconds of the tick, at whose end the target shall be met.
    """
    # The target is given for the end of this tick: at its own velocity it is met if the way is just that.
    rest = (way[0] - moving[0] * dt, way[1] - moving[1] * dt, way[2] - moving[2] * dt)
    left, b = math.sqrt(rest[0] * rest[0] + rest[1] * rest[1] + rest[2] * rest[2]), MARGIN * braking
    near = b / (CLOSING * CLOSING)
    speed = CLOSING * left if left <= near else math.sqrt(2.0 * b * (left - 0.5 * near))
    k = speed / left if left > 0.0 else 0.0
    return _capped((moving[0] + k * rest[0], moving[1] + k * rest[1], moving[2] + k * rest[2]), top)


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
