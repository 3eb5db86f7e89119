"""Tickets: short-lived permissions to see one camera, for clients that cannot send a header: an image, a player.

A ticket is part of an address, which ends up in histories and logs, where the token must never be. It is valid for one
camera, for `LIFE_S`, and only at the gateway that issued it. A stream continues after its ticket has expired.
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
    """Issues and checks tickets.

    Args:
        clock: Monotonic clock, s.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._key = clock, secrets.token_bytes(32)

    def make(self, thing: str, rights: str) -> str:
        """Return a ticket.

        Args:
            thing: The camera, as CELL/ROBOT/CAMERA.
            rights: Role of the person: "viewer" or "trainee".
        """
        end = str(int(self._clock() + LIFE_S))
        return f"{end}.{rights}.{self._mark(end, rights, thing)}"

    def problem(self, ticket: str, thing: str) -> str:
        """Return the reason why a ticket is not valid for a camera; empty if it is."""
        end, _, rest = ticket.partition(".")
        rights, _, mark = rest.partition(".")
        if not hmac.compare_digest(mark.encode(), self._mark(end, rights, thing).encode()):
            return "This ticket is not valid here. Ask for a new one: POST /ticket with the token in the header."
        if self._clock() >= int(end):
            return f"This ticket has expired: tickets are valid for {LIFE_S:.0f} s. Ask for a new one."
        return ""

    def _mark(self, end: str, rights: str, thing: str) -> str:
        text = "\0".join((PURPOSE, end, rights, thing))
        return urlsafe_b64encode(hmac.digest(self._key, text.encode(), hashlib.sha256)[:18]).decode()
