"""Orders to a cell: numbered, and sent again until they are answered or time out.

Orders know nothing of viewers and their rights: `hub/viewer_commands.py` checks commands before they are ordered.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import msgspec

from farhand.server.protocol.internal_messages import Done, Listening, Order
from farhand.server.protocol.messages import Playback
from farhand.types import Event, Note, Reading
from farhand.types.events.declaration import is_urgent, time_out_of

__all__ = ["GIVE_UP_S", "RESEND_S", "CellLink", "Orders"]

RESEND_S = 0.1  # after which an unanswered order or query is sent again
GIVE_UP_S = 2.0  # without a frame of the cell, after which an order fails
RESTARTED, SILENT = (Note("order.restarted"),), (Note("order.silent"),)


class CellLink(Protocol):
    """The link from a hub to its cell."""

    def send_order(self, cell: str, order: Order) -> None:
        """Send an order."""

    def send_reading(self, cell: str, master: str, reading: Reading) -> None:
        """Send a reading."""

    def query_scene(self, cell: str) -> None:
        """Query the cell for its scene."""

    def query_log(self, cell: str, since: int) -> None:
        """Query the cell for its log from a number on."""


class _Pending(msgspec.Struct):
    order: Order
    sent: float
    first: float
    answer: Callable[[Done], None]
    answered: bool = False


class Orders:
    """The unanswered orders to one cell.

    Args:
        cell: Name of the cell.
        gateway: Incarnation of the gateway.
        link: Link to the cell.
        clock: Monotonic clock, s.
    """

    def __init__(self, cell: str, gateway: int, link: CellLink, clock: Callable[[], float]) -> None:
        self._cell, self._gateway, self._link, self._clock = cell, gateway, link, clock
        self._number = 0
        self._pending: dict[int, _Pending] = {}

    def send(self, content: Event | Listening | Playback | None, answer: Callable[[Done], None]) -> None:
        """Send an order.

        Args:
            content: The event, the signals to sample, or how to play a record; None: only an answer.
            answer: Takes the answer.
        """
        self._number += 1
        now, order = self._clock(), Order(gateway=self._gateway, number=self._number, content=content)
        self._pending[self._number] = _Pending(order, now, now, answer)
        self._link.send_order(self._cell, order)

    def take(self, done: Done) -> None:
        """Take the answer to an order."""
        if done.gateway != self._gateway or done.number not in self._pending:
            return
        pending = self._pending.pop(done.number)
        if not pending.answered:
            pending.answer(done)

    def process_ended(self) -> None:
        """Fail the orders that the cell's last process has not answered, except stops.

        A restarted cell is stopped. A reset that was meant for an earlier stop must not clear this one, so no order is
        sent again. A stop that has already failed is dropped; a stop that still waits is sent again.
        """
        before, self._pending = self._pending, {}
        for number, pending in before.items():
            if pending.answered:
                continue
            if is_urgent(pending.order.content):
                self._pending[number] = pending
            else:
                pending.answer(Done(gateway=self._gateway, number=number, ok=False, refused=RESTARTED))

    def sweep(self, now: float, heard: float) -> None:
        """Send unanswered orders again, and fail those that have waited for too long.

        Args:
            now: Time of the clock, s.
            heard: Time of the cell's last frame, s.
        """
        for number, pending in list(self._pending.items()):
            silent = now - max(pending.first, heard)
            if not pending.answered and (
                silent > GIVE_UP_S or now - pending.first > time_out_of(pending.order.content)
            ):
                pending.answered = True
                pending.answer(Done(gateway=self._gateway, number=number, ok=False, refused=SILENT))
                # Keep sending a stop: it must be the first order that the cell gets when it answers again.
                if not is_urgent(pending.order.content):
                    del self._pending[number]
                    continue
            if now - pending.sent > RESEND_S:
                pending.sent = now
                self._link.send_order(self._cell, pending.order)
