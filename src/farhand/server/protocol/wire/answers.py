"""What happened and why, in words; samples of signals, and answers."""

from __future__ import annotations

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.types import Level

__all__ = ["Answer", "Heard", "LogEntry", "MoveInfo", "Moves", "NoteText", "Said", "Signals", "Why"]


class Signals(Message, frozen=True, kw_only=True):
    """Samples of the signals that this viewer listens to, none left out unless the viewer is too slow.

    Args:
        tick: Number of the first sample's tick.
        names: What was asked for and exists.
        values: float32, for each tick all signals in the order of `names`.
    """

    tick: int
    names: tuple[str, ...]
    values: bytes


class NoteText(Struct, frozen=True, kw_only=True):
    """A note in the viewer's language.

    Args:
        code: The note's code, which a program can match.
        text: The sentence.
        level: "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" is broken.
        free: The ways out, as sentences; empty if there are none to name.
    """

    code: str
    text: str
    level: Level = "info"
    free: str = ""


class Why(Message, frozen=True, kw_only=True):
    """What alters or keeps back the motion of each robot just now, by robot; empty when nothing does."""

    robots: dict[str, tuple[NoteText, ...]]


class LogEntry(Struct, frozen=True, kw_only=True):
    """Something that happened.

    Args:
        number: Counts up without gaps.
        time: Seconds of the cell's time.
        robot: Whom it concerns; empty for the cell.
        text: A sentence, in the viewer's language.
        level: As in `NoteText`.
        code: What a program can match.
    """

    number: int
    time: float
    robot: str
    text: str
    level: Level = "info"
    code: str = ""


class Said(Message, frozen=True, kw_only=True):
    """Entries of the cell's log; none is ever left out."""

    entries: tuple[LogEntry, ...]


class MoveInfo(Struct, frozen=True, kw_only=True):
    """A move that was taught: its name, how many points it has, and seconds at full speed; 0: from point to point."""

    name: str
    points: int
    seconds: float


class Moves(Message, frozen=True, kw_only=True):
    """The moves that were taught, by robot, whenever there are others."""

    robots: dict[str, tuple[MoveInfo, ...]]


class Answer(Message, frozen=True, kw_only=True):
    """What became of a `Command` or `Ping`: done, or why not."""

    id: int
    ok: bool
    text: str = ""


class Heard(Message, frozen=True, kw_only=True):
    """What was understood of an utterance, and what came of it.

    Args:
        id: Of the utterance.
        ok: It was done.
        phrase: What was said; empty if it was not understood.
        text: What was done, what will be done once it is confirmed, or why nothing was.
        confirm: Seconds in which the speaker can confirm it, by the word or by `Confirm`; 0: nothing waits.
    """

    id: int
    ok: bool
    phrase: str = ""
    text: str = ""
    confirm: float = 0.0
