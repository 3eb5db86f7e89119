"""The inputs of a live cell: readings of its masters, of which the newest counts, and orders, each once in sequence."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import zenoh
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.cell.signals import Signal
from farhand.loop import Run, Sent
from farhand.masters import Master, attach_remote
from farhand.server.fabric import sessions
from farhand.server.fabric.machine_clock import boot_id, monotonic_ms
from farhand.server.fabric.typed_channel import Life, TypedChannel
from farhand.server.protocol.internal_messages import Done, ForwardedReading, Listening, Order
from farhand.server.protocol.messages import Playback
from farhand.types import Arrival, Event, Inputs, Note, Teach, Tick, Trajectory
from farhand.types.events.declaration import is_urgent

__all__ = ["Intake"]

T = TypeVar("T")

QUEUE = 4096  # orders that may wait on the fabric, and answers that are kept
MAX_READINGS = 16  # of a master that may wait; the oldest are dropped
MAX_WAITING = 250  # orders that may wait for their tick: half a second's worth
OVERTAKEN, TOO_MANY = (Note("order.overtaken"),), (Note("order.many"),)
NO_REPLAY = (Note("order.no-replay"),)


class Intake:
    """Takes readings and orders off the fabric between two ticks; never waits.

    One order enters a tick; a stop never waits for other orders. Each order is answered, with notes if it is refused.
    A lost order is sent again; if later ones have overtaken it, it is refused, because it may have lost its meaning (a
    reset from before a stop). A stop always counts.

    Args:
        session: Session of the fabric.
        cell: The cell.
        name: Name under which the server shows it.
        answer: Takes the answers.
        listen: Takes the signals to be sampled.
        signals: Returns all signals of the cell.
        life: Incarnation of the cell; messages to another one are dropped.
        clock: Monotonic clock of the machine, ms.
        log_drop: Takes a sentence about a message that could not be decoded.

    Attributes:
        masters: All masters of the cell, attached to the fabric where a viewer can drive them.
    """

    def __init__(
        self,
        session: Any,
        cell: Cell,
        name: str,
        answer: Callable[[Done], None],
        listen: Callable[[tuple[Signal, ...]], None],
        signals: Callable[[], tuple[Signal, ...]],
        life: Life | None = None,
        clock: Callable[[], int] = monotonic_ms,
        log_drop: Callable[[str], None] | None = None,
    ) -> None:
        self._log_drop = log_drop or _unsaid
        self._answer, self._listen, self._signals, self._clock = answer, listen, signals, clock
        self._orders = session.declare_subscriber(sessions.order_key(name), zenoh.handlers.FifoChannel(QUEUE))
        self.masters: dict[str, Master] = {}
        self._remotes = {}
        for title, made in cell.masters.items():
            self.masters[title], remote = attach_remote(made)
            if remote is not None:
                self._remotes[title] = remote
        self._hands = {
            m: session.declare_subscriber(sessions.reading_key(name, m), zenoh.handlers.RingChannel(MAX_READINGS))
            for m in self._remotes
        }
        self._robots = {m: [r for r in cell.lanes if cell.master_of(r) == m] for m in self._remotes}
        self.epochs = dict.fromkeys(cell.lanes, -1)
        self._order_channel = TypedChannel(sessions.order_key(name), Order, life)
        self._hand_channel = {
            m: TypedChannel(sessions.reading_key(name, m), ForwardedReading, life) for m in self._remotes
        }
        self._waiting: deque[tuple[Order, Event]] = deque()
        self._entered: list[tuple[Order, Sent]] = []
        self._newest: tuple[int, int] = (0, 0)  # gateway and number of the newest event
        self._listened = 0  # number of the newest order that chose signals
        self._open: set[tuple[int, int]] = set()
        self._done: dict[tuple[int, int], Done] = {}

    @property
    def led(self) -> tuple[str, ...]:
        """Names of the masters that viewers can drive."""
        return tuple(self._remotes)

    def take(self, run: Run) -> None:
        """Take all messages that have arrived, and enter them into the next tick."""
        for name, hand in self._hands.items():
            sample = hand.try_recv()
            while sample is not None:
                self._read(name, sample.payload.to_bytes())
                sample = hand.try_recv()
        sample = self._orders.try_recv()
        while sample is not None:
            order = self._read_message(self._order_channel, sample.payload.to_bytes())
            if order is not None:
                self._order(order, run)
            sample = self._orders.try_recv()
        if self._waiting:
            self._enter(*self._waiting.popleft(), run)

    def _read_message(self, channel: TypedChannel[T], content: bytes) -> T | None:
        """Return a decoded message; None if it is dropped, which is reported."""
        before = channel.dropped
        message = channel.read(content)
        if channel.dropped > before and (complaint := channel.complaint()):
            self._log_drop(complaint)
        return message

    def _read(self, name: str, content: bytes) -> None:
        handed = self._read_message(self._hand_channel[name], content)
        if handed is None:
            return
        reading = replace(handed.reading, arrival=Arrival(_waited(handed, self._clock()), handed.steady))
        self._remotes[name].put(reading)
        for robot in self._robots[name]:
            self.epochs[robot] = max(self.epochs[robot], reading.epoch)

    def _order(self, order: Order, run: Run) -> None:
        key = (order.gateway, order.number)
        if order.gateway < self._newest[0]:
            return  # from an earlier gateway, which has ended
        if key in self._done:
            self._answer(self._done[key])
        if key in self._done or key in self._open:
            return
        if order.gateway != self._newest[0]:
            self._newest, self._listened = (order.gateway, 0), 0
        if order.content is None:
            self._finish(order, ())
        elif isinstance(order.content, Listening):
            self._choose_signals(order.number, order.content)
            self._finish(order, ())
        elif isinstance(order.content, Playback):
            self._finish(order, NO_REPLAY)
        else:
            overtaken, self._newest = order.number < self._newest[1], max(self._newest, key)
            self._take_event(order, order.content, run, overtaken=overtaken)

    def _take_event(self, order: Order, event: Event, run: Run, *, overtaken: bool) -> None:
        if is_urgent(event):
            self._enter(order, event, run)
        elif overtaken:
            self._finish(order, OVERTAKEN)
        elif len(self._waiting) >= MAX_WAITING:
            self._finish(order, TOO_MANY)
        else:
            self._open.add((order.gateway, order.number))
            self._waiting.append((order, event))

    def _choose_signals(self, number: int, listening: Listening) -> None:
        """Choose the signals to sample, unless a later order has already chosen others."""
        if number > self._listened:
            self._listened = number
            known = {signal.name: signal for signal in self._signals()}
            self._listen(tuple(known[name] for name in listening.signals if name in known))

    def _enter(self, order: Order, event: Event, run: Run) -> None:
        self._open.add((order.gateway, order.number))
        self._entered.append((order, run.send(event)))

    def answered(self, inputs: Inputs, tick: Tick) -> None:
        """Answer the orders that entered this tick, with the notes that refuse them; a listener of the loop."""
        if not inputs.events or not self._entered:
            return
        for order, sent in self._entered:
            if sent.done:
                self._finish(order, _refusal(sent.notes), _taught(sent.event, tick))
        self._entered = [(order, sent) for order, sent in self._entered if not sent.done]  # edits being compiled

    def _finish(self, order: Order, refused: tuple[Note, ...], taught: Trajectory | None = None) -> None:
        done = Done(gateway=order.gateway, number=order.number, ok=not refused, refused=refused, taught=taught)
        key = (order.gateway, order.number)
        self._open.discard(key)
        self._done[key] = done
        if len(self._done) > QUEUE:
            del self._done[next(iter(self._done))]
        self._answer(done)


def _unsaid(complaint: str) -> None:
    del complaint


def _waited(handed: ForwardedReading, now: int) -> int:
    """Return the milliseconds since the gateway received a reading; -1 if the gateway runs on another machine."""
    if not handed.boot or handed.boot != boot_id():
        return -1
    return max(0, now - handed.at)


def _taught(event: Event, tick: Tick) -> Trajectory | None:
    return tick.lanes[event.robot].taught if isinstance(event, Teach) and event.robot in tick.lanes else None


def _refusal(notes: Iterable[Note]) -> tuple[Note, ...]:
    """Return the reasons for which an event was refused."""
    return tuple([note.cause for note in notes if note.cause])
