"""Messages between a cell and the recorder.

::

    cell ──RunSource (on request), RecordedBatch──▶ recorder
    cell ◀──────────────Safe───────────────────────  recorder
"""

from __future__ import annotations

from msgspec import Raw, Struct

from farhand.records.entries import RunInfo

__all__ = ["RecordedBatch", "RunSource", "Safe"]


class RunSource(Struct, frozen=True):
    """Everything that a recorder needs to begin the file of a run.

    Args:
        info: The run.
        source: `CellSource`, encoded.
        cell_file: Text of the cell file; empty if there is none.
        joints: Names of the joints of each robot's arm.
    """

    info: RunInfo
    source: Raw
    cell_file: str
    joints: dict[str, tuple[str, ...]]


class RecordedBatch(Struct, frozen=True, array_like=True):
    """A batch on its way to the recorder.

    Args:
        run: Identifier of the run.
        number: Number of the batch; the next one has the next number.
        oldest: Number of the oldest batch that the cell still holds; earlier ones cannot be sent again.
        batch: `Batch`, encoded.
    """

    run: str
    number: int
    oldest: int
    batch: Raw


class Safe(Struct, frozen=True, array_like=True):
    """The recorder's acknowledgement.

    Args:
        run: Identifier of the run.
        tick: Number of the last tick that is safe on the disk.
        wanted: Number of the next tick that the recorder wants.
        resend: Send again from the wanted tick on.
    """

    run: str
    tick: int
    wanted: int
    resend: bool = False
