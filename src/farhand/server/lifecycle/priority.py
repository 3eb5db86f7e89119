"""Some processes come first: those on the way from the hand to the arm, before whatever else the machine does.

A page that is drawn by the processor alone takes all of it for a while; a reading that waits behind a picture looks
like a lost hand, and the arm pauses. Where the system does not allow an urgency, everything works as before.
"""

from __future__ import annotations

import os

__all__ = ["come_first", "come_last"]

FIRST, LAST = -10, 5  # as for `nice`


def come_first() -> bool:
    """Ask that this process be preferred; return whether it is. Threads and processes started later are too."""
    return _ask(FIRST)


def come_last() -> bool:
    """Ask that others be preferred to this process; return whether they are."""
    return _ask(LAST)


def _ask(niceness: int) -> bool:
    if not hasattr(os, "setpriority"):  # not made for Windows
        return False
    try:
        os.setpriority(os.PRIO_PROCESS, 0, niceness)
    except PermissionError:
        return False
    return True
