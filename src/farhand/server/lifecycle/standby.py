"""A standby: a process that has loaded everything, and forks the live process.

::

    supervisor ──GoLive──▶ standby (loaded, one thread, no session) ──fork──▶ live process
                              ▲ heartbeat, ten times a second ──────────────────┘

If the live process ends or sends no heartbeat, the standby kills it, waits for its end, and only then forks the next
one. That takes milliseconds: imports, kernels and the model are loaded, and their memory is shared with the standby.

The standby forks only while it has a single thread: a lock that another thread holds during the fork would never be
released in the copy. With more threads, or where the system cannot fork, the process goes live itself and is started
from the beginning when it ends.
"""

from __future__ import annotations

import gc
import os
import select
import selectors
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import msgspec

from farhand.processes.portable import is_portable
from farhand.server.lifecycle.child_messages import Ended, Forked, GoLive, report

__all__ = ["CHECK_S", "HEARTBEAT_S", "HUNG_CHECKS", "Heartbeat", "can_fork", "go_live", "with_parent_while_loading"]

HEARTBEAT_S = 0.1  # between two heartbeats
CHECK_S = 0.5  # between two checks for them
HUNG_CHECKS = 10  # checks in a row without a heartbeat after which a process counts as hung
END_S = 1.6  # that a live process gets to end by itself
PARENT_LOST_CODE = 3  # exit code of a process whose parent has ended
Heartbeat = Callable[[], None]
Live = Callable[[GoLive, Heartbeat], int]
_decode: msgspec.json.Decoder[GoLive] = msgspec.json.Decoder(GoLive)


def can_fork() -> bool:
    """Return whether this process may fork: it must have a single thread, and the system must tell how many it has."""
    if is_portable():
        return False
    try:
        return len(list(Path("/proc/self/task").iterdir())) == 1
    except OSError:  # not Linux; macOS forbids much after a fork
        return False


@contextmanager
def with_parent_while_loading() -> Iterator[None]:
    """End this process with its parent while the block runs, without starting a thread.

    Where the system cannot do that, the process ends after the block, when it waits for its parent's order.
    """
    if is_portable():
        yield
        return

    def look(number: int, frame: object) -> None:
        del number, frame
        pipe = select.poll()
        pipe.register(0, 0)
        if pipe.poll(0):
            os._exit(PARENT_LOST_CODE)

    before = signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, CHECK_S, CHECK_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def go_live(live: Live, *, spare: bool) -> int:
    """Wait for the parent's order to go live, then serve; return an exit code.

    Args:
        live: Serves until standard input ends; calls its heartbeat function at least every `HEARTBEAT_S`.
        spare: Remain as a standby and fork the live process.
    """
    if spare and can_fork():
        return _Standby(live).serve()
    line = sys.stdin.readline()
    return live(_decode.decode(line), _no_heartbeat) if line else PARENT_LOST_CODE


def _no_heartbeat() -> None:
    return None


class _Standby:
    def __init__(self, live: Live) -> None:
        self._live = live
        self._selector = selectors.DefaultSelector()
        self._selector.register(0, selectors.EVENT_READ)
        self._heard = b""
        self._life, self._pid, self._words, self._heartbeats = 0, 0, -1, -1
        self._silent, self._checked_at, self._hung = 0, 0.0, False

    def serve(self) -> int:
        gc.collect()
        gc.freeze()  # the collector must not touch shared pages, or each process would copy them
        while True:
            for key, _ in self._selector.select(CHECK_S):
                content = os.read(key.fd, 65536)
                if key.fd == 0 and not content:
                    return self._end()
                if key.fd == 0:
                    self._take(content)
                elif content:
                    self._silent = -1
                else:
                    self._ended()
            self._check()

    def _take(self, content: bytes) -> None:
        *lines, self._heard = (self._heard + content).split(b"\n")
        for line in lines:
            try:
                word = _decode.decode(line)
            except msgspec.MsgspecError:  # a line for the live process
                self._pass_on(line + b"\n")
            else:
                if not self._pid:
                    self._fork(word)

    def _pass_on(self, line: bytes) -> None:
        if self._pid:
            with suppress(BlockingIOError, BrokenPipeError):  # a process that no longer reads is caught by `_check`
                os.write(self._words, line)

    def _check(self) -> None:
        """Kill a live process without a heartbeat; count checks, not seconds: the machine itself may have slept."""
        now = time.monotonic()
        if not self._pid or now - self._checked_at < CHECK_S:
            return
        self._checked_at, self._silent = now, self._silent + 1
        if self._silent >= HUNG_CHECKS and not self._hung:
            self._hung = True
            os.kill(self._pid, signal.SIGKILL)  # the end of its pipe then calls `_ended`

    def _fork(self, word: GoLive) -> None:
        hears, words = os.pipe()
        heartbeats, beating = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(words)
            os.close(heartbeats)
            self._selector.close()
            _become_live(self._live, word, hears, beating)
        os.close(hears)
        os.close(beating)
        os.set_blocking(words, False)
        self._selector.register(heartbeats, selectors.EVENT_READ)
        self._life, self._pid, self._words, self._heartbeats = word.life, pid, words, heartbeats
        self._silent, self._checked_at, self._hung = 0, time.monotonic(), False

    def _ended(self) -> None:
        """Wait for the live process, which has closed its pipe, and report its end to the parent."""
        self._selector.unregister(self._heartbeats)
        with suppress(ProcessLookupError):
            os.kill(self._pid, signal.SIGKILL)  # it may have closed the pipe without ending
        _, status = os.waitpid(self._pid, 0)
        os.close(self._words)
        os.close(self._heartbeats)
        self._pid = 0
        report(Ended(life=self._life, code=os.waitstatus_to_exitcode(status), hung=self._hung))

    def _end(self) -> int:
        """End the live process: close its pipe, and kill it after `END_S`."""
        if not self._pid:
            return 0
        os.close(self._words)
        limit = time.monotonic() + END_S
        while time.monotonic() < limit:
            pid, status = os.waitpid(self._pid, os.WNOHANG)
            if pid:
                return max(0, os.waitstatus_to_exitcode(status))
            time.sleep(0.02)
        os.kill(self._pid, signal.SIGKILL)
        os.waitpid(self._pid, 0)
        return 0


def _become_live(live: Live, word: GoLive, hears: int, beating: int) -> None:
    """Serve in the forked process; never returns."""
    code = 1
    try:
        os.dup2(hears, 0)
        os.close(hears)
        sys.stdin = open(0, closefd=False)  # noqa: SIM115 - open as long as the process
        os.set_blocking(beating, False)
        report(Forked(life=word.life, pid=os.getpid()))  # sent from here, so that it comes before all else it sends
        code = live(word, _Heartbeats(beating))
    except BaseException:  # noqa: BLE001 - nothing may return into the standby's call stack
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


class _Heartbeats:
    """Writes a heartbeat, at most one each `HEARTBEAT_S`."""

    def __init__(self, pipe: int) -> None:
        self._pipe, self._next = pipe, 0.0

    def __call__(self) -> None:
        now = time.monotonic()
        if now >= self._next:
            self._next = now + HEARTBEAT_S
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(self._pipe, b".")
