"""Peers: libraries that do the same jobs, measured beside ours. They live in an environment of their own.

`make bench-peers` creates it from `requirements/peers.txt`. Each function here builds one peer, or raises ImportError.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

__all__ = ["available"]

T = TypeVar("T")


def available(makers: dict[str, Callable[[], T]]) -> tuple[dict[str, T], list[str]]:
    """Return the peers that could be built, and a line for each one that could not."""
    peers, missing = {}, []
    for name, make in makers.items():
        try:
            peers[name] = make()
        except Exception as error:  # noqa: BLE001  a peer may fail in any way; ours must still be measured
            missing.append(f"{name}: {type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:160])
    return peers, missing
