"""Real servers for tests: the command line in processes of its own, pages that look on, and who is still alive."""

from __future__ import annotations

import os
import secrets
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import TypeVar

import pytest
from msgspec import Struct
from websockets.exceptions import ConnectionClosed

from farhand.client.client import Client
from farhand.server.protocol.messages import LogEntries, LogEntry, ToPage, Update
from farhand.types import Reset

M = TypeVar("M", bound=ToPage)
SAYS, OTHERS = "Farhand is at ", "Link for "
STARTING = 120.0  # seconds; the first start on a machine compiles the kernels
PATIENCE = 20.0  # seconds, for work that takes no time on an idle machine
DT = 0.002
PAUSE = 51  # the first tick at which a reading is older than 100 ms
STOP = 501  # ticks of pause, the first one included, before the stop is latched
SLACK = 3
PRESSES = 10  # until one of them drives, on a machine that may be busy
IDLE_UPDATES = 60  # in which a press that counts has an effect
GATEWAY, CELL = "farhand.server.gateway.gateway_process", "farhand.server.cell_process.live_cell"


# ── Processes ────────────────────────────────────────────────────────────────────────────────────────────────────


class Process(Struct, frozen=True):
    """A process of a server, and its command."""

    pid: int
    command: str


def with_mark(mark: str) -> list[Process]:
    """Return all living processes that were started with a mark in their environment."""
    return [
        Process(int(folder.name), _read(folder / "cmdline").replace("\0", " "))
        for folder in Path("/proc").iterdir()
        if folder.name.isdigit() and mark in _read(folder / "environ") and not _is_ended(folder)
    ]


def _read(path: Path) -> str:
    try:
        return path.read_bytes().decode(errors="replace")
    except OSError:  # it ended meanwhile, or is not ours
        return ""


def _is_ended(folder: Path) -> bool:
    return _read(folder / "stat").rpartition(")")[2].strip()[:1] in ("Z", "X", "")


def _parent_of(pid: int) -> int:
    return int(_read(Path(f"/proc/{pid}/stat")).rpartition(")")[2].split()[1])


def wait_until_ended(pid: int, timeout: float = PATIENCE) -> None:
    """Wait for the end of a process that need not be our child."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        assert select.select([handle], [], [], timeout)[0], f"process {pid} does not end"
    finally:
        os.close(handle)


# ── Servers ──────────────────────────────────────────────────────────────────────────────────────────────────────


class OtherUser(Struct, frozen=True):
    """Another user of this machine, a Python that this user can run, and the environment that it needs."""

    uid: int
    gid: int
    python: str
    environment: dict[str, str]


class LiveServer:
    """``farhand run`` in a process of its own.

    Args:
        arguments: Of the command, without ``run`` and what tests always give.
        port: Where to serve; left out: any free port.
        ready: Wait until it says where it is.
        cwd: Where to start it, by the command as users have it.
        user: Who runs it; left out: who runs the test.
        descriptors: How many each of its processes may open; 0: as many as the test.
    """

    def __init__(
        self,
        *arguments: str,
        port: int | None = None,
        ready: bool = True,
        cwd: Path | None = None,
        user: OtherUser | None = None,
        descriptors: int = 0,
    ) -> None:
        self.mark = f"FARHAND_TEST_MARK={secrets.token_hex(12)}"
        self.folder = Path(tempfile.mkdtemp(prefix="fh-"))  # a short path: a socket's may have 107 characters
        name, _, value = self.mark.partition("=")
        environment = {**os.environ, name: value, "TMPDIR": str(self.folder), "PYTHONDONTWRITEBYTECODE": "1"}
        where = ["--no-browser", "--port", str(port or free_port())]
        farhand = [str(Path(sys.executable).parent / "farhand")] if cwd else [sys.executable, "-m", "farhand.cli"]
        if user:
            farhand = [user.python, "-P", "-m", "farhand.cli"]
            environment |= user.environment
            os.chown(self.folder, user.uid, user.gid)
        limit = ["sh", "-c", 'ulimit -n "$0"; exec "$@"', str(descriptors)] if descriptors else []
        command = [*limit, *farhand, "run", *where, *arguments]
        self._begin = time.monotonic()
        with (self.folder / "stdout").open("w") as out, (self.folder / "stderr").open("w") as err:
            self.process = subprocess.Popen(
                command,
                stdout=out,
                stderr=err,
                env=environment,
                cwd=cwd,
                user=user.uid if user else None,
                group=user.gid if user else None,
            )
        self.address, self.owners_address, self.seconds = "", "", 0.0
        if ready:
            with ExitStack() as undo:
                undo.callback(self.close)
                self.wait_until_ready()
                undo.pop_all()

    def wait_until_ready(self) -> None:
        """Wait for the line with the address."""
        end = time.monotonic() + STARTING
        while "\n" not in self.said.partition(OTHERS)[2]:
            assert self.process.poll() is None, f"the server ended: {self.complained}"
            assert time.monotonic() < end, f"the server does not start: {self.complained}"
            self._look()
        self.owners_address = self.said.partition(SAYS)[2].split()[0]
        self.address = self.said.partition(OTHERS)[2].split()[1]
        self.seconds = time.monotonic() - self._begin

    def within(self, seconds: float) -> float:
        """Return a time limit (s) on a busy machine, for work that takes some seconds on an idle one."""
        return seconds if self.seconds < 5.0 else max(seconds, 2.0 * self.seconds)

    def _look(self) -> None:
        """Wait a moment, less if the process ends."""
        try:
            self.process.wait(0.05)
        except subprocess.TimeoutExpired:
            return

    @property
    def said(self) -> str:
        return (self.folder / "stdout").read_text()

    @property
    def complained(self) -> str:
        return (self.folder / "stderr").read_text()

    @property
    def alive(self) -> list[Process]:
        """All processes of this server, workers included, even if they have lost their parent."""
        return with_mark(self.mark)

    @property
    def private_folders(self) -> list[Path]:
        return list(self.folder.glob("farhand-*"))

    def find(self, module: str, word: str = "") -> int:
        """Return the live process of the gateway or of a cell: the one that a standby has forked, if there is one."""
        found = [p.pid for p in self.alive if f"-m {module}" in p.command and word in p.command]
        forked = [pid for pid in found if _parent_of(pid) in found]
        (live,) = forked or found
        return live

    def standby(self, live: int) -> int:
        """Return the standby of a live process."""
        return _parent_of(live)

    @property
    def gateway(self) -> int:
        return self.find(GATEWAY)

    def cell(self, name: str = "irb120") -> int:
        return self.find(CELL, f'"name":"{name}"')

    def wait_for_nobody(self, timeout: float = PATIENCE) -> None:
        """Wait until no process of this server is left."""
        end = time.monotonic() + timeout
        while left := self.alive:
            wait_until_ended(left[0].pid, max(0.0, end - time.monotonic()))

    def close(self) -> None:
        """End all processes that are left, by force if necessary."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(PATIENCE)
            self.wait_for_nobody()
        finally:
            for left in self.alive:
                os.kill(left.pid, signal.SIGKILL)
            self.process.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self) -> LiveServer:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


# ── Pages ────────────────────────────────────────────────────────────────────────────────────────────────────────


class Onlooker:
    """A page that only looks on, on a thread of its own; keeps every message and when it came."""

    def __init__(self, address: str, watch: str = "irb120", name: str = "Onlooker") -> None:
        self.visitor = Client(address, name=name, watch=watch)
        self._heard: list[tuple[float, ToPage]] = [(time.monotonic(), message) for message in self.visitor.messages]
        self._news = threading.Condition()
        self.ended = False
        self._thread = threading.Thread(target=self._listen, daemon=True)
        self._thread.start()

    def _listen(self) -> None:
        try:
            while True:
                message = self.visitor.receive(600.0)
                with self._news:
                    self._heard.append((time.monotonic(), message))
                    self._news.notify_all()
        except (ConnectionClosed, OSError, EOFError):
            with self._news:
                self.ended = True
                self._news.notify_all()

    def mark(self) -> int:
        """Return a position in the received messages, to search from there on."""
        return len(self._heard)

    def all(self, kind: type[M], since: int = 0) -> list[M]:
        return [message for _, message in self._heard[since:] if isinstance(message, kind)]

    def wait(
        self, kind: type[M], true: Callable[[M], bool], since: int = 0, timeout: float = PATIENCE
    ) -> tuple[float, M]:
        """Return the first message of a kind that meets a condition, and the time at which it came."""
        end, place = time.monotonic() + timeout, since
        with self._news:
            while True:
                for when, message in self._heard[place:]:
                    if isinstance(message, kind) and true(message):
                        return when, message
                place = len(self._heard)
                left = end - time.monotonic()
                assert left > 0, f"no such {kind.__name__} came"
                self._news.wait(left)

    def wait_for_end(self) -> None:
        self._thread.join(PATIENCE)
        assert self.ended

    def log(self, since: int = 0) -> list[LogEntry]:
        return [entry for said in self.all(LogEntries, since) for entry in said.entries]

    def entry(self, code: str, since: int = 0, after: int = -1) -> LogEntry:
        """Wait for an entry of the log, of a later tick than one."""
        _, said = self.wait(LogEntries, lambda m: any(_is_later(e, code, after) for e in m.entries), since)
        return next(entry for entry in said.entries if _is_later(entry, code, after))

    def close(self) -> None:
        self.visitor.close()
        self._thread.join(PATIENCE)

    def __enter__(self) -> Onlooker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def _is_later(entry: LogEntry, code: str, after: int) -> bool:
    return entry.code == code and tick_of(entry) > after


def tick_of(entry: LogEntry) -> int:
    return round(entry.time / DT)


def make_ready(driver: Client, robot: str = "arm") -> None:
    """Have control of a robot that may be driven, with nothing held."""
    if driver.lease(robot).holder != driver.number:
        driver.take_control(robot)
    driver.ping()  # whatever waited on the way has been read now
    if driver.robot(robot).mode in ("stopped", "fault"):
        assert driver.command(Reset(robot)).ok
    driver.release_deadman(robot)


class _Press:
    """One press of the deadman: whether it did its work, or a busy machine made it void."""

    def __init__(self, true: Callable[[Update], bool]) -> None:
        self._true, self._idle = true, 0
        self.done = False

    def __call__(self, update: Update) -> bool:
        mode = update.robots[0].mode
        self.done = mode == "teleoperation" and self._true(update)
        self._idle += mode == "idle"
        return self.done or mode in ("stopped", "fault") or self._idle > IDLE_UPDATES


def drive_until(driver: Client, true: Callable[[Update], bool], axes: tuple[float, ...]) -> Update:
    """Press the deadman and hold it until an update of the driven arm meets a condition.

    Where this machine withheld the test its time, a press comes too late to count or ends in a latched stop: then the
    robot is reset and the deadman pressed again.
    """
    for _ in range(PRESSES):
        press = _Press(true)
        update = driver.drive(press, timeout=2.0 * PATIENCE, axes=axes)
        if press.done:
            return update
        make_ready(driver)
    raise AssertionError("the arm is not driven")


def turned(update: Update) -> float:
    return float(struct.unpack_from("<f", update.robots[0].joints)[0])


class Story:
    """The arm's last loss of its driver as an onlooker saw it: the ticks at which it paused and stopped.

    Args:
        onlooker: Has seen it.
        since: A place from before the arm was driven, as its `mark` gave it.
        after: A tick in which the arm was driven; the loss came later.
    """

    def __init__(self, onlooker: Onlooker, since: int, after: int = 0) -> None:
        _, self.stopped = onlooker.wait(Update, lambda u: u.robots[0].mode == "stopped" and u.tick > after, since)
        self.updates = [u for u in onlooker.all(Update, since) if u.tick <= self.stopped.tick]
        driven = [u.tick for u in self.updates if u.robots[0].mode == "teleoperation"]
        self.last_driven = max([after, *driven])
        self.paused = [u for u in self.updates if u.robots[0].mode == "paused" and u.tick > self.last_driven]
        stop = onlooker.entry("mode.stopped", since, self.last_driven)
        self.stop_text, self.stop_tick = stop.text, tick_of(stop)
        told = [tick_of(e) for e in onlooker.log(since) if e.code == "mode.paused"]
        exact = [tick for tick in told if self.last_driven < tick <= self.stop_tick]
        # The log has it to the tick, unless a busy machine made the arm pause just before: then frames tell it.
        self.pause_tick = exact[-1] if exact else self.paused[0].tick if self.paused else self.stop_tick

    def check(self) -> None:
        """Check the law: pause 100 ms after the last good reading, stop 1 s after that; by ticks no later.

        Where a busy machine made the wall lead, both come after fewer ticks. Where it withheld the gateway its time,
        no update of the pause may have come; the log tells of it all the same.
        """
        for update in self.paused[:1]:
            robot = update.robots[0]
            last_good = update.tick - round(robot.age * 1e-3 / DT)
            assert robot.age >= 100
            assert last_good + PAUSE <= self.pause_tick + SLACK
        assert self.stop_tick - STOP <= self.pause_tick + SLACK
        assert self.stop_text == "Stopped: no input for over 1 s."

    def check_rest(self, onlooker: Onlooker) -> None:
        """Check that the arm has come to rest and stays there."""
        _, rest = onlooker.wait(Update, lambda u: u.tick >= self.stop_tick + 50)
        _, later = onlooker.wait(Update, lambda u: u.tick >= rest.tick + 50)
        assert later.robots[0].mode == "stopped"
        assert turned(later) == pytest.approx(turned(rest), abs=1e-4)
