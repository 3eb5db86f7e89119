"""A page in control that sends far too many readings: it drives until its hand lets go, and is closed if it goes on."""

from collections.abc import Iterator
from contextlib import closing as ending
from contextlib import suppress
from itertools import pairwise

import pytest
from servers import LiveServer, Onlooker, Story, drive_until, make_ready, turned
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.server.gateway.page_socket import FLOOD
from farhand.server.protocol import close_codes
from farhand.server.protocol.messages import Command, Refused, Update
from farhand.types import SelectMapping, Stop
from farhand_bench.flood import Flooder

REST = 125  # ticks
ATTEMPTS = 5  # at scenes that a busy machine can spoil
OWN_ID = 10**9


def driving(server: LiveServer) -> Flooder:
    """Return a page in control of an arm that moves."""
    page = Flooder(server.address, (0.0,) * 7)
    make_ready(page)
    assert page.command(SelectMapping("arm", "joints")).ok
    assert page.update
    begin = turned(page.update)
    page.axes = (1.0 if begin < 0.0 else -1.0,) + (0.0,) * 6
    drive_until(page, lambda u: abs(turned(u) - begin) > 0.02, page.axes)
    return page


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer("irb120") as server:
        yield server


def last_motion(onlooker: Onlooker, since: int, until: int) -> int:
    """Return the last tick in which the arm moved, as seen up to a later tick."""
    onlooker.wait(Update, lambda u: u.tick > until, since)
    updates = onlooker.all(Update, since)
    return max((b.tick for a, b in pairwise(updates) if abs(turned(b) - turned(a)) > 2e-4), default=0)


def test_a_flood_drives_until_the_hand_lets_go_and_no_longer(server: LiveServer) -> None:
    assert any(drives_until_it_lets_go(server) for _ in range(ATTEMPTS)), "the arm paused during every flood"


def drives_until_it_lets_go(server: LiveServer) -> bool:
    """Flood, let go and check that the arm rests; return whether it was driven all along, on a machine with time."""
    with Onlooker(server.address) as onlooker, ending(driving(server)) as flooder:
        since = onlooker.mark()
        flooder.flood(0.9)
        flooder.send_reading()
        let_go = flooder.tick
        last = last_motion(onlooker, since, let_go + 400)
        assert last <= let_go + REST
        flooder.ping()  # it was not closed
        return flooder.modes == {"teleoperation"} and last >= let_go - 10


def test_a_stop_inside_a_flood_takes_effect(server: LiveServer) -> None:
    with Onlooker(server.address) as onlooker, ending(driving(server)) as flooder:
        since = onlooker.mark()
        flooder.flood(0.5)
        flooder.send(Command(id=OWN_ID, event=Stop()))
        at = flooder.tick
        flooder.flood(0.4)
        _, stopped = onlooker.wait(Update, lambda u: u.robots[0].mode == "stopped", since)
        assert stopped.tick <= at + REST


def test_who_floods_for_longer_is_closed_with_its_own_code_and_others_stop_the_arm(server: LiveServer) -> None:
    assert any(is_closed(server) for _ in range(ATTEMPTS)), "the arm stopped by itself every time"


def is_closed(server: LiveServer) -> bool:
    """Flood until the server closes the page, and stop the arm from another; return whether that stop did it."""
    with (
        Onlooker(server.address) as onlooker,
        Client(server.address, name="Ben") as ben,
        ending(driving(server)) as flooder,
    ):
        since, driven = onlooker.mark(), flooder.tick
        with pytest.raises((ConnectionClosed, OSError)):
            flooder.flood(60.0)
        assert close_code(flooder) == close_codes.TOO_MANY_MESSAGES == 4429
        assert [m for m in flooder.messages if isinstance(m, Refused)] == [FLOOD]
        onlooker.wait(Update, lambda u: u.tick > flooder.tick and u.robots[0].mode in ("paused", "stopped"), since)
        assert ben.command(Stop()).ok
        story = Story(onlooker, since, driven)
        return story.stop_text == "Stopped: Ben pressed Stop."


def close_code(page: Client) -> int:
    """Return the code with which the server has closed a page, as the page itself reads it."""
    with suppress(ConnectionClosed):
        while True:
            page.receive()
    return page._socket.close_code or 0
