"""Backing out of a corner along the path that led in."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.intake.requests import REQUESTS, Requests, start_source
from farhand.lane.paths.path_following import Follower, Following
from farhand.lane.paths.trail import Trail
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, progress
from farhand.types import Demand, FreeMe, Note, Vector

__all__ = ["BackOut", "BackingOut"]

NAME = "back out"
MAX_SPEED = 0.25  # share of full speed
INTERRUPTED, BACKING, NO_TRAIL = Note("lane.free.left"), Note("lane.free"), Note("move.no-trail")


class BackingOut(Struct, frozen=True):
    """The state of a motion back along the trail.

    Args:
        following: The motion along the reversed trail.
        trail: Number of points of the trail when it began.
    """

    following: Following
    trail: int


@SOURCES.register(NAME)
class BackOut:
    """Moves an arm back along its trail; driving changes the trail, so a press ends the motion.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = INTERRUPTED

    def __init__(self, config: SourceConfig) -> None:
        self._follower, self._trail = Follower(config.joints, config.dt), Trail(config.joints)

    def begin(self, _: None, view: SourceView) -> BackingOut | Note:
        """Return a motion along the last piece of the trail, or a note that there is no trail."""
        back = self._trail.back(view.trail, view.setpoint.positions)
        if back is None:
            return NO_TRAIL
        path, count = back
        speed = min(view.speed, MAX_SPEED)
        return BackingOut(self._follower.begin(path, 0.0, view.setpoint, speed, at_once=True), count)

    def resume(self, memory: BackingOut, view: SourceView) -> BackingOut:
        """Return the motion along the rest of that piece."""
        following, speed = memory.following, min(view.speed, MAX_SPEED)
        begun = self._follower.begin(following.taught, following.along, view.setpoint, speed, at_once=True)
        return replace(memory, following=begun)

    def goal(self, memory: BackingOut) -> Vector:
        """Return the joints at the end of the motion."""
        return memory.following.taught.points[-1]

    def step(self, view: SourceView, memory: BackingOut) -> Step:
        """Return the demand of the reversed trail in this tick."""
        speed = min(view.speed, MAX_SPEED)
        track, following, arrived = self._follower.follow(memory.following, view.setpoint, speed)
        status = progress(following.waited, arrived=arrived)
        return Demand(NAME, {"arm": track}), replace(memory, following=following), status, (BACKING,)

    def remaining(self, memory: BackingOut) -> int:
        """Return the number of points of the trail that have not been retraced."""
        return memory.trail - self._follower.passed(memory.following)


@REQUESTS.register(FreeMe)
def _back_out(asked: Requests, _: FreeMe, number: int) -> Requests:
    return start_source(asked, number, NAME)
