"""Handing memory back to the system after work that needed much of it for a moment."""

from __future__ import annotations

import ctypes
import sys

__all__ = ["release_memory"]


def release_memory() -> None:
    """Give freed memory back to the system where the C library can.

    Compiling a model with many faces takes six times the memory that the model keeps. The C library holds on to it
    otherwise, and the next compilation takes as much beside it. It takes milliseconds: never call it within a tick.
    """
    if not sys.platform.startswith("linux"):
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:  # other C libraries have none
        trim(ctypes.c_size_t(0))
