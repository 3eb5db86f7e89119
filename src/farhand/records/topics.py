"""The channel of each kind of entry."""

from __future__ import annotations

from farhand.records.entries import (
    ContactEntry,
    Digests,
    ExactTick,
    Gap,
    InputsBatch,
    LogEntry,
    Mark,
    NoteEntry,
    Span,
    TickColumns,
    WorldEntry,
)
from farhand.records.saved_cell import SavedCell

__all__ = ["TOPICS"]

TOPICS: dict[type, str] = {
    InputsBatch: "/farhand/inputs",
    TickColumns: "/farhand/ticks",
    ExactTick: "/farhand/exact",
    Digests: "/farhand/digests",
    NoteEntry: "/farhand/notes",
    ContactEntry: "/farhand/contacts",
    LogEntry: "/farhand/log",
    Mark: "/farhand/marks",
    Span: "/farhand/spans",
    WorldEntry: "/farhand/worlds",
    SavedCell: "/farhand/snapshots",
    Gap: "/farhand/gaps",
}
