"""The cells of a server, and how it greets a page or turns it away."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.net.wire.base import Message

__all__ = ["CellInfo", "CellState", "Cells", "Refused", "Welcome"]

CellState = Literal["starting", "running", "silent", "lost", "failed"]


class CellInfo(Struct, frozen=True, kw_only=True):
    """A cell of this server.

    Args:
        name: Of the cell.
        summary: What it is.
        state: "silent": it has said nothing for a moment; "lost": its process ended and is started anew; "failed": it
            does not start.
        reason: A sentence about that.
    """

    name: str
    summary: str = ""
    state: CellState = "starting"
    reason: str = ""


class Welcome(Message, frozen=True, kw_only=True):
    """The answer to `Hello`.

    Args:
        viewer: This page's number, by which others speak of it.
        name: What it is called.
        version: Of Farhand.
        cells: What can be watched.
        exam: This viewer sits an exam: it gets the cameras' pictures from the server, and no poses.
        trainer: Somebody else does, and this viewer may set his task without control.
    """

    viewer: int
    name: str
    version: str
    cells: tuple[CellInfo, ...]
    exam: bool = False
    trainer: bool = False


class Refused(Message, frozen=True, kw_only=True):
    """This page may not go on, and why; the connection ends. With `retry` it is worth trying again."""

    reason: str
    retry: bool = False


class Cells(Message, frozen=True, kw_only=True):
    """The cells and how they are, whenever that changes."""

    cells: tuple[CellInfo, ...]
