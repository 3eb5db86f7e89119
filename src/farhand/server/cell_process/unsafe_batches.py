"""The batches of a run that are not yet safe on the recorder's disk, and which of them to send next."""

from __future__ import annotations

from collections import deque

from msgspec import Struct

from farhand.server.protocol.recording_messages import Safe

__all__ = ["Held", "UnsafeBatches"]

STORE_BYTES = 64 * 1024 * 1024  # of batches that are held
WINDOW_BYTES = 512 * 1024  # that may be on their way
RESEND_S = 1.0  # without an acknowledgement, after which everything is sent again


class Held(Struct, frozen=True):
    """A batch that is held: its number, first and last tick, and its bytes."""

    number: int
    first: int
    last: int
    content: bytes


class UnsafeBatches:
    """Holds batches until they are safe; the oldest are dropped first.

    A recorder that is gone costs memory up to `store`, and then ticks of the record; never a tick of the cell.

    Args:
        dt: Seconds per tick; time is counted in ticks.
        store: Most bytes that are held.
        window: Most bytes that are on their way; one batch may always be.
    """

    def __init__(self, dt: float, store: int = STORE_BYTES, window: int = WINDOW_BYTES) -> None:
        self._store, self._window = store, window
        self._patience = round(RESEND_S / dt)
        self._held: deque[Held] = deque()
        self._sent = 0  # number of the first batches that are on their way
        self._bytes = self._on_the_way = 0
        self._heard = 0  # tick of the last acknowledgement, or of the first sending after it

    def __len__(self) -> int:
        return len(self._held)

    @property
    def oldest(self) -> int:
        """Number of the oldest batch that is held; 0: none."""
        return self._held[0].number if self._held else 0

    @property
    def bytes(self) -> int:
        """Bytes that are held."""
        return self._bytes

    def add(self, batch: Held) -> None:
        """Hold a batch; drop the oldest ones that no longer fit."""
        self._held.append(batch)
        self._bytes += len(batch.content)
        while self._bytes > self._store and len(self._held) > 1:
            self._drop()

    def take(self, safe: Safe, tick: int) -> None:
        """Drop what is safe, and go back to the wanted tick if the recorder asks for it.

        Args:
            safe: Acknowledgement of the recorder.
            tick: Number of the present tick.
        """
        self._heard = tick
        while self._held and self._held[0].last <= safe.tick and self._held[0].first <= safe.tick:
            self._drop()
        if safe.resend:
            self._go_back(safe.wanted)

    def next(self, tick: int) -> Held | None:
        """Return the batch to send now; None if there is none, or enough are on their way.

        Args:
            tick: Number of the present tick.
        """
        if not self._sent:
            self._heard = tick
        elif tick - self._heard >= self._patience:
            self._heard = tick
            self._go_back(0)
        if self._sent == len(self._held):
            return None
        batch = self._held[self._sent]
        if self._sent and self._on_the_way + len(batch.content) > self._window:
            return None
        self._sent += 1
        self._on_the_way += len(batch.content)
        return batch

    def _go_back(self, wanted: int) -> None:
        """Send again from the first batch that ends at or after a tick."""
        self._sent = self._on_the_way = 0
        for batch in self._held:
            if max(batch.first, batch.last) >= wanted:
                break
            self._sent += 1
            self._on_the_way += len(batch.content)

    def _drop(self) -> None:
        batch = self._held.popleft()
        self._bytes -= len(batch.content)
        if self._sent:
            self._sent -= 1
            self._on_the_way -= len(batch.content)
