"""Loss of the signal that drives a robot: a lost pose, lost joints or lost deflections count as a released deadman.

A hand that is no longer tracked may still hold the deadman, and when it is tracked again it is in another place:
resuming from there would move the robot without a command. So the loss lasts until the deadman is released or freshly
pressed. A pose that jumps further than a hand can move was lost and found again in another place.
"""

from __future__ import annotations

import math

from farhand.lane.intake.ages import NO_LEAD, WallLead, between, elapsed
from farhand.lane.intake.inbox import Inbox
from farhand.mapping import LedBy
from farhand.types import Note, Reading, Subject

__all__ = ["MAX_HAND_SPEED_MPS", "presence", "undeflected"]

MAX_HAND_SPEED_MPS = 20.0
"""The fastest hand: about the speed of a throw."""

JUMPED = Note("lane.lost.jumped", "stop")
BACK = Note("lane.lost.back", "stop")
NONE = Note("lane.undeflected")


def presence(
    led_by: LedBy, lost: Note | None, before: Inbox, inbox: Inbox, tick: int, dt: float, wall: WallLead = NO_LEAD
) -> Note | None:
    """Return the note on a held deadman that counts as released because its signal is lost; else None.

    Args:
        led_by: The signal that the mapping in use needs.
        lost: The note of the last tick.
        before: The inbox of the last tick.
        inbox: The inbox of this tick.
        tick: Number of this tick.
        dt: Seconds per tick.
        wall: Lead of wall time over ticks.
    """
    now, last = inbox.reading, before.reading
    if now is last:  # no new reading
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
    """Return the note on a master without deflections, for a mapping that needs them."""
    return () if reading.axes else (NONE,)


def _gone(led_by: LedBy, now: Reading, last: Reading) -> str:
    """Return the missing signal; deflections are missing only if the last reading had some."""
    if led_by == "axes":
        return "axes" if last.deadman and last.axes and not now.axes else ""
    if led_by == "joints":
        return "joints" if not now.joints or (last.deadman and len(now.joints) < len(last.joints)) else ""
    return "pose" if now.pose is None else ""


def _jumped(last: Reading, now: Reading, seconds: float) -> bool:
    if not last.deadman or last.pose is None or now.pose is None:
        return False
    return math.dist(last.pose.position, now.pose.position) > MAX_HAND_SPEED_MPS * seconds


def _note(gone: str, last: Reading) -> Note:
    was_there = {"pose": last.pose is not None, "joints": bool(last.joints), "axes": True}[gone]
    if last.deadman and was_there:
        return Note("lane.lost", "stop", (Subject("signal", gone),))
    return Note("lane.lost.none", "stop", (Subject("signal", gone),))
