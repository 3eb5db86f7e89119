"""The signals of the mode machine in a tick, gathered from requests, readings and the measured state."""

from __future__ import annotations

from msgspec import Struct

from farhand.lane.intake.ages import Ages
from farhand.lane.intake.link_notes import why_slow
from farhand.lane.intake.requests import Requests
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import HANDED_OVER, ModeSignals
from farhand.types import Note

__all__ = ["TimeSignals", "signals_from"]

HANDED_ON = Note("lease.passed")


class TimeSignals(Struct, frozen=True):
    """The signals of time to a lane in one tick.

    Args:
        ages: Ages of the newest valid reading; None before the first.
        lead: Milliseconds of wall time that count beyond this tick.
        late: The reason that a reading received in time does not count, or None.
        absent: The reason that the robot must stop after a gap of the cell itself, or None.
    """

    ages: Ages | None = None
    lead: int = 0
    late: Note | None = None
    absent: Note | None = None


def signals_from(
    requests: Requests, memory: LaneMemory, passed: TimeSignals, beyond: Note | None, blind: Note | None
) -> ModeSignals:
    """Return the signals of a tick; the first of several reasons to stop counts.

    Args:
        requests: Requests of this tick's events to the robot.
        memory: The memory of the last tick, with this tick's reading.
        passed: Signals of time.
        beyond: The note on a measured joint beyond its limits, or None; it stops the robot when it first appears.
        blind: The reason that the robot must stop because its force sensor has failed, or None.
    """
    inbox, mode, ages = memory.inbox, memory.mode.mode, passed.ages
    stop = requests.stop or inbox.bad or (beyond if beyond and not memory.violating else None) or blind
    if inbox.epoch_changed and mode in HANDED_OVER:
        stop = stop or HANDED_ON
    return ModeSignals(
        held=inbox.reading.deadman and memory.lost is None,
        pressed=inbox.pressed,
        age=ages.beyond if ages else None,
        stop=stop or passed.absent,
        fault=requests.fault,
        reset=requests.reset,
        hold=requests.hold,
        arrived=mode == "autonomous" and memory.active is None,
        lead=passed.lead,
        held_up=requests.wall_lead * 1e-3,
        late=passed.late,
        slow=why_slow(requests.time_factor, memory.link) if requests.time_factor < 1.0 else None,
        power=requests.power,
    )
