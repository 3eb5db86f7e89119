"""A cable between two ends that can be cut, or go silent without a word."""

from __future__ import annotations

import contextlib
import socket
import threading
from urllib.parse import urlsplit

__all__ = ["Cable"]


class Cable:
    """Passes bytes on between an address of its own and a server's.

    ``cut`` closes every connection and lets none in; ``silence`` keeps them open and passes nothing on, which is how a
    lost radio link looks from both ends. ``mend`` ends either; what was on its way meanwhile then arrives, late.

    Args:
        address: Of the server, as Farhand printed it.
    """

    def __init__(self, address: str) -> None:
        place = urlsplit(address)
        assert place.hostname
        assert place.port
        self._server = (place.hostname, place.port)
        self._door = socket.create_server(("127.0.0.1", 0))
        self.address = place._replace(netloc=f"127.0.0.1:{self._door.getsockname()[1]}").geturl()
        self._open = threading.Event()  # may new connections be made
        self._flows = threading.Event()
        self._ends: set[socket.socket] = set()
        self._threads: list[threading.Thread] = []
        self._ended = False
        self.mend()
        self._start(self._welcome)

    def cut(self) -> None:
        """Close all connections at once, and refuse new ones."""
        self._open.clear()
        for end in list(self._ends):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def silence(self) -> None:
        """Pass nothing on, in either direction; say nothing about it."""
        self._flows.clear()

    def mend(self) -> None:
        """Be a good cable again."""
        self._open.set()
        self._flows.set()

    def _start(self, work: object, *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, name="cable", daemon=True)  # type: ignore[arg-type]
        self._threads.append(thread)
        thread.start()

    def _welcome(self) -> None:
        while True:
            try:
                near, _ = self._door.accept()
            except OSError:
                return
            if self._ended or not self._open.is_set():
                near.close()
                continue
            far = socket.create_connection(self._server)
            self._ends |= {near, far}
            for source, sink in ((near, far), (far, near)):
                source.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                self._start(self._pass_on, source, sink)

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while content := source.recv(65536):
                self._flows.wait()
                sink.sendall(content)
        except OSError:
            pass
        finally:
            for end in (source, sink):
                with contextlib.suppress(OSError):
                    end.shutdown(socket.SHUT_RDWR)
            source.close()
            self._ends.discard(source)

    def __enter__(self) -> Cable:
        return self

    def __exit__(self, *error: object) -> None:
        self._ended = True
        self._flows.set()
        self.cut()
        self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()
        for thread in self._threads:
            thread.join()
