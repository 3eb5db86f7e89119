"""The socket of one page, from its greeting to its end."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from farhand import __version__
from farhand.server.gateway import decoding
from farhand.server.gateway.descriptor_budget import USUAL, DescriptorBudget
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.message_limit import RATE_PER_S, FloodError, LimitedReceiver, is_stop
from farhand.server.gateway.pending_connections import PendingConnections
from farhand.server.gateway.viewer import TooSlowError, Viewer
from farhand.server.gateway.wrong_tokens import WrongTokens
from farhand.server.protocol import close_codes
from farhand.server.protocol.messages import Hello, Refused, Welcome

__all__ = ["Admission", "listen", "refuse", "serve"]

GREETING_S = 5.0  # within which a page must greet
LAST_STOPS_S = 1.0  # for which the Stops of a viewer who is sent away still count
GOODBYE_S = 1.0  # within which a page must read the reason of its end
NO_GREETING = Refused(reason="No greeting came.", retry=True, code=close_codes.NO_GREETING)
SLOW = Refused(reason="Your connection is too slow.", retry=True, code=close_codes.TOO_SLOW)
FLOOD = Refused(
    reason=f"This page sent more than {RATE_PER_S:.0f} messages a second for over a second. Reload it to continue.",
    code=close_codes.TOO_MANY_MESSAGES,
)
FULL = Refused(reason="Too many pages are connected.", retry=True, code=close_codes.FULL)
DISPLACED = Refused(
    reason="Too many connections without a greeting: this one was closed for a newer one.",
    retry=True,
    code=close_codes.NO_GREETING,
)
CROWDED = "Too many sockets without a greeting: the oldest are closed for new ones."
MAX_PAGES = 256
KEPT_PLACES = 16  # of these, for pages that control a robot or have controlled one before
MAX_UNGREETED, UNGREETED_PER_ADDRESS = 64, 32
_encode = msgspec.msgpack.Encoder().encode


class Admission:
    """Admission of pages: limits on their number, sockets that have not greeted, and wrong tokens.

    Args:
        clock: Monotonic clock, s.
        say: Takes a kind and a sentence for the terminal.
        places: Limits on connections.
    """

    def __init__(
        self, clock: Callable[[], float], say: Callable[[str, str], None], places: DescriptorBudget = USUAL
    ) -> None:
        self.wrong, self._places = WrongTokens(clock, say), places
        most = min(MAX_UNGREETED, places.ungreeted)
        per_address = most * UNGREETED_PER_ADDRESS // MAX_UNGREETED
        self.room = PendingConnections(most, max(1, per_address), lambda: say("ungreeted", CROWDED))

    def most_pages(self, *, has_held: bool) -> int:
        """Return the number of pages below which another one is admitted; higher for those that have held control."""
        kept = 0 if has_held else min(KEPT_PLACES, self._places.kept)
        return min(MAX_PAGES, self._places.pages) - kept


async def refuse(websocket: WebSocket, refused: Refused) -> None:
    """Tell a page why its connection ends, and close it."""
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        async with asyncio.timeout(GOODBYE_S):
            await websocket.send_bytes(_encode(refused))
            await websocket.close(refused.code)


async def serve(websocket: WebSocket, state: GatewayState, keys: decoding.LinkTokens, admission: Admission) -> None:
    """Serve a page from its greeting to its end."""
    address = websocket.client.host if websocket.client else ""
    content = await _greeting(websocket, admission.room, address)
    if isinstance(content, Refused):
        await refuse(websocket, content)
        return
    hello = decoding.decode_greeting(content, keys)
    if isinstance(hello, str):
        wait = admission.wrong.count(address) if hello == decoding.NO_TOKEN else ""
        if hello != decoding.NO_TOKEN:
            state.log_refusal("page", hello)
        code = close_codes.OUT_OF_DATE if hello == decoding.OUT_OF_DATE else close_codes.NOT_ADMITTED
        await refuse(websocket, Refused(reason=wait or hello, code=code))
        return
    number, name = state.guest(hello.client, hello.name)
    if barred := state.barred(number):
        await refuse(websocket, barred)
        return
    if state.sockets >= admission.most_pages(has_held=state.has_held(number)):
        await refuse(websocket, FULL)
        return
    state.sockets += 1
    try:
        await _admitted(websocket, state, keys, hello, number, name)
    finally:
        state.sockets -= 1


async def _greeting(websocket: WebSocket, room: PendingConnections, address: str) -> bytes | str | Refused:
    """Return a page's first frame, or the refusal if there is none."""
    receiving = asyncio.ensure_future(_receive(websocket))
    room.enter(receiving, address, receiving.cancel)
    try:
        await asyncio.wait([receiving], timeout=GREETING_S)
    finally:
        room.left(receiving)
    if receiving.cancelled():
        return DISPLACED
    if not receiving.done() or receiving.exception() is not None:
        receiving.cancel()
        return NO_GREETING
    return receiving.result()


async def _admitted(
    websocket: WebSocket, state: GatewayState, keys: decoding.LinkTokens, hello: Hello, number: int, name: str
) -> None:
    """Serve a page that was admitted."""
    viewer = Viewer(number, name, websocket, _encode, role=keys.role_of(hello.token), language=hello.language)
    refusal: asyncio.Future[Refused] = asyncio.get_running_loop().create_future()
    state.enter(viewer, refusal)
    cells = state.cells()
    viewer.tell(Welcome(viewer=number, name=name, version=__version__, cells=cells, role=viewer.role))
    try:
        await _race(websocket, state, viewer, refusal)
    finally:
        state.left(viewer)


async def _race(websocket: WebSocket, state: GatewayState, viewer: Viewer, refusal: asyncio.Future[Refused]) -> None:
    """Send, receive and wait for a refusal at the same time; when one ends, end the others."""
    receiving = listen(lambda: _receive(websocket), state, viewer)
    pump, listening = asyncio.create_task(viewer.pump()), asyncio.create_task(receiving)
    everything: tuple[asyncio.Future[Any], ...] = (pump, listening, refusal)
    try:
        done, _ = await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (pump, listening):
            task.cancel()
        await asyncio.gather(pump, listening, return_exceptions=True)
    if refusal in done:
        await _hear_stops(websocket, state, viewer, refusal.result())
        await refuse(websocket, refusal.result())
    elif listening in done and isinstance(listening.exception(), FloodError):
        await refuse(websocket, FLOOD)
    elif pump in done and isinstance(pump.exception(), TooSlowError):
        await refuse(websocket, SLOW)


async def _hear_stops(websocket: WebSocket, state: GatewayState, viewer: Viewer, refused: Refused) -> None:
    """Take the Stops that a viewer sent before they knew that they were sent away; nothing else counts."""
    if refused.code != close_codes.SENT_AWAY:
        return
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError, decoding.BadMessageError):
        async with asyncio.timeout(LAST_STOPS_S):
            await websocket.send_bytes(_encode(refused))
            while True:
                content = await _receive(websocket)
                if is_stop(content):
                    state.take(viewer, decoding.decode(content))


async def _receive(websocket: WebSocket) -> bytes | str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    content: bytes | str | None = message.get("bytes")
    return content if content is not None else message.get("text") or ""


async def listen(receive: Callable[[], Any], state: GatewayState, viewer: Viewer) -> None:
    """Take a page's messages until it disconnects; a frame that is not a message is answered and changes nothing.

    This waits only for the next frame, so all frames that have arrived are read at once.

    Args:
        receive: Returns the next frame; raises WebSocketDisconnect at the end.
        state: The gateway's state.
        viewer: The page.

    Raises:
        FloodError: If the page stayed above the message limit for too long.
    """

    def take(content: bytes | str) -> None:
        try:
            state.take(viewer, decoding.decode(content))
        except decoding.BadMessageError as error:
            state.misunderstood(viewer, str(error))

    receiver = LimitedReceiver(state.clock, take, asyncio.get_running_loop().call_soon)
    while True:
        try:
            content = await receive()
        except WebSocketDisconnect:
            return
        before = receiver.dropped
        receiver.put(content)
        if receiver.dropped > before:
            state.overrun(viewer)
