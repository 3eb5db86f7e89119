"""The web server's connections, bounded in number and time, whatever bytes they send.

A connection has `HEADER_S` to send a complete request, and `WRITE_S` to read a blocked answer. Beyond `MAX_HTTP` the
oldest connection without a running request is closed for the newest. Beyond the number that the descriptors allow, a
new connection is answered 503; the system would close it without an answer.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from farhand.server.gateway.connections import Connections
from farhand.server.gateway.descriptor_budget import USUAL, DescriptorBudget
from farhand.server.gateway.pending_connections import PendingConnections

__all__ = ["MAX_HTTP", "PageHttp", "PageSocket", "make_protocols"]

HEADER_S = 5.0
WRITE_S = 10.0
CLOSE_S = 2.0  # for the other end to answer a closing socket
MAX_HTTP = 256  # connections without a running request, not counting opened sockets
PER_ADDRESS = 192
BUSY = b"Too many connections: this one was closed for a newer one. Try again.\n"
FULL = b"Too many connections. Try again in a moment.\n"
LATE = b"No complete request came within 5 s.\n"
CROWDED = "Too many connections without a request: the oldest are closed for new ones."
NO_PLACE = "Too many connections: new ones are told to try again."
BROKEN = "A connection sent bytes that the web server could not process; it was closed."


def _answer(status: str, text: bytes) -> bytes:
    head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(text)}\r\nConnection: close\r\n\r\n"
    return head.encode() + text


class PageHttp(H11Protocol):
    """An HTTP connection with limits on time and number."""

    room: PendingConnections
    counted: Connections
    say: Callable[[str, str], None]
    _deadline: asyncio.TimerHandle | None = None
    _stuck: asyncio.TimerHandle | None = None

    def connection_made(self, transport: Any) -> None:
        """Wait for a request."""
        super().connection_made(transport)
        if type(self).counted.made(transport):
            self._wait()
        else:
            self._end(_answer("503 Service Unavailable", FULL))

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop every timer."""
        self._go_on()
        self._flows()
        type(self).counted.lost(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received bytes; close the connection if that fails."""
        try:
            super().data_received(data)
        except Exception as error:  # noqa: BLE001 - no bytes from outside may cause a traceback
            type(self).say(f"http {type(error).__name__}", BROKEN)
            self.transport.abort()
        request: Any = self.cycle
        if request is not None and not request.response_complete:
            self._go_on()

    def handle_websocket_upgrade(self, event: Any) -> None:
        """Turn the connection into a socket."""
        self._go_on()
        super().handle_websocket_upgrade(event)

    def on_response_complete(self) -> None:
        """Wait for the next request."""
        if self._deadline is None and not self.transport.is_closing():
            self._wait()
        super().on_response_complete()

    def pause_writing(self) -> None:
        """Give the other end `WRITE_S` to read its answer."""
        super().pause_writing()
        self._flows()
        self._stuck = self.loop.call_later(WRITE_S, self.transport.abort)
        type(self).counted.stuck(self.transport, self.transport.abort)

    def resume_writing(self) -> None:
        """Cancel that limit: the other end reads again."""
        self._flows()
        super().resume_writing()

    def _flows(self) -> None:
        if self._stuck is not None:
            self._stuck.cancel()
            self._stuck = None
            type(self).counted.flows(self.transport)

    def _wait(self) -> None:
        """Wait `HEADER_S` for a complete request; parts of one do not extend that time."""
        self._deadline = self.loop.call_later(HEADER_S, self._end, _answer("408 Request Timeout", LATE))
        address = self.client[0] if self.client else ""
        busy = _answer("503 Service Unavailable", BUSY)
        type(self).room.enter(self, address, lambda: self._end(busy))

    def _go_on(self) -> None:
        """Stop waiting: a request has come, or the connection ends."""
        type(self).room.left(self)
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _end(self, answer: bytes) -> None:
        self._go_on()
        if not self.transport.is_closing():
            request: Any = self.cycle
            if request is None:  # no answer has been sent on this connection yet
                self.transport.write(answer)
            self.transport.close()


class PageSocket(WebSocketsSansIOProtocol):
    """A socket that was opened by an HTTP request."""

    counted: Connections
    say: Callable[[str, str], None]

    def __init__(self, *arguments: Any, **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.close_timeout = CLOSE_S

    def connection_lost(self, exc: Exception | None) -> None:
        """Free the connection's place."""
        type(self).counted.lost(self.transport)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received bytes; close the connection if that fails."""
        try:
            super().data_received(data)
        except Exception as error:  # noqa: BLE001 - as above
            type(self).say(f"socket {type(error).__name__}", BROKEN)
            self.transport.abort()

    def send_receive_event_to_app(self) -> None:
        """Forward a frame; replace invalid UTF-8 in a text frame, which uvicorn would log as an error."""
        if self.curr_msg_data_type == "text":
            self.frames = [b"".join(self.frames).decode(errors="replace").encode()]
        super().send_receive_event_to_app()


def make_protocols(
    say: Callable[[str, str], None], places: DescriptorBudget = USUAL
) -> tuple[type[PageHttp], type[PageSocket]]:
    """Return the classes of connections for one server.

    Args:
        say: Takes a kind and a sentence for the terminal.
        places: Limits on connections.
    """
    most = min(MAX_HTTP, places.http)
    room = PendingConnections(most, most * PER_ADDRESS // MAX_HTTP, lambda: say("crowded", CROWDED))
    shared = {
        "counted": Connections(places.connections, lambda: say("full", NO_PLACE)),
        "say": staticmethod(say),
    }
    return type("Http", (PageHttp,), {"room": room, **shared}), type("Socket", (PageSocket,), shared)
