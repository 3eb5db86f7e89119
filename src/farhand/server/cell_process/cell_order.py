"""The order with which the supervisor starts a cell's process."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["CellOrder"]


class CellOrder(Struct, frozen=True, kw_only=True):
    """The cell that a process runs, and how.

    Args:
        name: Name under which the server shows the cell.
        folder: Folder of the fabric's socket.
        cell: Name or path of the cell; empty with `robot`.
        robot: Path or name of a robot to place in a plain cell.
        tip: See `Cell.for_robot`.
        base: See `Cell.for_robot`.
        tool: See `Cell.for_robot`.
        seed: Seed of the cell's random generators.
        real_time: Never run slower than real time, as in an exam: the robots pause instead.
        spare: Remain as a standby and fork the live process.
        record: Hand every tick to the recorder.
        replay: Path of a record to replay in place of a live cell; empty: the cell runs live.
    """

    name: str
    folder: str
    cell: str = ""
    robot: str = ""
    tip: str | None = None
    base: str | None = None
    tool: str | None = None
    seed: int = 0
    real_time: bool = False
    spare: bool = False
    record: bool = False
    replay: str = ""
