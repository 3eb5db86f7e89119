"""A connected page: messages that it must get, in order, and updates that it gets when it is ready."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Protocol

from farhand.notes import Reader, language_of
from farhand.server.protocol.messages import Role, ToPage

__all__ = ["Socket", "TooSlowError", "Viewer"]

MAX_BYTES = 8 * 1024 * 1024  # that may wait for a page before its connection ends
SAMPLES_BYTES = 1024 * 1024  # that may wait before samples of signals are dropped


class Socket(Protocol):
    """The connection that sends a viewer's messages."""

    async def send_bytes(self, data: bytes) -> None:
        """Send a message; wait while the page is slow."""


class TooSlowError(Exception):
    """A page reads its messages too slowly."""


class Viewer:
    """A connected page.

    Messages are queued and none is dropped. Updates are not queued: one is made when the page is ready for it, from the
    newest frame. So a slow page gets fewer updates and delays nobody else.

    Args:
        number: Viewer number.
        name: Name that others see.
        socket: Connection to the page.
        encode: Encodes a message.
        role: Role of the person; a trainee's page gets no poses.
        language: Language of the notes.
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
        """Queue a message."""
        self.tell_bytes(self._encode(message))

    def tell_bytes(self, content: bytes) -> None:
        """Queue an encoded message."""
        self._waiting.append(content)
        self._bytes += len(content)
        self.too_slow = self.too_slow or self._bytes > MAX_BYTES
        self._wake.set()

    @property
    def crowded(self) -> bool:
        """Whether so many bytes wait that samples of signals are dropped."""
        return self._bytes > SAMPLES_BYTES

    def refresh(self) -> None:
        """Request an update from a newer frame."""
        self._due = True
        self._wake.set()

    async def pump(self) -> None:
        """Send until the connection ends.

        Raises:
            TooSlowError: If the page reads too slowly.
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
