"""The message limit of one sender. Above it, Stops and the newest readings count, and all other messages are dropped.

::

    under the limit ──level above BURST──▶ over ──for CLOSE_AFTER_S──▶ the sender is closed
           ▲                                 │
           └────level CALM below BURST───────┘

The level counts messages and falls by `RATE_PER_S` every second. Queueing would be worse than dropping: a queue of
readings would drive the robot on after the operator has released the deadman, and delay a Stop.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

__all__ = ["BURST", "CLOSE_AFTER_S", "RATE_PER_S", "FloodError", "LimitedReceiver", "MessageLimit", "is_stop"]

RATE_PER_S = 1000.0  # messages a second in the long run: twice what the fastest master sends
BURST = 1000.0  # messages at once
CALM = 100.0  # messages below BURST at which a sender is under the limit again
CLOSE_AFTER_S = 1.0
UNIT_BYTES = 4096  # a larger message counts as several
MAX_ROBOTS = 64  # whose newest readings are kept at a time


class FloodError(Exception):
    """A sender stayed above its limit for too long."""


class MessageLimit:
    """Counts the messages of one sender.

    Args:
        clock: Monotonic clock, s.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._level, self._at = clock, 0.0, clock()
        self._over_since: float | None = None

    def count(self, size: int) -> bool:
        """Count a message of `size` bytes and return whether its sender is over the limit.

        Raises:
            FloodError: If the sender has been over the limit for `CLOSE_AFTER_S`.
        """
        now = self._clock()
        self._level = max(0.0, self._level - (now - self._at) * RATE_PER_S)
        self._at = now
        if self._over_since is not None and self._level <= BURST - CALM:
            self._over_since = None
        self._level = min(self._level, BURST) + 1.0 + size // UNIT_BYTES
        if self._level > BURST:
            self._over_since = now if self._over_since is None else self._over_since
            if now - self._over_since >= CLOSE_AFTER_S:
                raise FloodError
        return self._over_since is not None


class _EventKind(msgspec.Struct, frozen=True):
    type: str = ""


_NO_EVENT = _EventKind()


class _Kind(msgspec.Struct, frozen=True):
    """The kind of a message; the decoder skips every other field."""

    type: str = ""
    robot: str = ""
    event: _EventKind = _NO_EVENT


_peek = msgspec.msgpack.Decoder(_Kind).decode
_NOTHING = _Kind()


def _kind(content: bytes | str) -> _Kind:
    if isinstance(content, str):
        return _NOTHING
    try:
        return _peek(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return _NOTHING


def is_stop(content: bytes | str) -> bool:
    """Return whether a message is a Stop, without decoding the rest of it."""
    kind = _kind(content)
    return kind.type == "Command" and kind.event.type == "Stop"


class LimitedReceiver:
    """Forwards the messages of one sender, as far as the limit allows.

    Args:
        clock: Monotonic clock, s.
        take: Takes a message.
        soon: Calls a function once all messages that have arrived are read (`loop.call_soon`).

    Attributes:
        dropped: Number of dropped messages.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        take: Callable[[bytes | str], None],
        soon: Callable[[Callable[[], None]], object],
    ) -> None:
        self._limit, self._take, self._soon = MessageLimit(clock), take, soon
        self._newest: dict[str, bytes | str] = {}
        self.dropped = 0

    def put(self, content: bytes | str) -> None:
        """Forward a message, keep it as the newest reading of its robot, or drop it.

        Raises:
            FloodError: If the connection must be closed; if the message is a Stop, it was still forwarded.
        """
        try:
            over = self._limit.count(len(content))
        except FloodError:
            self.flush()
            if is_stop(content):
                self._take(content)
            raise
        if not over:
            self.flush()
            self._take(content)
            return
        kind = _kind(content)
        if kind.type == "Command" and kind.event.type == "Stop":
            self._take(content)
        elif kind.type == "Hand" and (kind.robot in self._newest or len(self._newest) < MAX_ROBOTS):
            if not self._newest:
                self._soon(self.flush)
            self.dropped += kind.robot in self._newest
            self._newest[kind.robot] = content
        else:
            self.dropped += 1

    def flush(self) -> None:
        """Forward the newest readings."""
        newest, self._newest = self._newest, {}
        for content in newest.values():
            self._take(content)
