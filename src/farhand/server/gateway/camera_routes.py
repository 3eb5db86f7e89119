"""Cameras over HTTP: one picture (.jpg) or a stream (.mjpeg), for pages, scripts, recorders and players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from farhand.server.gateway.camera_pictures import MAX_RATE, MAX_WIDTH, NoCameraError, Pictures, Shown
from farhand.server.gateway.picture_worker import PictureError
from farhand.server.gateway.tickets import Tickets

__all__ = ["camera_routes"]

MAX_STREAMS = 24
BOUNDARY = "farhand"
RESEND_S = 1.0  # after which an unchanged picture is sent again: sending shows which clients have gone
CHECK_S = 0.015  # between two looks for a new picture
FULL = f"Too many streams are open: at most {MAX_STREAMS} at a time."
NOT_HERE = "Do not put the token into an address. Ask for a ticket: POST /ticket/CELL/ROBOT/CAMERA with the token."
NO_STORE = {"Cache-Control": "no-store"}


class _BadQueryError(Exception):
    """A number in the address is wrong."""


def camera_routes(
    pictures: Pictures,
    token_problem: Callable[[str], str],
    tickets: Tickets,
    turned_away: Callable[[Request, str], Response],
) -> list[Route]:
    """Return the routes.

    Args:
        pictures: Pictures of the cameras.
        token_problem: Returns the reason why a token is refused; empty if it is accepted.
        tickets: Tickets, which replace the token's header.
        turned_away: Answers a request without an accepted token or ticket.
    """
    streams = 0

    async def one(request: Request) -> Response:
        try:
            return await answer(request)
        except _BadQueryError as error:
            return PlainTextResponse(f"{error}\n", 400)
        except NoCameraError as error:
            return PlainTextResponse(f"{error}\n", 404)
        except PictureError as error:
            return PlainTextResponse(f"{error}\n", 503)

    async def answer(request: Request) -> Response:
        nonlocal streams
        name, _, kind = request.path_params["camera"].rpartition(".")
        cell, robot = request.path_params["cell"], request.path_params["robot"]
        ticket, given = request.query_params.get("ticket"), _token(request)
        if problem := tickets.problem(ticket, f"{cell}/{robot}/{name}") if ticket else token_problem(given):
            return turned_away(request, NOT_HERE if "token" in request.query_params else problem)
        if kind not in ("jpg", "mjpeg"):
            return PlainTextResponse("A camera's address ends in .jpg or .mjpeg.\n", 404)
        width = int(_number(request, "width", 1, MAX_WIDTH, 0.0)) or None
        rate = _number(request, "fps", 0.1, MAX_RATE, MAX_RATE)

        async def look() -> Shown:
            return await pictures.picture(cell, robot, name, width)

        first = await look()
        if kind == "jpg":
            return Response(first.jpeg, media_type="image/jpeg", headers=NO_STORE | _told(first))
        if streams >= MAX_STREAMS:
            return PlainTextResponse(f"{FULL}\n", 503)
        streams += 1

        async def parts() -> AsyncIterator[bytes]:
            nonlocal streams
            try:
                async for part in _parts(look, first, rate):
                    yield part
            finally:
                streams -= 1

        media = f"multipart/x-mixed-replace; boundary={BOUNDARY}"
        return StreamingResponse(parts(), media_type=media, headers=NO_STORE)

    return [Route("/camera/{cell}/{robot}/{camera}", one)]


async def _parts(look: Callable[[], Awaitable[Shown]], shown: Shown, rate: float) -> AsyncIterator[bytes]:
    """Yield the parts of a stream, one for each new picture; end when the camera has no picture any more."""
    clock = asyncio.get_running_loop().time
    yield f"--{BOUNDARY}\r\n".encode()
    while True:
        sent = clock()
        yield _part(shown)
        before = shown
        while shown.jpeg == before.jpeg and clock() - sent < RESEND_S:
            await asyncio.sleep(max(1.0 / rate - (clock() - sent), CHECK_S))
            try:
                shown = await look()
            except (PictureError, NoCameraError):
                return


def _part(shown: Shown) -> bytes:
    """Return a picture and the boundary that ends it: browsers show a picture only after its boundary."""
    told = "".join(f"{name}: {value}\r\n" for name, value in _told(shown).items())
    head = f"Content-Type: image/jpeg\r\nContent-Length: {len(shown.jpeg)}\r\n{told}\r\n"
    return head.encode() + shown.jpeg + f"\r\n--{BOUNDARY}\r\n".encode()


def _told(shown: Shown) -> dict[str, str]:
    """Return headers with the tick of a picture, for programs that match pictures with ticks."""
    return {"Farhand-Tick": str(shown.tick), "Farhand-Time": f"{shown.time:.4f}"}


def _token(request: Request) -> str:
    return request.headers.get("authorization", "").removeprefix("Bearer ")


def _number(request: Request, name: str, least: float, most: float, default: float) -> float:
    text = request.query_params.get(name)
    if text is None:
        return default
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not least <= value <= most:
        raise _BadQueryError(f"{name} must be a number from {least:g} to {most:g}, found {text[:40]!r}.")
    return value
