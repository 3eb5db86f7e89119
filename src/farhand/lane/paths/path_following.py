"""Motions along a taught path: first one to where it is joined, then the path itself.

A path with times is followed as it was taught, within the limits; one without is gone from point to point. One that was
left is joined where that was.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from farhand.formats.model import JointSpec
from farhand.lane.paths.joint_profiles import (
    ARRIVED,
    HEADROOM,
    LEAD,
    JointProfile,
    begin_profile,
    farthest,
    follow_profile,
    limits_of,
)
from farhand.lane.paths.path_timing import Route
from farhand.types import JointTrack, Setpoint, Trajectory, Vector

__all__ = ["Follower", "Following", "route_along"]

THERE = 1e-3  # rad or m, and their rates: near enough to a path to follow it from here
CHANGE = 0.25  # seconds from full speed to none when another speed is chosen, at least
LEAST = 0.01  # of full speed: what a path goes on with at least, so that it always comes to its end
KNOWN = 16  # routes that are kept; each can be worked out anew


class Following(Struct, frozen=True):
    """A motion along a taught path, under way.

    Args:
        taught: The path.
        along: How far on it that is: seconds, or for one without times the number of the next point.
        approach: The motion to there; None while the path itself is followed.
        waited: Seconds for which the arm has not got on.
        pace: Share of full speed at which the path itself is followed.
    """

    taught: Trajectory
    along: float = 0.0
    approach: JointProfile | None = None
    waited: float = 0.0
    pace: float = 0.0


class Follower:
    """Follows taught paths with one arm.

    Args:
        joints: The arm's, for their limits.
        dt: Seconds per tick.
    """

    def __init__(self, joints: tuple[JointSpec, ...], dt: float) -> None:
        self.joints, self.dt, self._limits = joints, dt, limits_of(joints)
        # no joint needs more than its acceleration where the pace of a path changes
        self._change = max(CHANGE, *[2.0 * joint.velocity / joint.acceleration for joint in joints])

    def begin(
        self, taught: Trajectory, along: float, start: Setpoint, speed: float, *, at_once: bool = False
    ) -> Following:
        """Return a motion along a path as it begins, or where it is taken up again.

        Args:
            taught: The path.
            along: Where to join it: seconds, or the number of a point.
            start: Where the arm was told to be last, and how it moves there.
            speed: The chosen share of full speed.
            at_once: Follow it from a little away and in motion, too: out of a corner, whatever pushes.

        Raises:
            CommandError: If there is no way there within the joints' limits.
        """
        goal = self.joining(taught, along)
        if taught.times and _is_there(goal, start, at_once=at_once):
            return Following(taught, along)
        return Following(taught, along, begin_profile(self._limits, goal, start, speed))

    def passed(self, following: Following) -> int:
        """Return how many points of a path with times have been passed, the first not counted."""
        return self._route(following.taught).passed(following.along) if following.approach is None else 0

    def follow(self, following: Following, setpoint: Setpoint, speed: float) -> tuple[JointTrack, Following, bool]:
        """Return where the joints shall be now, the motion one tick on, and whether it has arrived.

        Args:
            following: Under way.
            setpoint: Where the arm was told to be last.
            speed: The chosen share of full speed.
        """
        if following.approach is None:
            return self._follow_route(following, setpoint, speed)
        track, approach, done = follow_profile(self._limits, following.approach, setpoint, speed, self.dt)
        following = replace(following, approach=approach, waited=approach.waited)
        return track, *(self._next(following, setpoint, speed) if done else (following, False))

    def _next(self, following: Following, setpoint: Setpoint, speed: float) -> tuple[Following, bool]:
        """Return the motion where it goes on after it has come to a point, and whether that was the last."""
        if following.taught.times:
            return Following(following.taught, following.along), False
        number = following.along + 1.0
        if number >= len(following.taught.points):
            return replace(following, along=number), True
        return self.begin(following.taught, number, setpoint, speed), False

    def _follow_route(
        self, following: Following, setpoint: Setpoint, speed: float
    ) -> tuple[JointTrack, Following, bool]:
        """Follow a path with times: its clock runs at the pace that is chosen, and waits for the arm."""
        route, dt = self._route(following.taught), self.dt
        lag = farthest(route.at(following.along)[0], setpoint.positions)
        left = max(0.0, route.duration - following.along)
        wanted = min(speed, math.sqrt(2.0 * left / self._change))  # slower before the end, should it end in motion
        share = following.pace + min(max(wanted - following.pace, -dt / self._change), dt / self._change)
        pace = max(0.0, share) * min(1.0, max(0.0, 2.0 - lag / LEAD))
        along = min(route.duration, following.along + max(pace * dt, LEAST * dt * (lag < LEAD)))
        positions, rates = route.at(along)
        still, ended = max(map(abs, setpoint.rates)) < ARRIVED, along >= route.duration
        behind = ended or lag > THERE  # else it rests because the path does, or begins slowly
        waited = following.waited + dt if still and behind else 0.0
        track = JointTrack(positions, tuple([pace * rate for rate in rates]))
        return track, replace(following, along=along, waited=waited, pace=share), ended and still and lag < ARRIVED

    def joining(self, taught: Trajectory, along: float) -> Vector:
        """Return where a path is joined: joint positions at seconds, or at the number of a point."""
        return self._route(taught).at(along)[0] if taught.times else taught.points[int(along)]

    def _route(self, taught: Trajectory) -> Route:
        return route_along(Taught(taught, self.joints))


class Taught(NamedTuple):
    """A path for some joints, the same only if it is the same value in memory: to compare long ones takes too long."""

    path: Trajectory
    joints: Sequence[JointSpec]

    @property
    def places(self) -> tuple[int, int]:
        """Where both are in memory; what is kept by it keeps them there."""
        return id(self.path), id(self.joints)

    def __hash__(self) -> int:
        return hash(self.places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Taught) and self.places == other.places


@lru_cache(maxsize=KNOWN)
def route_along(taught: Taught) -> Route:
    """Return the path as a function of time within the limits of the joints."""
    return Route(taught.path, taught.joints, HEADROOM)


def _is_there(goal: Vector, start: Setpoint, *, at_once: bool) -> bool:
    """Return whether a path can be followed from here."""
    if at_once:
        return farthest(goal, start.positions) < LEAD
    return max(map(abs, start.rates)) < THERE and farthest(goal, start.positions) < THERE
