"""Messages between the gateway and the recogniser's process, over its standard input and output."""

from __future__ import annotations

from typing import BinaryIO

import msgspec
from msgspec import Struct

__all__ = ["LENGTH_BYTES", "FromRecogniser", "SpeechReady", "SpeechUnable", "Verdict", "framed", "next_frame"]

LENGTH_BYTES = 4
"""Bytes of the length in front of each message, little-endian."""


class SpeechReady(Struct, frozen=True, tag=True):
    """The recogniser has loaded its model and listens."""


class SpeechUnable(Struct, frozen=True, tag=True):
    """This machine cannot have a recogniser; its process ends."""

    reason: str


class Verdict(Struct, frozen=True, tag=True):
    """The phrase of an utterance; empty if it was not understood."""

    phrase: str = ""


FromRecogniser = SpeechReady | SpeechUnable | Verdict
_encode = msgspec.msgpack.Encoder().encode


def framed(content: bytes | FromRecogniser) -> bytes:
    """Return an utterance or an answer with its length in front."""
    body = content if isinstance(content, bytes) else _encode(content)
    return len(body).to_bytes(LENGTH_BYTES, "little") + body


def next_frame(pipe: BinaryIO) -> bytes | None:
    """Return the next message of a pipe, or None at its end."""
    head = pipe.read(LENGTH_BYTES)
    size = int.from_bytes(head, "little")
    body = pipe.read(size) if len(head) == LENGTH_BYTES else b""
    return body if len(head) == LENGTH_BYTES and len(body) == size else None
