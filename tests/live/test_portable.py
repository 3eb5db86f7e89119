"""A server without features that only Unix has, as on Windows: loopback TCP, no standbys, no inherited socket."""

import json
import os
import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
import zenoh
from servers import LiveServer, Onlooker, wait_until_ended

from farhand.client import Client, join
from farhand.processes.portable import VARIABLE
from farhand.server.fabric.address import FabricAddress, read_address
from farhand.server.protocol.messages import Update
from farhand.types import Feedback, Reading, SelectMapping

CELL = "irb120-remote"
PATIENCE_S = 60.0
PRESS_S = 1.0  # a press that does not count is tried again after this
STRANGER_S = 0.5


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(VARIABLE, "1")
        with LiveServer(CELL) as server:
            yield server


class Presses:
    """A master that presses its deadman again and again, until the robot follows."""

    def __init__(self) -> None:
        self.drove = threading.Event()

    def step(self, feedback: Feedback, now: float) -> Reading:
        if feedback.driving:
            self.drove.set()
        return Reading(deadman=now % PRESS_S > 0.3 * PRESS_S, axes=(0.0, 0.0, 0.1))


def address_of(server: LiveServer) -> FabricAddress:
    (folder,) = server.private_folders
    assert not list(folder.glob("*.sock"))
    return read_address(folder)


def test_a_cell_a_page_and_a_joined_master_work_over_tcp(server: LiveServer) -> None:
    assert address_of(server).endpoint.startswith("tcp/127.0.0.1:")
    with Client(server.address, watch=CELL) as page:
        page.take_control()
        assert page.command(SelectMapping("arm", "hold a key")).ok
    hand = Presses()
    driving = threading.Thread(
        target=join, args=(server.address, hand), kwargs={"ended": hand.drove.is_set, "say": [].append}
    )
    driving.start()
    assert hand.drove.wait(PATIENCE_S)
    driving.join(PATIENCE_S)


def a_stranger(endpoint: str) -> Any:
    """Open a session that keeps trying to connect with a wrong secret."""
    config = {
        "mode": "peer",
        "scouting": {"multicast": {"enabled": False}},
        "connect": {"endpoints": [endpoint], "timeout_ms": -1, "exit_on_failure": False},
        "transport": {"auth": {"usrpwd": {"user": "cells", "password": "guessed"}}},
    }
    return zenoh.open(zenoh.Config.from_json5(json.dumps(config)))


def test_a_stranger_at_the_port_sees_nothing(server: LiveServer) -> None:
    heard: list[str] = []
    with Onlooker(server.address, watch=CELL) as page, a_stranger(address_of(server).endpoint) as stranger:
        listening = stranger.declare_subscriber("**", lambda sample: heard.append(str(sample.key_expr)))
        time.sleep(STRANGER_S)
        assert not list(stranger.get(f"farhand/cell/{CELL}/scene", timeout=STRANGER_S))
        page.wait(Update, bool, since=page.mark())  # while the page goes on
        listening.undeclare()
    assert heard == []


def test_a_killed_gateway_listens_at_the_same_place_again(server: LiveServer) -> None:
    before = server.gateway
    os.kill(before, signal.SIGKILL)
    wait_until_ended(before)
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            with Onlooker(server.address, watch=CELL) as page:
                page.wait(Update, bool, timeout=PATIENCE_S)
            break
        except OSError:
            assert time.monotonic() < end
            time.sleep(0.05)
    assert server.gateway != before


def test_it_leaves_nothing_behind(server: LiveServer) -> None:
    server.process.send_signal(signal.SIGINT)
    server.wait_for_nobody()
    assert server.private_folders == []
