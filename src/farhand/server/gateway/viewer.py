"""One page that is connected: what it must get, in order, and what it may get when it has time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from farhand.notes import Reader, language_of
from farhand.server.protocol.messages import Role, ToPage

__all__ = ["Socket", "TooSlowError", "Viewer"]

MOST_BYTES = 8 * 1024 * 1024  # that may wait for a page before it is given up
SAMPLES_BYTES = 1024 * 1024  # from here on signals are left out


class Socket(Protocol):
    """Where a viewer's messages go."""

    async def send_bytes(self, data: bytes) -> None:
        """Send a message; waits while the page is slow."""


class TooSlowError(Exception):
    """A page does not take what it is sent."""


class Viewer:
    """A connected page.

    Messages are kept in order and none is left out; updates are not kept: one is made when the page is ready for it,
    from whatever is newest then. So a slow page gets fewer of them and slows nobody.

    Args:
        number: By which others speak of it.
        name: What it is called.
        socket: Where its messages go.
        encode: Makes bytes of a message.
        role: Of the person at it; a trainee's page gets no poses.
        language: The language that its notes are told in.
    """

    def __init__(
        self,
        number: int,
        name: str,
        socket: Socket,
        encode: Callable[[ToPage], bytes],
        *,
        role: Role = "user",
        language: str = "en",
    ) -> None:
        self.number, self.name, self.role = number, name, role
        self.reader = Reader(language_of(language), exam=role == "trainee", person=name)
        self.cell = ""
        self.seen_frame = 0
        self.seen_why: object = None
        self.signals: tuple[str, ...] = ()
        self.update: Callable[[], bytes | None] = lambda: None
        self._socket, self._encode = socket, encode
        self._waiting: deque[bytes] = deque()
        self._bytes = 0
        self._wake = asyncio.Event()
        self._due = False
        self.too_slow = False

    @property
    def exam(self) -> bool:
        """Whether it is a trainee's page in an exam."""
        return self.role == "trainee"

    def tell(self, message: ToPage) -> None:
        """Send a message for certain, in order."""
        self.tell_bytes(self._encode(message))

    def tell_bytes(self, content: bytes) -> None:
        """Send an encoded message for certain, in order."""
        self._waiting.append(content)
        self._bytes += len(content)
        self.too_slow = self.too_slow or self._bytes > MOST_BYTES
        self._wake.set()

    @property
    def crowded(self) -> bool:
        """Whether so much waits that signals are left out."""
        return self._bytes > SAMPLES_BYTES

    def refresh(self) -> None:
        """Say that there is something newer to see."""
        self._due = True
        self._wake.set()

    async def pump(self) -> None:
        """Send until the connection ends.

        Raises:
            TooSlowError: If the page does not take what it must get.
        """
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._waiting:
                if self.too_slow:
                    raise TooSlowError
                content = self._waiting.popleft()
                self._bytes -= len(content)
                await self._socket.send_bytes(content)
            if self._due:
                self._due = False
                content = self.update() or b""
                if content:
                    await self._socket.send_bytes(content)
