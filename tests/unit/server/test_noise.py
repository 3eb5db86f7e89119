"""Bytes from outside at the gateway's ports: few lines in the terminal, no traceback, and pages still get in."""

import asyncio
import logging
import random
import socket
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any

import msgspec
import pytest
import uvicorn
from frames import HELLO, TOKEN
from gateways import CELL, Clock, RecordingLink, a_scene, frame, no_mesh
from renderers import RecordingRenderer
from websockets.asyncio.client import connect

from farhand.server.fabric.sessions import MasterCredentials
from farhand.server.gateway import http_protocols
from farhand.server.gateway.app import make_app
from farhand.server.gateway.camera_pictures import Pictures
from farhand.server.gateway.decoding import LinkTokens
from farhand.server.gateway.gateway_process import _config
from farhand.server.gateway.gateway_state import GatewayState
from farhand.server.gateway.pending_connections import PendingConnections
from farhand.server.gateway.shown_text import clean, unprintable
from farhand.server.gateway.terminal_log import EVERY_S, Terminal
from farhand.server.protocol.messages import KeptMove

UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
HEAD = "GET /socket HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE
KEY = "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"


def served(test: Callable[[str, int, list[str]], Coroutine[Any, Any, None]]) -> list[str]:
    """Run a test against a real server in this process; return what it said in the terminal."""
    lines: list[str] = []

    async def run() -> None:
        state = GatewayState([CELL], RecordingLink(), 1, no_mesh, asyncio.get_running_loop().time)
        state.hubs[CELL].take_frame(frame())
        state.hubs[CELL].take_scene(a_scene())
        terminal = Terminal(Clock(), lines.append)
        root = logging.getLogger()
        before = root.handlers, root.level
        terminal.take_logs()
        pictures = Pictures(state.source, state.mesh, RecordingRenderer(), Clock())
        app = make_app(
            state,
            LinkTokens(TOKEN),
            lambda: MasterCredentials(1, "you", "sesame"),
            pictures,
            loopback=True,
            say=terminal.say,
        )
        server = uvicorn.Server(_config(app, terminal.say))
        listener = socket.create_server(("127.0.0.1", 0))
        serving = asyncio.create_task(server.serve([listener]))
        try:
            await test("127.0.0.1", listener.getsockname()[1], lines)
        finally:
            server.should_exit = True
            await serving
            root.handlers, root.level = before

    asyncio.run(run())
    return lines


async def blow(host: str, port: int, content: bytes) -> bytes:
    """Send bytes, end, and return the beginning of the answer."""
    reader, writer = await asyncio.open_connection(host, port)
    try:
        writer.write(content)
        await writer.drain()
        writer.write_eof()
        return await reader.read(4096)
    except ConnectionError:
        return b""
    finally:
        writer.close()


def nonsense(host: str, port: int) -> list[bytes]:
    random_ = random.Random(11)
    upgrade = HEAD.format(host=f"{host}:{port}") + KEY + "\r\n"
    hello = bytes.fromhex("16030102000100") + random_.randbytes(200)
    frames = [bytes([first, 0x80 | 20]) + random_.randbytes(24) for first in range(0x80, 0x90)]
    return [
        *(random_.randbytes(random_.randrange(1, 400)) for _ in range(40)),
        *(hello[:length] for length in (1, 5, 60)),
        b"GET / HTTP/1.1\r\nHost: x\r\n" + b"a: b\r\n" * 20_000,
        b"GET /" + b"a" * 200_000,
        b"GET /%ff%00 HTTP/1.1\r\nHost: \xff\xfe\r\n\r\n",
        b"POST /ticket/a/b/c HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n",
        b"GET / HTTP/1.1\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
        (HEAD.format(host="x") + "\r\n").encode(),
        (HEAD.format(host="x") + KEY + "a: " + "b" * 20_000 + "\r\n\r\n").encode(),
        (HEAD.format(host="x") + KEY + "a: b\r\n" * 300 + "\r\n").encode(),
        *(upgrade.encode() + frame_ for frame_ in frames),
        upgrade.encode() + b"\x81\x84\0\0\0\0\xff\xfe\xfd\xfc",  # text that is none
        upgrade.encode(),  # and gone
    ]


async def gets_in(host: str, port: int) -> None:
    async with connect(f"ws://{host}:{port}/socket", origin=f"http://{host}:{port}") as page:  # type: ignore[arg-type] # a name of str
        await page.send(msgspec.msgpack.encode(HELLO))
        assert msgspec.msgpack.decode(await page.recv(decode=False))["type"] == "Welcome"


def test_no_bytes_cause_a_traceback_or_endless_lines() -> None:
    async def test(host: str, port: int, lines: list[str]) -> None:
        for _ in range(3):
            for content in nonsense(host, port):
                await blow(host, port, content)
        await gets_in(host, port)
        del lines

    lines = served(test)
    assert 0 < len(lines) < 12, lines
    assert not any("Traceback" in line for line in lines), lines


def test_half_open_connections_end_and_lock_nobody_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocols, "HEADER_S", 0.5)

    async def test(host: str, port: int, lines: list[str]) -> None:
        opened = [await asyncio.open_connection(host, port) for _ in range(200)]
        for _, writer in opened:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n")
        await gets_in(host, port)
        first = await opened[0][0].read(100)
        assert first.startswith((b"HTTP/1.1 503", b"HTTP/1.1 408"))
        last = await opened[-1][0].read(100)
        assert last.startswith(b"HTTP/1.1 408")
        for _, writer in opened:
            writer.close()
        assert sum("Too many connections" in line for line in lines) <= 1

    served(test)


def test_the_time_for_a_request_is_as_documented() -> None:
    assert http_protocols.HEADER_S == 5.0


def test_each_kind_is_said_once_a_minute_with_a_count() -> None:
    clock, lines = Clock(), list[str]()
    terminal = Terminal(clock, lines.append)
    for _ in range(100):
        terminal.say("a", "A happened.")
    terminal.say("b", "B happened.")
    clock.now += EVERY_S
    terminal.say("a", "A happened.")
    assert lines == ["A happened.\n", "B happened.\n", "A happened. (100 times since the last report)\n"]
    for i in range(1000):
        terminal.say(str(i), "Many kinds.")
    assert len(lines) < 80


def test_the_oldest_of_the_busiest_address_makes_place() -> None:
    gone: list[int] = []
    room = PendingConnections(4, 3, lambda: None)
    for i, address in enumerate("aabbbbc"):
        room.enter(i, address, partial(gone.append, i))
    assert gone in ([2, 3, 0], [2, 3, 4])
    assert len(room) == 4


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        ("  Ada \t Lovelace\n", "Ada Lovelace"),
        ("A\u202eda\u2066\u200b\u200d\ufeff", "Ada"),
        ("\x00\x1b[31mAda\x7f", "[31mAda"),
        ("Zoe\u0301", "Zo\u00e9"),
        ("a" + "\u0316" * 50, "a\u0316\u0316"),
        ("\u3164\u115f\u2800", ""),
        ("J\u00fcrgen \u738b", "J\u00fcrgen \u738b"),
        ("x" * 500, "x" * 64),
    ],
)
def test_names_show_what_they_say(given: str, kept: str) -> None:
    assert clean(given, 64) == kept


def test_texts_for_others_are_printable() -> None:
    move = KeptMove(id=1, robot="arm", name="way \u738b", action="rename", to="to")
    assert not unprintable(move)
    assert unprintable(KeptMove(id=1, robot="arm", name="way\u202e", action="rename", to="to"))
