"""Recovery of a server from a killed process: warm, from its standby, beside a cold start.

Also a bare Python process, started at the same time: the cost of any new process on this machine.
"""

from __future__ import annotations

import os
import signal
import subprocess
import time
from pathlib import Path

from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.client.connection import MasterConnection
from farhand.client.servers import RunningServer, running_server
from farhand.processes.python_start import python_command
from farhand.server.protocol.messages import Ask, Cells, Ping, ToPage, Update, Watch
from farhand_bench.rows import Row, row

__all__ = ["measure"]

SERVERS, KILLS = 4, 4  # servers, and kills of each process on one: more within half a minute would be too many
COLD = 3  # kills without a standby
POLL_S = 0.002
TIME_OUT_S = 120.0
CELL, GATEWAY = "farhand.server.cell_process.live_cell", "farhand.server.gateway.gateway_process"
CLIENT = "page-of-the-benchmark"


class _Parts(Struct, frozen=True):
    """Seconds after the kill.

    Args:
        noticed: The parent has reaped the process.
        told: The page was informed.
        forked: The next process exists.
        frame: Its first frame is at the page.
        tick: A cell's first tick is at a master.
        bare: Duration of a bare Python process just after that, from start to end.
    """

    noticed: float
    told: float
    forked: float
    frame: float
    tick: float = 0.0
    bare: float = 0.0


def measure() -> list[Row]:
    """Return the rows of this benchmark."""
    cells: list[_Parts] = []
    gateways: list[_Parts] = []
    for _ in range(SERVERS):
        with running_server() as server:
            for _ in range(KILLS):
                cells.append(_kill_cell(server))
                gateways.append(_kill_gateway(server))
    cold = []
    for _ in range(COLD):
        with running_server("--no-spare") as server:
            cold.append((_kill_cell(server), _kill_gateway(server)))
    everything = [*cells, *gateways, *(parts for pair in cold for parts in pair)]
    return [
        *_rows("cell", cells, [cell for cell, _ in cold]),
        *_rows("gateway", gateways, [gateway for _, gateway in cold]),
        row("  a bare Python process, from start to end", [parts.bare for parts in everything], "s"),
    ]


def _rows(name: str, warm: list[_Parts], cold: list[_Parts]) -> list[Row]:
    ticks = [row("  its first tick", [parts.tick for parts in warm], "s")] if name == "cell" else []
    return [
        row(f"{name} killed: next frame at a page", [parts.frame for parts in warm], "s", "≤ 1 s"),
        row("  killed: its parent has noticed", [parts.noticed for parts in warm], "s"),
        row("  the page knows", [parts.told for parts in warm], "s"),
        row("  the next process is live", [parts.forked for parts in warm], "s"),
        *ticks,
        row("  without a standby", [parts.frame for parts in cold], "s"),
    ]


class _Watch:
    """Records the times of events after a kill, by polling."""

    def __init__(self, server: RunningServer, module: str, before: int) -> None:
        self._server, self._module, self._before = server, module, before
        self.begin = time.perf_counter()
        self.noticed = self.forked = 0.0

    @property
    def now(self) -> float:
        return time.perf_counter() - self.begin

    def look(self) -> None:
        if not self.noticed and not Path(f"/proc/{self._before}").exists():
            self.noticed = self.now
        if not self.forked and _live(self._server, self._module) not in (0, self._before):
            self.forked = self.now
        if self.now > TIME_OUT_S:
            raise TimeoutError("the process did not come back")


def _joined(server: RunningServer) -> MasterConnection:
    """Return the connection of a master that controls the arm, and so receives every tick of the cell."""
    connection = MasterConnection(server.address, "master-of-the-benchmark", "Master")
    end = time.perf_counter() + TIME_OUT_S
    while connection.feedback is None:
        if time.perf_counter() > end:
            raise TimeoutError("the master receives no feedback")
        connection.send(Watch(cell="irb120"))
        connection.send(Ask(robot="arm"))
        time.sleep(10 * POLL_S)
    return connection


def _kill_cell(server: RunningServer) -> _Parts:
    with Client(server.address) as page, _joined(server) as connection:
        page.wait(Update)
        before = _live(server, CELL)
        watch, ahead = _Watch(server, CELL, before), time.monotonic() - time.perf_counter()
        os.kill(before, signal.SIGKILL)
        told = tick = frame = 0.0
        while not (frame and tick):
            message = _next(page)
            watch.look()
            connection.send(Ping(id=1))
            felt = connection.feedback[0] - ahead - watch.begin if connection.feedback else 0.0
            if not tick and watch.forked and felt > watch.forked:
                tick = felt
            if isinstance(message, Cells) and message.cells[0].state == "lost":
                told = watch.now
            if told and isinstance(message, Update):
                frame = frame or watch.now
    return _Parts(watch.noticed, told, watch.forked, frame, tick, _bare_process())


def _bare_process() -> float:
    begin = time.perf_counter()
    subprocess.run(python_command("-c", "pass"), check=True)
    return time.perf_counter() - begin


def _next(page: Client) -> ToPage | None:
    try:
        return page.receive(POLL_S)
    except TimeoutError:
        return None


def _kill_gateway(server: RunningServer) -> _Parts:
    before = _live(server, GATEWAY)
    with Client(server.address, client=CLIENT) as page:
        page.wait(Update)
        watch = _Watch(server, GATEWAY, before)
        os.kill(before, signal.SIGKILL)
        _wait_for_end(page)
        told = watch.now
    while not (watch.noticed and watch.forked):
        watch.look()
        time.sleep(POLL_S)
    with _back(server):  # returns with the first frame
        frame = watch.now
    return _Parts(watch.noticed, told, watch.forked, frame, bare=_bare_process())


def _back(server: RunningServer) -> Client:
    """Return a page of a gateway that may still be loading: the system keeps its connection waiting."""
    end = time.perf_counter() + TIME_OUT_S
    while True:
        try:
            return Client(server.address, client=CLIENT)
        except (ConnectionClosed, OSError, EOFError):
            if time.perf_counter() > end:
                raise


def _wait_for_end(page: Client) -> None:
    try:
        while True:
            page.receive()
    except (ConnectionClosed, OSError, EOFError):
        return


def _live(server: RunningServer, module: str) -> int:
    """Return the live process of a module, forked by its standby if there is one; 0 if there is none."""
    found = [child for child in _children(server.process) if module in _read(f"/proc/{child}/cmdline")]
    if not found:
        return 0
    forked = [child for child in _children(found[0]) if module in _read(f"/proc/{child}/cmdline")]
    standby = '"spare":true' in _read(f"/proc/{found[0]}/cmdline")
    return forked[0] if forked else 0 if standby else found[0]


def _children(process: int) -> list[int]:
    return [int(pid) for pid in _read(f"/proc/{process}/task/{process}/children").split()]


def _read(path: str) -> str:
    try:
        return Path(path).read_text()
    except OSError:  # it has ended
        return ""
