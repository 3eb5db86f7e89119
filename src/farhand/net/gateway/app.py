"""The gateway as a web application: the page and its files, meshes, and one socket per page."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from farhand import __version__
from farhand.net.fabric import Pass
from farhand.net.gateway import edge
from farhand.net.gateway.camera_routes import camera_routes
from farhand.net.gateway.exam import FROM_THE_PAGE
from farhand.net.gateway.house import House
from farhand.net.gateway.limits import Allowance
from farhand.net.gateway.pictures import Pictures
from farhand.net.gateway.viewer import TooSlowError, Viewer
from farhand.net.messages import Refused, Welcome

__all__ = ["PAGE", "make_app"]

PAGE = Path(__file__).parents[1] / "page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Permissions-Policy": "gamepad=(self), hid=(self), microphone=(self), xr-spatial-tracking=(self)",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
GREETING = 5.0  # seconds in which a page must say who it is
GOODBYE = 1.0  # seconds in which a page must take the reason of its end
MOST_SOCKETS = 256
NOT_BUILT = "The page has not been built. Run `make page` (from a clone), or install a released package.\n"
POLICY_CODE, TOO_SLOW_CODE = 1008, 1013  # close codes of the WebSocket protocol
_encode = msgspec.msgpack.Encoder().encode


class _Headers:
    """Puts our headers on every answer."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Any) -> None:
            if message["type"] == "http.response.start":
                extra = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
                message["headers"] = [*message["headers"], *extra]
            await send(message)

        await self._app(scope, receive, with_headers)


def make_app(
    house: House,
    keys: edge.Keys,
    open_door: Callable[[], Pass],
    pictures: Pictures,
    *,
    loopback: bool,
) -> Starlette:
    """Return the application.

    Args:
        house: The cells and their viewers.
        keys: What a page must know.
        open_door: Opens the door for masters elsewhere, and gives what lets one in.
        pictures: What the robots' cameras show.
        loopback: The server listens to this machine only.
    """

    async def index(request: Request) -> Response:
        del request
        file = PAGE / "index.html"
        if not file.is_file():
            return PlainTextResponse(NOT_BUILT, 503)
        return FileResponse(file, headers={"Cache-Control": "no-cache"})

    async def asset(request: Request) -> Response:
        file = PAGE / "assets" / request.path_params["name"]
        try:
            found = file.parent == PAGE / "assets" and file.is_file()
        except OSError:  # no file can have such a name
            found = False
        if not found:
            return PlainTextResponse("There is no such file.\n", 404)
        return FileResponse(file, headers={"Cache-Control": "public, max-age=31536000, immutable"})

    async def mesh(request: Request) -> Response:
        if edge.token_problem(_bearer(request), keys.token):
            return PlainTextResponse("A token is needed.\n", 403)
        content = await house.mesh(request.path_params["cell"], request.path_params["name"])
        if content is None:
            return PlainTextResponse("There is no such mesh.\n", 404)
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return Response(content, media_type="application/msgpack", headers=headers)

    async def health(request: Request) -> Response:
        del request
        return JSONResponse({"version": __version__, "cells": {c.name: c.state for c in house.cells()}})

    async def socket(websocket: WebSocket) -> None:
        origin, host = websocket.headers.get("origin"), websocket.headers.get("host")
        problem = edge.origin_problem(origin, host, loopback=loopback)
        await websocket.accept()
        if problem or house.sockets >= MOST_SOCKETS:
            await _refuse(websocket, problem or "Too many pages are connected.", retry=not problem)
            return
        house.sockets += 1
        try:
            await _serve(websocket, house, keys)
        finally:
            house.sockets -= 1

    return Starlette(
        routes=[
            Route("/", index),
            Route("/assets/{name}", asset),
            Route("/mesh/{cell}/{name}", mesh),
            *camera_routes(pictures, keys.problem),
            Route("/door", _door(keys, open_door)),
            Route("/health", health),
            WebSocketRoute("/socket", socket),
        ],
        middleware=[Middleware(_Headers)],
    )


def _door(keys: edge.Keys, open_door: Callable[[], Pass]) -> Callable[[Request], Coroutine[Any, Any, Response]]:
    """Return what tells those who know the token, but no trainee, where masters come in."""

    async def answer(request: Request) -> Response:
        given = _bearer(request)
        if problem := FROM_THE_PAGE if keys.is_trainee(given) else keys.problem(given):
            return PlainTextResponse(problem + "\n", 403)
        try:
            return JSONResponse(msgspec.to_builtins(open_door()))
        except OSError as error:
            return PlainTextResponse(f"The door for masters cannot be opened: {error}.\n", 503)

    return answer


def _bearer(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


async def _refuse(websocket: WebSocket, reason: str, *, retry: bool = False, code: int = POLICY_CODE) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
        async with asyncio.timeout(GOODBYE):
            await websocket.send_bytes(_encode(Refused(reason=reason, retry=retry)))
            await websocket.close(code)


async def _receive(websocket: WebSocket) -> bytes | str:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    content: bytes | str | None = message.get("bytes")
    return content if content is not None else message.get("text") or ""


async def _serve(websocket: WebSocket, house: House, keys: edge.Keys) -> None:
    """Serve one page from its greeting to its end."""
    try:
        content = await asyncio.wait_for(_receive(websocket), GREETING)
    except (TimeoutError, WebSocketDisconnect):
        await _refuse(websocket, "No greeting came.", retry=True)
        return
    hello = edge.first(content, keys)
    if isinstance(hello, str):
        await _refuse(websocket, hello)
        return
    number, name = house.guest(hello.client, hello.name)
    viewer = Viewer(number, name, websocket, _encode, exam=keys.is_trainee(hello.token))
    refusal: asyncio.Future[str] = asyncio.get_running_loop().create_future()
    house.enter(viewer, refusal)
    trainer = house.is_trainer(viewer)
    cells = house.cells()
    viewer.tell(Welcome(viewer=number, name=name, version=__version__, cells=cells, exam=viewer.exam, trainer=trainer))
    try:
        await _race(websocket, house, viewer, refusal)
    finally:
        house.left(viewer)


async def _race(websocket: WebSocket, house: House, viewer: Viewer, refusal: asyncio.Future[str]) -> None:
    """Send, receive, and wait for a reason to end; whichever ends first ends the others."""
    pump, listen = asyncio.create_task(viewer.pump()), asyncio.create_task(_listen(websocket, house, viewer))
    everything: tuple[asyncio.Future[Any], ...] = (pump, listen, refusal)
    try:
        done, _ = await asyncio.wait(everything, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in (pump, listen):
            task.cancel()
        await asyncio.gather(pump, listen, return_exceptions=True)
    if refusal in done:
        await _refuse(websocket, refusal.result())
    elif pump in done and isinstance(pump.exception(), TooSlowError):
        await _refuse(websocket, "This connection is too slow.", retry=True, code=TOO_SLOW_CODE)


async def _listen(websocket: WebSocket, house: House, viewer: Viewer) -> None:
    """Take a page's messages until it goes; what is no message is answered, and changes nothing."""
    allowance = Allowance(asyncio.get_running_loop().time)
    while True:
        try:
            content = await _receive(websocket)
        except WebSocketDisconnect:
            return
        wait = allowance.spend()
        if wait:
            await asyncio.sleep(wait)  # the page's own messages queue up, nobody else's
        try:
            house.take(viewer, edge.decode(content))
        except edge.BadMessageError as error:
            house.misunderstood(viewer, str(error))
