"""Messages from the supervisor to the gateway's process: its order at the start, and news about cells."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["OWNER", "TOKEN", "TRAINEE", "CellNews", "GatewayOrder"]

# Names of the environment variables with the tokens of the links.
TOKEN = "FARHAND_TOKEN"  # noqa: S105 - the name of a variable: the token for others
TRAINEE = "FARHAND_TRAINEE_TOKEN"  # for the trainee, if there is an exam
OWNER = "FARHAND_OWNER_TOKEN"


class GatewayOrder(Struct, frozen=True, kw_only=True):
    """The order with which a gateway's process starts.

    Args:
        folder: Folder of the fabric's socket.
        cells: Names of the cells.
        listener: File descriptor of the socket at which pages connect; -1: listen at host and port.
        loopback: The server listens to this machine only.
        host: Address at which it listens.
        port: Port at which it listens.
        master_port: Port for remote masters; 0: any free one.
        spare: Remain as a standby and fork the live process.
    """

    folder: str
    cells: tuple[str, ...]
    listener: int
    loopback: bool = True
    host: str = "127.0.0.1"
    port: int = 0
    master_port: int = 0
    spare: bool = False


class CellNews(Struct, frozen=True, tag=True, kw_only=True):
    """News about a cell's process.

    Args:
        cell: Name of the cell.
        reason: Sentences about it.
        failed: The process is not restarted at once.
        life: Messages of earlier incarnations no longer count.
    """

    cell: str
    reason: str
    failed: bool = False
    life: int = 0
