"""Starts the gateway and the cells, starts anew what ends, and ends everything with itself.

The listening socket is made here and handed to the gateway: the address outlives a gateway that is started anew.
"""

from __future__ import annotations

import errno
import os
import secrets
import selectors
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import FrameType

import msgspec

from farhand.errors import CommandError
from farhand.net.cellside.order import CellOrder
from farhand.net.gateway.order import TOKEN, TRAINEE, CellNews, GatewayOrder

__all__ = ["Server", "has_display", "listen", "private_folder"]

POLL = 0.05  # seconds between two looks at the processes
POLITE = 2.0  # seconds that a process gets to end by itself
TRIES, WINDOW = 5, 30.0  # ends within so many seconds after which a process is not started anew
NEXT_PORTS = 20
LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def listen(host: str, port: int, say: Callable[[str], None]) -> socket.socket:
    """Return a socket that listens at a port, or at the next free one, which is said.

    Raises:
        CommandError: If none of the next ports is free, or the host is not ours.
    """
    last = min(port + NEXT_PORTS, 65536) - 1
    for number in range(port, last + 1):
        try:
            family = socket.AF_INET6 if ":" in host else socket.AF_INET
            sock = socket.socket(family)
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, number))
            sock.listen(128)
        except OSError as error:
            sock.close()
            if error.errno != errno.EADDRINUSE:
                raise CommandError(f"cannot listen at {host} port {number}: {error.strerror}") from error
            if number < last:
                say(f"Port {number} is taken; trying {number + 1}.")
            continue
        return sock
    raise CommandError(f"ports {port} to {last} are all taken; name another one with --port")


@contextmanager
def private_folder() -> Iterator[Path]:
    """Make a folder that only we may enter, for the fabric's socket; it goes away with the block."""
    folder = Path(tempfile.mkdtemp(prefix="farhand-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class _Child:
    """A process of ours: ends when we do, is started anew when it ends before.

    Args:
        module: What to run.
        argument: Its order, as JSON.
        fds: File descriptors that it inherits.
        secrets: What it is told in its environment: other users of the machine can read its arguments.
    """

    def __init__(
        self, module: str, argument: bytes, fds: Sequence[int] = (), secrets: Mapping[str, str] | None = None
    ) -> None:
        self._command = [sys.executable, "-m", module, argument.decode()]
        self._fds, self._environment = tuple(fds), {**os.environ, **(secrets or {})}
        self._ends: list[float] = []
        self.failed = False
        self.process = self._start()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            pass_fds=self._fds,
            env=self._environment,
            start_new_session=True,  # Ctrl-C reaches us alone, and we end the others in order
        )

    def ended(self) -> str:
        """Return how the process ended, or an empty text while it runs."""
        code = self.process.poll()
        if code is None or self.failed:
            return ""
        return f"was ended by signal {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}"

    def again(self) -> bool:
        """Start it anew and return True, or give it up and return False if it has ended too often."""
        now = time.monotonic()
        self._ends = [t for t in self._ends if now - t < WINDOW] + [now]
        self._close_pipes()
        if len(self._ends) >= TRIES:
            self.failed = True
            return False
        self.process = self._start()
        return True

    def tell(self, line: bytes) -> None:
        """Write a line to the process; one that is just ending need not hear it."""
        try:
            assert self.process.stdin
            self.process.stdin.write(line.decode() + "\n")
            self.process.stdin.flush()
        except (BrokenPipeError, ValueError):
            return

    def _close_pipes(self) -> None:
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue

    def end(self) -> None:
        """End the process: politely, and if that takes too long, not."""
        self._close_pipes()
        try:
            self.process.wait(POLITE)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Server:
    """Gateway and cells of one server.

    Args:
        cells: What to run, by name.
        listener: Where pages connect.
        folder: Private, for the fabric's socket.
        say: Takes sentences for the user.
        token: What pages must know; left out: a new one.
        door: Port for masters on other machines; 0: any free one.
        exam: There is a page for a trainee, which gets pictures and no poses.
    """

    def __init__(
        self,
        cells: Mapping[str, CellOrder],
        listener: socket.socket,
        folder: Path,
        say: Callable[[str], None],
        token: str = "",
        door: int = 0,
        *,
        exam: bool = False,
    ) -> None:
        self.token = token or secrets.token_urlsafe(18)
        self.trainee = secrets.token_urlsafe(18) if exam else ""
        self._listener, self._say = listener, say
        host = listener.getsockname()[0]
        order = GatewayOrder(
            folder=str(folder),
            cells=tuple(cells),
            listener=listener.fileno(),
            loopback=host in LOOPBACK,
            host=host,
            door=door,
        )
        self._ran = False
        self._given_up: list[CellNews] = []
        with ExitStack() as undo:
            keys = {TOKEN: self.token} | ({TRAINEE: self.trainee} if exam else {})
            self.gateway = _Child("farhand.net.gateway.process", msgspec.json.encode(order), [listener.fileno()], keys)
            undo.callback(self.gateway.end)
            self.cells: dict[str, _Child] = {}
            for name, cell in cells.items():
                self.cells[name] = _Child("farhand.net.cellside.process", msgspec.json.encode(cell))
                undo.callback(self.cells[name].end)
            undo.pop_all()

    @property
    def address(self) -> str:
        """The address of the page, with its token."""
        return self._address(self.token)

    @property
    def trainees_address(self) -> str:
        """The address of the trainee's page, with its token; empty if there is no exam."""
        return self._address(self.trainee) if self.trainee else ""

    def _address(self, token: str) -> str:
        host, port = self._listener.getsockname()[:2]
        shown = {"0.0.0.0": socket.gethostname(), "::": socket.gethostname()}.get(host, host)  # noqa: S104 - compared
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/#token={token}"

    def serve(self, ready: Callable[[str], None]) -> int:
        """Run until asked to end; return an exit code.

        Args:
            ready: Called with the address once every cell runs.
        """
        with _asked_to_end() as asked:
            while not asked():
                if not self._ran and self._is_ready():
                    self._ran = True
                    ready(self.address)
                code = self._look_after()
                if code is not None:
                    return code
                time.sleep(POLL)
        return 130

    def _is_ready(self) -> bool:
        """Return whether the gateway has said that all cells run."""
        assert self.gateway.process.stdout
        with selectors.DefaultSelector() as selector:
            selector.register(self.gateway.process.stdout, selectors.EVENT_READ)
            return bool(selector.select(0)) and self.gateway.process.stdout.readline().strip() == "ready"

    def _look_after(self) -> int | None:
        """Start anew what has ended; return an exit code if there is no going on."""
        how = self.gateway.ended()
        if how:
            self._say(f"The gateway {how}; it is started anew.")
            if not self.gateway.again():
                self._say("The gateway ends again and again; giving up.")
                return 1
            for news in self._given_up:  # a new one does not know
                self.gateway.tell(msgspec.json.encode(news))
        for name, child in self.cells.items():
            how = child.ended()
            if not how:
                continue
            if not self._ran:
                return child.process.returncode if child.process.returncode > 0 else 1
            again = child.again()
            fate = "It is started anew." if again else "It ends again and again, and is given up."
            self._say(f"Cell {name} {how}. {fate}")
            news = CellNews(cell=name, reason=f"The process of {name} {how}. {fate}", failed=not again)
            self._given_up += [news] if news.failed else []
            self.gateway.tell(msgspec.json.encode(news))
        return None

    def close(self) -> None:
        """End every process."""
        for child in (*self.cells.values(), self.gateway):
            child.end()

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


@contextmanager
def _asked_to_end() -> Iterator[Callable[[], bool]]:
    """Take Ctrl-C and requests to terminate as a question that is looked at, not as an exception in the middle."""
    asked = False

    def ask(number: int, frame: FrameType | None) -> None:
        nonlocal asked
        del number, frame
        asked = True

    numbers = [signal.SIGINT, signal.SIGTERM]
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:
        numbers.append(signal.SIGHUP)  # the terminal was closed, and nobody has asked us to outlive that
    before = {number: signal.signal(number, ask) for number in numbers}
    try:
        yield lambda: asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def has_display() -> bool:
    """Return whether a browser could be opened here."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
