"""What a list of runs says of each: read from its file, and kept in an index."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from msgspec import Struct

from farhand.records.errors import printable
from farhand.records.read import Record, open_record

__all__ = ["Summary", "summary_of"]


class Summary(Struct, frozen=True, kw_only=True):
    """A run in a list.

    Args:
        run: Its identifier.
        file: Name of its file.
        cell: Name of its cell.
        started: Start, nanoseconds since 1970.
        duration: Recorded seconds of the cell's time.
        size: Bytes of the file.
        title: Title.
        tags: Tags, separated by commas.
        outcome: Outcome.
        who: Owner.
        kept: A person has it kept: it is never deleted for want of room.
        finished: The file was finished.
        complete: Nothing is missing.
        driven: Seconds in which a person drove.
        episodes: Number of episodes.
        successes: Number of those marked as success.
        stops: Number of protective stops.
        origin: The run that it went on from; empty: none.
    """

    run: str
    file: str
    cell: str
    started: int
    duration: float
    size: int
    title: str = ""
    tags: str = ""
    outcome: str = ""
    who: str = ""
    kept: bool = False
    finished: bool = True
    complete: bool = True
    driven: float = 0.0
    episodes: int = 0
    successes: int = 0
    stops: int = 0
    origin: str = ""


def summary_of(path: Path) -> Summary:
    """Return the summary of a run.

    Raises:
        RecordError: If the file is no readable record.
    """
    with open_record(path) as record:
        return _summary(record, path)


def _summary(record: Record, path: Path) -> Summary:
    info, said = record.info, {mark.kind: mark.text for mark in record.marks if mark.kind != "bookmark"}
    spans = Counter[str]()
    for span in record.spans:
        spans[span.kind] += span.last - span.first + 1
    driven = sum(spans[kind] for kind in ("driving", "protected", "jerky"))
    return Summary(
        run=printable(info.run),
        file=path.name,
        cell=printable(info.cell),
        started=info.started,
        duration=record.duration,
        size=path.stat().st_size,
        title=printable(record.title),
        tags=printable(said.get("tags", ",".join(info.tags))),
        outcome=printable(said.get("outcome", "")),
        who=printable(info.who),
        kept=said.get("kept") == "yes",
        finished=record.finished,
        complete=record.complete,
        driven=driven * info.timestep,
        episodes=sum(episode.result != "discarded" for episode in record.episodes),
        successes=sum(episode.result == "success" for episode in record.episodes),
        stops=sum(entry.note.code == "mode.stopped" for entry in record.notes),
        origin=printable(info.origin.run) if info.origin else "",
    )
