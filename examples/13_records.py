"""Record a move, open the record, read a signal of it as arrays, and compute it again to the bit."""

import tempfile
from pathlib import Path

import farhand.records
from farhand import Cell, Run
from farhand.types import MoveJoints

with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "move.mcap")
    run = Run(Cell.load("irb120"))
    with farhand.records.Recording(run, path, title="One joint"):
        run.send(MoveJoints("arm", (0.5, 0.0, 0.0, 0.0, 0.0, 0.0)))
        run.run(3.0)

    with farhand.records.open(path) as record:
        time, angle = record.signal("state.robots.arm.groups.arm.positions[0]")
        moved = time[abs(angle - 0.5) < 0.01][0]
        again = farhand.records.resimulate(record)
        print(f"{record.title}: {record.duration:.1f} s, 0.5 rad after {moved:.1f} s, equal to the bit: {again.equal}.")
