"""The web application of the gateway: the page and its files, meshes, cameras, and one socket per page."""

from __future__ import annotations

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
from farhand.server.fabric.sessions import MasterCredentials
from farhand.server.gateway import decoding
from farhand.server.gateway.camera_pictures import Pictures
from farhand.server.gateway.camera_routes import camera_routes
from farhand.server.gateway.descriptor_budget import USUAL, DescriptorBudget
from farhand.server.gateway.exam import FROM_THE_PAGE
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.page_socket import Admission, refuse, serve
from farhand.server.gateway.terminal_log import silent
from farhand.server.gateway.tickets import LIFE_S, Tickets
from farhand.server.protocol.messages import Refused
from farhand.server.protocol.typescript import wire

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
NOT_BUILT = "The page has not been built. Run `make page` (from a clone), or install a released package.\n"


Answering = Callable[[Request], Coroutine[Any, Any, Response]]
TurnedAway = Callable[[Request, str], Response]
HEALTH = {"running": "ready", "starting": "preparing"}  # other states keep their names


class _Headers:
    """Middleware that adds the security headers to every answer."""

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
    state: GatewayState,
    keys: decoding.LinkTokens,
    admit_master: Callable[[], MasterCredentials],
    pictures: Pictures,
    *,
    loopback: bool,
    say: Callable[[str, str], None] = silent,
    places: DescriptorBudget = USUAL,
) -> Starlette:
    """Return the application.

    Args:
        state: The gateway's state.
        keys: Tokens that admit a page.
        admit_master: Opens the port for remote masters, and returns the credentials of one.
        pictures: Pictures of the robots' cameras.
        loopback: The server listens to this machine only.
        say: Takes a kind and a sentence for the terminal.
        places: Limits on connections.
    """
    admission, tickets = Admission(state.clock, say, places), Tickets(state.clock)
    turned_away = _turned_away(admission)

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
        except OSError:  # not a valid file name
            found = False
        if not found:
            return PlainTextResponse("There is no such file.\n", 404)
        return FileResponse(file, headers={"Cache-Control": "public, max-age=31536000, immutable"})

    async def mesh(request: Request) -> Response:
        given = _bearer(request)
        if keys.is_trainee(given) or keys.problem(given):
            return turned_away(request, "This address needs a token.")
        content = await state.mesh(request.path_params["cell"], request.path_params["name"])
        if content is None:
            return PlainTextResponse("There is no such mesh.\n", 404)
        headers = {"Cache-Control": "private, max-age=31536000, immutable"}
        return Response(content, media_type="application/msgpack", headers=headers)

    async def socket(websocket: WebSocket) -> None:
        origin, host = websocket.headers.get("origin"), websocket.headers.get("host")
        problem = decoding.origin_problem(origin, host, loopback=loopback)
        try:
            await websocket.accept()
        except WebSocketDisconnect:  # the page has already disconnected
            return
        if problem:
            await refuse(websocket, Refused(reason=problem))
            return
        await serve(websocket, state, keys, admission)

    return Starlette(
        routes=[
            Route("/", index),
            Route("/assets/{name}", asset),
            Route("/mesh/{cell}/{name}", mesh),
            *camera_routes(pictures, keys.problem, tickets, turned_away),
            Route("/ticket/{cell}/{robot}/{camera}", _ticket(keys, tickets, turned_away), methods=["POST"]),
            Route("/masters", _masters(keys, admit_master, turned_away)),
            Route("/health", _health(state, keys, turned_away)),
            WebSocketRoute("/socket", socket),
        ],
        middleware=[Middleware(_Headers)],
    )


def _turned_away(admission: Admission) -> TurnedAway:
    """Return the handler of requests without an accepted token; it counts wrong tokens."""

    def answer(request: Request, problem: str) -> Response:
        wait = admission.wrong.count(request.client.host if request.client else "") if _bearer(request) else ""
        return PlainTextResponse(f"{wait or problem}\n", 429 if wait else 403)

    return answer


def _health(state: GatewayState, keys: decoding.LinkTokens, turned_away: TurnedAway) -> Answering:
    """Return the handler of /health: with the token it also reports version and cells."""

    async def answer(request: Request) -> Response:
        given = _bearer(request)
        if not given:
            return JSONResponse({"up": True})
        if problem := keys.problem(given):
            return turned_away(request, problem)
        cells = {cell.name: HEALTH.get(cell.state, cell.state) for cell in state.cells()}
        ready = all(state == "ready" for state in cells.values())
        told = {"up": True, "ready": ready, "version": __version__, "wire": wire(), "cells": cells}
        return JSONResponse(told)

    return answer


def _ticket(keys: decoding.LinkTokens, tickets: Tickets, turned_away: TurnedAway) -> Answering:
    """Return the handler that issues tickets for a camera."""

    async def answer(request: Request) -> Response:
        given = _bearer(request)
        if problem := keys.problem(given):
            return turned_away(request, problem)
        thing = "/".join(request.path_params[part] for part in ("cell", "robot", "camera"))
        made = tickets.make(thing, "trainee" if keys.is_trainee(given) else "viewer")
        return JSONResponse({"ticket": made, "seconds": LIFE_S}, headers={"Cache-Control": "no-store"})

    return answer


def _masters(
    keys: decoding.LinkTokens, admit_master: Callable[[], MasterCredentials], turned_away: TurnedAway
) -> Answering:
    """Return the handler that gives remote masters their credentials; a trainee gets none."""

    async def answer(request: Request) -> Response:
        given = _bearer(request)
        if keys.is_trainee(given):
            return PlainTextResponse(FROM_THE_PAGE + "\n", 403)
        if problem := keys.problem(given):
            return turned_away(request, problem)
        try:
            return JSONResponse(msgspec.to_builtins(admit_master()))
        except OSError as error:
            return PlainTextResponse(f"The port for remote masters cannot be opened: {error}.\n", 503)

    return answer


def _bearer(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")
