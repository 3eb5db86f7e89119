"""The socket at which pages connect."""

from __future__ import annotations

import socket
import sys

__all__ = ["listening_socket"]

BACKLOG = 128


def listening_socket(host: str, port: int) -> socket.socket:
    """Return a socket that listens at an address; nothing else may listen there.

    Raises:
        OSError: The port is taken, or the host is not an address of this machine.
    """
    sock = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        # SO_REUSEADDR: on Unix, use a port that was freed a moment ago; on Windows, take it from another program.
        if sys.platform == "win32":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind((host, port))
        sock.listen(BACKLOG)
    except OSError:
        sock.close()
        raise
    return sock
