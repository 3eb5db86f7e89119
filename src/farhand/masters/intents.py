"""A master that follows a path: an intended motion for experiments, the same every time.

It says where the tip of a master shall be: poses about a start, in the axes of the master's base. Alone it drives a
robot through any mapping that is led by poses; as the intent of a modelled master it is what the hand means to do.
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
ROUND = 0.1  # share of a period in which a sweep turns round at each end


class PathSpec(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A path.

    Args:
        shape: "line": to and fro along `axis` as a sine; "sweep": to and fro at a steady speed, with round turns;
            "circle" and "eight": square to `axis`; "spiral": a circle that rises along `axis`; "reach": from point to
            point with the least jerk.
        axis: Along which a line lies, or about which a circle, a spiral or an eight goes round.
        amplitude: Metres from the middle to the ends; of a circle its radius.
        period: Seconds of one turn, or of one reach.
        rise: Metres by which a spiral rises with each turn; negative: sinks.
        points: Shifts from the start that "reach" goes to, metres.
        delay: Seconds before it starts.
        seconds: How long it runs, then it stays and lets go; 0: for ever. A reach ends with its last point.
        ease: Seconds in which it gets up to speed, and comes to rest; a reach does so by itself.
        repeat: A reach starts over, by way of its start.
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
        """Return shift and velocity at a time after the start of the path; after its end it stays where it ended."""
        if self.shape == "reach":
            return self._reach(max(time, 0.0))
        phase, rate = self._eased(max(time, 0.0))
        return self._turn(math.tau * phase / self.period, rate * math.tau / self.period)

    @property
    def length(self) -> float:
        """Seconds that it lasts; infinite if it does not end."""
        if self.shape != "reach":
            return self.seconds or math.inf
        return math.inf if self.repeat else len(self.points) * self.period

    def _eased(self, time: float) -> tuple[float, float]:
        """Return how far the path's own clock has come, and how fast it runs: smoothly up to 1, and down at the end."""
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
        if self.shape == "circle":  # begins on its rim, so that it begins at the start
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
        """Return a motion in the plane square to the axis."""
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
        way = plus(stops[leg + 1], times(-1.0, stops[leg]))
        return plus(stops[leg], times(share, way)), times(slope / self.period, way)


class PathIntent:
    """Plays a path. The first reading is released; the deadman is held while the path runs.

    Args:
        spec: The path.
        start: Where it starts from; may be told later by `begin`.

    Raises:
        CommandError: If a reach has no points.
    """

    def __init__(self, spec: PathSpec, start: Pose = IDENTITY) -> None:
        if spec.shape == "reach" and not spec.points:
            raise CommandError("a reach needs at least one point to go to")
        self.spec, self.start = spec, start
        self._sequence = 0
        self._from: float | None = None

    def begin(self, pose: Pose) -> None:
        """Start from a pose; a modelled master says where its tip rests."""
        self.start = pose

    def step(self, feedback: Feedback, now: float) -> Reading | None:
        """Return where the path is at this time."""
        self._sequence = max(self._sequence, feedback.tick) + 1  # a new hand is not older than the last one
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
    """Return ∫s and s at a share t of a smooth start: s rises from 0 to 1 with the least jerk, ∫s to one half."""
    return t**4 * (2.5 + t * (t - 3.0)), t * t * t * (10.0 + t * (6.0 * t - 15.0))


def _sweep(angle: float, amplitude: float) -> tuple[float, float]:
    """Return a to and fro at steady speed whose corners are parabolas, and its slope over the angle."""
    # a quarter of it, from the middle to an end, told by symmetry for the others
    t = math.fmod(angle / math.tau + 1.0, 1.0)
    sign = 1.0 if t < 0.5 else -1.0
    t = math.fmod(t, 0.5)
    away, outward = (t, 1.0) if t < 0.25 else (0.5 - t, -1.0)
    half = ROUND / 2
    top = 0.25 - half / 2  # where it turns, in units of the steady speed
    bend = max(away - (0.25 - half), 0.0)
    place = away - bend * bend / (2.0 * half)
    slope = outward * (1.0 - bend / half)
    k = sign * amplitude / top
    return k * place, k * slope / math.tau


@MASTERS.register("path")
def _make(table: dict[str, Any], folder: Path) -> PathIntent:
    """Follows a path: line, sweep, circle, eight, spiral, or reaches from point to point."""
    del folder
    return PathIntent(convert(table, PathSpec))
