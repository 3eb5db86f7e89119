"""Tickets: short-lived leave to see one camera, for what cannot send a header: an image, a player.

A ticket stands in an address, which ends up in histories and logs; the token must not. It holds for one camera, for as
long as `LIFE_S`, and only at the gateway that made it. A stream that was begun goes on.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable

__all__ = ["LIFE_S", "Tickets"]

LIFE_S = 60.0
PURPOSE = "camera"


class Tickets:
    """Makes and checks tickets.

    Args:
        clock: Monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._key = clock, secrets.token_bytes(32)

    def make(self, thing: str, rights: str) -> str:
        """Return a ticket.

        Args:
            thing: What it lets see.
            rights: As whom: "viewer" or "trainee".
        """
        end = str(int(self._clock() + LIFE_S))
        return f"{end}.{rights}.{self._mark(end, rights, thing)}"

    def problem(self, ticket: str, thing: str) -> str:
        """Return why a ticket does not let see a thing, or an empty text."""
        end, _, rest = ticket.partition(".")
        rights, _, mark = rest.partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(end, rights, thing).encode()):
            return "This ticket is not valid here. Ask for a new one: POST /ticket with the token in the header."
        if self._clock() >= int(end):
            return f"This ticket has expired: tickets hold for {LIFE_S:.0f} s. Ask for a new one."
        return ""

    def _mark(self, end: str, rights: str, thing: str) -> str:
        text = "\0".join((PURPOSE, end, rights, thing))
        return urlsafe_b64encode(hmac.digest(self._key, text.encode(), hashlib.sha256)[:18]).decode()
