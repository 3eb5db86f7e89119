"""How long a server takes to recover from a killed process: warm, from its standby, beside a cold start.

And beside a bare Python process, started in the same moments: so long takes any new process on this machine.
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

SERVERS, KILLS = 4, 4  # servers, and kills of each process on one: more within half a minute would be too often
COLD = 3  # kills without a standby
MOMENT = 0.002  # seconds between two looks
PATIENCE = 120.0  # seconds
CELL, GATEWAY = "farhand.server.cell_process.live_cell", "farhand.server.gateway.gateway_process"
CLIENT = "page-of-the-benchmark"


class _Parts(Struct, frozen=True):
    """Seconds after the kill.

    Args:
        noticed: Its parent has waited for the process.
        told: The page was told.
        forked: The next process was there.
        frame: Its first frame was at the page.
        tick: A cell's first tick was felt at a master.
        bare: How long a bare Python process took just after that, from its start to its end.
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
        row("  a bare Python process, from its start to its end", [parts.bare for parts in everything], "s"),
    ]


def _rows(name: str, warm: list[_Parts], cold: list[_Parts]) -> list[Row]:
    ticks = [row("  its first tick", [parts.tick for parts in warm], "s")] if name == "cell" else []
    return [
        row(f"{name} killed: its next frame at a page", [parts.frame for parts in warm], "s", "≤ 1 s"),
        row("  killed: its parent has noticed", [parts.noticed for parts in warm], "s"),
        row("  the page knows", [parts.told for parts in warm], "s"),
        row("  the next process is live", [parts.forked for parts in warm], "s"),
        *ticks,
        row("  without a standby", [parts.frame for parts in cold], "s"),
    ]


class _Watch:
    """Takes the times of what happens after a kill, looked at every moment."""

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
        if self.now > PATIENCE:
            raise TimeoutError("the process did not come back")


def _joined(server: RunningServer) -> MasterConnection:
    """Return the connection of a master that controls the arm, and so feels every tick of the cell."""
    way = MasterConnection(server.address, "master-of-the-benchmark", "Master")
    end = time.perf_counter() + PATIENCE
    while way.felt is None:
        if time.perf_counter() > end:
            raise TimeoutError("the master feels nothing")
        way.send(Watch(cell="irb120"))
        way.send(Ask(robot="arm"))
        time.sleep(10 * MOMENT)
    return way


def _kill_cell(server: RunningServer) -> _Parts:
    with Client(server.address) as page, _joined(server) as way:
        page.wait(Update)
        before = _live(server, CELL)
        watch, ahead = _Watch(server, CELL, before), time.monotonic() - time.perf_counter()
        os.kill(before, signal.SIGKILL)
        told = tick = frame = 0.0
        while not (frame and tick):
            message = _next(page)
            watch.look()
            way.send(Ping(id=1))
            felt = way.felt[0] - ahead - watch.begin if way.felt else 0.0
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
        return page.receive(MOMENT)
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
        time.sleep(MOMENT)
    with _back(server):  # returns with the first frame
        frame = watch.now
    return _Parts(watch.noticed, told, watch.forked, frame, bare=_bare_process())


def _back(server: RunningServer) -> Client:
    """Return a page of a gateway that may still be loading: the system keeps the connection for it for a while."""
    end = time.perf_counter() + PATIENCE
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
    """Return the live process of a module: the one that its standby has forked, if there is a standby; 0: none."""
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
