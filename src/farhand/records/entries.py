"""Entries of a record: what each channel of the file holds.

Every channel's messages are one of these Structs, as msgpack; the schema of each stands in the file.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.cell import Checkpoint
from farhand.records.columns import Columns
from farhand.types import Inputs, Note, Tick

__all__ = [
    "FORMAT",
    "ContactEntry",
    "Digests",
    "ExactTick",
    "Gap",
    "InputsBatch",
    "LogEntry",
    "Mark",
    "MarkKind",
    "NoteEntry",
    "Origin",
    "RunInfo",
    "Span",
    "SpanKind",
    "TickColumns",
    "WorldEntry",
]

FORMAT = 1
"""Number of the file format; a reader of a lower number refuses the file with a sentence."""

MarkKind = Literal["episode", "bookmark", "title", "tags", "outcome", "kept", "deleted"]
Result = Literal["", "success", "failure", "discarded"]
SpanKind = Literal["idle", "protected", "paused", "stopped", "jerky", "driving", "autonomous"]


class Origin(Struct, frozen=True):
    """The run and tick from which a run went on."""

    run: str
    tick: int


class RunInfo(Struct, frozen=True, kw_only=True):
    """A run, as known when it began.

    Args:
        run: Identifier, unique in a data folder; also the file's name.
        cell: Name of the cell.
        started: Start in nanoseconds since 1970, UTC.
        tick: Number of the tick before the first one recorded.
        seed: Seed of the cell.
        timestep: Seconds per tick.
        versions: Versions of Farhand, MuJoCo, numba, numpy and Python.
        machine: Type of the processor and operating system.
        build: Hash of the code and versions that decide the bits of a tick.
        who: Name of the owner, as far as it is known.
        title: Title.
        tags: Tags.
        origin: The run that it went on from, if it is one.
        keep_every: Ticks between two that are kept for viewing.
    """

    run: str
    cell: str
    started: int
    tick: int = 0
    seed: int = 0
    timestep: float = 0.002
    versions: dict[str, str] = {}
    machine: str = ""
    build: str = ""
    who: str = ""
    title: str = ""
    tags: tuple[str, ...] = ()
    origin: Origin | None = None
    keep_every: int = 5


class InputsBatch(Struct, frozen=True):
    """Inputs of ticks in a row; None stands for a tick without any.

    Args:
        first: Number of the first tick.
        inputs: Inputs of each tick.
    """

    first: int
    inputs: tuple[Inputs | None, ...]


class TickColumns(Struct, frozen=True):
    """Kept ticks for viewing, in order."""

    columns: tuple[Columns, ...]


class ExactTick(Struct, frozen=True):
    """A whole tick, with all its digits."""

    tick: Tick


class Digests(Struct, frozen=True):
    """Digests of kept ticks, by which a re-simulation is compared to the bit.

    Args:
        ticks: Numbers of the ticks.
        digests: 8 bytes of BLAKE2b over each tick's msgpack, in order.
    """

    ticks: tuple[int, ...]
    digests: bytes


class NoteEntry(Struct, frozen=True):
    """A note, when it begins.

    Args:
        tick: Number of the tick.
        robot: Robot of the lane that gave it; empty: the cell.
        note: The note.
    """

    tick: int
    robot: str
    note: Note


class ContactEntry(Struct, frozen=True):
    """A contact of two bodies: its begin, its end, or its state while it lasts.

    Args:
        tick: Number of the tick.
        kind: "begin", "end", or "rest" once a second while it lasts.
        first: Name of a body, as in `PairContact`.
        second: Name of the other body.
        peak: Greatest force since the contact began, N.
        impulse: Integral of the force since then, N·s.
    """

    tick: int
    kind: Literal["begin", "end", "rest"]
    first: str
    second: str
    peak: float
    impulse: float


class LogEntry(Struct, frozen=True):
    """A line of the log of cell or server, as a note."""

    tick: int
    source: str
    note: Note


class Mark(Struct, frozen=True, kw_only=True):
    """A mark that a person set: an episode, a bookmark, or a property of the whole run. Later marks win.

    Args:
        kind: Kind of mark.
        name: Identifier of the episode or bookmark; marks of the same kind and name replace each other.
        first: Tick where it begins.
        last: Tick where it ends; -1: still open.
        result: Outcome of an episode.
        text: Note of the bookmark or episode, title, outcome, or tags separated by commas.
        colour: Colour of a bookmark, as "#rrggbb".
        who: Who set it.
    """

    kind: MarkKind
    name: str = ""
    first: int = -1
    last: int = -1
    result: Result = ""
    text: str = ""
    colour: str = ""
    who: str = ""


class Span(Struct, frozen=True):
    """A stretch of a run in which a robot did one thing, found while recording.

    Args:
        robot: Name of the robot.
        kind: Kind of its activity.
        first: First tick.
        last: Last tick.
    """

    robot: str
    kind: SpanKind
    first: int
    last: int


class WorldEntry(Struct, frozen=True):
    """The world and the robots' configuration, whenever they have changed.

    Args:
        tick: Number of the tick in which they came into force: its positions are already those of this world.
        checkpoint: Objects, tools, poses and how each robot is driven.
    """

    tick: int
    checkpoint: Checkpoint


class Gap(Struct, frozen=True):
    """Ticks that were dropped.

    Args:
        first: First tick that is missing.
        last: Last one; -1: not known.
        why: "slow" (the disk), "full" (the disk), "lost" (on the way), "error".
    """

    first: int
    last: int
    why: Literal["slow", "full", "lost", "error"]
