"""The edge: what comes from a page is decoded into a typed message or refused with a sentence, once, here."""

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
    "LARGEST",
    "NO_TOKEN",
    "OUT_OF_DATE",
    "BadMessageError",
    "Keys",
    "decode",
    "first",
    "origin_problem",
    "token_problem",
]

LARGEST = 64 * 1024  # bytes of a message
MOST = 64  # axes, joints or buttons of a reading
OUT_OF_DATE = "This page is from another version of Farhand than the server. Reload it."
NO_TOKEN = "This link has expired or is incomplete: use the one Farhand printed."  # noqa: S105 - a sentence
LOOPBACK = {"127.0.0.1", "localhost", "::1"}
_decoder: msgspec.msgpack.Decoder[FromPage] = msgspec.msgpack.Decoder(FromPage)


class Keys(msgspec.Struct, frozen=True):
    """Tokens that let a page in: as anybody, during an exam as the trainee, or as the owner of the server."""

    token: str
    trainee: str = ""
    owner: str = ""

    def is_trainee(self, given: str) -> bool:
        """Return whether it is the trainee's."""
        return bool(self.trainee) and hmac.compare_digest(given.encode(), self.trainee.encode())

    def problem(self, given: str) -> str:
        """Return why a token is not accepted, or an empty text."""
        return "" if self.is_trainee(given) or self.is_owner(given) else token_problem(given, self.token)

    def role_of(self, given: str) -> Role:
        """Return the role of a page with a token that lets it in; during an exam, all but the trainee instruct."""
        if self.is_trainee(given):
            return "trainee"
        return "owner" if self.is_owner(given) else "instructor" if self.trainee else "user"

    def is_owner(self, given: str) -> bool:
        """Return whether it is the owner's."""
        return bool(self.owner) and hmac.compare_digest(given.encode(), self.owner.encode())


class BadMessageError(Exception):
    """What a page sent is no message."""


def decode(content: bytes | str) -> FromPage:
    """Return the message in a socket's frame.

    Raises:
        BadMessageError: If it is none, or too large.
    """
    if isinstance(content, str):
        raise BadMessageError("messages are binary, this one was text")
    if len(content) > LARGEST:
        raise BadMessageError(f"a message has at most {LARGEST} bytes, this one has {len(content)}")
    try:
        message = _decoder.decode(content)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError) as error:
        raise BadMessageError(f"that was no message: {str(error)[:200]}") from None
    if isinstance(message, Hand):
        reading = message.reading
        if max(len(reading.axes), len(reading.joints), len(reading.presses)) > MOST:
            raise BadMessageError(f"a reading has at most {MOST} axes, joints and buttons")
    elif not _always_counts(message) and unprintable(message):
        raise BadMessageError("texts have printable characters only, without control, direction or zero-width ones")
    if isinstance(message, Speech) and len(message.pcm) % 2:
        raise BadMessageError("samples of speech have two bytes each")
    return message


def _always_counts(message: FromPage) -> bool:
    """Return whether a message is taken whatever its texts are: the gateway words a Stop itself, and cleans names."""
    return isinstance(message, Hello) or (isinstance(message, Command) and is_urgent(message.event))


def first(content: bytes | str, keys: Keys) -> Hello | str:
    """Return the first message of a page, or the sentence with which it is refused.

    A page that was built from other messages is told so, even if its greeting has another shape.
    """
    try:
        plain = msgspec.msgpack.decode(content) if isinstance(content, bytes) and len(content) <= LARGEST else None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ValueError, TypeError):
        plain = None
    if not isinstance(plain, dict) or plain.get("type") != "Hello":
        return "The first message must be a greeting."
    if plain.get("wire") != wire():
        return OUT_OF_DATE
    try:
        hello = decode(content)
    except BadMessageError as error:
        return f"The greeting was not understood: {error}."
    assert isinstance(hello, Hello)
    return keys.problem(hello.token) or hello


def token_problem(given: str, token: str) -> str:
    """Return why a token is not accepted, or an empty text."""
    if hmac.compare_digest(given.encode(), token.encode()):
        return ""
    return NO_TOKEN


def origin_problem(origin: str | None, host: str | None, *, loopback: bool) -> str:
    """Return why a socket may not be opened from a place, or an empty text.

    Args:
        origin: The page that opens it, as its browser says; None from a program, which needs the token all the same.
        host: The server's name as the browser knows it.
        loopback: The server listens to this machine only, so any other name is somebody else's trick.
    """
    try:
        named = urlsplit(f"//{host or ''}").hostname or ""
        stranger = origin is not None and urlsplit(origin).netloc != host
    except ValueError:  # what stands there is no address at all
        return "The browser's address for this page makes no sense."
    if loopback and named not in LOOPBACK:
        return f"This server answers on this machine only, not as {named[:80]!r}."
    if stranger:
        return f"A page of {(origin or '')[:80]!r} may not connect here."
    return ""
