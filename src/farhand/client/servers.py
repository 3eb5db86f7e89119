"""A server of your own as a context manager, for scripts, tests and benchmarks."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from msgspec import Struct

from farhand.errors import CommandError
from farhand.processes.python_start import python_command

__all__ = ["RunningServer", "running_replay", "running_server"]

TIMEOUT_S = 120.0  # the first start on a machine compiles the kernels
OWNERS, OTHERS = "Farhand is at ", "Link for "  # beginnings of the first two lines that it prints


class RunningServer(Struct, frozen=True):
    """A running server.

    Args:
        address: Link for others.
        owners_address: Link for the owner.
        process: Identifier of its process.
        seconds: Time from its start until it was ready, s.
    """

    address: str
    owners_address: str
    process: int
    seconds: float


def _free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


@contextmanager
def running_server(*arguments: str) -> Iterator[RunningServer]:
    """Run ``farhand run`` with these arguments until the block ends; runs are recorded only with ``--record``.

    Raises:
        CommandError: If the server does not start; the message repeats its output.
    """
    with _running("run", "--no-record", *arguments) as server:
        yield server


@contextmanager
def running_replay(record: Path | str) -> Iterator[RunningServer]:
    """Run ``farhand replay`` with a record until the block ends.

    Raises:
        CommandError: If it does not start; the message repeats its output.
    """
    with _running("replay", str(record)) as server:
        yield server


@contextmanager
def _running(verb: str, *arguments: str) -> Iterator[RunningServer]:
    command = python_command("-m", "farhand.cli", verb, "--no-browser", "--port", str(_free_port()), *arguments)
    begin = time.perf_counter()
    server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert server.stdout
        line = server.stdout.readline()
        if not line.startswith(OWNERS):
            server.wait(TIMEOUT_S)
            assert server.stderr
            raise CommandError(f"the server did not start: {(line + server.stderr.read()).strip()}")
        seconds = time.perf_counter() - begin
        others = server.stdout.readline()
        assert others.startswith(OTHERS), others
        yield RunningServer(others.partition(": ")[2].strip(), line.removeprefix(OWNERS).strip(), server.pid, seconds)
    finally:
        if server.poll() is None:
            if sys.platform == "win32":
                server.terminate()  # its children end with their pipes
            else:
                server.send_signal(signal.SIGINT)
        server.communicate()
