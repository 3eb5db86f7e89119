"""A storm of spoiled frames over real sockets, at a real server: nothing changes, and nothing is kept."""

import struct
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from frames import Spoiler, messages
from servers import CELL, GATEWAY, LiveServer, make_ready
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.server.gateway.decoding import MAX_MESSAGE_BYTES, BadMessageError, decode
from farhand.server.protocol.messages import Command, Scene, Update
from farhand.types import Stop

STRANGERS = 8
PACE = 900.0  # messages a second of each: who sends more is closed
AT_ONCE = 200
OWN_IDS = 10**9  # of its own messages, apart from those in spoiled frames
HUGE_EVERY = 5000
WARM_UP = 0.3  # share of the frames after which no memory may be new
GROWTH = 12e6  # bytes; allocators keep some


class Stranger:
    """A page that means no good, on a thread of its own; comes again whenever it is thrown out.

    Args:
        address: Of the server.
        seed: Of its frames.
    """

    def __init__(self, address: str, seed: int) -> None:
        self._address, self._spoil = address, Spoiler(seed, messages("irb120"))
        self.sent = self.visits = 0

    def blow(self, frames: int) -> None:
        """Send so many frames."""
        end = self.sent + frames
        while self.sent < end:
            self.visits += 1
            try:
                with Client(self._address, name="Stranger") as visitor:
                    self._send(visitor, end)
            except ConnectionClosed:
                continue

    def _send(self, visitor: Client, end: int) -> None:
        visitor._id = OWN_IDS
        next_at = 0.0
        while self.sent < end:
            time.sleep(max(0.0, next_at - time.monotonic()))
            next_at = time.monotonic() + AT_ONCE / PACE  # time that was lost is not made up for: that would be a flood
            for _ in range(AT_ONCE):
                visitor.send_raw(self._frame())
                self.sent += 1
            visitor.ping()  # all of them have been read
            visitor.messages.clear()

    def _frame(self) -> bytes:
        if self.sent % HUGE_EVERY == HUGE_EVERY - 1:
            return bytes(MAX_MESSAGE_BYTES + 1)
        while _stops(frame := self._spoil()):
            continue
        return frame


def _stops(frame: bytes) -> bool:
    """Return whether a frame is one that anybody may send, and that everybody notices."""
    try:
        message = decode(frame)
    except BadMessageError:
        return False
    return isinstance(message, Command) and isinstance(message.event, Stop)


def memory(pid: int) -> int:
    """Return the bytes that a process really has."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


@pytest.fixture(scope="module")
def server() -> Iterator[LiveServer]:
    with LiveServer("irb120") as server:
        yield server


def blow(strangers: list[Stranger], frames: int, holder: Client) -> None:
    """Let them all blow, while the holder sits at the arm and holds nothing."""
    threads = [threading.Thread(target=each.blow, args=(frames // len(strangers),)) for each in strangers]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        holder.wait(Update)
        holder.send_reading()


@pytest.mark.parametrize("frames", [24_000, pytest.param(400_000, marks=pytest.mark.slow)])
def test_a_storm_from_many_pages_changes_nothing(server: LiveServer, frames: int) -> None:
    pids = {name: server.find(name) for name in (GATEWAY, CELL)}
    with Client(server.address, name="Holder") as holder:
        make_ready(holder)
        scene, before = holder.scene, holder.wait(Update)
        epoch = holder.lease().epoch
        strangers = [Stranger(server.address, seed) for seed in range(STRANGERS)]
        blow(strangers, round(WARM_UP * frames), holder)
        warm = {name: memory(pid) for name, pid in pids.items()}
        blow(strangers, round((1.0 - WARM_UP) * frames), holder)
        grown = {name: memory(pid) - warm[name] for name, pid in pids.items()}
        holder.ping()
        after = holder.wait(Update, lambda update: update.tick > before.tick)

        assert {name: server.find(name) for name in (GATEWAY, CELL)} == pids  # no process was restarted
        assert all(each < GROWTH for each in grown.values()), grown
        assert sum(each.sent for each in strangers) >= 0.99 * frames
        assert all(each.visits >= each.sent // HUGE_EVERY for each in strangers)  # too much ends a connection
        assert holder.scene == scene
        assert not any(isinstance(message, Scene) and message != scene for message in holder.messages)
        assert holder.lease().holder == holder.number
        assert holder.lease().epoch == epoch
        assert joints(after) == pytest.approx(joints(before), abs=1e-4)


def joints(update: Update) -> tuple[float, ...]:
    return struct.unpack("<6f", update.robots[0].joints)
