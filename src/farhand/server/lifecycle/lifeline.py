"""No process outlives the one that started it, however that one ended."""

from __future__ import annotations

import os
import select
import sys
import threading
import time
from collections.abc import Callable

from farhand.server.lifecycle.priority import come_last

__all__ = ["beside_parent", "lines_from_parent"]

MOMENT = 1.5  # seconds
LOST = 3  # exit code of a process whose parent is gone


def lines_from_parent(take: Callable[[str], None] | None = None, end: Callable[[], None] | None = None) -> None:
    """Call `take` with every line the parent writes to our standard input, and end when the parent does.

    The kernel closes the pipe even when the parent is killed, so this needs no polling. `end` is called then, to let
    the process end in order; it has a moment for that.
    """

    def read() -> None:
        for line in sys.stdin:
            if take is not None:
                take(line.rstrip("\n"))
        if end is not None:
            end()
            time.sleep(MOMENT)
        os._exit(LOST)

    threading.Thread(target=read, name="lifeline", daemon=True).start()


def beside_parent() -> None:
    """Make a worker end with its parent, even in the middle of its work, and never compete with it."""

    def wait() -> None:
        watched = select.poll()
        watched.register(0, 0)  # nothing is read here: only the pipe's end is waited for
        watched.poll()
        os._exit(LOST)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()
    come_last()
