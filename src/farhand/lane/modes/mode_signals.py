"""What the modes look at in a tick, gathered from requests, readings and what is measured."""

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
    """What time tells of a lane in one tick.

    Args:
        ages: Of the newest good reading; None before the first.
        lead: Milliseconds of wall time that count beyond this tick's own.
        late: Why that reading does not count though it came in time, if it does not.
        absent: Why the robot must stop after a gap of the cell itself, if it must.
    """

    ages: Ages | None = None
    lead: int = 0
    late: Note | None = None
    absent: Note | None = None


def signals_from(
    requests: Requests, memory: LaneMemory, passed: TimeSignals, beyond: Note | None, blind: Note | None
) -> ModeSignals:
    """Return the signals of a tick; of several reasons to stop the first counts.

    Args:
        requests: What this tick's events ask of the robot.
        memory: Of the last tick, with this tick's reading.
        passed: What time tells of it.
        beyond: Which measured joint is beyond its limits, if one is; stops when that begins.
        blind: Why a robot must stand that cannot feel, if it must.
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
