"""Process priorities: the processes between master and robot run before everything else on the machine.

A browser without a graphics card takes the whole processor to draw a page. A reading that waits that long looks like a
lost master, and the robot pauses. Where the system does not permit a priority, everything runs without it.
"""

from __future__ import annotations

import os

__all__ = ["lower_priority", "raise_priority"]

RAISED, LOWERED = -10, 5  # as for `nice`


def raise_priority() -> bool:
    """Raise the priority of this process and of threads started later; return whether the system permits it."""
    return _ask(RAISED)


def lower_priority() -> bool:
    """Lower the priority of this process; return whether the system permits it."""
    return _ask(LOWERED)


def _ask(niceness: int) -> bool:
    if not hasattr(os, "setpriority"):  # not made for Windows
        return False
    try:
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
    except PermissionError:
        return False
    return True
