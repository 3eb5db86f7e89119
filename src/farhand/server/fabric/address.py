"""The address of a server's fabric: a Unix socket in a private folder, or loopback TCP with a secret.

The supervisor chooses once and writes the address into the private folder, where its children read it. TCP is used
where there are no Unix sockets, and where the folder's path is too long for one. Every user of the machine can reach a
port, so Zenoh rejects a session without the secret, and every message has a mark made with it (see `typed_channel`).
"""

from __future__ import annotations

import os
import secrets
import socket
import sys
from contextlib import ExitStack
from pathlib import Path

import msgspec

from farhand.processes.portable import is_portable

__all__ = ["FabricAddress", "choose_address", "read_address"]

FILE = "fabric.json"
SOCKET, RECORDER_SOCKET = "fabric.sock", "record.sock"
MAX_SOCKET_BYTES = 103 if sys.platform == "darwin" else 107  # longest path of a Unix socket
LOOPBACK = "127.0.0.1"


class FabricAddress(msgspec.Struct, frozen=True):
    """The address at which the gateway listens for cells.

    Args:
        endpoint: Zenoh endpoint.
        secret: Password of the cells; empty for a Unix socket, which only its owner can open.
        recorder: Zenoh endpoint at which the recorder listens for cells.
    """

    endpoint: str
    secret: str = ""
    recorder: str = ""


def choose_address(folder: Path) -> FabricAddress:
    """Choose the fabric's address for a private folder, write it there and return it."""
    unix = folder / SOCKET
    if not is_portable() and len(os.fsencode(unix)) <= MAX_SOCKET_BYTES:
        address = FabricAddress(f"unixsock-stream/{unix}", recorder=f"unixsock-stream/{folder / RECORDER_SOCKET}")
    else:
        pages, records = [f"tcp/{LOOPBACK}:{port}" for port in _free_ports(2)]
        address = FabricAddress(pages, secrets.token_hex(32), records)
    path = folder / FILE
    path.touch(mode=0o600)
    path.write_bytes(msgspec.json.encode(address))
    return address


def read_address(folder: Path) -> FabricAddress:
    """Return the address that was chosen for a private folder."""
    return msgspec.json.decode((folder / FILE).read_bytes(), type=FabricAddress)


def _free_ports(number: int) -> list[int]:
    with ExitStack() as opened:
        sockets = [opened.enter_context(socket.socket()) for _ in range(number)]
        for sock in sockets:
            sock.bind((LOOPBACK, 0))
        return [int(sock.getsockname()[1]) for sock in sockets]
