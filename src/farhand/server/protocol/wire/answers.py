"""Answers to commands, notes and log entries as text, samples of signals, and taught moves."""

from __future__ import annotations

from msgspec import Struct

from farhand.server.protocol.wire.message import Message
from farhand.types import Level

__all__ = [
    "ActiveNotes",
    "Answer",
    "LogEntries",
    "LogEntry",
    "MoveInfo",
    "Moves",
    "NoteText",
    "Signals",
    "SpeechResult",
]


class Signals(Message, frozen=True, kw_only=True):
    """Samples of the signals that this viewer has chosen, without gaps unless the viewer is too slow.

    Args:
        tick: Number of the first sample's tick.
        names: Chosen signals that exist.
        values: float32: for each tick one value per signal, in the order of `names`.
    """

    tick: int
    names: tuple[str, ...]
    values: bytes


class NoteText(Struct, frozen=True, kw_only=True):
    """A note in the viewer's language.

    Args:
        code: Code of the note, for programs.
        text: The sentence.
        level: "info" changes nothing, "slow" slows or bends a motion, "stop" ends it, "fault" means broken.
        free: The motions that remain free, as sentences; empty if the note names none.
    """

    code: str
    text: str
    level: Level = "info"
    free: str = ""


class ActiveNotes(Message, frozen=True, kw_only=True):
    """Notes that alter or stop the motion of each robot now, by robot; empty while all move freely."""

    robots: dict[str, tuple[NoteText, ...]]


class LogEntry(Struct, frozen=True, kw_only=True):
    """An entry of the cell's log.

    Args:
        number: Counts up without gaps.
        time: Cell time, s.
        robot: Name of the robot; empty for the whole cell.
        text: A sentence in the viewer's language.
        level: As in `NoteText`.
        code: Code of the note, for programs.
    """

    number: int
    time: float
    robot: str
    text: str
    level: Level = "info"
    code: str = ""


class LogEntries(Message, frozen=True, kw_only=True):
    """New entries of the cell's log, without gaps."""

    entries: tuple[LogEntry, ...]


class MoveInfo(Struct, frozen=True, kw_only=True):
    """A taught move: its name, its number of points, and its duration at full speed (s); 0: from point to point."""

    name: str
    points: int
    seconds: float


class Moves(Message, frozen=True, kw_only=True):
    """All taught moves, by robot; sent whenever they change."""

    robots: dict[str, tuple[MoveInfo, ...]]


class Answer(Message, frozen=True, kw_only=True):
    """The answer to a `Command` or `Ping`: done, or the reason why not."""

    id: int
    ok: bool
    text: str = ""


class SpeechResult(Message, frozen=True, kw_only=True):
    """The result of an utterance.

    Args:
        id: Number of the utterance.
        ok: The command was carried out.
        phrase: The recognised phrase; empty if it was not understood.
        text: The command that was carried out, the question to confirm it, or the reason why not.
        confirm: Seconds within which you can confirm it, by voice or by `Confirm`; 0: no command waits.
    """

    id: int
    ok: bool
    phrase: str = ""
    text: str = ""
    confirm: float = 0.0
