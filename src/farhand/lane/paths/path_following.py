"""Motions along a recorded path: an approach to the point where the arm joins it, then the path itself.

A path with times is followed as it was recorded, within the limits; a path without times goes from point to point. An
interrupted motion joins the path where it left it.
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

JOINED = 1e-3  # rad or m, and their rates: close enough to a path to follow it from here
MIN_RAMP_S = 0.25  # from full speed to none after a change of speed
MIN_PACE = 0.01  # share of full speed: a path always runs at least this fast, so that it reaches its end
CACHED_ROUTES = 16


class Following(Struct, frozen=True):
    """The state of a motion along a recorded path.

    Args:
        taught: The path.
        along: The progress: seconds, or for a path without times the number of the next point.
        approach: The approach to this place; None while the arm follows the path itself.
        waited: Time without progress, s.
        pace: Share of full speed on the path itself.
    """

    taught: Trajectory
    along: float = 0.0
    approach: JointProfile | None = None
    waited: float = 0.0
    pace: float = 0.0


class Follower:
    """Follows recorded paths with one arm.

    Args:
        joints: The joints of the arm, for their limits.
        dt: Seconds per tick.
    """

    def __init__(self, joints: tuple[JointSpec, ...], dt: float) -> None:
        self.joints, self.dt, self._limits = joints, dt, limits_of(joints)
        # a change of pace must not need more than any joint's acceleration
        self._change = max(MIN_RAMP_S, *[2.0 * joint.velocity / joint.acceleration for joint in joints])

    def begin(
        self, taught: Trajectory, along: float, start: Setpoint, speed: float, *, at_once: bool = False
    ) -> Following:
        """Return a motion along a path, from its beginning or from a place on it.

        Args:
            taught: The path.
            along: The place to join it: seconds, or the number of a point.
            start: The last set-point of the arm, with its rates and accelerations.
            speed: The chosen share of full speed.
            at_once: Whether to follow it without an approach, also from nearby and while moving.

        Raises:
            CommandError: If no motion within the joints' limits leads there.
        """
        goal = self.joining(taught, along)
        if taught.times and _is_there(goal, start, at_once=at_once):
            return Following(taught, along)
        return Following(taught, along, begin_profile(self._limits, goal, start, speed))

    def passed(self, following: Following) -> int:
        """Return the number of passed points of a path with times, without the first."""
        return self._route(following.taught).passed(following.along) if following.approach is None else 0

    def follow(self, following: Following, setpoint: Setpoint, speed: float) -> tuple[JointTrack, Following, bool]:
        """Return the joints' target in this tick, the motion one tick later, and whether it has arrived.

        Args:
            following: The motion.
            setpoint: The last set-point of the arm.
            speed: The chosen share of full speed.
        """
        if following.approach is None:
            return self._follow_route(following, setpoint, speed)
        track, approach, done = follow_profile(self._limits, following.approach, setpoint, speed, self.dt)
        following = replace(following, approach=approach, waited=approach.waited)
        return track, *(self._next(following, setpoint, speed) if done else (following, False))

    def _next(self, following: Following, setpoint: Setpoint, speed: float) -> tuple[Following, bool]:
        """Return the motion to the next point, and whether the last point was reached."""
        if following.taught.times:
            return Following(following.taught, following.along), False
        number = following.along + 1.0
        if number >= len(following.taught.points):
            return replace(following, along=number), True
        return self.begin(following.taught, number, setpoint, speed), False

    def _follow_route(
        self, following: Following, setpoint: Setpoint, speed: float
    ) -> tuple[JointTrack, Following, bool]:
        """Follow a path with times: its clock runs at the chosen pace, and waits for the arm."""
        route, dt = self._route(following.taught), self.dt
        lag = farthest(route.at(following.along)[0], setpoint.positions)
        left = max(0.0, route.duration - following.along)
        wanted = min(speed, math.sqrt(2.0 * left / self._change))  # slower before the end, in case it ends in motion
        share = following.pace + min(max(wanted - following.pace, -dt / self._change), dt / self._change)
        pace = max(0.0, share) * min(1.0, max(0.0, 2.0 - lag / LEAD))
        along = min(route.duration, following.along + max(pace * dt, MIN_PACE * dt * (lag < LEAD)))
        positions, rates = route.at(along)
        still, ended = max(map(abs, setpoint.rates)) < ARRIVED, along >= route.duration
        behind = ended or lag > JOINED  # else the path itself rests, or begins slowly
        waited = following.waited + dt if still and behind else 0.0
        track = JointTrack(positions, tuple([pace * rate for rate in rates]))
        return track, replace(following, along=along, waited=waited, pace=share), ended and still and lag < ARRIVED

    def joining(self, taught: Trajectory, along: float) -> Vector:
        """Return the joint positions at a place on a path: seconds, or the number of a point."""
        return self._route(taught).at(along)[0] if taught.times else taught.points[int(along)]

    def _route(self, taught: Trajectory) -> Route:
        return route_along(Taught(taught, self.joints))


class Taught(NamedTuple):
    """A path for some joints, compared by identity: comparing long paths by value takes too long."""

    path: Trajectory
    joints: Sequence[JointSpec]

    @property
    def places(self) -> tuple[int, int]:
        """The identities of both; a cache entry keeps both alive, so they stay valid."""
        return id(self.path), id(self.joints)

    def __hash__(self) -> int:
        return hash(self.places)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Taught) and self.places == other.places


@lru_cache(maxsize=CACHED_ROUTES)
def route_along(taught: Taught) -> Route:
    """Return the path as a function of time within the limits of the joints."""
    return Route(taught.path, taught.joints, HEADROOM)


def _is_there(goal: Vector, start: Setpoint, *, at_once: bool) -> bool:
    """Return whether the arm can follow a path from here."""
    if at_once:
        return farthest(goal, start.positions) < LEAD
    return max(map(abs, start.rates)) < JOINED and farthest(goal, start.positions) < JOINED
