"""The child process of a guarded read: takes a request on standard input, answers on standard output."""

from __future__ import annotations

import math
import os
import resource
import sys

import msgspec

from farhand.errors import FileError
from farhand.formats.guarded import Failure, Request, Success
from farhand.formats.size_limits import SizeLimits

__all__ = ["limit_process", "main"]


def limit_process(limits: SizeLimits) -> None:
    """Bound this process for good: address space, processor time, no files written, no core dump."""
    resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    seconds = math.ceil(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def main() -> int:
    """Answer one request."""
    # Whatever a library prints must not get into the answer.
    channel = os.dup(1)
    os.dup2(2, 1)
    request = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=Request)
    limit_process(request.limits)
    answer = _answer(request)
    with os.fdopen(channel, "wb") as out:
        out.write(msgspec.msgpack.encode(answer))
    return 0


def _answer(request: Request) -> Success | Failure:
    from farhand.formats.read import read_robot  # after the limits: it loads the parsers

    try:
        model = read_robot(request.path, base=request.base, tip=request.tip, root=request.root, options=request.limits)
        return Success(model)
    except FileError as error:
        return Failure(str(error.path), _problem(error), error.field)
    except MemoryError:
        megabytes = request.limits.memory / 1e6
        return Failure(request.path, f"reading it needs more than {megabytes:.0f} MB of memory, which is the limit")
    except Exception as error:  # noqa: BLE001 - the child's one duty is to answer
        return Failure(request.path, f"the reader broke down on it ({type(error).__name__}: {str(error)[:200]})")


def _problem(error: FileError) -> str:
    # The hint at the nearest name is made from what only the original error knows: keep it.
    place = f"{error.path}: {error.field}: " if error.field else f"{error.path}: "
    return str(error).removeprefix(place)


if __name__ == "__main__":
    sys.exit(main())
