"""The report of a lane on a tick, and the standing notes, which are repeated in every tick while they hold."""

from __future__ import annotations

from farhand.lane.memory import LaneMemory
from farhand.lane.modes.fault_finding import FaultFinder
from farhand.lane.modes.mode_machine import mode_note
from farhand.types import Demand, LaneReport, Note, Wrench

__all__ = ["lane_report", "standing_notes"]

Notes = tuple[Note, ...]
PRESS = Note("lane.press")
ENABLE = Note("lane.deadman")


def standing_notes(finder: FaultFinder, axes: tuple[str, ...], memory: LaneMemory) -> Notes:
    """Return the standing notes: on the mode, a stuck move, parts that are switched off, and missing input.

    Args:
        finder: The lane's fault finder.
        axes: Axes of the chosen mapping.
        memory: The memory of this tick.
    """
    stuck = (memory.stuck,) if memory.stuck else ()
    return (*mode_note(memory.mode), *stuck, *finder.notes(memory.finding, axes), *_idle_note(memory))


def _idle_note(memory: LaneMemory) -> Notes:
    """Return the note on the missing input, if the master demands motion in idle mode."""
    reading = memory.inbox.reading
    if memory.mode.mode != "idle" or memory.inbox.received < 0:
        return ()
    if reading.deadman:
        return (memory.lost or memory.refused or PRESS,)
    return (ENABLE,) if any(reading.axes) else ()


def lane_report(
    demand: Demand,
    memory: LaneMemory,
    notes: Notes,
    *,
    age: float | None,
    contact: Wrench,
    felt: Wrench,
    deflected: bool,
) -> LaneReport:
    """Return the report of a tick.

    Args:
        demand: The demand after the filters.
        memory: The memory of this tick.
        notes: Notes on everything that altered the command, in order.
        age: Seconds since the last valid reading.
        contact: Contact wrench at the tip, world axes.
        felt: Force feedback to the hand.
        deflected: True if the chosen mapping needs deflections.
    """
    return LaneReport(
        memory.mode.mode,
        demand,
        memory.setpoints,
        memory.speed_level,
        memory.mapping,
        age,
        notes,
        heard=memory.inbox.reading.sequence if memory.inbox.received >= 0 else -1,
        waiting=memory.active is not None and memory.active.state == "interrupted",
        off=memory.finding.off,
        generating=memory.finding.generator is not None,
        felt=felt,
        scale=memory.scale,
        contact=contact,
        payload=payload.mass if (payload := memory.wrist.payload) and payload.known else None,
        lesson=-1 if memory.lesson is None else len(memory.lesson.kept),
        recording=memory.lesson is not None and memory.lesson.kind == "record",
        taught=memory.taught,
        parked=memory.parked,
        deflected=deflected,
        powered=memory.mode.powered,
        baseline=memory.link.baseline,
        planning=memory.awaited.request if memory.awaited else None,
    )
