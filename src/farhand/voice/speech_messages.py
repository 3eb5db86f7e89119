"""Messages between the gateway and the recogniser's process, through that one's standard input and output."""

from __future__ import annotations

from typing import BinaryIO

import msgspec
from msgspec import Struct

__all__ = ["LENGTH", "FromRecogniser", "SpeechReady", "SpeechUnable", "Verdict", "framed", "next_frame"]

LENGTH = 4
"""Bytes before each message that say how long it is, little-endian."""


class SpeechReady(Struct, frozen=True, tag=True):
    """The recogniser has its model and listens."""


class SpeechUnable(Struct, frozen=True, tag=True):
    """There can be no recogniser on this machine, and why; its process ends."""

    reason: str


class Verdict(Struct, frozen=True, tag=True):
    """The phrase of an utterance; empty if it is none."""

    phrase: str = ""


FromRecogniser = SpeechReady | SpeechUnable | Verdict
_encode = msgspec.msgpack.Encoder().encode


def framed(content: bytes | FromRecogniser) -> bytes:
    """Return an utterance or an answer as it travels."""
    body = content if isinstance(content, bytes) else _encode(content)
    return len(body).to_bytes(LENGTH, "little") + body


def next_frame(pipe: BinaryIO) -> bytes | None:
    """Return the next message of a pipe; None at its end."""
    head = pipe.read(LENGTH)
    size = int.from_bytes(head, "little")
    body = pipe.read(size) if len(head) == LENGTH else b""
    return body if len(head) == LENGTH and len(body) == size else None
