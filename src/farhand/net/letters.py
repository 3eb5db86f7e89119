"""Typed messages under one name of the fabric, each with a mark of the name it was sent under.

A message that comes in under another name, or is none, is counted and dropped: whatever the transport does, no cell
takes another one's orders, and none ends because of what it hears.
"""

from __future__ import annotations

from hashlib import blake2s
from typing import Generic, TypeVar

import msgspec

__all__ = ["Letters"]

T = TypeVar("T")
MARK = 8  # bytes


class Letters(Generic[T]):
    """Writes and reads the messages of one name.

    Args:
        key: The name.
        kind: What a message is.
    """

    def __init__(self, key: str, kind: type[T]) -> None:
        self.key = key
        self.dropped = 0
        """How many messages did not belong here, or were none."""
        self._mark = blake2s(key.encode(), digest_size=MARK).digest()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(kind).decode

    def written(self, message: T) -> bytes:
        """Return a message as it travels."""
        return self._mark + self._encode(message)

    def read(self, content: bytes) -> T | None:
        """Return the message, or None if it is not one of these."""
        if content.startswith(self._mark):
            try:
                return self._decode(content[MARK:])
            except msgspec.MsgspecError:
                pass
        self.dropped += 1
        return None
