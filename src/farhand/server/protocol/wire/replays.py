"""The replay of a record: the record as the page shows it, the state of its playback, and orders to play it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from farhand.server.protocol.wire.message import Message

__all__ = ["MarkInfo", "MarkKind", "Playback", "PlaybackUpdate", "ReplayInfo"]

MarkKind = Literal["stop", "contact", "note", "episode", "bookmark", "gap"]
Action = Literal["play", "pause", "seek", "step", "speed", "loop", "unloop"]
Seconds = Annotated[float, Meta(ge=-1e9, le=1e9)]


class MarkInfo(Struct, frozen=True, kw_only=True):
    """A mark on the timeline of a record.

    Args:
        kind: Kind of mark.
        first: Time where it begins, s of the cell's time.
        last: Time where it ends; equal to `first` for a moment.
        text: Its text, by language: "en", "de".
        colour: Colour of a bookmark, as "#rrggbb"; empty: the usual one of its kind.
        result: Outcome of an episode: "success", "failure", "discarded" or empty.
    """

    kind: MarkKind
    first: float
    last: float
    text: dict[str, str]
    colour: str = ""
    result: str = ""


class ReplayInfo(Struct, frozen=True, kw_only=True):
    """The record that is replayed.

    Args:
        run: Identifier of the run.
        title: Title of the run.
        started: Start of the run, ms since 1970, UTC.
        first: Time of its first tick, s of the cell's time.
        last: Time of its last tick.
        marks: Marks, in order of their beginning.
        problems: Sentences about damage of the file.
        build: Sentences about what differs between the Farhand that recorded it and this one.
    """

    run: str
    title: str
    started: float
    first: float
    last: float
    marks: tuple[MarkInfo, ...] = ()
    problems: tuple[str, ...] = ()
    build: tuple[str, ...] = ()


class PlaybackUpdate(Struct, frozen=True, kw_only=True):
    """State of the playback of a record.

    Args:
        moment: Present moment, s of the cell's time.
        playing: It plays.
        speed: Speed, 1 is real time; negative: backwards.
        loop: First and last second of the span that is repeated; None: no loop.
        missing: The record has no picture of this moment: the last one before it is shown.
    """

    moment: float
    playing: bool
    speed: float
    loop: tuple[float, float] | None = None
    missing: bool = False


class Playback(Message, frozen=True, kw_only=True):
    """Play a record otherwise; every viewer may. The next update shows the result.

    Args:
        action: "seek" goes to a moment, "step" goes by a number of recorded pictures, "speed" changes the speed, "loop"
            repeats a span, "unloop" ends that.
        value: Moment (s), number of pictures, speed (0.1 to 16, negative: backwards), or first second of the loop.
        until: Last second of the loop.
    """

    action: Action
    value: Seconds = 0.0
    until: Seconds = 0.0
