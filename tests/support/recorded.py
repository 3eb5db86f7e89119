"""Short records of the default cell, for tests of replays."""

from __future__ import annotations

from pathlib import Path

from farhand.cell import Cell
from farhand.loop import Run
from farhand.records import Recording
from farhand.records.entries import Mark
from farhand.types import AddObject, MoveJoints, ObjectSpec, Stop

__all__ = ["BOX", "STOPPED_S", "record_two_seconds"]

STOPPED_S = 1.6  # at which the arm is stopped
BOX = ObjectSpec(name="extra", size=(0.06, 0.06, 0.06), position=(0.1, 0.45, 0.6305))


def record_two_seconds(path: Path, *, edited: bool = False) -> None:
    """Record two seconds of the default cell: a move, an episode, a bookmark, and a stop.

    Args:
        path: The new file.
        edited: Add a box after one second.
    """
    cell = Cell.load("irb120")
    run = Run(cell, cell.masters)
    with Recording(run, path, title="Two seconds") as recording:
        run.send(MoveJoints("arm", (0.6, 0.2, 0.3, 0.1, 0.9, 0.2)))
        run.run(1.0)
        if edited:
            run.send(AddObject(BOX))
        run.run(0.6)
        run.send(Stop(by="Ada"))
        run.run(0.4)
        recording.mark(Mark(kind="episode", name="e", first=100, last=600, result="success", text="Reach", who="Ada"))
        recording.mark(Mark(kind="bookmark", name="b", first=300, text="Look <here>", colour="#46c08a"))
