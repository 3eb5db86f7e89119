"""Start the gateway and the cells, restart those that end, and end all of them with the supervisor.

The supervisor opens the listening socket and passes it to the gateway, so the address survives a gateway's restart.
"""

from __future__ import annotations

import errno
import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from farhand.errors import CommandError
from farhand.processes.portable import is_portable
from farhand.server.cell_process.cell_order import CellOrder
from farhand.server.gateway.gateway_order import OWNER, TOKEN, TRAINEE, CellNews, GatewayOrder
from farhand.server.lifecycle.child_messages import ChildReady, FromChild, HeldLease, Retry
from farhand.server.lifecycle.listening import listening_socket
from farhand.server.recorder.recorder_order import RecorderOrder
from farhand.server.supervisor.child_process import Child
from farhand.server.supervisor.pipe_lines import wait_for_lines

__all__ = ["Server", "has_display", "listen"]

POLL_S = 0.05  # between two looks at the processes
MAX_PORTS = 20  # that are tried in turn
RETRY_LATER = "in a minute, because it ended too often"
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def listen(host: str, port: int, say: Callable[[str], None]) -> socket.socket:
    """Return a socket that listens at a port, or at the next free one; say so if the port is taken.

    Raises:
        CommandError: If none of the next ports is free, or the host is not an address of this machine.
    """
    last = min(port + MAX_PORTS, 65536) - 1
    for number in range(port, last + 1):
        try:
            return listening_socket(host, number)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise CommandError(f"cannot listen at {host} port {number}: {error.strerror}") from error
            if number < last:
                say(f"Port {number} is taken; trying {number + 1}.")
    raise CommandError(f"ports {port} to {last} are all taken; choose another one with --port")


class Server:
    """Gateway and cells of one server.

    Args:
        cells: The cells to run, by name.
        listener: The socket at which pages connect.
        folder: Private folder for the fabric's socket.
        say: Takes sentences for the user.
        token: Token of the link for others; empty: a new one.
        master_port: Port for masters on other machines; 0: any free one.
        exam: Make a link for a trainee, whose page gets pictures and no poses.
        spare: Keep a standby for each process, so that it restarts within milliseconds.
        runs: Folder in which runs are recorded; None: they are not.
        quota: Bytes that runs may take.
    """

    def __init__(
        self,
        cells: Mapping[str, CellOrder],
        listener: socket.socket,
        folder: Path,
        say: Callable[[str], None],
        token: str = "",
        master_port: int = 0,
        *,
        exam: bool = False,
        spare: bool = True,
        runs: Path | None = None,
        quota: int = 0,
    ) -> None:
        self.runs = runs
        self.token = token or secrets.token_urlsafe(18)
        self.owner = secrets.token_urlsafe(18)
        self.trainee = secrets.token_urlsafe(18) if exam else ""
        self._say, self._place = say, listener.getsockname()[:2]
        host, port = self._place
        inherited = not is_portable()
        if not inherited:
            listener.close()  # only Unix hands sockets to children: there the gateway listens itself
        order = GatewayOrder(
            folder=str(folder),
            cells=tuple(cells),
            listener=listener.fileno() if inherited else -1,
            loopback=host in LOOPBACK,
            host=host,
            port=port,
            master_port=master_port,
            spare=spare,
        )
        self._ran = False
        self._failed_cells: dict[str, CellNews] = {}
        self._held: dict[tuple[str, str], HeldLease] = {}
        with ExitStack() as undo:
            keys = {TOKEN: self.token, OWNER: self.owner} | ({TRAINEE: self.trainee} if exam else {})
            self.gateway = Child(
                "farhand.server.gateway.gateway_process",
                msgspec.json.encode(order),
                [order.listener] if inherited else [],
                keys,
            )
            undo.callback(self.gateway.end)
            self.recorder: Child | None = None
            if runs is not None:
                recorded = RecorderOrder(folder=str(folder), cells=tuple(cells), runs=str(runs), quota=quota)
                self.recorder = Child("farhand.server.recorder.recorder_process", msgspec.json.encode(recorded))
                undo.callback(self.recorder.end)
            self.cells: dict[str, Child] = {}
            for name, cell in cells.items():
                wanted = msgspec.structs.replace(
                    cell, spare=spare, real_time=exam or cell.real_time, record=runs is not None
                )
                module = "replay_cell" if cell.replay else "live_cell"
                self.cells[name] = Child(f"farhand.server.cell_process.{module}", msgspec.json.encode(wanted))
                undo.callback(self.cells[name].end)
            undo.pop_all()

    @property
    def address(self) -> str:
        """Address of the page, with the token for others."""
        return self._address(self.token)

    @property
    def owners_address(self) -> str:
        """Address of the page, with the owner's token; nobody can send the owner away."""
        return self._address(self.owner)

    @property
    def trainees_address(self) -> str:
        """Address of the page, with the trainee's token; empty if there is no exam."""
        return self._address(self.trainee) if self.trainee else ""

    def _address(self, token: str) -> str:
        host, port = self._place
        shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)  # noqa: S104 - compared
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/#token={token}"

    def serve(self, ready: Callable[[str], None]) -> int:
        """Run until asked to end; return an exit code.

        Args:
            ready: Called with the address once every cell runs.
        """
        with _end_requested() as asked:
            while not asked():
                for report in self.gateway.reports():
                    self._take(report, ready)
                code = self._restart_ended()
                if code is not None:
                    return code
                wait_for_lines([child.output for child in self._children()], POLL_S)
        return 130

    def _children(self) -> list[Child]:
        """Return all processes, in the order in which they end: the recorder gets the last ticks of the cells."""
        return [*self.cells.values(), *([self.recorder] if self.recorder else []), self.gateway]

    def _take(self, report: FromChild, ready: Callable[[str], object]) -> None:
        """Handle a report of the gateway."""
        if isinstance(report, HeldLease):
            self._held[report.cell, report.robot] = report
        elif isinstance(report, Retry):
            if report.cell in self._failed_cells:
                self._retry(report.cell)
        elif isinstance(report, ChildReady) and not self._ran:
            self._ran = True
            ready(self.address)

    def _restart_ended(self) -> int | None:
        """Restart processes that have ended; return an exit code if the first start failed."""
        self._restart_gateway()
        self._restart_recorder()
        for name, child in self.cells.items():
            child.reports()
            if child.failed and time.monotonic() >= child.retry_at:
                self._retry(name)
            how = child.end_reason()
            if not how:
                continue
            if not self._ran:
                return child.code if child.code > 0 else 1
            restarted = child.restart()
            self._report_end(name, how, f"It restarts{'' if restarted else f' {RETRY_LATER}'}.", failed=not restarted)
        return None

    def _restart_gateway(self) -> None:
        gateway = self.gateway
        if gateway.failed and time.monotonic() >= gateway.retry_at:
            self._say("The gateway restarts.")
            gateway.retry(tuple(self._held.values()))
            self._send_failed_cells()
        how = gateway.end_reason()
        if not how:
            return
        restarted = gateway.restart(tuple(self._held.values()))
        self._say(f"The gateway {how}. It restarts{'' if restarted else f' {RETRY_LATER}'}.")
        if restarted:
            self._send_failed_cells()

    def _restart_recorder(self) -> None:
        """Restart the recorder; cells keep what it has not yet written."""
        recorder = self.recorder
        if recorder is None:
            return
        recorder.reports()
        if recorder.failed and time.monotonic() >= recorder.retry_at:
            self._say("The recorder restarts.")
            recorder.retry()
        how = recorder.end_reason()
        if how:
            restarted = recorder.restart()
            self._say(f"The recorder {how}. It restarts{'' if restarted else f' {RETRY_LATER}'}.")

    def _send_failed_cells(self) -> None:
        """Tell a new gateway which cells have ended too often and are not running."""
        for news in self._failed_cells.values():
            self.gateway.send(msgspec.json.encode(news))

    def _retry(self, name: str) -> None:
        """Start a cell that had ended too often."""
        del self._failed_cells[name]
        self.cells[name].retry()
        news = CellNews(cell=name, reason=f"The process of {name} restarts.", life=self.cells[name].life)
        self._say(f"Cell {name} restarts.")
        self.gateway.send(msgspec.json.encode(news))

    def _report_end(self, name: str, how: str, fate: str, *, failed: bool) -> None:
        """Tell the terminal and the gateway that a cell's process has ended."""
        self._say(f"Cell {name} {how}. {fate}")
        reason = f"The process of {name} {how}. {fate}"
        news = CellNews(cell=name, reason=reason, failed=failed, life=self.cells[name].life + failed)
        if failed:
            self._failed_cells[name] = news
        self.gateway.send(msgspec.json.encode(news))

    def close(self) -> None:
        """End every process."""
        for child in self._children():
            child.end()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@contextmanager
def _end_requested() -> Iterator[Callable[[], bool]]:
    """Turn Ctrl-C and requests to terminate into a flag that the loop reads, instead of an exception at any line."""
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        del number, frame
        asked = True

    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)  # the terminal was closed; under nohup the signal is ignored and we run on
    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def has_display() -> bool:
    """Return whether this machine can open a browser window."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
