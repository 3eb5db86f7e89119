"""Limits of the tip's speed, acceleration and jerk, for translation and rotation apart.

A jogged or tracked tip stays within all three. The speed limit holds for joint motion too: all joints are slowed by the
same share, so that the arm keeps to its path and only arrives later. It bounds the demand; while joints still change
their rates, the tip may be a tenth faster. The acceleration of single joints is their own limit, which the guard keeps.

A velocity v with the acceleration a comes to rest at v + a·|a|/(2·jerk) at the earliest. As long as that lies within
the top speed, so does every velocity until then; a step after which it would not is not taken.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.filter import FILTERS, NO_NOTES, View
from farhand.filters.leading import BASE, CLOSING, Frames, kept_near, pursued, seen_in
from farhand.poses import Pose, Vec3, angle_between, conjugate, from_rotation_vector, multiply, rotation_vector
from farhand.types import HOLD, Demand, JointRates, JointTrack, Note, Quantity, TipTrack, TipTwist
from farhand.vectors import times

__all__ = ["Motion3", "TipLimits", "held_within"]

ZERO: Vec3 = (0.0, 0.0, 0.0)
STILL = 1e-9
EASE_SHARE, EASE_JERK_SHARE = 0.7, 0.4  # shares of acceleration and jerk used to reach a pose without overshoot
TRACK_GAIN = 20.0  # 1/s: the servo's gain on the error of a joint track
STEP_S = 1e-4  # s: step of the finite difference that turns joint rates into tip speed


class Motion3(Struct, frozen=True):
    """Velocity and acceleration in space."""

    velocity: Vec3 = ZERO
    acceleration: Vec3 = ZERO


AT_REST = Motion3()


class _Memory(Struct, frozen=True):
    """The motion that the filter gave the tip in the last tick.

    Args:
        frames: Axes of the two motions.
        shift: Translation of the tip.
        turn: Rotation of the tip.
        pose: Its last set-point, if it tracks a pose.
    """

    frames: Frames
    shift: Motion3
    turn: Motion3
    pose: Pose | None = None


class TipLimits(Struct, frozen=True, forbid_unknown_fields=True):
    """Keeps the tip within limits of speed, acceleration and jerk.

    Args:
        speed: m/s.
        acceleration: m/s².
        jerk: m/s³.
        turn_speed: rad/s.
        turn_acceleration: rad/s².
        turn_jerk: rad/s³.
    """

    speed: Annotated[float, Meta(ge=1e-3, le=100.0)] = 1.0
    acceleration: Annotated[float, Meta(ge=0.01, le=1e4)] = 2.5
    jerk: Annotated[float, Meta(ge=0.1, le=1e6)] = 50.0
    turn_speed: Annotated[float, Meta(ge=1e-3, le=100.0)] = 3.0
    turn_acceleration: Annotated[float, Meta(ge=0.01, le=1e4)] = 10.0
    turn_jerk: Annotated[float, Meta(ge=0.1, le=1e6)] = 200.0

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand within the limits; letting go brakes along the path, a stop brakes every joint at once."""
        motion = demand.motions.get("arm")
        if isinstance(motion, TipTrack):
            return self._track(demand, motion, view, memory)
        if motion is None and demand.source == HOLD and memory and (memory.shift, memory.turn) != (AT_REST, AT_REST):
            motion = TipTwist(ZERO, ZERO, *memory.frames)
        if isinstance(motion, TipTwist):
            return self._jog(demand, motion, view, memory)
        if isinstance(motion, (JointRates, JointTrack)):
            return self._slowed(demand, motion, view)
        return demand, None, NO_NOTES

    def tightens(self, before: TipLimits) -> bool:
        """Return whether no limit is higher."""
        return all(getattr(self, name) <= getattr(before, name) for name in self.__struct_fields__)

    def _jog(self, demand: Demand, motion: TipTwist, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        frames: Frames = (motion.frame, motion.turn_frame)
        last = _turned(memory, frames, view) if memory else _Memory(frames, AT_REST, AT_REST)
        shift, turn = self._led(last, motion.linear, motion.angular, view.dt)
        notes = self._notes(math.hypot(*motion.linear) > self.speed, math.hypot(*motion.angular) > self.turn_speed)
        twist = TipTwist(shift.velocity, turn.velocity, *frames, motion.copies)
        return _with(demand, twist), _Memory(frames, shift, turn), notes

    def _track(self, demand: Demand, motion: TipTrack, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        last = _turned(memory, BASE, view) if memory else _Memory(BASE, AT_REST, AT_REST)
        here, dt = last.pose or view.T_base_tip, view.dt
        (x, y, z), (a, b, c) = motion.pose.position, here.position
        way, left = (x - a, y - b, z - c), rotation_vector(multiply(motion.pose.rotation, conjugate(here.rotation)))
        top, spin = view.speed * self.speed, view.speed * self.turn_speed
        linear, fast = pursued(way, motion.linear, top, _easy(self.acceleration, self.jerk), dt)
        angular, spinning = pursued(left, motion.angular, spin, _easy(self.turn_acceleration, self.turn_jerk), dt)
        shift, turn = self._led(last, linear, angular, dt)
        v, w = shift.velocity, turn.velocity
        position = (a + v[0] * dt, b + v[1] * dt, c + v[2] * dt)
        rotation = multiply(from_rotation_vector((w[0] * dt, w[1] * dt, w[2] * dt)), here.rotation)
        pose = kept_near(Pose(position, rotation), view.T_base_tip, v, w)
        notes = self._notes(fast, spinning, view.speed)
        return _with(demand, TipTrack(pose, v, w)), _Memory(BASE, shift, turn, pose), notes

    def _led(self, last: _Memory, linear: Vec3, angular: Vec3, dt: float) -> tuple[Motion3, Motion3]:
        shift = held_within(last.shift, linear, self.speed, self.acceleration, self.jerk, dt)
        turn = held_within(last.turn, angular, self.turn_speed, self.turn_acceleration, self.turn_jerk, dt)
        return shift, turn

    def _slowed(
        self, demand: Demand, motion: JointRates | JointTrack, view: View
    ) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Slow all joints by the same share where they would move or turn the tip too fast.

        A track becomes the joint rates that close in on it: its clock waits for a slower arm.
        """
        if view.tip_at is None:
            return demand, None, NO_NOTES
        rates = motion.rates
        if isinstance(motion, JointTrack):
            rows = zip(rates, motion.positions, view.told, strict=True)
            rates = tuple([rate + TRACK_GAIN * (there - here) for rate, there, here in rows])
        ahead = view.tip_at(tuple([at + rate * STEP_S for at, rate in zip(view.told, rates, strict=True)]))
        here = view.T_base_tip
        speed = math.dist(ahead.position, here.position) / STEP_S
        spin = angle_between(ahead.rotation, here.rotation) / STEP_S
        k = min(1.0, self.speed / max(speed, STILL), self.turn_speed / max(spin, STILL))
        if k == 1.0:
            return demand, None, NO_NOTES
        slower = JointRates(tuple([k * rate for rate in rates]))
        return _with(demand, slower), None, self._notes(speed > self.speed, spin > self.turn_speed)

    def _notes(self, fast: bool, spinning: bool, share: float = 1.0) -> tuple[Note, ...]:
        notes = NO_NOTES
        if fast:
            notes += (Note("limits.speed", "slow", quantities=(Quantity("speed", share * self.speed, "m/s"),)),)
        if spinning:
            rate = Quantity("rate", share * self.turn_speed, "rad/s")
            notes += (Note("limits.turn", "slow", quantities=(rate,)),)
        return notes


def held_within(now: Motion3, wanted: Vec3, speed: float, acceleration: float, jerk: float, dt: float) -> Motion3:
    """Return the motion one tick later, towards a velocity, within top speed, acceleration and jerk.

    Args:
        now: The present motion.
        wanted: The demanded velocity.
        speed: Top speed; a motion that is faster already does not speed up.
        acceleration: Greatest acceleration.
        jerk: Greatest change of acceleration per second.
        dt: Seconds per tick.
    """
    step, v, a = jerk * dt, now.velocity, now.acceleration
    k = min(1.0, speed / max(math.hypot(*wanted), STILL))
    rest = _rest(v, a, jerk, dt)
    # velocity still missing, less the gain while the present acceleration runs out
    missing = (k * wanted[0] - v[0], k * wanted[1] - v[1], k * wanted[2] - v[2])
    size = math.hypot(*missing)
    best = min(acceleration, step * (math.sqrt(0.25 + 2.0 * size / (step * dt)) - 0.5))
    best = min(best, size / dt)
    if size <= STILL and math.hypot(*a) <= step:
        return Motion3(times(k, wanted), ZERO)
    after = _nearer(a, times(best / size, missing) if size > STILL else ZERO, step)
    next_v = _moved(v, after, dt)
    bound = max(speed, math.hypot(*rest))
    if math.hypot(*_rest(next_v, after, jerk, dt)) > bound * (1.0 + 1e-12):
        after = _nearer(a, ZERO, step)
        next_v = _moved(v, after, dt)
    return Motion3(next_v, after)


def _easy(acceleration: float, jerk: float) -> float:
    """Return the braking to use when reaching a pose: the last phase needs a jerk of `CLOSING` times it."""
    return min(EASE_SHARE * acceleration, EASE_JERK_SHARE * jerk / CLOSING)


def _rest(v: Vec3, a: Vec3, jerk: float, dt: float) -> Vec3:
    """Return the velocity that is reached if the acceleration falls to zero as fast as the jerk allows."""
    size = math.hypot(*a)
    if size <= STILL:
        return v
    # tick by tick: a - j·dt, a - 2·j·dt, … while above zero
    step = jerk * dt
    ticks = math.ceil(size / step) - 1
    gained = dt * (ticks * size - step * ticks * (ticks + 1) / 2.0)
    return (v[0] + a[0] / size * gained, v[1] + a[1] / size * gained, v[2] + a[2] / size * gained)


def _turned(memory: _Memory, frames: Frames, view: View) -> _Memory:
    """Return the memory in the axes now in use."""
    if memory.frames == frames:
        return memory
    tip = view.T_base_tip.rotation
    v, w = seen_in(frames, memory.frames, memory.shift.velocity, memory.turn.velocity, tip)
    a, b = seen_in(frames, memory.frames, memory.shift.acceleration, memory.turn.acceleration, tip)
    return _Memory(frames, Motion3(v, a), Motion3(w, b))


def _with(demand: Demand, motion: TipTwist | TipTrack | JointRates) -> Demand:
    return replace(demand, motions={**demand.motions, "arm": motion})


def _nearer(now: Vec3, wanted: Vec3, most: float) -> Vec3:
    x, y, z = wanted[0] - now[0], wanted[1] - now[1], wanted[2] - now[2]
    length = math.sqrt(x * x + y * y + z * z)
    if length <= most:
        return wanted
    k = most / length
    return (now[0] + k * x, now[1] + k * y, now[2] + k * z)


def _moved(v: Vec3, a: Vec3, dt: float) -> Vec3:
    return (v[0] + a[0] * dt, v[1] + a[1] * dt, v[2] + a[2] * dt)


@FILTERS.register("limits")
def _make(table: dict[str, Any]) -> TipLimits:
    """Limit the tip's speed, acceleration and jerk, translation and rotation apart."""
    return convert(table, TipLimits)
