"""The machine's monotonic clock and its identity: two processes may compare times only of the same clock."""

from __future__ import annotations

import time
from functools import cache
from pathlib import Path

__all__ = ["boot_id", "monotonic_ms"]


@cache
def boot_id() -> str:
    """Return the identifier of this boot of this machine; empty where the system has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    except OSError:
        return ""


def monotonic_ms() -> int:
    """Return the machine's monotonic clock in whole milliseconds."""
    return time.monotonic_ns() // 1_000_000
