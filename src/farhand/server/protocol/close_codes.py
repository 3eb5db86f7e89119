"""Close codes of a page's socket, each with one meaning. Remote masters get the same numbers in `Refused.code`.

Codes below 4000 belong to the WebSocket protocol. `docs/server.md` has the table for people who write a client.
"""

from __future__ import annotations

__all__ = [
    "FULL",
    "NOT_ADMITTED",
    "NO_GREETING",
    "OPENED_AGAIN",
    "OUT_OF_DATE",
    "SENT_AWAY",
    "TOO_MANY_MESSAGES",
    "TOO_SLOW",
]

NOT_ADMITTED = 1008
"""The origin, greeting or token was refused."""
TOO_SLOW = 1013
"""The client reads too slowly; it may try again."""
SENT_AWAY = 4403
"""Someone in control, or the owner, sent this viewer away."""
NO_GREETING = 4408
"""No greeting came in time, or a newer connection took the place of this one, which had not greeted; try again."""
OPENED_AGAIN = 4409
"""The same client connected a second time; the newer connection continues."""
OUT_OF_DATE = 4426
"""The page was built for another version of the messages; reload it."""
TOO_MANY_MESSAGES = 4429
"""The client stayed above the message limit for a second."""
FULL = 4503
"""No place is free; it may try again."""
