"""Updates between two ticks: wall time, gaps of the cell itself, and the link of a new reading."""

from __future__ import annotations

from msgspec.structs import replace

from farhand.lane.intake.ages import Link, add_lead, echo_age, judge_gap, measure_link
from farhand.lane.intake.inbox import Inbox
from farhand.lane.memory import LaneMemory
from farhand.lane.modes.mode_machine import HANDED_OVER, WatchdogSpec
from farhand.types import Note, Quantity

__all__ = ["pass_time", "update_link"]


def pass_time(
    lead: int, inbox: Inbox, tick: int, memory: LaneMemory, watchdog: WatchdogSpec, dt: float
) -> tuple[LaneMemory, int, Note | None]:
    """Add wall time; return the memory, the lead that counts, and the reason that a gap of the cell stops the robot.

    A gap is ignored once a fresh reading shows that the operator was present throughout. If it shows that they were
    not, and the gap was longer than a pause may last, the robot stops. Until then it is paused.

    Args:
        lead: Milliseconds that wall time gained before this tick.
        inbox: The inbox with this tick's reading.
        tick: Number of this tick.
        memory: The memory after the last tick.
        watchdog: Time limits of the readings.
        dt: Seconds per tick.
    """
    gap = memory.gap
    if lead:
        memory = replace(memory, wall=add_lead(memory.wall, lead, tick, dt))
        gap += lead if lead * 1e-3 > watchdog.pause else 0
    if not gap:
        return memory, lead, None
    if memory.mode.mode not in HANDED_OVER:
        return replace(memory, gap=0), lead, None
    verdict = judge_gap(gap, inbox.reading.arrival, watchdog.pause) if inbox.received == tick else "open"
    if verdict == "open":
        return replace(memory, gap=gap), lead, None
    if verdict == "there":
        return replace(memory, gap=0, wall=add_lead(memory.wall, -gap, tick, dt)), 0, None
    if gap * 1e-3 <= watchdog.pause + watchdog.stop:
        return replace(memory, gap=0), lead, None
    return replace(memory, gap=0), lead, Note("cell.held-up", quantities=(Quantity("time", gap * 1e-3, "s"),))


def update_link(inbox: Inbox, tick: int, memory: LaneMemory, watchdog: WatchdogSpec, dt: float) -> Link:
    """Return the state of the link after this tick; a new lease starts a new link."""
    link, reading = Link() if inbox.epoch_changed else memory.link, inbox.reading
    if reading.tick < 0 or not inbox.is_new(tick):
        return link
    age = echo_age(memory.wall, reading.tick, tick, dt)
    engaged = memory.mode.mode in HANDED_OVER
    return measure_link(
        link, age, tick, memory.wall, dt, idle=not reading.deadman, engaged=engaged, allowed=watchdog.baseline
    )
