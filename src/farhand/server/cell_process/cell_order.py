"""What the process of a cell is told when it starts."""

from __future__ import annotations

from msgspec import Struct

__all__ = ["CellOrder"]


class CellOrder(Struct, frozen=True, kw_only=True):
    """What a cell's process is to run.

    Args:
        name: Under which the server shows the cell.
        folder: Where the fabric's socket is.
        cell: Name or path of the cell; or, with `robot`, nothing.
        robot: Path or name of a robot to put into a plain cell.
        tip: See `Cell.for_robot`.
        base: See `Cell.for_robot`.
        tool: See `Cell.for_robot`.
        seed: Decides everything random.
        real_time: It never runs slower than real time, as in an exam: its robots pause instead.
        spare: Stay behind as a standby, and fork the process that goes live.
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
