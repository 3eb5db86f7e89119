"""Whether what leads a robot is there: a pose, joints or deflections that are lost in mid-motion count as let go.

A hand that is no longer tracked holds on all the same, and when it is seen again it is elsewhere: going on from there
would be a motion that nobody asked for. So the loss lasts until the deadman is let go, or pressed afresh. A pose that
steps further than any hand moves is one that was lost, and found elsewhere.
"""

from __future__ import annotations

import math

from farhand.lane.intake.ages import NO_LEAD, WallLead, between, elapsed
from farhand.lane.intake.inbox import Inbox
from farhand.mapping import LedBy
from farhand.types import Note, Reading, Subject

__all__ = ["FASTEST", "presence", "undeflected"]

FASTEST = 20.0
"""m/s: no hand is faster; a throw at its fastest is about as fast."""

JUMPED = Note("lane.lost.jumped", "stop")
BACK = Note("lane.lost.back", "stop")
NONE = Note("lane.undeflected")


def presence(
    led_by: LedBy, lost: Note | None, before: Inbox, inbox: Inbox, tick: int, dt: float, wall: WallLead = NO_LEAD
) -> Note | None:
    """Return what is said of a held deadman that counts as let go, because what leads the robot is lost; else None.

    Args:
        led_by: What leads the mapping in use.
        lost: What was said in the last tick.
        before: The inbox of the last tick.
        inbox: This tick's.
        tick: This tick's number.
        dt: Seconds per tick.
        wall: By how much wall time is ahead of ticks.
    """
    now, last = inbox.reading, before.reading
    if now is last:  # nothing new
        return lost
    if not now.deadman:
        return None
    gone = _gone(led_by, now, last)
    if gone:
        return lost if lost and lost is not BACK else _note(gone, last)
    if inbox.pressed:
        return None
    if led_by == "hand" and not inbox.epoch_changed:
        apart = between(wall, last.tick, now.tick, dt) if last.tick >= 0 else 0.0
        if _jumped(last, now, max(elapsed(wall, before.received, tick, dt), apart)):
            return JUMPED
    return BACK if lost else None


def undeflected(reading: Reading) -> tuple[Note, ...]:
    """Say that a master which holds on, and leads by deflections here, tells none."""
    return () if reading.axes else (NONE,)


def _gone(led_by: LedBy, now: Reading, last: Reading) -> str:
    """Return what is missing; no deflections at all are none that are missing, where there never were any."""
    if led_by == "axes":
        return "axes" if last.deadman and last.axes and not now.axes else ""
    if led_by == "joints":
        return "joints" if not now.joints or (last.deadman and len(now.joints) < len(last.joints)) else ""
    return "pose" if now.pose is None else ""


def _jumped(last: Reading, now: Reading, seconds: float) -> bool:
    if not last.deadman or last.pose is None or now.pose is None:
        return False
    return math.dist(last.pose.position, now.pose.position) > FASTEST * seconds


def _note(gone: str, last: Reading) -> Note:
    was_there = {"pose": last.pose is not None, "joints": bool(last.joints), "axes": True}[gone]
    if last.deadman and was_there:
        return Note("lane.lost", "stop", (Subject("signal", gone),))
    return Note("lane.lost.none", "stop", (Subject("signal", gone),))
