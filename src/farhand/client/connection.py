"""The connection of a master to a server on another machine, over Zenoh."""

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

__all__ = ["LinkError", "MasterConnection", "fetch_credentials"]

GREETING_S = 0.3  # between two greetings
TIMEOUT_S = 5.0  # for an answer while connecting
POLL_S = 0.005  # between two looks for an answer
_encode = msgspec.msgpack.Encoder().encode
_decode: msgspec.msgpack.Decoder[ToPage] = msgspec.msgpack.Decoder(ToPage)
_feedback: msgspec.msgpack.Decoder[Feedback] = msgspec.msgpack.Decoder(Feedback)


class LinkError(FarhandError):
    """There is no connection now; trying again may help."""


def fetch_credentials(address: str) -> tuple[str, sessions.MasterCredentials]:
    """Return the host of a server, and the credentials of one master.

    Args:
        address: Link that Farhand printed, with its token.

    Raises:
        CommandError: If the link is not valid, or its token admits no master.
        LinkError: If no server answers there.
    """
    place = split(address)
    asked = place._replace(fragment="", path="/masters").geturl()
    request = Request(asked, headers={"Authorization": f"Bearer {_token(place)}"})  # noqa: S310 - http, checked
    try:
        with urlopen(request, timeout=TIMEOUT_S) as answer:  # noqa: S310 - likewise
            return str(place.hostname), msgspec.json.decode(answer.read(), type=sessions.MasterCredentials)
    except HTTPError as error:
        reason = error.read().decode(errors="replace").strip() or f"The server answered {error.code}."
        raise (CommandError if error.code in (403, 404) else LinkError)(reason) from error
    except OSError as error:
        raise LinkError(f"No server answers at {place.netloc}: {getattr(error, 'reason', error)}.") from error
    except (ValueError, msgspec.DecodeError) as error:
        raise CommandError(f"{place.netloc} is not a compatible Farhand server") from error


def split(address: str) -> SplitResult:
    """Return the parts of a link that Farhand printed.

    Raises:
        CommandError: If it is not such a link.
    """
    try:
        place = urlsplit(address)
        known = place.scheme in ("http", "https") and place.hostname and place.fragment.startswith("token=")
        if known and place.port != 0:
            return place
    except ValueError:
        pass
    raise CommandError(f"found {address!r}, expected the link that farhand run prints: http://HOST:PORT/#token=…")


def _token(place: SplitResult) -> str:
    return place.fragment.removeprefix("token=")


class MasterConnection:
    """A connection: greets the server, and queues its messages.

    Args:
        address: Link that Farhand printed, with its token.
        client: Secret by which the server recognises this master.
        name: Name that others see.
        master_address: Host and port for masters, if they differ from those that the server gives.
        language: Language of notes.

    Attributes:
        welcome: The server's answer to the greeting.
        heard: Time of the newest message, monotonic s.
        feedback: Time and value of the newest feedback; None before the first.

    Raises:
        CommandError: If the server refuses the connection for good.
        LinkError: If there is no connection now.
    """

    def __init__(
        self, address: str, client: str, name: str, master_address: tuple[str, int] | None = None, language: str = "en"
    ) -> None:
        host, credentials = fetch_credentials(address)
        try:
            self._session = sessions.connect_master(
                *(master_address or (host, credentials.port)), credentials.login, credentials.secret
            )
        except zenoh.ZError as error:
            raise LinkError("The server's port for masters does not answer.") from error
        self.heard = time.monotonic()
        self.feedback: tuple[float, Feedback] | None = None
        self._messages: deque[ToPage] = deque()
        drop, urgent = zenoh.CongestionControl.DROP, zenoh.Priority.REAL_TIME
        self._up = self._session.declare_publisher(
            sessions.from_master_key(credentials.login), congestion_control=drop, priority=urgent, express=True
        )
        self._subscribers = [
            self._session.declare_subscriber(sessions.to_master_key(credentials.login), self._take),
            self._session.declare_subscriber(sessions.master_feedback_key(credentials.login), self._take_feedback),
        ]
        try:
            token = _token(split(address))
            hello = Hello(wire=wire(), token=token, client=client, name=name[:64], language=language)
            self.welcome = self._greet(hello)
        except BaseException:
            self.close()
            raise

    def _take(self, sample: Any) -> None:
        """Queue a message, on Zenoh's thread."""
        self._messages.append(_decode.decode(sample.payload.to_bytes()))
        self.heard = time.monotonic()

    def _take_feedback(self, sample: Any) -> None:
        """Keep the newest feedback, on Zenoh's thread."""
        self.feedback = time.monotonic(), _feedback.decode(sample.payload.to_bytes())
        self.heard = time.monotonic()

    def _greet(self, hello: Hello) -> Welcome:
        """Greet until the server answers: messages before both ends have discovered each other are lost."""
        begin, said = time.monotonic(), -1e9
        while (now := time.monotonic()) - begin < TIMEOUT_S:
            if now - said > GREETING_S:
                said = now
                self.send(hello)
            message = self.next()
            if isinstance(message, Welcome):
                return message
            time.sleep(POLL_S)
        raise LinkError("The server does not answer the greeting.")

    def next(self) -> ToPage | None:
        """Return the next message; None if there is none.

        Raises:
            CommandError: If the server ends the connection for good.
            LinkError: If the server ends it, but trying again may help.
        """
        message = self._messages.popleft() if self._messages else None
        if isinstance(message, Refused):
            raise (LinkError if message.retry else CommandError)(message.reason)
        return message

    def send(self, message: FromPage) -> None:
        """Send a message, which may get lost: send it again until it is answered."""
        self._up.put(_encode(message))

    def close(self) -> None:
        """End the connection."""
        self._session.close()

    def __enter__(self) -> MasterConnection:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
