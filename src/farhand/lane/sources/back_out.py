"""A motion out of a corner, back along the path that led in."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.intake.requests import REQUESTS, Requests, start_source
from farhand.lane.paths.path_following import Follower, Following
from farhand.lane.paths.trail import Trail
from farhand.lane.sources.source import SOURCES, Kind, SourceConfig, SourceView, Step, progress
from farhand.types import Demand, FreeMe, Note, Vector

__all__ = ["BackOut", "BackingOut"]

NAME = "free me"
GENTLE = 0.25  # share of full speed
LEFT, BACKING, NO_TRAIL = Note("lane.free.left"), Note("lane.free"), Note("move.no-trail")


class BackingOut(Struct, frozen=True):
    """A motion back along the trail, under way.

    Args:
        following: The motion along the reversed trail.
        trail: How many points the trail had when it began.
    """

    following: Following
    trail: int


@SOURCES.register(NAME)
class BackOut:
    """Moves an arm back along its trail; after driving the trail is another, so a press ends it.

    Args:
        config: The robot.
    """

    kind: Kind = "autonomous"
    ended_by_press = LEFT

    def __init__(self, config: SourceConfig) -> None:
        self._follower, self._trail = Follower(config.joints, config.dt), Trail(config.joints)

    def begin(self, _: None, view: SourceView) -> BackingOut | Note:
        """Return a motion along the last piece of the trail, or that there is no trail."""
        back = self._trail.back(view.trail, view.setpoint.positions)
        if back is None:
            return NO_TRAIL
        way, count = back
        speed = min(view.speed, GENTLE)
        return BackingOut(self._follower.begin(way, 0.0, view.setpoint, speed, at_once=True), count)

    def resume(self, memory: BackingOut, view: SourceView) -> BackingOut:
        """Return the motion along the rest of that piece."""
        following, speed = memory.following, min(view.speed, GENTLE)
        begun = self._follower.begin(following.taught, following.along, view.setpoint, speed, at_once=True)
        return replace(memory, following=begun)

    def goal(self, memory: BackingOut) -> Vector:
        """Return the joints at the end of the piece that is backed out of."""
        return memory.following.taught.points[-1]

    def step(self, view: SourceView, memory: BackingOut) -> Step:
        """Return where the reversed trail has the arm in this tick."""
        speed = min(view.speed, GENTLE)
        track, following, arrived = self._follower.follow(memory.following, view.setpoint, speed)
        status = progress(following.waited, arrived=arrived)
        return Demand(NAME, {"arm": track}), replace(memory, following=following), status, (BACKING,)

    def remaining(self, memory: BackingOut) -> int:
        """Return how many points of the trail are left: those that were backed out of no longer lead in."""
        return memory.trail - self._follower.passed(memory.following)


@REQUESTS.register(FreeMe)
def _back_out(asked: Requests, _: FreeMe, number: int) -> Requests:
    return start_source(asked, number, NAME)
