"""No process outlives the one that started it, however that one ended."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
import time
from collections.abc import Callable

__all__ = ["end_with_parent", "lines_from_parent"]

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


def end_with_parent() -> None:
    """End this worker process, one of multiprocessing's, as soon as its parent has ended."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def wait() -> None:
        parent.join()
        os._exit(LOST)

    threading.Thread(target=wait, name="lifeline", daemon=True).start()
