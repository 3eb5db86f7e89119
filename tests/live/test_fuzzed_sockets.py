"""Bytes of any kind at the ports of a running server: the page's socket and the port for remote masters.

The terminal says in a few lines which channel sent what is not understood; nothing else happens, and the arm is driven
as before.
"""

import socket
import struct
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from random import Random
from urllib.parse import urlsplit

import msgspec
import pytest
import zenoh
from frames import Spoiler, messages
from servers import LiveServer, drive_until, free_port, make_ready, with_mark
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.client.connection import MasterConnection, fetch_credentials
from farhand.server.fabric import sessions
from farhand.server.gateway.decoding import MAX_MESSAGE_BYTES
from farhand.server.protocol import close_codes
from farhand.server.protocol.messages import Refused
from farhand.types import SelectMapping

CELL = "irb120-remote"
PATIENCE = 20.0  # seconds, for work that takes no time on an idle machine
LINES = 12  # in the terminal, of all kinds together
HEAD = (
    "GET /socket HTTP/1.1\r\nHost: {host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer(CELL, "--master-port", str(free_port())) as server:
        yield server
        with Client(server.address, watch=CELL) as driver:  # after all of that
            make_ready(driver)
            assert driver.command(SelectMapping("arm", "hold a key")).ok
            drive_until(driver, lambda _: True, (0.0, 0.0, 0.1))
            driver.release_deadman()


@pytest.fixture(autouse=True)
def _unharmed(server: LiveServer) -> Iterator[None]:
    """Check that a test ended no process and wrote little to the terminal, and no traceback."""
    before = {process.pid for process in with_mark(server.mark)}
    yield
    assert before <= {process.pid for process in with_mark(server.mark)}
    assert "Traceback" not in server.complained
    assert len(server.complained.splitlines()) <= LINES, server.complained


def blow(port: int, content: bytes) -> None:
    """Send bytes on a connection of their own, and end it."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as sock:
        sock.sendall(content)
        sock.shutdown(socket.SHUT_WR)
        sock.settimeout(0.05)
        sock.recv(4096)


def odd_frames(random: Random, count: int) -> Iterator[bytes]:
    """Yield frames of a socket: any first byte, any length that is told, any content; some end too early."""
    for _ in range(count):
        content = random.randbytes(random.randrange(300))
        told = random.choice((len(content), random.randrange(126), 1 << 16, (1 << 63) - 1))
        length = (
            bytes([0x80 | told])
            if told < 126
            else bytes([0x80 | 126]) + struct.pack(">H", told)
            if told < 1 << 16
            else bytes([0x80 | 127]) + struct.pack(">Q", told)
        )
        yield bytes([random.choice((0x81, 0x82, 0x88, 0x89, random.randrange(256)))]) + length + bytes(4) + content


def test_any_bytes_at_the_page_s_port(server: LiveServer) -> None:
    random, port = Random(5), urlsplit(server.address).port or 0
    head = HEAD.format(host=f"127.0.0.1:{port}").encode()
    for frame in odd_frames(random, 40):
        blow(port, head + frame)
    for _ in range(20):
        blow(port, random.randbytes(random.randrange(1, 2000)))


def test_any_messages_on_a_page_s_socket(server: LiveServer) -> None:
    spoil = Spoiler(6, messages(CELL))
    for round_ in range(4):
        with suppress(ConnectionClosed), Client(server.address, watch=CELL) as page:
            page.send_raw(spoil.noise() if round_ else b"")
            for _ in range(100):
                page.send_raw(spoil())
            page.send_raw(bytes(MAX_MESSAGE_BYTES + 1))
            page.wait(Refused)
    assert "A message from a page was refused: " in server.complained


def first_words(port: int) -> bytes:
    """Return the bytes with which a master's session begins, as it would send them to a server at a free port."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        thread = threading.Thread(target=_knock, args=(port,))
        thread.start()
        link, _ = listener.accept()
        with link:
            words = link.recv(4096)
    thread.join()
    return words


def _knock(port: int) -> None:
    with suppress(zenoh.ZError):
        sessions.connect_master("127.0.0.1", port, "nobody", "nothing")


def test_any_bytes_at_the_door_s_port(server: LiveServer) -> None:
    random, port = Random(7), fetch_credentials(server.address)[1].port
    words = first_words(free_port())
    assert len(words) > 10
    for _ in range(60):
        content = bytearray(words)
        for _ in range(random.randrange(1, 5)):
            content[random.randrange(len(content))] = random.randrange(256)
        blow(port, bytes(content[: random.randrange(1, len(content) + 1)]))
    for size in (0, 1, 100, 0xFFFF):  # a length that is told, with less, as much and more behind it
        for _ in range(5):
            blow(port, struct.pack("<H", size) + random.randbytes(random.choice((0, size, 70_000))))


def test_any_messages_from_a_master_at_the_door(server: LiveServer) -> None:
    host, credentials = fetch_credentials(server.address)
    spoil = Spoiler(8, messages(CELL))
    session = sessions.connect_master(host, credentials.port, credentials.login, credentials.secret)
    try:  # one that never greets
        for _ in range(200):
            session.put(sessions.from_master_key(credentials.login), spoil())
        for key in (
            "farhand/**",
            sessions.from_master_key("*"),
            sessions.to_master_key(credentials.login),
            sessions.order_key(CELL),
        ):
            session.put(key, spoil())
    finally:
        session.close()
    with MasterConnection(server.address, "fuzz-of-a-master", "Fuzz") as way:
        for _ in range(300):
            way._up.put(spoil())
        way._up.put(bytes(MAX_MESSAGE_BYTES + 1))
        way._up.put(bytes(4_000_000))
        wait_until_said(server, "A message from a remote master was refused: ")


def wait_until_said(server: LiveServer, text: str) -> None:
    end = time.monotonic() + PATIENCE
    while text not in server.complained:
        assert time.monotonic() < end, server.complained
        server._look()


def test_a_master_that_floods_the_door_is_sent_away_with_the_code_for_it(server: LiveServer) -> None:
    frame = msgspec.msgpack.encode(messages(CELL)[2])  # a reading
    with MasterConnection(server.address, "flood-of-a-master", "Flood") as way:
        end = time.monotonic() + PATIENCE
        while not (told := [m for m in way._messages if isinstance(m, Refused)]):
            assert time.monotonic() < end, "it was not sent away"
            for _ in range(50):
                way._up.put(frame)
            threading.Event().wait(0.002)
    assert told[0].code == close_codes.TOO_MANY_MESSAGES
    assert "1000 messages a second" in told[0].reason
