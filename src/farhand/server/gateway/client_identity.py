"""The identity of clients: a number and a name for each page and joined master, kept while it is away.

A client proves who it is by a secret of its own. Only the hash of the secret is kept.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container
from hashlib import blake2s

from farhand.server.gateway.shown_text import NAME_LENGTH, clean

__all__ = ["MAX_CLIENTS", "ClientIdentities", "client_hash"]

MAX_CLIENTS = 1000  # that are recognised when they come back


def client_hash(secret: str) -> str:
    """Return the hash by which a client is recognised; its secret itself is stored nowhere."""
    return blake2s(secret.encode(), digest_size=16, person=b"client").hexdigest()


class ClientIdentities:
    """The numbers and names of the clients that a gateway recognises.

    Args:
        needed: Returns the numbers that must not be forgotten.
    """

    def __init__(self, needed: Callable[[], Container[int]]) -> None:
        self._needed = needed
        self._known: OrderedDict[str, tuple[int, str]] = OrderedDict()
        self._count = 0

    def __len__(self) -> int:
        return len(self._known)

    def recognise(self, hashed: str, name: str) -> tuple[int, str]:
        """Return the number and name of a client; one that comes back keeps its number.

        Args:
            hashed: Hash of its secret.
            name: The name that it asks for; empty: "Guest" and its number.
        """
        if hashed not in self._known:
            self._count += 1
            self._known[hashed] = (self._count, "")
            if len(self._known) > MAX_CLIENTS:
                self._forget_one()
        number, _ = self._known[hashed]
        shown = clean(name, NAME_LENGTH) or f"Guest {number}"
        self._known[hashed] = (number, shown)
        self._known.move_to_end(hashed)
        return number, shown

    def by_number(self) -> dict[int, tuple[str, str]]:
        """Return the hash and name of each client by its number."""
        return {number: (hashed, name) for hashed, (number, name) in self._known.items()}

    def _forget_one(self) -> None:
        """Forget the client that came longest ago and is not needed."""
        needed = self._needed()
        del self._known[next(hashed for hashed, (number, _) in self._known.items() if number not in needed)]
