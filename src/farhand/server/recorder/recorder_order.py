"""The order with which the supervisor starts the recorder."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["RecorderOrder"]


class RecorderOrder(Struct, frozen=True, kw_only=True):
    """What the recorder records, and where.

    Args:
        folder: Folder of the fabric's socket.
        cells: Names of the cells.
        runs: Folder in which runs are kept.
        quota: Bytes that runs may take.
    """

    folder: str
    cells: tuple[str, ...]
    runs: str
    quota: int
