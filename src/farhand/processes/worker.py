"""A worker: a child process that runs one function at a time, over its pipes.

Unlike a pool of multiprocessing it needs no semaphores, which would leak if the parent is killed, and a killed worker
restarts with the next function.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import IO, Any, ParamSpec, TypeVar

from farhand.errors import FarhandError
from farhand.processes.python_start import child_environment, python_command

__all__ = ["Worker", "WorkerError", "main"]

P = ParamSpec("P")
R = TypeVar("R")
LENGTH_BYTES = 8  # of the length in front of each message
MAX_TRIES = 2  # processes that may end while they run one function


class WorkerError(FarhandError):
    """The worker process ended before it answered."""


class Worker:
    """A worker process; it starts with the first function.

    Args:
        at_start: A module's function, called in the worker before any other.
    """

    def __init__(self, at_start: Callable[[], None] | None = None) -> None:
        self._at_start = at_start
        self._thread = ThreadPoolExecutor(1)  # waits for the process; starts with the first function too
        self._child: subprocess.Popen[bytes] | None = None
        self._closed = False

    def submit(self, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> Future[R]:
        """Run a module's function in the worker; the future raises the function's exception, or `WorkerError`."""
        return self._thread.submit(self._run, (function, arguments, named))

    @property
    def pid(self) -> int | None:
        """The process id, or None while there is no process."""
        return self._child.pid if self._child is not None and self._child.poll() is None else None

    def close(self) -> None:
        """End the process at once."""
        self._closed = True
        if self._child is not None:
            self._child.kill()
        self._thread.shutdown(cancel_futures=True)
        self._end()

    def _run(self, call: tuple[Any, ...]) -> Any:
        for _ in range(MAX_TRIES):
            child = self._child or self._start()
            try:
                _write(child.stdin, call)
                good, result = _read(child.stdout)
            except (EOFError, OSError):
                self._end()
                continue
            if good:
                return result
            raise result
        raise WorkerError("the worker process ended before it answered")

    def _start(self) -> subprocess.Popen[bytes]:
        if self._closed:
            raise WorkerError("the worker was closed before it answered")
        command = python_command("-m", "farhand.processes.worker")
        self._child = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=child_environment(),
            start_new_session=True,  # Ctrl-C is the parent's
        )
        _write(self._child.stdin, self._at_start)
        return self._child

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except OSError:  # bytes that it did not read
                    continue


def _write(pipe: IO[bytes] | None, message: object) -> None:
    assert pipe is not None
    content = pickle.dumps(message)
    pipe.write(len(content).to_bytes(LENGTH_BYTES, "little"))
    pipe.write(content)
    pipe.flush()


def _read(pipe: IO[bytes] | None) -> Any:
    """Return the next message.

    Raises:
        EOFError: If the other end is closed.
    """
    assert pipe is not None
    head = pipe.read(LENGTH_BYTES)
    size = int.from_bytes(head, "little")
    content = pipe.read(size)
    if len(head) < LENGTH_BYTES or len(content) < size:
        raise EOFError
    return pickle.loads(content)  # noqa: S301 - from our own child or parent, over a pipe of ours


def main() -> int:
    """Run functions until the parent closes the pipe."""
    # Output of libraries must not mix with the answers.
    with os.fdopen(os.dup(1), "wb") as answers:
        os.dup2(2, 1)
        try:
            at_start = _read(sys.stdin.buffer)
            if at_start is not None:
                at_start()
            while True:
                function, arguments, named = _read(sys.stdin.buffer)
                _write(answers, _answer(function, arguments, named))
        except (EOFError, BrokenPipeError):
            return 0


def _answer(function: Callable[..., Any], arguments: tuple[Any, ...], named: dict[str, Any]) -> tuple[bool, Any]:
    try:
        return True, function(*arguments, **named)
    except Exception as error:  # noqa: BLE001 - raised again in the parent
        return False, error


if __name__ == "__main__":
    sys.exit(main())
