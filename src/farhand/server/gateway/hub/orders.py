"""Orders to a cell: numbered, and sent again until they are answered or given up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from farhand.server.protocol.internal_messages import Done, Listening, Order
from farhand.types import Event, Note, Reading
from farhand.types.events.declaration import is_urgent, time_out_of

__all__ = ["AGAIN", "GIVE_UP", "Orders", "Wire"]

AGAIN = 0.1  # seconds after which what has no answer is sent or asked for again
RESTARTED, SILENT = (Note("order.restarted"),), (Note("order.silent"),)
GIVE_UP = 2.0  # seconds of silence after which it is given up


class Wire(Protocol):
    """How a hub reaches its cell."""

    def order(self, cell: str, order: Order) -> None:
        """Send an order."""

    def hand(self, cell: str, master: str, reading: Reading) -> None:
        """Send a reading."""

    def ask_scene(self, cell: str) -> None:
        """Have the scene told."""

    def ask_log(self, cell: str, since: int) -> None:
        """Have the log told from a number on."""


class _Pending(msgspec.Struct):
    order: Order
    sent: float
    first: float
    answer: Callable[[Done], None]
    answered: bool = False


class Orders:
    """The orders to one cell that are under way.

    Args:
        cell: Its name.
        gateway: Tells this life of the gateway from others.
        wire: How to reach the cell.
        clock: Monotonic seconds.
    """

    def __init__(self, cell: str, gateway: int, wire: Wire, clock: Callable[[], float]) -> None:
        self._cell, self._gateway, self._wire, self._clock = cell, gateway, wire, clock
        self._number = 0
        self._pending: dict[int, _Pending] = {}

    def send(self, what: Event | Listening | None, answer: Callable[[Done], None]) -> None:
        """Send an order; None asks for nothing but an answer.

        Args:
            what: What shall be done.
            answer: Takes what became of it.
        """
        self._number += 1
        now, order = self._clock(), Order(gateway=self._gateway, number=self._number, what=what)
        self._pending[self._number] = _Pending(order, now, now, answer)
        self._wire.order(self._cell, order)

    def take(self, done: Done) -> None:
        """Take the answer to an order."""
        if done.gateway != self._gateway or done.number not in self._pending:
            return
        pending = self._pending.pop(done.number)
        if not pending.answered:
            pending.answer(done)

    def process_ended(self) -> None:
        """Give up what the cell's last process has not answered.

        A cell that is restarted is stopped. A stop that was given up would only stop it once more, later; a reset that
        was meant for an earlier stop must not clear this one. A stop that still waits for its answer goes on waiting.
        """
        before, self._pending = self._pending, {}
        for number, pending in before.items():
            if pending.answered:
                continue
            if is_urgent(pending.order.what):
                self._pending[number] = pending
            else:
                pending.answer(Done(gateway=self._gateway, number=number, ok=False, refused=RESTARTED))

    def sweep(self, now: float, heard: float) -> None:
        """Send again what has no answer, and give up what has waited for too long.

        Args:
            now: The clock's seconds.
            heard: When the cell was heard last.
        """
        for number, pending in list(self._pending.items()):
            silent = now - max(pending.first, heard)
            if not pending.answered and (silent > GIVE_UP or now - pending.first > time_out_of(pending.order.what)):
                pending.answered = True
                pending.answer(Done(gateway=self._gateway, number=number, ok=False, refused=SILENT))
                # A stop is never given up: whenever the cell hears again, it shall hear that first.
                if not is_urgent(pending.order.what):
                    del self._pending[number]
                    continue
            if now - pending.sent > AGAIN:
                pending.sent = now
                self._wire.order(self._cell, pending.order)
