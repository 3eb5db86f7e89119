"""What came from the master: the newest good reading, how old it is, and whether the deadman was freshly pressed.

Refused: old, repeated and reordered readings, and those of an earlier lease. A reading with numbers that are not
finite or out of range is refused too, and stops the robot. Age is the greater of two: time since receipt by the
cell's own clock, and time since the tick that the reading echoes; a steady queue on the way looks fresh by the first
alone.
"""

from __future__ import annotations

import math

from msgspec import Struct

from farhand.poses import Pose, Quaternion
from farhand.types import Reading

__all__ = ["Inbox", "receive"]

NOTHING = Reading()


class Inbox(Struct, frozen=True):
    """Memory of what a master sent.

    Args:
        reading: The newest good one.
        received: Tick of its receipt; -1 before the first.
        pressed: The deadman was pressed afresh in this tick.
        bad: Why a reading must stop the robot, or None.
        epoch_changed: The lease changed in this tick.
        refused: How many readings were refused so far.
        turned_away: A reading was refused in this tick.
        stepped: How often the button was pressed in this tick that goes on to the next scale of the hand's motion.
    """

    reading: Reading = NOTHING
    received: int = -1
    pressed: bool = False
    bad: str | None = None
    epoch_changed: bool = False
    refused: int = 0
    turned_away: bool = False
    stepped: int = 0

    def age(self, tick: int, dt: float) -> float | None:
        """Return the age in seconds at a tick, or None if nothing has come yet."""
        if self.received < 0:
            return None
        behind = tick - self.received
        if self.reading.tick >= 0:
            # An echo can be at best of the tick before the one in which it was received.
            behind = max(behind, tick - self.reading.tick - 1)
        return behind * dt


def receive(inbox: Inbox, reading: Reading | None, tick: int) -> Inbox:
    """Return the inbox after this tick's reading, if there was one."""
    if reading is None:
        return Inbox(inbox.reading, inbox.received, refused=inbox.refused)
    last, first = inbox.reading, inbox.received < 0
    problem = _problem(reading)
    if problem:
        return Inbox(last, inbox.received, bad=problem, refused=inbox.refused + 1, turned_away=True)
    stale = reading.epoch < last.epoch or (reading.epoch == last.epoch and reading.sequence <= last.sequence)
    if (stale and not first) or reading.tick >= tick:
        return Inbox(last, inbox.received, refused=inbox.refused + 1, turned_away=True)
    changed = not first and reading.epoch != last.epoch
    return Inbox(
        reading,
        tick,
        pressed=not first and not changed and _pressed(last, reading),
        epoch_changed=changed,
        refused=inbox.refused,
        stepped=0 if first or changed else _steps(last, reading),
    )


def _pressed(last: Reading, now: Reading) -> bool:
    count, before = now.presses.get("deadman", 0), last.presses.get("deadman", 0)
    return now.deadman and (count > before or not last.deadman)


def _steps(last: Reading, now: Reading) -> int:
    return max(0, now.presses.get("scale", 0) - last.presses.get("scale", 0)) if now.presses else 0


def _problem(reading: Reading) -> str:
    """Return what is wrong with a reading's numbers, or an empty text."""
    if not all([abs(axis) <= 1.0 for axis in reading.axes]):
        return "The master sent an axis that is not between -1 and 1."
    if reading.grip is not None and not 0.0 <= reading.grip <= 1.0:
        return "The master sent a grip that is not between 0 and 1."
    if not all(map(math.isfinite, reading.joints)):
        return "The master sent a joint position that is not a number."
    if reading.pose is not None and not _is_pose(reading.pose):
        return "The master sent a pose that is none."
    if reading.twist is not None and not all(map(math.isfinite, reading.twist.linear + reading.twist.angular)):
        return "The master sent a velocity that is not a number."
    if reading.view is not None and not _is_turn(reading.view):
        return "The master sent a view that is none."
    return ""


def _is_pose(pose: Pose) -> bool:
    return all(map(math.isfinite, pose.position)) and _is_turn(pose.rotation)


def _is_turn(rotation: Quaternion) -> bool:
    return abs(sum([x * x for x in rotation]) - 1.0) < 1e-3
