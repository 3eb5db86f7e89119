"""A page in control that sends far too many readings: time until the arm rests after release, and after a Stop.

By the cell's own clock, beside a page that sends one reading per frame.
"""

from __future__ import annotations

import struct
import time
from contextlib import suppress

import msgspec

from farhand.client.client import Client
from farhand.client.servers import RunningServer, running_server
from farhand.server.protocol.messages import Command, FromPage, Hand, Update
from farhand.types import Reading, Reset, SelectMapping, Stop
from farhand_bench.rows import Row, row

__all__ = ["Flooder", "measure"]

RUNS = 10
PRESSES, PRESS_S = 10, 3.0
PER_S, USUAL_PER_S = 5000.0, 60.0
SECONDS = 0.9  # of a flood; after a second above the limit the page is closed
DT = 0.002
REST_TICKS = 200  # after which every arm has come to rest
STILL = 2e-4  # radians between two updates
POLL_S = 0.002
STOP_ID = 10**9
CLIENT = "page-of-the-flood-benchmark"  # known again, so that control stays with it from one run to the next
_encode = msgspec.msgpack.Encoder().encode


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    found: dict[float, list[tuple[float, float, float]]] = {PER_S: [], USUAL_PER_S: []}
    with running_server() as server:
        for _ in range(RUNS):
            for per_s, runs in found.items():
                runs.append((*_let_go(server, per_s), _stop(server, per_s)))
    rows = []
    for per_s, bar in ((PER_S, "≤ 250 ms"), (USUAL_PER_S, "")):
        ages, rests, stops = zip(*found[per_s], strict=True)
        indent = "" if bar else "  "
        rows += [
            row(f"{indent}{per_s:.0f} readings per second: from release to rest", list(rests), "ms", bar),
            row("  age of the oldest reading meanwhile", list(ages), "ms"),
            row("  from a Stop among them to standstill", list(stops), "ms"),
        ]
    return rows


class Flooder(Client):
    """A page in control that sends many readings at a time, and reads its own updates in between.

    A page busy with sending alone would echo old ticks, and the robot would rightly pause.

    Args:
        address: Address that Farhand printed, with its token.
        axes: Deflections in the readings.
    """

    def __init__(self, address: str, axes: tuple[float, ...]) -> None:
        super().__init__(address, name="Flooder", client=CLIENT)
        self.axes = axes
        self.modes: set[str] = set()
        self.oldest = 0  # milliseconds

    def flood(self, seconds: float, per_s: float = PER_S) -> None:
        """Hold the deadman and send readings at a rate."""
        begin, sent = time.monotonic(), 0
        while (now := time.monotonic() - begin) < seconds:
            due = round(now * per_s) - sent
            sent += due
            self._socket.socket.sendall(b"".join(_frame(self._reading()) for _ in range(due)))
            with suppress(TimeoutError):
                self.receive(POLL_S)
                while True:
                    self.receive(0.0)
            self.modes.add(self.robot().mode)
            self.oldest = max(self.oldest, self.robot().age)

    def _reading(self) -> Hand:
        self._sequence = max(self._sequence, self.robot().heard) + 1
        reading = Reading(
            sequence=self._sequence,
            epoch=self.lease().epoch,
            tick=self.tick,
            deadman=True,
            axes=self.axes,
            presses={"deadman": self.presses},
        )
        return Hand(robot="arm", reading=reading)

    @property
    def tick(self) -> int:
        """The newest tick received."""
        assert self.update
        return self.update.tick


def _frame(message: FromPage) -> bytes:
    """Return a message as it goes over the wire, masked with zeros."""
    content = _encode(message)
    size = len(content)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack(">H", size)
    return b"\x82" + length + bytes(4) + content


def _turned(update: Update) -> float:
    return float(struct.unpack_from("<f", update.robots[0].joints)[0])


def _driving(server: RunningServer) -> Flooder:
    """Return a page that drives the arm."""
    page = Flooder(server.address, (0.0,) * 7)
    page.ping()
    if page.lease().holder != page.number:
        page.take_control()
    for _ in range(PRESSES):  # on a busy machine a press may come too late to count
        page.command(Reset("arm"))
        page.command(SelectMapping("arm", "joints"))
        assert page.update
        begin = _turned(page.update)
        page.axes = (1.0 if begin < 0.0 else -1.0,) + (0.0,) * 6
        with suppress(TimeoutError):
            page.drive(lambda update: abs(_turned(update) - begin) > 0.02, PRESS_S, axes=page.axes)  # noqa: B023 - called here
            return page
    raise TimeoutError("the arm does not turn")


def _let_go(server: RunningServer, per_s: float) -> tuple[float, float]:
    """Return the oldest age of a reading in a flood, and the time from release to rest, in milliseconds."""
    page = _driving(server)
    try:
        page.flood(SECONDS, per_s)
        begin, last = page.tick, page.tick
        page.send_reading()
        before = page.wait(Update)
        while before.tick < begin + REST_TICKS:
            update = page.wait(Update)
            if abs(_turned(update) - _turned(before)) > STILL:
                last = update.tick
            before = update
        return float(page.oldest), (last - begin) * DT * 1e3
    finally:
        page.close()


def _stop(server: RunningServer, per_s: float) -> float:
    """Return the time from a Stop in the middle of a flood until the arm is stopped, in milliseconds."""
    page = _driving(server)
    try:
        page.flood(0.5 * SECONDS, per_s)
        begin = page.tick
        page.send(Command(id=STOP_ID, event=Stop()))
        while page.robot().mode != "stopped":
            page.flood(10 * POLL_S, per_s)
        return (page.tick - begin) * DT * 1e3
    finally:
        page.close()
