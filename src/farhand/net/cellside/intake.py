"""What enters a live cell: readings of its masters, the newest one wins, and orders, each one once and in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import zenoh

from farhand.cell import Cell
from farhand.cell.signals import Signal
from farhand.loop import Run
from farhand.masters import Master, take_in_hand
from farhand.net import fabric
from farhand.net.inside import Done, Listening, Order
from farhand.net.letters import Letters
from farhand.types import Event, Inputs, Reading, Stop, Teach, Tick, Trajectory

__all__ = ["Intake"]

QUEUE = 4096  # orders that may wait
READINGS = 16  # readings of a master that may wait; older ones fall out
MOST_WAITING = 250  # orders that may wait for their tick: half a second's worth
REFUSALS = ("cell.refused", "lane.refused")
OVERTAKEN = "It was delayed and overtaken by later commands. Give it again if you still want it."
TOO_MANY = "Too many commands wait already."


class Intake:
    """Takes readings and orders off the fabric between two ticks; never waits.

    One order enters a tick, so that what the tick refuses is that order; a stop never waits for others. An order that
    was lost on its way comes again; if later ones have overtaken it, it is refused, for what it meant may no longer
    hold (a reset from before a stop). A stop always counts.

    Args:
        session: The fabric.
        cell: The cell.
        name: Under which the server shows it.
        answer: Takes the answers.
        listen: Takes the signals to be sampled.
        signals: Those there are.

    Attributes:
        masters: All of the cell's, led from outside where they can be.
    """

    def __init__(
        self,
        session: Any,
        cell: Cell,
        name: str,
        answer: Callable[[Done], None],
        listen: Callable[[tuple[Signal, ...]], None],
        signals: Callable[[], tuple[Signal, ...]],
    ) -> None:
        self._answer, self._listen, self._signals = answer, listen, signals
        self._orders = session.declare_subscriber(fabric.orders(name), zenoh.handlers.FifoChannel(QUEUE))
        self.masters: dict[str, Master] = {}
        self._remotes = {}
        for title, made in cell.make_masters().items():
            self.masters[title], remote = take_in_hand(made)
            if remote is not None:
                self._remotes[title] = remote
        self._hands = {
            m: session.declare_subscriber(fabric.hands(name, m), zenoh.handlers.RingChannel(READINGS))
            for m in self._remotes
        }
        self._robots = {m: [r for r in cell.lanes if cell.master_of(r) == m] for m in self._remotes}
        self.epochs = dict.fromkeys(cell.lanes, -1)
        self._order_letters = Letters(fabric.orders(name), Order)
        self._hand_letters = {m: Letters(fabric.hands(name, m), Reading) for m in self._remotes}
        self._waiting: deque[tuple[Order, Event]] = deque()
        self._entered: list[tuple[Order, Event]] = []
        self._newest: tuple[int, int] = (0, 0)  # gateway and number of the newest event
        self._listened = 0  # number of the order that last chose signals
        self._open: set[tuple[int, int]] = set()
        self._done: dict[tuple[int, int], Done] = {}

    @property
    def led(self) -> tuple[str, ...]:
        """Names of the masters that are led from outside."""
        return tuple(self._remotes)

    def take(self, run: Run) -> None:
        """Take what has come, and let it into the next tick."""
        for name, hand in self._hands.items():
            sample = hand.try_recv()
            while sample is not None:
                self._read(name, sample.payload.to_bytes())
                sample = hand.try_recv()
        sample = self._orders.try_recv()
        while sample is not None:
            order = self._order_letters.read(sample.payload.to_bytes())
            if order is not None:
                self._order(order, run)
            sample = self._orders.try_recv()
        if self._waiting:
            self._enter(*self._waiting.popleft(), run)

    def _read(self, name: str, content: bytes) -> None:
        reading = self._hand_letters[name].read(content)
        if reading is None:
            return
        self._remotes[name].put(reading)
        for robot in self._robots[name]:
            self.epochs[robot] = max(self.epochs[robot], reading.epoch)

    def _order(self, order: Order, run: Run) -> None:
        key = (order.gateway, order.number)
        if key in self._done:
            self._answer(self._done[key])
        if key in self._done or key in self._open:
            return
        if order.gateway != self._newest[0]:
            self._newest, self._listened = (order.gateway, 0), 0
        if order.what is None:
            self._finish(order, "")
        elif isinstance(order.what, Listening):
            self._choose_signals(order.number, order.what)
            self._finish(order, "")
        else:
            overtaken, self._newest = order.number < self._newest[1], max(self._newest, key)
            self._take_event(order, order.what, run, overtaken=overtaken)

    def _take_event(self, order: Order, event: Event, run: Run, *, overtaken: bool) -> None:
        if isinstance(event, Stop):
            self._enter(order, event, run)
        elif overtaken:
            self._finish(order, OVERTAKEN)
        elif len(self._waiting) >= MOST_WAITING:
            self._finish(order, TOO_MANY)
        else:
            self._open.add((order.gateway, order.number))
            self._waiting.append((order, event))

    def _choose_signals(self, number: int, listening: Listening) -> None:
        """Have signals sampled, unless a later order has chosen others already."""
        if number > self._listened:
            self._listened = number
            known = {signal.name: signal for signal in self._signals()}
            self._listen(tuple(known[name] for name in listening.signals if name in known))

    def _enter(self, order: Order, event: Event, run: Run) -> None:
        run.send(event)
        self._open.add((order.gateway, order.number))
        self._entered.append((order, event))

    def answered(self, inputs: Inputs, tick: Tick) -> None:
        """Answer the orders that entered this tick; a listener of the loop."""
        if not inputs.events or not self._entered:
            return
        refused = _refusal(tick)
        rest = []
        for order, event in self._entered:
            if any(entered is event for entered in inputs.events):
                self._finish(order, "" if isinstance(event, Stop) else refused, _taught(event, tick))
            else:
                rest.append((order, event))  # an edit that is still being compiled
        self._entered = rest

    def _finish(self, order: Order, refused: str, taught: Trajectory | None = None) -> None:
        done = Done(gateway=order.gateway, number=order.number, ok=not refused, text=refused, taught=taught)
        key = (order.gateway, order.number)
        self._open.discard(key)
        self._done[key] = done
        if len(self._done) > QUEUE:
            del self._done[next(iter(self._done))]
        self._answer(done)


def _taught(event: Event, tick: Tick) -> Trajectory | None:
    return tick.lanes[event.robot].taught if isinstance(event, Teach) and event.robot in tick.lanes else None


def _refusal(tick: Tick) -> str:
    notes = [note for note in tick.notes if note.code in REFUSALS]
    notes += [note for report in tick.lanes.values() for note in report.notes if note.code in REFUSALS]
    return " ".join(note.text.removeprefix("Refused: ") for note in notes)
