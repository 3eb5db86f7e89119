"""Whether to use only what every operating system has.

On Unix, Farhand also uses Unix sockets, standbys made by fork, sockets handed to a child, and limits on memory.
Windows has none of these. ``FARHAND_PORTABLE=1`` forces the other paths, so that they can be tested on Linux.
"""

from __future__ import annotations

import os
import sys

__all__ = ["VARIABLE", "is_portable"]

VARIABLE = "FARHAND_PORTABLE"


def is_portable() -> bool:
    """Return whether to do without what only Unix has."""
    return sys.platform == "win32" or os.environ.get(VARIABLE) == "1"
