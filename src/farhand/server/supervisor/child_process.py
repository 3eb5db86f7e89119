"""A child process of the supervisor: start it, tell it to go live, watch it, and restart it when it ends."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

import msgspec

from farhand.processes.python_start import child_environment, python_command
from farhand.server.lifecycle.child_messages import Ended, Forked, FromChild, GoLive, HeldLease, decode_report
from farhand.server.lifecycle.standby import CHECK_S, HUNG_CHECKS
from farhand.server.supervisor.pipe_lines import PipeLines

__all__ = ["RETRY_S", "Child"]

END_S = 2.0  # that a process gets to end by itself
MAX_ENDS, WINDOW_S = 5, 30.0  # a process that ends this often within the window is not restarted at once
RETRY_S = 60.0  # after which such a process is tried again
# One thread in the arithmetic libraries: only a process with a single thread may be forked, and cells share a machine.
SINGLE_THREADED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_encode = msgspec.json.Encoder().encode


class Child:
    """A child process, or a standby and the live process that it forks.

    It ends with the supervisor. If it ends earlier it is restarted: forked by its standby, if the standby still runs.

    Args:
        module: Python module to run.
        argument: Its order, as JSON.
        fds: File descriptors that it inherits.
        secrets: Values for its environment; other users of the machine can read arguments, so secrets go here.
    """

    def __init__(
        self,
        module: str,
        argument: bytes,
        fds: Sequence[int] = (),
        secrets: Mapping[str, str] | None = None,
    ) -> None:
        self._command = python_command("-m", module, argument.decode())
        self._fds, self._environment = tuple(fds), child_environment({**SINGLE_THREADED, **(secrets or {})})
        self._ends: list[float] = []
        self._ended: Ended | None = None
        self._live = -1  # handle of the standby's live process
        self.failed = False
        self.retry_at = 0.0
        self.life = 0
        self.process = self._start(())

    def _start(self, held: tuple[HeldLease, ...]) -> subprocess.Popen[bytes]:
        self._ended = None
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=self._fds,
            env=self._environment,
            start_new_session=True,  # Ctrl-C reaches the supervisor alone, which ends the others in order
        )
        assert self.process.stdout
        self.output = PipeLines(self.process.stdout)
        self._go_live(held)
        return self.process

    def _go_live(self, held: tuple[HeldLease, ...]) -> None:
        self.life += 1
        self.send(_encode(GoLive(life=self.life, held=held)))

    @property
    def code(self) -> int:
        """Exit code of the ended process; negative: the signal that ended it."""
        return self._ended.code if self._ended else self.process.returncode or 0

    def reports(self) -> list[FromChild]:
        """Return the messages since the last call, except those about the live process, which are handled here."""
        found = [message for line in self.output.take() if (message := decode_report(line)) is not None]
        return [message for message in found if not self._take(message)]

    def _take(self, message: FromChild) -> bool:
        if isinstance(message, Forked):
            self._let_go()
            with suppress(ProcessLookupError):
                self._live = os.pidfd_open(message.pid)
        elif isinstance(message, Ended):
            if message.life == self.life:
                self._ended = message
        else:
            return False
        return True

    def end_reason(self) -> str:
        """Return how the process ended, as part of a sentence; empty while it runs."""
        if self.failed or (self._ended is None and self.process.poll() is None):
            return ""
        if self._ended and self._ended.hung:
            return f"sent no heartbeat for {HUNG_CHECKS * CHECK_S:.0f} s and was killed"
        return (
            f"was ended by signal {signal.Signals(-self.code).name}"
            if self.code < 0
            else f"ended with code {self.code}"
        )

    def restart(self, held: tuple[HeldLease, ...] = ()) -> bool:
        """Restart it and return True; if it has ended too often, leave it for `RETRY_S` and return False."""
        now = time.monotonic()
        self._ends = [t for t in self._ends if now - t < WINDOW_S] + [now]
        if len(self._ends) >= MAX_ENDS:
            self.failed, self.retry_at = True, now + RETRY_S
            self.end()
            return False
        if self.process.poll() is None:
            self._ended = None
            self._go_live(held)
        else:
            self.end()
            self._start(held)
        return True

    def retry(self, held: tuple[HeldLease, ...] = ()) -> None:
        """Start a process that had ended too often, from the beginning."""
        self.failed, self._ends = False, []
        self._start(held)

    def send(self, line: bytes) -> None:
        """Write a line to the process; a process that is ending misses it."""
        with suppress(BrokenPipeError, ValueError):
            assert self.process.stdin
            self.process.stdin.write(line + b"\n")

    def end(self) -> None:
        """End the process and its live process: close its pipes, and kill it after `END_S`."""
        assert self.process.stdin
        with suppress(BrokenPipeError):
            self.process.stdin.close()
        self.output.close()
        try:
            self.process.wait(END_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._let_go()

    def _let_go(self) -> None:
        """Kill the live process and wait for its end: it must not outlive its standby."""
        if self._live < 0:
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._live, signal.SIGKILL)
        select.select([self._live], [], [])  # until it has ended
        os.close(self._live)
        self._live = -1
