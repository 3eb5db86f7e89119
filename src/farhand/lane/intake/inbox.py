"""The inbox of a lane: the newest valid reading, its age, and fresh presses of the deadman.

Old, repeated and reordered readings, and those of an earlier lease, are refused. A reading with numbers that are not
finite or out of range is refused too, and stops the robot. The age is the greater of two: the time since receipt by
the cell's own clock, and the time since the tick that the reading echoes; by the first alone, a queue in the network
looks fresh. `lane/intake/ages.py` computes both.
"""

from __future__ import annotations

import math

from msgspec import Struct

from farhand.lane.intake.ages import NO_LEAD, Ages, WallLead, echo_age, elapsed
from farhand.poses import Pose, Quaternion
from farhand.types import Note, Reading

__all__ = ["Inbox", "receive"]

NOTHING = Reading()
BAD_AXIS, BAD_GRIP, BAD_JOINT = Note("master.axis"), Note("master.grip"), Note("master.joint")
BAD_POSE, BAD_VELOCITY, BAD_VIEW = Note("master.pose"), Note("master.velocity"), Note("master.view")


class Inbox(Struct, frozen=True):
    """The newest valid reading of a master, and the changes in this tick.

    Args:
        reading: The newest valid reading.
        received: Tick of its receipt; -1 before the first.
        pressed: True if the deadman was freshly pressed in this tick.
        bad: The reason that a reading must stop the robot, or None.
        epoch_changed: True if the lease changed in this tick.
        refused: Number of readings refused so far.
        turned_away: True if a reading was refused in this tick.
        stepped: Number of presses, in this tick, of the button for the next scale of the hand's motion.
    """

    reading: Reading = NOTHING
    received: int = -1
    pressed: bool = False
    bad: Note | None = None
    epoch_changed: bool = False
    refused: int = 0
    turned_away: bool = False
    stepped: int = 0

    def ages(self, tick: int, dt: float, wall: WallLead = NO_LEAD, baseline: float = 0.0) -> Ages | None:
        """Return the ages at a tick, or None before the first reading."""
        if self.received < 0:
            return None
        reading = self.reading
        echo = echo_age(wall, reading.tick, tick, dt) if reading.tick >= 0 else 0.0
        drawn = echo_age(wall, reading.drawn, tick, dt) if reading.drawn >= 0 else 0.0
        return Ages(self._gap(tick, dt, wall), echo, drawn, baseline)

    def age(self, tick: int, dt: float, wall: WallLead = NO_LEAD) -> float | None:
        """Return the greater of the time since receipt and the echo's age, or None before the first reading."""
        ages = self.ages(tick, dt, wall)
        return ages.age if ages else None

    def _gap(self, tick: int, dt: float, wall: WallLead) -> float:
        arrival = self.reading.arrival
        if arrival is None:
            return elapsed(wall, self.received, tick, dt)
        since = arrival.taken if arrival.taken >= 0 else self.received
        return elapsed(wall, since, tick, dt) + max(arrival.waited, 0) * 1e-3

    def is_new(self, tick: int) -> bool:
        """Return whether the newest valid reading is from this tick, not repeated by a device."""
        arrival = self.reading.arrival
        return self.received == tick and (arrival is None or arrival.taken in (-1, tick))


def receive(inbox: Inbox, reading: Reading | None, tick: int) -> Inbox:
    """Return the inbox after this tick, with its reading if there is one."""
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


def _problem(reading: Reading) -> Note | None:
    """Return the problem with a reading's numbers, or None."""
    if not all([abs(axis) <= 1.0 for axis in reading.axes]):
        return BAD_AXIS
    if reading.grip is not None and not 0.0 <= reading.grip <= 1.0:
        return BAD_GRIP
    if reading.joints and not all(map(math.isfinite, reading.joints)):
        return BAD_JOINT
    if reading.pose is not None and not _is_pose(reading.pose):
        return BAD_POSE
    if reading.twist is not None and not all(map(math.isfinite, reading.twist.linear + reading.twist.angular)):
        return BAD_VELOCITY
    if reading.view is not None and not _is_turn(reading.view):
        return BAD_VIEW
    return None


def _is_pose(pose: Pose) -> bool:
    return all(map(math.isfinite, pose.position)) and _is_turn(pose.rotation)


def _is_turn(rotation: Quaternion) -> bool:
    return abs(sum([x * x for x in rotation]) - 1.0) < 1e-3
