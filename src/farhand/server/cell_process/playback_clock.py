"""The clock of a playback, as pure functions: the moment, the speed and direction, and a loop."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from farhand.server.protocol.messages import Playback

__all__ = ["MAX_SPEED", "MIN_SPEED", "Extent", "PlaybackState", "advanced", "applied"]

MIN_SPEED, MAX_SPEED = 0.1, 16.0  # times real time, in either direction
MIN_LOOP_S = 0.05  # shortest span that is repeated


class Extent(Struct, frozen=True):
    """First and last moment of a record, s of the cell's time."""

    first: float
    last: float

    def clamped(self, moment: float) -> float:
        """Return the nearest moment of the record."""
        return min(max(moment, self.first), self.last)


class PlaybackState(Struct, frozen=True):
    """State of a playback.

    Args:
        moment: Present moment, s of the cell's time.
        playing: It plays.
        speed: Speed, 1 is real time; negative: backwards.
        loop: Span that is repeated; None: no loop.
    """

    moment: float
    playing: bool = False
    speed: float = 1.0
    loop: Extent | None = None


def advanced(state: PlaybackState, elapsed: float, whole: Extent) -> PlaybackState:
    """Return the state after a stretch of real time.

    At an end of the record it stops; at an end of a loop it goes on at the other one.

    Args:
        state: The state before.
        elapsed: Real seconds since then.
        whole: First and last moment of the record.
    """
    if not state.playing:
        return state
    moment = state.moment + state.speed * elapsed
    span = state.loop or whole
    if span.first <= moment <= span.last:
        return replace(state, moment=moment)
    if state.loop is not None:
        length = span.last - span.first
        return replace(state, moment=span.first + math.fmod(math.fmod(moment - span.first, length) + length, length))
    return replace(state, moment=whole.clamped(moment), playing=False)


def applied(state: PlaybackState, order: Playback, whole: Extent) -> PlaybackState:
    """Return the state after an order; "step" needs the record and changes nothing here but the playing.

    Args:
        state: The state before.
        order: The order.
        whole: First and last moment of the record.
    """
    match order.action:
        case "play":
            return replace(state, playing=True, moment=_start(state, whole))
        case "pause" | "step":
            return replace(state, playing=False)
        case "seek":
            return replace(state, moment=whole.clamped(order.value), loop=_kept_loop(state.loop, order.value))
        case "speed":
            return replace(state, speed=_speed(order.value))
        case "loop":
            return _looped(state, order, whole)
        case "unloop":
            return replace(state, loop=None)


def _start(state: PlaybackState, whole: Extent) -> float:
    """Return the moment from which to play: at the end of the record it begins again."""
    if state.loop is not None:
        return min(max(state.moment, state.loop.first), state.loop.last)
    if state.speed > 0.0 and state.moment >= whole.last:
        return whole.first
    if state.speed < 0.0 and state.moment <= whole.first:
        return whole.last
    return state.moment


def _kept_loop(loop: Extent | None, moment: float) -> Extent | None:
    """Return the loop, or None if a moment lies outside it: going elsewhere ends it."""
    return loop if loop is not None and loop.first <= moment <= loop.last else None


def _speed(value: float) -> float:
    return math.copysign(min(max(abs(value), MIN_SPEED), MAX_SPEED), value)


def _looped(state: PlaybackState, order: Playback, whole: Extent) -> PlaybackState:
    first, last = sorted((whole.clamped(order.value), whole.clamped(order.until)))
    if last - first < MIN_LOOP_S:
        return replace(state, loop=None)
    loop = Extent(first, last)
    return replace(state, loop=loop, moment=min(max(state.moment, first), last))
