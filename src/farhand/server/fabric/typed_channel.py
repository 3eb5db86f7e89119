"""Typed messages under one name of the fabric, each with a mark of that name and the incarnation of the cell.

A message that comes in under another name, or is none, is counted and dropped: whatever the transport does, no cell
takes another one's orders, and none ends because of what it hears. So is a message from or to an earlier incarnation of
the cell: a process that was taken for dead changes nothing when it wakes.
"""

from __future__ import annotations

from hashlib import blake2s
from typing import Generic, TypeVar

import msgspec

__all__ = ["Life", "TypedChannel"]

T = TypeVar("T")
MARK = 8  # bytes
LIFE = 4  # bytes


class Life:
    """The incarnation of a cell, as one end of the fabric knows it.

    Args:
        number: Counts the lives of the cell's process.
        own: This is the cell itself, to which no other number belongs; else the newest that was heard of counts.
    """

    def __init__(self, number: int = 0, *, own: bool = False) -> None:
        self.number = number
        self._own = own

    def takes(self, number: int) -> bool:
        """Return whether a message of an incarnation counts; the gateway learns of a newer one by it."""
        if not self._own and number > self.number:
            self.number = number
        return number == self.number


class TypedChannel(Generic[T]):
    """Writes and reads the messages of one name.

    Args:
        key: The name.
        kind: What a message is.
        life: Of the cell that they come from or go to.
    """

    def __init__(self, key: str, kind: type[T], life: Life | None = None) -> None:
        self.key, self.life = key, life or Life()
        self.dropped = 0
        """How many messages did not belong here, or were none."""
        self.outdated = 0
        """How many messages were from or to an earlier incarnation."""
        self._problem = ""
        self._mark = blake2s(key.encode(), digest_size=MARK).digest()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(kind).decode

    def written(self, message: T) -> bytes:
        """Return a message as it travels."""
        return self._mark + self.life.number.to_bytes(LIFE, "little") + self._encode(message)

    def read(self, content: bytes) -> T | None:
        """Return the message, or None if it is not one of these."""
        if content.startswith(self._mark):
            try:
                message = self._decode(content[MARK + LIFE :])
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                self._problem = f"it is no message of this kind: {str(error)[:120]}"
            else:
                if self.life.takes(int.from_bytes(content[MARK : MARK + LIFE], "little")):
                    return message
                self.outdated += 1
                return None
        else:
            self._problem = "it was sent on another channel"
        self.dropped += 1
        return None

    def complaint(self) -> str:
        """Return a sentence about the newest message that was dropped; empty if enough was said about such messages."""
        if self.dropped & (self.dropped - 1):  # the first, the second, the fourth, …
            return ""
        return f"A message on the channel {self.key} was not understood: {self._problem} ({self.dropped} so far)."
