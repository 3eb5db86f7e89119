"""Return freed memory to the system after work that briefly needed much of it."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["release_memory"]


def release_memory() -> None:
    """Return freed memory to the system, if the C library can.

    Compiling a model with many faces takes six times the memory that the model keeps. The C library would hold on to
    it, and the next compilation would take as much again. This takes milliseconds: never call it within a tick.
    """
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:  # only glibc has it
        trim(ctypes.c_size_t(0))
