"""The cells of a server, and its answer to a page that connects."""

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
        name: Name of the cell.
        summary: One sentence about it.
        state: "silent": no message from it for a moment; "lost": its process ended and restarts; "failed": its process
            ended too often, and is started again every minute or by `Restart`.
        reason: A sentence about that state.
    """

    name: str
    summary: str = ""
    state: CellState = "starting"
    reason: str = ""


class Welcome(Message, frozen=True, kw_only=True):
    """The answer to `Hello`.

    Args:
        viewer: Viewer number of this page.
        name: Name under which others see it.
        version: Version of Farhand.
        cells: The cells of this server.
        role: Your role. A trainee in an exam gets pictures from the server and no poses.
    """

    viewer: int
    name: str
    version: str
    cells: tuple[CellInfo, ...]
    role: Role = "user"


class Refused(Message, frozen=True, kw_only=True):
    """The server ends this connection.

    Args:
        reason: A sentence.
        retry: The client may try again.
        code: Close code of the socket; see `farhand.server.protocol.close_codes`.
    """

    reason: str
    retry: bool = False
    code: int = 1008


class Cells(Message, frozen=True, kw_only=True):
    """The cells and their states; sent whenever one changes."""

    cells: tuple[CellInfo, ...]
