"""Decode a page's frames into typed messages, or refuse them with a sentence; no other code reads raw frames."""

from __future__ import annotations

import hmac
from urllib.parse import urlsplit

import msgspec

from farhand.server.gateway.shown_text import unprintable
from farhand.server.protocol.messages import Command, FromPage, Hand, Hello, Speech
from farhand.server.protocol.typescript import wire
from farhand.types.events.declaration import is_urgent
from farhand.types.events.rights import Role

__all__ = [
    "MAX_MESSAGE_BYTES",
    "NO_TOKEN",
    "OUT_OF_DATE",
    "BadMessageError",
    "LinkTokens",
    "decode",
    "decode_greeting",
    "origin_problem",
    "token_problem",
]

MAX_MESSAGE_BYTES = 64 * 1024
MAX_VALUES = 64  # axes, joints or buttons of a reading
OUT_OF_DATE = "This page is from another version of Farhand than the server. Reload it."
NO_TOKEN = "This link has expired or is incomplete: use the one Farhand printed."  # noqa: S105 - a sentence
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_decoder: msgspec.msgpack.Decoder[FromPage] = msgspec.msgpack.Decoder(FromPage)


class LinkTokens(msgspec.Struct, frozen=True):
    """Tokens that admit a page: for others, for the trainee of an exam, and for the owner of the server."""

    token: str
    trainee: str = ""
    owner: str = ""

    def is_trainee(self, given: str) -> bool:
        """Return whether a token is the trainee's."""
        return bool(self.trainee) and hmac.compare_digest(given.encode(), self.trainee.encode())

    def problem(self, given: str) -> str:
        """Return the reason why a token is refused; empty if it is accepted."""
        return "" if self.is_trainee(given) or self.is_owner(given) else token_problem(given, self.token)

    def role_of(self, given: str) -> Role:
        """Return the role that an accepted token gives; during an exam the token for others gives "instructor"."""
        if self.is_trainee(given):
            return "trainee"
        return "owner" if self.is_owner(given) else "instructor" if self.trainee else "user"

    def is_owner(self, given: str) -> bool:
        """Return whether a token is the owner's."""
        return bool(self.owner) and hmac.compare_digest(given.encode(), self.owner.encode())


class BadMessageError(Exception):
    """A page sent a frame that is not a valid message."""


def decode(content: bytes | str) -> FromPage:
    """Return the message in a frame of a socket.

    Raises:
        BadMessageError: If it is not a valid message, or too large.
    """
    if isinstance(content, str):
        raise BadMessageError("expected a binary frame, found a text frame")
    if len(content) > MAX_MESSAGE_BYTES:
        raise BadMessageError(f"expected a message of at most {MAX_MESSAGE_BYTES} bytes, found {len(content)}")
    try:
        message = _decoder.decode(content)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessageError(f"not a message: {str(error)[:200]}") from None
    if isinstance(message, Hand):
        reading = message.reading
        if max(len(reading.axes), len(reading.joints), len(reading.presses)) > MAX_VALUES:
            raise BadMessageError(f"a reading has at most {MAX_VALUES} axes, joints and buttons")
    elif not _always_counts(message) and unprintable(message):
        raise BadMessageError("a text contains control, direction or zero-width characters")
    if isinstance(message, Speech) and len(message.pcm) % 2:
        raise BadMessageError("samples of speech have two bytes each, found an odd number of bytes")
    return message


def _always_counts(message: FromPage) -> bool:
    """Return whether a message is accepted with any text: the gateway ignores the text of a Stop and cleans names."""
    return isinstance(message, Hello) or (isinstance(message, Command) and is_urgent(message.event))


def decode_greeting(content: bytes | str, keys: LinkTokens) -> Hello | str:
    """Return the greeting of a page, or the sentence that refuses it.

    A page of another version gets the sentence about that, even if its greeting has other fields.
    """
    try:
        plain = (
            msgspec.msgpack.decode(content)
            if isinstance(content, bytes) and len(content) <= MAX_MESSAGE_BYTES
            else None
        )
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, TypeError):
        plain = None
    if not isinstance(plain, dict) or plain.get("type") != "Hello":
        return "The first message must be a greeting."
    if plain.get("wire") != wire():
        return OUT_OF_DATE
    try:
        hello = decode(content)
    except BadMessageError as error:
        return f"The greeting is not valid: {error}."
    assert isinstance(hello, Hello)
    return keys.problem(hello.token) or hello


def token_problem(given: str, token: str) -> str:
    """Return the reason why a token is refused; empty if it is accepted."""
    if hmac.compare_digest(given.encode(), token.encode()):
        return ""
    return NO_TOKEN


def origin_problem(origin: str | None, host: str | None, *, loopback: bool) -> str:
    """Return the reason why a socket may not be opened from an origin; empty if it may.

    Args:
        origin: Origin of the page, from its browser; None from a program, which needs a token too.
        host: Name of the server, from the browser.
        loopback: The server listens to this machine only, so any other name is an attack (DNS rebinding).
    """
    try:
        named = urlsplit(f"//{host or ''}").hostname or ""
        stranger = origin is not None and urlsplit(origin).netloc != host
    except ValueError:
        return "The browser sent an invalid address for this page."
    if loopback and named not in LOOPBACK:
        return f"This server answers to names of this machine only, not to {named[:80]!r}."
    if stranger:
        return f"A page from {(origin or '')[:80]!r} may not connect to this server."
    return ""
