"""A master that follows a path: a reproducible intended motion for experiments.

Its readings are poses of a master's tip relative to a start, in the axes of the master's base. By itself it drives a
robot through any mapping from poses; as the intent of a modelled master it is the motion that the hand intends.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from farhand.config import convert
from farhand.errors import CommandError
from farhand.masters.master import MASTERS
from farhand.poses import IDENTITY, Pose, Vec3
from farhand.types import Feedback, Reading, Twist
from farhand.vectors import plus, times

__all__ = ["PathIntent", "PathSpec"]

Motion = tuple[Vec3, Vec3]
"""A shift from the start (m) and its velocity (m/s)."""

AXES: dict[str, Vec3] = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
STILL: Vec3 = (0.0, 0.0, 0.0)
TURN_SHARE = 0.1  # share of a period in which a sweep reverses at each end


class PathSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A path.

    Args:
        shape: "line": to and fro along `axis` as a sine; "sweep": to and fro at a constant speed, reversing smoothly;
            "circle" and "eight": perpendicular to `axis`; "spiral": a circle that rises along `axis`; "reach": from
            point to point with minimum jerk.
        axis: Direction of a line or sweep; normal of a circle, a spiral or an eight.
        amplitude: Metres from the middle to the ends; the radius of a circle.
        period: Seconds of one turn, or of one reach.
        rise: Metres by which a spiral rises with each turn; negative: sinks.
        points: The points of "reach", relative to the start, metres.
        delay: Seconds before it starts.
        seconds: Duration, after which it stays and releases the deadman; 0: no end. A reach ends with its last point.
        ease: Seconds of speeding up and of slowing down; a reach needs none.
        repeat: A reach returns to the start and begins again.
    """

    shape: Literal["line", "sweep", "circle", "eight", "spiral", "reach"] = "line"
    axis: Literal["x", "y", "z"] = "x"
    amplitude: Annotated[float, Meta(ge=0.0, le=10.0)] = 0.03
    period: Annotated[float, Meta(gt=0.0, le=1e4)] = 4.0
    rise: Annotated[float, Meta(ge=-1.0, le=1.0)] = 0.02
    points: tuple[Vec3, ...] = ()
    delay: Annotated[float, Meta(ge=0.0, le=1e4)] = 0.0
    seconds: Annotated[float, Meta(ge=0.0, le=1e6)] = 0.0
    ease: Annotated[float, Meta(ge=0.0, le=1e3)] = 0.5
    repeat: bool = False

    def at(self, time: float) -> Motion:
        """Return shift and velocity at a time since the start of the path; after its end it stays at its last point."""
        if self.shape == "reach":
            return self._reach(max(time, 0.0))
        phase, rate = self._eased(max(time, 0.0))
        return self._turn(math.tau * phase / self.period, rate * math.tau / self.period)

    @property
    def length(self) -> float:
        """Duration in seconds; infinite if it does not end."""
        if self.shape != "reach":
            return self.seconds or math.inf
        return math.inf if self.repeat else len(self.points) * self.period

    def _eased(self, time: float) -> tuple[float, float]:
        """Return the path's own time and its rate, which rises smoothly to 1 and falls at the end."""
        ease = min(self.ease, self.length / 2)
        if ease <= 0.0:
            return (time, 1.0) if time < self.length else (self.length, 0.0)
        if time < ease:
            distance, speed = _ramp(time / ease)
            return ease * distance, speed
        if time <= self.length - ease:
            return time - ease / 2, 1.0
        distance, speed = _ramp(max(self.length - time, 0.0) / ease)
        return self.length - ease - ease * distance, speed

    def _turn(self, angle: float, rate: float) -> Motion:
        A, s, c = self.amplitude, math.sin(angle), math.cos(angle)
        if self.shape == "circle":  # the start is a point of the circle
            return self._across(A * (c - 1.0), A * s, -A * s * rate, A * c * rate)
        if self.shape == "spiral":
            pitch, along = self.rise / math.tau, AXES[self.axis]
            round_at, round_on = self._across(A * (c - 1.0), A * s, -A * s * rate, A * c * rate)
            return plus(round_at, times(pitch * angle, along)), plus(round_on, times(pitch * rate, along))
        if self.shape == "eight":
            return self._across(A * s, A * s * c, A * c * rate, A * (c * c - s * s) * rate)
        place, slope = (A * s, A * c) if self.shape == "line" else _sweep(angle, A)
        along = AXES[self.axis]
        return times(place, along), times(slope * rate, along)

    def _across(self, u: float, v: float, du: float, dv: float) -> Motion:
        """Return a motion in the plane perpendicular to the axis."""
        first, second = {"x": ("y", "z"), "y": ("z", "x"), "z": ("x", "y")}[self.axis]
        return plus(times(u, AXES[first]), times(v, AXES[second])), plus(
            times(du, AXES[first]), times(dv, AXES[second])
        )

    def _reach(self, time: float) -> Motion:
        stops = (STILL, *self.points)
        if self.repeat:
            time, stops = math.fmod(time, len(stops) * self.period), (*stops, STILL)
        leg = int(time / self.period)
        if leg >= len(stops) - 1:
            return stops[-1], STILL
        t = time / self.period - leg
        share, slope = t * t * t * (10.0 + t * (6.0 * t - 15.0)), 30.0 * (t * (1.0 - t)) ** 2
        shift = plus(stops[leg + 1], times(-1.0, stops[leg]))
        return plus(stops[leg], times(share, shift)), times(slope / self.period, shift)


class PathIntent:
    """Follows a path. The first reading is released; the deadman is held while the path runs.

    Args:
        spec: The path.
        start: Its start; `begin` can set it later.

    Raises:
        CommandError: If a reach has no points.
    """

    def __init__(self, spec: PathSpec, start: Pose = IDENTITY) -> None:
        if spec.shape == "reach" and not spec.points:
            raise CommandError("a reach needs at least one point")
        self.spec, self.start = spec, start
        self._sequence = 0
        self._from: float | None = None

    def begin(self, pose: Pose) -> None:
        """Set the start; a modelled master passes the pose of its tip."""
        self.start = pose

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return the reading of this time."""
        self._sequence = max(self._sequence, feedback.tick) + 1  # never below that of a master it replaces
        first = self._from is None
        if self._from is None:
            self._from = now
        time = now - self._from - self.spec.delay
        shift, velocity = self.spec.at(time)
        pose = Pose(plus(self.start.position, shift), self.start.rotation)
        held = not first and 0.0 <= time < self.spec.length
        return Reading(
            sequence=self._sequence, tick=feedback.tick, deadman=held, pose=pose, twist=Twist(linear=velocity)
        )


def _ramp(t: float) -> tuple[float, float]:
    """Return ∫s and s at a share t of a smooth start: s rises from 0 to 1 with minimum jerk, ∫s to one half."""
    return t**4 * (2.5 + t * (t - 3.0)), t * t * t * (10.0 + t * (6.0 * t - 15.0))


def _sweep(angle: float, amplitude: float) -> tuple[float, float]:
    """Return the position of a sweep at constant speed that reverses on parabolas, and its slope over the angle."""
    # reduce to the quarter from the middle to one end, by symmetry
    t = math.fmod(angle / math.tau + 1.0, 1.0)
    sign = 1.0 if t < 0.5 else -1.0
    t = math.fmod(t, 0.5)
    away, outward = (t, 1.0) if t < 0.25 else (0.5 - t, -1.0)
    half = TURN_SHARE / 2
    top = 0.25 - half / 2  # position of the reversal, in units of the constant speed
    bend = max(away - (0.25 - half), 0.0)
    place = away - bend * bend / (2.0 * half)
    slope = outward * (1.0 - bend / half)
    k = sign * amplitude / top
    return k * place, k * slope / math.tau


@MASTERS.register("path")
def _make(table: dict[str, Any], folder: Path) -> PathIntent:
    """Follows a path: a line, sweep, circle, eight or spiral, or from point to point."""
    del folder
    return PathIntent(convert(table, PathSpec))
