"""The cells of a server, and how it greets a page or turns it away."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.types.events.rights import Role

__all__ = ["CellInfo", "CellState", "Cells", "Refused", "Welcome"]

CellState = Literal["starting", "running", "silent", "lost", "failed"]


class CellInfo(Struct, frozen=True, kw_only=True):
    """A cell of this server.

    Args:
        name: Of the cell.
        summary: What it is.
        state: "silent": it has said nothing for a moment; "lost": its process ended and is restarted; "failed": it
            ended too often, and is tried again every minute or by `Restart`.
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
        role: Of the person at this page. A trainee, who sits an exam, gets pictures from the server and no poses.
    """

    viewer: int
    name: str
    version: str
    cells: tuple[CellInfo, ...]
    role: Role = "user"


class Refused(Message, frozen=True, kw_only=True):
    """This client may not go on; the connection ends.

    Args:
        reason: A sentence.
        retry: It is worth trying again.
        code: The close code of the socket; see `farhand.server.protocol.close_codes`.
    """

    reason: str
    retry: bool = False
    code: int = 1008


class Cells(Message, frozen=True, kw_only=True):
    """The cells and how they are, whenever that changes."""

    cells: tuple[CellInfo, ...]
