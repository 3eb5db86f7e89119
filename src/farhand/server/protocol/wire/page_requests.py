"""What a page sends."""

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
        wire: What messages it was built from; see `WIRE`.
        token: From the link that Farhand printed.
        client: A secret of this tab, kept over reloads, by which it keeps its control over a lost connection.
        name: What other people see; empty: a name is given.
        language: The language to be told notes in: "en", "de"; English where it is another one.
    """

    wire: Annotated[str, Meta(max_length=64)]
    token: Annotated[str, Meta(max_length=128)]
    client: Annotated[str, Meta(min_length=16, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    name: Name = ""
    language: Annotated[str, Meta(max_length=16)] = "en"


class Watch(Message, frozen=True, kw_only=True):
    """Show me this cell, from its scene on; whatever was shown before ends."""

    cell: Name


class Hand(Message, frozen=True, kw_only=True):
    """What the operator's hand does, for the robot he holds the control of; sent many times a second."""

    robot: Name
    reading: Reading


class Command(Message, frozen=True, kw_only=True):
    """An event for the cell; is answered with `Answer` of the same id."""

    id: Id
    event: Event


class KeptMove(Message, frozen=True, kw_only=True):
    """Do something with a move that was taught; is answered with `Answer` of the same id.

    Args:
        id: Of the answer.
        robot: Whose it is.
        name: Of the move.
        action: Have the robot move along it, give it another name, or delete it.
        to: The other name.
    """

    id: Id
    robot: Name
    name: Name
    action: Literal["run", "rename", "delete"]
    to: Name = ""


class Ping(Message, frozen=True, kw_only=True):
    """Is answered by the cell itself, with `Answer`; measures the way there and back."""

    id: Id


class Ask(Message, frozen=True, kw_only=True):
    """I want to control this robot: granted at once if nobody does, otherwise the one who does is asked."""

    robot: Name


class Release(Message, frozen=True, kw_only=True):
    """I give the control of this robot back, or take my asking back."""

    robot: Name


class Yield(Message, frozen=True, kw_only=True):
    """I hand my control of this robot over to a viewer who asked for it."""

    robot: Name
    viewer: Id


class Refuse(Message, frozen=True, kw_only=True):
    """I keep my control of this robot; tells the viewer who asked."""

    robot: Name
    viewer: Id


class SendAway(Message, frozen=True, kw_only=True):
    """Send a viewer of this cell away; is answered with `Answer` of the same id.

    For who is in control, instructors and the owner. Instructors, the owner and who controls a robot stay.
    """

    id: Id
    viewer: Id


class TakeOver(Message, frozen=True, kw_only=True):
    """I asked, and the one who holds control has not answered in time and does not drive: I take it."""

    robot: Name


class Restart(Message, frozen=True, kw_only=True):
    """Try the watched cell again now, which ended too often to be restarted at once; is answered with `Answer`."""

    id: Id


class Listen(Message, frozen=True, kw_only=True):
    """Send me these signals, sampled every tick; names as in `Scene.signals`."""

    signals: Annotated[tuple[Annotated[str, Meta(max_length=128)], ...], Meta(max_length=16)]


class Speech(Message, frozen=True, kw_only=True):
    """A piece of what is spoken while the talk key is held; after the last one comes `Heard` of the same id.

    Args:
        id: Of the utterance; pieces of another one begin it anew.
        robot: Whom it is said to.
        pcm: Samples, int16, 16 kHz, one channel. A first piece without any has the recogniser made ready.
        last: The key was let go.
    """

    id: Id
    robot: Name
    pcm: Annotated[bytes, Meta(max_length=16_384)]
    last: bool = False


class Confirm(Message, frozen=True, kw_only=True):
    """Do what I said: answers a `Heard` that waits for it, and is answered by one of the same id."""

    id: Id
