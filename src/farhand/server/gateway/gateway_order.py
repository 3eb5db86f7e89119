"""What the process of the gateway is told, when it starts and later."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["OWNER", "TOKEN", "TRAINEE", "CellNews", "GatewayOrder"]

TOKEN = "FARHAND_TOKEN"  # noqa: S105 - the name of the variable in which the gateway is told what pages must know
TRAINEE = "FARHAND_TRAINEE_TOKEN"  # and what a trainee's page must know, if there is an exam

OWNER = "FARHAND_OWNER_TOKEN"  # and what only the owner's page knows


class GatewayOrder(Struct, frozen=True, kw_only=True):
    """What a gateway's process is to serve.

    Args:
        folder: Where the fabric's socket is.
        cells: Names of the cells.
        listener: File descriptor of the socket that listens for pages.
        loopback: It listens to this machine only.
        host: At which address.
        door: Port for masters on other machines; 0: any free one.
        spare: Stay behind as a standby, and fork the process that goes live.
    """

    folder: str
    cells: tuple[str, ...]
    listener: int
    loopback: bool = True
    host: str = "127.0.0.1"
    door: int = 0
    spare: bool = False


class CellNews(Struct, frozen=True, tag=True, kw_only=True):
    """What the supervisor knows about a cell's process.

    Args:
        cell: Its name.
        reason: What happened, as sentences.
        failed: It is not restarted for now.
        life: Earlier incarnations have ended: their messages no longer count.
    """

    cell: str
    reason: str
    failed: bool = False
    life: int = 0
