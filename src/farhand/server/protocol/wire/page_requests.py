"""Messages from a page to the gateway."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from farhand.server.protocol.wire.message import Id, Message, Name
from farhand.types import Event, Reading

__all__ = [
    "Ask",
    "Command",
    "Confirm",
    "Hand",
    "Hello",
    "KeptMove",
    "Listen",
    "Ping",
    "Refuse",
    "Release",
    "Restart",
    "SendAway",
    "Speech",
    "TakeOver",
    "Watch",
    "Yield",
]


class Hello(Message, frozen=True, kw_only=True):
    """The first message of a page.

    Args:
        wire: Version of the messages that the page was built for; see `WIRE`.
        token: Token from the link that Farhand printed.
        client: Secret of this tab, kept over reloads; with it a new connection gets its control back.
        name: Name that others see; empty: the server gives one.
        language: Language of notes: "en" or "de"; any other gives English.
    """

    wire: Annotated[str, Meta(max_length=64)]
    token: Annotated[str, Meta(max_length=128)]
    client: Annotated[str, Meta(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    name: Name = ""
    language: Annotated[str, Meta(max_length=16)] = "en"


class Watch(Message, frozen=True, kw_only=True):
    """Watch this cell instead of any other; the answer begins with its `Scene`."""

    cell: Name


class Hand(Message, frozen=True, kw_only=True):
    """A reading of the operator's master, for a robot in their control; sent many times a second."""

    robot: Name
    reading: Reading


class Command(Message, frozen=True, kw_only=True):
    """Send an event to the cell; `Answer` has the same id."""

    id: Id
    event: Event


class KeptMove(Message, frozen=True, kw_only=True):
    """Run, rename or delete a taught move; `Answer` has the same id.

    Args:
        id: Number that the answer repeats.
        robot: Name of the robot.
        name: Name of the move.
        action: "run" starts the move; "rename" and "delete" change the list of moves.
        to: New name, for "rename".
    """

    id: Id
    robot: Name
    name: Name
    action: Literal["run", "rename", "delete"]
    to: Name = ""


class Ping(Message, frozen=True, kw_only=True):
    """Measure the round trip to the cell, which sends an `Answer` of the same id."""

    id: Id


class Ask(Message, frozen=True, kw_only=True):
    """Ask for control of a robot: granted at once if it is free, otherwise its holder is asked."""

    robot: Name


class Release(Message, frozen=True, kw_only=True):
    """Release control of a robot, or withdraw a request for it."""

    robot: Name


class Yield(Message, frozen=True, kw_only=True):
    """Hand control of a robot over to a viewer who asked for it."""

    robot: Name
    viewer: Id


class Refuse(Message, frozen=True, kw_only=True):
    """Keep control of a robot and refuse the viewer who asked for it."""

    robot: Name
    viewer: Id


class SendAway(Message, frozen=True, kw_only=True):
    """Send a viewer of this cell away; `Answer` has the same id.

    Viewers in control, instructors and the owner may send others away, and cannot be sent away themselves.
    """

    id: Id
    viewer: Id


class TakeOver(Message, frozen=True, kw_only=True):
    """Take control of a robot whose holder has not answered your request in time and does not drive."""

    robot: Name


class Restart(Message, frozen=True, kw_only=True):
    """Restart the watched cell now, after its process ended too often; `Answer` has the same id."""

    id: Id


class Listen(Message, frozen=True, kw_only=True):
    """Choose the signals that the server samples every tick and sends; names as in `Scene.signals`."""

    signals: Annotated[tuple[Annotated[str, Meta(max_length=128)], ...], Meta(max_length=16)]


class Speech(Message, frozen=True, kw_only=True):
    """A piece of speech, sent while the talk key is held; after the last piece comes `SpeechResult` of the same id.

    Args:
        id: Number of the utterance; a new number starts a new utterance.
        robot: Name of the robot that you address.
        pcm: Samples: int16, 16 kHz, one channel. A first piece without samples starts the recogniser.
        last: The talk key was released.
    """

    id: Id
    robot: Name
    pcm: Annotated[bytes, Meta(max_length=16_384)]
    last: bool = False


class Confirm(Message, frozen=True, kw_only=True):
    """Confirm the command of a `SpeechResult` that waits for it; another `SpeechResult` of the same id answers."""

    id: Id
