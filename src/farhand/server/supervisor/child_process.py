"""A child process of the supervisor: started, told to go live, watched, and started again when it ends."""

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
from farhand.server.lifecycle.standby import HUNG_LOOKS, LOOK_S

__all__ = ["RETRY_S", "Child"]

POLITE_S = 2.0  # seconds that a process gets to end by itself
TRIES, WINDOW_S = 5, 30.0  # ends within so many seconds after which a process is not restarted at once
RETRY_S = 60.0  # seconds after which such a process is tried again
# One thread in the arithmetic libraries: a process that has one thread only may be forked, and cells share a machine.
SINGLE_THREADED = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_encode = msgspec.json.Encoder().encode


class Child:
    """A process of ours, or a standby and the live process that it forks.

    It ends when we do, and is started again when it ends before: warm, by its standby, if that is still there.

    Args:
        module: Python module to run.
        argument: Its order, as JSON.
        fds: File descriptors that it inherits.
        secrets: Values for its environment: other users of the machine can read its arguments.
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
        self._live = -1  # a handle on the live process of a standby
        self._heard = b""
        self.failed = False
        self.retry_at = 0.0
        self.life = 0
        self.process = self._start(())

    def _start(self, held: tuple[HeldLease, ...]) -> subprocess.Popen[bytes]:
        self._heard, self._ended = b"", None
        self.process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            pass_fds=self._fds,
            env=self._environment,
            start_new_session=True,  # Ctrl-C reaches us alone, and we end the others in order
        )
        self._go_live(held)
        return self.process

    def _go_live(self, held: tuple[HeldLease, ...]) -> None:
        self.life += 1
        self.tell(_encode(GoLive(life=self.life, held=held)))

    @property
    def output(self) -> int:
        """File descriptor of what it says; -1 once it has ended."""
        out = self.process.stdout
        return -1 if out is None or out.closed else out.fileno()

    @property
    def code(self) -> int:
        """Exit code of the process that has ended; negative: the signal that ended it."""
        return self._ended.code if self._ended else self.process.returncode or 0

    def reports(self) -> list[FromChild]:
        """Return the messages that have come since the last call; those about the live process are taken here."""
        found: list[FromChild] = []
        while self.output >= 0 and select.select([self.output], [], [], 0)[0]:
            content = os.read(self.output, 65536)
            if not content:
                break
            *lines, self._heard = (self._heard + content).split(b"\n")
            found += [message for line in lines if (message := decode_report(line)) is not None]
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

    def ended(self) -> str:
        """Return how the process ended, or an empty text while it runs."""
        if self.failed or (self._ended is None and self.process.poll() is None):
            return ""
        if self._ended and self._ended.hung:
            return f"gave no sign of life for {HUNG_LOOKS * LOOK_S:.0f} s and was killed"
        return (
            f"was ended by signal {signal.Signals(-self.code).name}"
            if self.code < 0
            else f"ended with code {self.code}"
        )

    def again(self, held: tuple[HeldLease, ...] = ()) -> bool:
        """Restart it and return True; give it up for a while and return False if it has ended too often."""
        now = time.monotonic()
        self._ends = [t for t in self._ends if now - t < WINDOW_S] + [now]
        if len(self._ends) >= TRIES:
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
        """Start one that was given up again, from the beginning."""
        self.failed, self._ends = False, []
        self._start(held)

    def tell(self, line: bytes) -> None:
        """Write a line to the process; one that is just ending need not hear it."""
        with suppress(BrokenPipeError, ValueError):
            assert self.process.stdin
            self.process.stdin.write(line + b"\n")

    def end(self) -> None:
        """End the process: politely, and if that takes too long, by force; its live process with it."""
        for pipe in (self.process.stdin, self.process.stdout):
            if pipe:
                with suppress(BrokenPipeError):
                    pipe.close()
        try:
            self.process.wait(POLITE_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._let_go()

    def _let_go(self) -> None:
        """See to it that a live process does not outlive its standby."""
        if self._live < 0:
            return
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._live, signal.SIGKILL)
        select.select([self._live], [], [])  # until it has ended
        os.close(self._live)
        self._live = -1
