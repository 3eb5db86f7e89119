"""The child process of a guarded read: it takes a request on standard input and answers on standard output."""

from __future__ import annotations

import math
import os
import sys
from contextlib import suppress

import msgspec

from farhand.errors import FileError
from farhand.formats.guarded import Failure, Request, Success
from farhand.formats.size_limits import SizeLimits
from farhand.processes.portable import is_portable

__all__ = ["limit_process", "main"]


def limit_process(limits: SizeLimits) -> None:
    """Limit this process permanently: address space, processor time, no files written, no core dump.

    Windows has no such limits; there the parent's limits on time and size remain. macOS may refuse the memory limit.
    """
    if is_portable():
        return
    import resource

    with suppress(*(() if sys.platform == "linux" else (ValueError, OSError))):
        resource.setrlimit(resource.RLIMIT_AS, (limits.memory, limits.memory))
    seconds = math.ceil(limits.seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))


def main() -> int:
    """Answer one request."""
    # output of libraries must not get into the answer
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
        return Failure(request.path, f"reading it needs more memory than the limit of {megabytes:.0f} MB")
    except Exception as error:  # noqa: BLE001 - the child must always answer
        return Failure(request.path, f"the reader failed ({type(error).__name__}: {str(error)[:200]})")


def _problem(error: FileError) -> str:
    # keep the hint at the nearest name, which only the original error can make
    place = f"{error.path}: {error.field}: " if error.field else f"{error.path}: "
    return str(error).removeprefix(place)


if __name__ == "__main__":
    sys.exit(main())
