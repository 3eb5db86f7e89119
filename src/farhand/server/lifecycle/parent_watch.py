"""End a child process with its parent, however the parent ended."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Callable

from farhand.processes.portable import is_portable
from farhand.server.lifecycle.priority import lower_priority

__all__ = ["end_with_parent", "follow_parent"]

END_S = 1.5  # that a process gets to end in order
PARENT_LOST_CODE = 3  # exit code of a process whose parent has ended


def follow_parent(take: Callable[[str], None] | None = None, end: Callable[[], None] | None = None) -> None:
    """Start a thread that calls `take` with every line on standard input, and ends the process with its parent.

    The kernel closes the pipe even when the parent is killed, so this needs no polling. At that point `end` is called,
    and the process has `END_S` to end in order.
    """

    def read() -> None:
        for line in sys.stdin:
            if take is not None:
                take(line.rstrip("\n"))
        if end is not None:
            end()
            time.sleep(END_S)
        os._exit(PARENT_LOST_CODE)

    threading.Thread(target=read, name="lifeline", daemon=True).start()


def end_with_parent() -> None:
    """Make a worker end with its parent, even in the middle of its work, and lower its priority.

    Where a pipe's end cannot be awaited without reading it, the worker ends after the work in hand, when it reads on.
    """
    lower_priority()
    if is_portable():
        return

    def wait() -> None:
        watched = select.poll()
        watched.register(0, 0)  # reads nothing: only the end of the pipe matters
        watched.poll()
        os._exit(PARENT_LOST_CODE)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()
