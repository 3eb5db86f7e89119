"""Records of runs: every input and tick kept, to be seen again, computed again and taken up again.

::

    import farhand.records

    with farhand.records.open("run.mcap") as record:
        time, angle = record.signal("state.robots.arm.groups.arm.positions[0]")

- `open` opens a record; `Record` offers its ticks, signals, inputs, notes, contacts, episodes and snapshots.
- `Recording` records a run of this process.
- `resimulate` computes a run again and compares it to the bit.
- `check` finds damage, `repair` saves what can be read.
"""

from farhand.records.check import check, repair
from farhand.records.errors import RecordError
from farhand.records.read import Record
from farhand.records.read import open_record as open  # noqa: A004 - the public name is farhand.records.open
from farhand.records.recording import Recording
from farhand.records.resimulate import resimulate

__all__ = ["Record", "RecordError", "Recording", "check", "open", "repair", "resimulate"]
