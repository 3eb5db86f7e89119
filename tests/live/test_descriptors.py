"""A server with few descriptors, all in use: new connections are answered, the operator drives on, others get in."""

import socket
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import urlsplit

import pytest
from servers import LiveServer, drive_until, make_ready, turned

from farhand.client.client import Client
from farhand.server.gateway.app import PAGE
from farhand.server.gateway.descriptor_budget import OWN, USUAL, WANTED, places_for
from farhand.server.gateway.http_protocols import CROWDED, NO_PLACE
from farhand.server.protocol.messages import Update
from farhand.types import SelectMapping

DESCRIPTORS = 100
WAITING = places_for(DESCRIPTORS).http
STRANGERS = 80  # more than there are descriptors


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer("irb120", descriptors=DESCRIPTORS) as server:
        yield server


class Strangers:
    """Connections that send some bytes and then take no answer until they are asked for it."""

    def __init__(self, server: LiveServer, content: bytes) -> None:
        self._place = urlsplit(server.address)
        self._open = ExitStack()
        self.sockets = [self._connect(content) for _ in range(STRANGERS)]

    def _connect(self, content: bytes) -> socket.socket:
        sock = self._open.enter_context(socket.socket())
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(20.0)
        sock.connect((self._place.hostname, self._place.port))
        sock.sendall(content)
        return sock

    def answers(self) -> list[bytes]:
        """Return the beginning of each answer before its connection was closed; the last few may still wait."""
        return [sock.recv(4096) for sock in self.sockets[:-WAITING]]

    def __enter__(self) -> "Strangers":
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()


def drives(driver: Client) -> None:
    make_ready(driver)
    assert driver.command(SelectMapping("arm", "joints")).ok
    assert driver.update
    begin = turned(driver.update)
    axes = (1.0 if begin < 0.0 else -1.0,) + (0.0,) * 6
    drive_until(driver, lambda u: abs(turned(u) - begin) > 0.05, axes)
    driver.release_deadman()
    driver.wait(Update, lambda u: u.robots[0].mode == "idle")


@pytest.mark.slow
def test_at_the_limit_newcomers_are_answered_and_who_is_in_control_drives_on(server: LiveServer) -> None:
    with Client(server.address, name="Driver") as driver:
        drives(driver)
        with Strangers(server, b"") as silent:
            drives(driver)
            with Client(server.address, name="Late") as late:
                late.ping()
            assert all(answer.startswith((b"HTTP/1.1 503", b"HTTP/1.1 408")) for answer in silent.answers())
        with Strangers(server, f"GET /{largest()} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()):
            drives(driver)
            with Client(server.address, name="Later") as later:
                later.ping()
        with Client(server.address, name="Last") as last:
            last.ping()
    lines = server.complained.splitlines()
    assert lines.count(CROWDED) == 1
    assert lines.count(NO_PLACE) <= 1
    assert "This system allows Farhand 100 open files: at most 10 pages can connect at a time." in lines
    assert "Traceback" not in server.complained


def largest() -> str:
    """Return the largest file of the page, which exceeds the system's buffer for a connection."""
    files = [path for path in PAGE.rglob("*") if path.is_file()]
    return max(files, key=lambda path: path.stat().st_size).relative_to(PAGE).as_posix()


@pytest.mark.parametrize("descriptors", [96, 100, 256, 1024, WANTED, 20_000])
def test_all_places_together_fit_into_the_descriptors(descriptors: int) -> None:
    places = places_for(descriptors)
    assert OWN + places.connections + places.backlog + 2 * places.masters <= descriptors
    assert places.http + places.ungreeted + places.pages <= places.connections
    assert 0 < places.kept < places.pages
    assert min(places.http, places.ungreeted, places.masters, places.backlog) > 0
    assert (places == USUAL) == (descriptors >= WANTED)
