"""Reading a robot in a child process with limits, so that a hostile or broken file does no harm.

The child has limits on address space and processor time, writes no files, and is killed when its time is up. Its result
is checked against the types of `RobotModel` and limited in size. A crash of a parser in the child becomes an error
here.
"""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from pathlib import Path

import msgspec
from msgspec import Struct

from farhand.errors import RobotFileError
from farhand.formats.model import RobotModel
from farhand.formats.size_limits import DEFAULT_LIMITS, SizeLimits
from farhand.processes.portable import VARIABLE, is_portable
from farhand.processes.python_start import python_command

__all__ = ["Failure", "Request", "Success", "read_robot_guarded"]

_PASSED_ON = (
    "PATH",
    "PYTHONPATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "ROS_PACKAGE_PATH",
    "VIRTUAL_ENV",
    "LD_LIBRARY_PATH",
    "SYSTEMROOT",
    VARIABLE,
)
_CHUNK = 1 << 20
KILLED = 9  # SIGKILL, which Windows does not define


class Request(Struct, frozen=True):
    """A read for the child to do."""

    path: str
    base: str | None
    tip: str | None
    root: str | None
    limits: SizeLimits


class Success(Struct, frozen=True, tag=True):
    """The child's result."""

    model: RobotModel


class Failure(Struct, frozen=True, tag=True):
    """The child's refusal: the parts of a `RobotFileError`."""

    path: str
    problem: str
    field: str = ""


def read_robot_guarded(
    path: Path | str,
    *,
    base: str | None = None,
    tip: str | None = None,
    root: Path | str | None = None,
    seconds: float = 30.0,
    memory: int = DEFAULT_LIMITS.memory,
    options: SizeLimits = DEFAULT_LIMITS,
) -> RobotModel:
    """Read a robot as `read_robot` does, in a child process with limits.

    Args:
        path: The file.
        base: Link whose frame is the base; None takes the root.
        tip: Link, body or site that is the tip; None chooses.
        root: The only folder to read files from; None chooses (see `farhand.formats.file_access`).
        seconds: Wall time after which the child is killed; it also limits its processor time.
        memory: Address space of the child in bytes.
        options: Other limits; the two above replace its `seconds` and `memory`.

    Raises:
        RobotFileError: If the file is wrong, or reading it crashed or exceeded a limit.
    """
    limits = msgspec.structs.replace(options, seconds=seconds, memory=memory)
    absolute = None if root is None else str(Path(root).resolve())
    request = Request(str(Path(path).absolute()), base, tip, absolute, limits)
    reply, code = _ask(msgspec.msgpack.encode(request), Path(path), limits)
    try:
        answer = msgspec.msgpack.decode(reply, type=Success | Failure)
    except msgspec.DecodeError:
        raise RobotFileError(path, _death(code, limits)) from None
    if isinstance(answer, Failure):
        raise RobotFileError(answer.path, answer.problem, field=answer.field)
    return answer.model


def _ask(request: bytes, path: Path, limits: SizeLimits) -> tuple[bytes, int]:
    # one thread each: the arenas and stacks of many would use up the address space
    environment = {key: os.environ[key] for key in _PASSED_ON if key in os.environ}
    environment |= {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MALLOC_ARENA_MAX": "2"}
    child = subprocess.Popen(
        python_command("-m", "farhand.formats.guarded_child"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env=environment,
        start_new_session=True,
    )
    try:
        if is_portable():
            return _communicate(child, request, path, limits)
        assert child.stdin is not None
        with child.stdin:
            child.stdin.write(request)
        reply = _collect(child, path, limits)
        return reply, child.wait(timeout=5)
    except BrokenPipeError:
        return b"", child.wait(timeout=5)
    except subprocess.TimeoutExpired:
        return b"", -KILLED
    finally:
        _end(child)


def _collect(child: subprocess.Popen[bytes], path: Path, limits: SizeLimits) -> bytes:
    assert child.stdout is not None
    deadline = time.monotonic() + limits.seconds
    reply = bytearray()
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise _too_slow(path, limits)
            chunk = os.read(child.stdout.fileno(), _CHUNK)
            if not chunk:
                return bytes(reply)
            reply += chunk
            if len(reply) > limits.result_bytes:
                raise _too_large(path, limits)


def _communicate(child: subprocess.Popen[bytes], request: bytes, path: Path, limits: SizeLimits) -> tuple[bytes, int]:
    """Return the child's reply and exit code, where a pipe cannot be awaited with a time limit."""
    try:
        reply, _ = child.communicate(request, limits.seconds)
    except subprocess.TimeoutExpired:
        raise _too_slow(path, limits) from None
    if len(reply) > limits.result_bytes:
        raise _too_large(path, limits)
    return reply, child.returncode


def _too_slow(path: Path, limits: SizeLimits) -> RobotFileError:
    return RobotFileError(path, f"reading it took longer than the limit of {limits.seconds:g} s")


def _too_large(path: Path, limits: SizeLimits) -> RobotFileError:
    return RobotFileError(path, f"its model is larger than the limit of {limits.result_bytes / 1e6:.0f} MB")


def _end(child: subprocess.Popen[bytes]) -> None:
    if child.poll() is None:
        child.kill()
    child.wait()
    if child.stdout is not None:
        child.stdout.close()


def _death(code: int, limits: SizeLimits) -> str:
    if hasattr(signal, "SIGXCPU") and code == -signal.SIGXCPU:
        return f"reading it took longer than the limit of {limits.seconds:g} s of processor time"
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        return f"the reader failed ({name}); the file is damaged, or needs more memory than allowed"
    return f"the reader failed (exit {code}); the file is damaged, or needs more memory than allowed"
