"""Which machine's monotonic clock a process reads: two processes may compare times only where it is the same one."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

__all__ = ["boot_id", "monotonic_ms"]


@cache
def boot_id() -> str:
    """Return what tells this start of this machine from others; empty where the system does not say."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def monotonic_ms() -> int:
    """Return the machine's monotonic clock in whole milliseconds."""
    return time.monotonic_ns() // 1_000_000
