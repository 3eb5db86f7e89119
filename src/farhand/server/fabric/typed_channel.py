"""Typed messages under one key of the fabric, each with a hash of that key and the incarnation of the cell.

A message that was sent under another key, or cannot be decoded, is counted and dropped. So no cell takes the orders of
another one, and no message can end a process. A message from or to an earlier incarnation of the cell is dropped too:
a process that was taken for dead and wakes changes nothing.
"""

from __future__ import annotations

from hashlib import blake2s
from typing import ClassVar, Generic, TypeVar

import msgspec

__all__ = ["Life", "TypedChannel"]

T = TypeVar("T")
MARK_BYTES = 8
LIFE_BYTES = 4


class Life:
    """The incarnation of a cell's process, as one end of the fabric knows it.

    Args:
        number: Counts the starts of the cell's process.
        own: True in the cell itself, whose number never changes; elsewhere the newest number seen counts.
    """

    def __init__(self, number: int = 0, *, own: bool = False) -> None:
        self.number = number
        self._own = own

    def takes(self, number: int) -> bool:
        """Return whether a message of an incarnation counts; outside the cell, remember a newer number."""
        if not self._own and number > self.number:
            self.number = number
        return number == self.number


class TypedChannel(Generic[T]):
    """Encodes and decodes the messages of one key.

    Args:
        key: Zenoh key.
        kind: Type of the messages.
        life: Incarnation of the cell that they come from or go to.
    """

    secret: ClassVar[bytes] = b""
    """Secret of this process's fabric, at most 32 bytes; the mark of a message cannot be made without it."""

    def __init__(self, key: str, kind: type[T], life: Life | None = None) -> None:
        self.key, self.life = key, life or Life()
        self.dropped = 0
        """Number of messages that were sent under another key or could not be decoded."""
        self.outdated = 0
        """Number of messages from or to an earlier incarnation."""
        self._problem = ""
        self._mark = blake2s(key.encode(), digest_size=MARK_BYTES, key=self.secret).digest()
        self._encode = msgspec.msgpack.Encoder().encode
        self._decode = msgspec.msgpack.Decoder(kind).decode

    def written(self, message: T) -> bytes:
        """Return an encoded message."""
        return self._mark + self.life.number.to_bytes(LIFE_BYTES, "little") + self._encode(message)

    def read(self, content: bytes) -> T | None:
        """Return the decoded message; None if it is dropped."""
        if content.startswith(self._mark):
            try:
                message = self._decode(content[MARK_BYTES + LIFE_BYTES :])
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                self._problem = f"it is not a message of this kind: {str(error)[:120]}"
            else:
                if self.life.takes(int.from_bytes(content[MARK_BYTES : MARK_BYTES + LIFE_BYTES], "little")):
                    return message
                self.outdated += 1
                return None
        else:
            self._problem = "it was sent on another channel"
        self.dropped += 1
        return None

    def complaint(self) -> str:
        """Return a sentence about the newest dropped message; empty if enough of them were reported."""
        if self.dropped & (self.dropped - 1):  # the first, the second, the fourth, …
            return ""
        return f"A message on the channel {self.key} was dropped: {self._problem} ({self.dropped} so far)."
