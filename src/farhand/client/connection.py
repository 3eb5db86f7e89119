"""One connection of a master to a server elsewhere: through the server's door, over Zenoh."""

from __future__ import annotations

import time
from collections import deque
from typing import Any
from urllib.error import HTTPError
from urllib.parse import SplitResult, urlsplit
from urllib.request import Request, urlopen

import msgspec
import zenoh

from farhand.errors import CommandError, FarhandError
from farhand.server.fabric import sessions
from farhand.server.protocol.messages import FromPage, Hello, Refused, ToPage, Welcome
from farhand.server.protocol.typescript import wire
from farhand.types import Feedback

__all__ = ["LinkError", "MasterConnection", "find_door"]

AGAIN = 0.3  # seconds between two greetings
PATIENCE = 5.0  # seconds for an answer while connecting
POLL = 0.005  # seconds between two looks for an answer
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToPage] = msgspec.msgpack.Decoder(ToPage)
_feedback: msgspec.msgpack.Decoder[Feedback] = msgspec.msgpack.Decoder(Feedback)


class LinkError(FarhandError):
    """There is no connection just now; trying again may help."""


def find_door(address: str) -> tuple[str, sessions.Pass]:
    """Return the host of a server's door, and what lets one master in.

    Args:
        address: As Farhand printed it, with its token.

    Raises:
        CommandError: If that is no address of Farhand, or its token lets no master in.
        LinkError: If nobody answers there.
    """
    place = split(address)
    asked = place._replace(fragment="", path="/door").geturl()
    request = Request(asked, headers={"Authorization": f"Bearer {_token(place)}"})  # noqa: S310 - http, checked
    try:
        with urlopen(request, timeout=PATIENCE) as answer:  # noqa: S310 - likewise
            return str(place.hostname), msgspec.json.decode(answer.read(), type=sessions.Pass)
    except HTTPError as error:
        reason = error.read().decode(errors="replace").strip() or f"The server answered {error.code}."
        raise (CommandError if error.code in (403, 404) else LinkError)(reason) from error
    except OSError as error:
        raise LinkError(f"Nobody answers at {place.netloc}: {getattr(error, 'reason', error)}.") from error
    except (ValueError, msgspec.DecodeError) as error:
        raise CommandError(f"What answers at {place.netloc} is no Farhand of this version.") from error


def split(address: str) -> SplitResult:
    """Return the parts of an address as Farhand prints it.

    Raises:
        CommandError: If it is none.
    """
    try:
        place = urlsplit(address)
        known = place.scheme in ("http", "https") and place.hostname and place.fragment.startswith("token=")
        if known and place.port != 0:
            return place
    except ValueError:
        pass
    raise CommandError(f"{address!r} is no address as farhand run prints it: http://HOST:PORT/#token=…")


def _token(place: SplitResult) -> str:
    return place.fragment.removeprefix("token=")


class MasterConnection:
    """A connection; greets the server, and keeps what comes until it is taken.

    Args:
        address: As Farhand printed it, with its token.
        client: A secret by which the server knows this master again.
        name: What others see.
        door: Host and port where the door is reached, if not where the server says.
        language: The language of notes.

    Attributes:
        welcome: What the server answered to our greeting.
        heard: When anything came last, by the monotonic clock.
        felt: When the newest feedback came, and what it was; None before the first.

    Raises:
        CommandError: If the server refuses for good.
        LinkError: If there is no connection just now.
    """

    def __init__(
        self, address: str, client: str, name: str, door: tuple[str, int] | None = None, language: str = "en"
    ) -> None:
        host, given = find_door(address)
        try:
            self._session = sessions.open_way(*(door or (host, given.port)), given.guest, given.secret)
        except zenoh.ZError as error:
            raise LinkError("The server's door does not open.") from error
        self.heard = time.monotonic()
        self.felt: tuple[float, Feedback] | None = None
        self._messages: deque[ToPage] = deque()
        drop, urgent = zenoh.CongestionControl.DROP, zenoh.Priority.REAL_TIME
        self._up = self._session.declare_publisher(
            sessions.up(given.guest), congestion_control=drop, priority=urgent, express=True
        )
        self._subscribers = [
            self._session.declare_subscriber(sessions.down(given.guest), self._take),
            self._session.declare_subscriber(sessions.felt(given.guest), self._feel),
        ]
        try:
            token = _token(split(address))
            hello = Hello(wire=wire(), token=token, client=client, name=name[:64], language=language)
            self.welcome = self._greet(hello)
        except BaseException:
            self.close()
            raise

    def _take(self, sample: Any) -> None:
        """Take a message, on Zenoh's thread."""
        self._messages.append(_decode.decode(sample.payload.to_bytes()))
        self.heard = time.monotonic()

    def _feel(self, sample: Any) -> None:
        """Take what the hand shall feel, on Zenoh's thread."""
        self.felt = time.monotonic(), _feedback.decode(sample.payload.to_bytes())
        self.heard = time.monotonic()

    def _greet(self, hello: Hello) -> Welcome:
        """Greet until there is an answer: what is said before both ends know of each other is lost."""
        begin, said = time.monotonic(), -1e9
        while (now := time.monotonic()) - begin < PATIENCE:
            if now - said > AGAIN:
                said = now
                self.send(hello)
            message = self.next()
            if isinstance(message, Welcome):
                return message
            time.sleep(POLL)
        raise LinkError("The server does not answer a greeting.")

    def next(self) -> ToPage | None:
        """Return the next message, or None.

        Raises:
            CommandError: If the server sends us away for good.
            LinkError: If it may let us in later.
        """
        message = self._messages.popleft() if self._messages else None
        if isinstance(message, Refused):
            raise (LinkError if message.retry else CommandError)(message.reason)
        return message

    def send(self, message: FromPage) -> None:
        """Send a message, or lose it: whoever needs an answer says it again."""
        self._up.put(_encode(message))

    def close(self) -> None:
        """End the connection."""
        self._session.close()

    def __enter__(self) -> MasterConnection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
