"""Autonomous moves: jerk-limited and synchronous from wherever the set-point is to a joint goal, or along a taught way.

A taught way begins with a move to its first point. One with times is then followed as it was taught, within the limits;
one without is a move from point to point. An interrupted one is taken up with a move to where it was left.
"""

from __future__ import annotations

import math
from typing import Any

import ruckig
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import CommandError
from farhand.formats.model import JointSpec
from farhand.lane.routes import Route
from farhand.types import JointTrack, Setpoint, Trajectory, Vector

__all__ = ["Move", "Mover"]

# Planned a little inside the limits, so that servo and guard have room to follow exactly.
HEADROOM = 0.9
ARRIVED = 1e-4  # rad or m, and their rates
THERE = 1e-3  # likewise: near enough to a taught way to follow it from here
LEAD = 0.05  # rad or m: a plan that runs further ahead of the set-point than this slows down, at twice this it waits
CHANGE = 0.25  # seconds from full speed to none when another speed is chosen
LEAST = 0.01  # of full speed: what a taught way goes on with at least, so that it always comes to its end
STUCK = 1.0  # seconds without getting on after which a move is given up


class Move(Struct, frozen=True):
    """A move under way, or one that was interrupted.

    Args:
        goal: Joint positions; of a taught way, where it is joined, or its next point.
        start: The set-point it was planned from; None while interrupted.
        elapsed: Seconds along the plan.
        waited: Seconds for which it has not got on.
        pace: Share of full speed at which it runs; follows the chosen one gently.
        taught: The way that it follows, if it has one.
        along: How far on it that is: seconds, or for one without times the number of the next point.
        joined: It has come to the way and follows it.
        most: The share of full speed that it never exceeds.
        trail: How many points the way in had when backing out of it began; -1 for any other move.
    """

    goal: Vector
    start: Setpoint | None = None
    elapsed: float = 0.0
    waited: float = 0.0
    pace: float = 1.0
    taught: Trajectory | None = None
    along: float = 0.0
    joined: bool = False
    most: float = 1.0
    trail: int = -1

    def interrupted(self) -> Move:
        """Return the move as it waits to be taken up again."""
        return replace(self, start=None, elapsed=0.0, waited=0.0, pace=1.0, joined=False)


class Mover:
    """Plans and follows moves of one arm; the plan is worked out anew from the move wherever it is not at hand.

    Args:
        joints: The arm's joints, for their limits.
        dt: Seconds per tick.
    """

    def __init__(self, joints: tuple[JointSpec, ...], dt: float) -> None:
        self.joints, self.dt = joints, dt
        self._known: tuple[Vector, Setpoint | None] = ((), None)
        self._plan: Any = None
        self._route: tuple[Trajectory | None, Route | None] = (None, None)
        # no joint needs more than its acceleration where the pace of a taught way changes
        self._change = max(CHANGE, *[2.0 * joint.velocity / joint.acceleration for joint in joints])

    def resume(self, move: Move, start: Setpoint, speed: float) -> Move:
        """Return a move that is not under way, a taught way or an interrupted one, as it begins.

        Args:
            move: Where it goes.
            start: Where the arm was told to be last, and how it moves there.
            speed: The chosen share of full speed.

        Raises:
            CommandError: If there is no way there within the joints' limits.
        """
        goal = self._joining(move.taught, move.along) if move.taught else move.goal
        if move.taught and move.taught.times and self._is_there(goal, start, backing=move.trail >= 0):
            return replace(move, goal=goal, start=start, waited=0.0, pace=0.0, joined=True)
        begun = self.start(goal, start, min(speed, move.most))
        return replace(begun, taught=move.taught, along=move.along, most=move.most, trail=move.trail)

    @staticmethod
    def _is_there(goal: Vector, start: Setpoint, *, backing: bool) -> bool:
        """Return whether a way can be followed from here; one that leads out of a corner at once, whatever pushes."""
        if backing:
            return _farthest(goal, start.positions) < LEAD
        return max(map(abs, start.rates)) < THERE and _farthest(goal, start.positions) < THERE

    def passed(self, move: Move) -> int:
        """Return how many points of its way a move has passed, the first not counted."""
        assert move.taught is not None
        return self._along(move.taught).passed(move.along) if move.joined else 0

    def _joining(self, taught: Trajectory, along: float) -> Vector:
        return self._along(taught).at(along)[0] if taught.times else taught.points[int(along)]

    def _along(self, taught: Trajectory) -> Route:
        if self._route[0] is not taught:
            self._route = taught, Route(taught, self.joints, HEADROOM)
        route = self._route[1]
        assert route is not None
        return route

    def start(self, goal: Vector, start: Setpoint, speed: float) -> Move:
        """Return a move from a set-point, in whatever motion it is, to rest at the goal.

        Args:
            goal: Joint positions.
            start: Where the arm was told to be last, and how it moves there.
            speed: The chosen share of full speed.

        Raises:
            CommandError: If there is no way there within the joints' limits.
        """
        move = Move(goal, start, pace=speed if not any(start.rates) else 1.0)
        self._trajectory(move)
        return move

    def follow(self, move: Move, setpoint: Setpoint, speed: float) -> tuple[JointTrack, Move, bool]:
        """Return where the move wants the joints now, the move one tick on, and whether it has arrived.

        Args:
            move: Under way.
            setpoint: Where the arm was told to be last.
            speed: The chosen share of full speed; the plan runs that much slower.
        """
        speed = min(speed, move.most)
        if move.joined:
            return self._follow_taught(move, setpoint, speed)
        plan = self._trajectory(move)
        lag = _farthest(plan.at_time(move.elapsed)[0], setpoint.positions)
        share = move.pace + min(max(speed - move.pace, -self.dt / CHANGE), self.dt / CHANGE)
        pace = share * min(1.0, max(0.0, 2.0 - lag / LEAD))
        elapsed = move.elapsed + pace * self.dt
        positions, rates, _ = plan.at_time(elapsed)
        still = max(map(abs, setpoint.rates)) < ARRIVED
        done = elapsed >= plan.duration and still and lag < ARRIVED
        waited = move.waited + self.dt if still and move.elapsed > 0.05 * plan.duration else 0.0
        track = JointTrack(tuple(positions), tuple([pace * rate for rate in rates]))
        move = replace(move, elapsed=elapsed, waited=waited, pace=share)
        if done and move.taught is not None:
            return track, *self._next(move, move.taught, setpoint, speed)
        return track, move, done

    def _next(self, move: Move, taught: Trajectory, setpoint: Setpoint, speed: float) -> tuple[Move, bool]:
        """Return the move where it goes on after it has come to a point, and whether that was the last."""
        if taught.times:
            return replace(move, joined=True, pace=0.0, waited=0.0), False
        following = replace(move, along=move.along + 1.0)
        if following.along >= len(taught.points):
            return following, True
        return self.resume(following, setpoint, speed), False

    def _follow_taught(self, move: Move, setpoint: Setpoint, speed: float) -> tuple[JointTrack, Move, bool]:
        """Follow a way with times: its clock runs at the pace that is chosen, and waits for the arm."""
        assert move.taught is not None
        route, dt = self._along(move.taught), self.dt
        lag = _farthest(route.at(move.along)[0], setpoint.positions)
        left = max(0.0, route.duration - move.along)
        wanted = min(speed, math.sqrt(2.0 * left / self._change))  # slower before the end, should it end in motion
        share = move.pace + min(max(wanted - move.pace, -dt / self._change), dt / self._change)
        pace = max(0.0, share) * min(1.0, max(0.0, 2.0 - lag / LEAD))
        along = min(route.duration, move.along + max(pace * dt, LEAST * dt * (lag < LEAD)))
        positions, rates = route.at(along)
        still, ended = max(map(abs, setpoint.rates)) < ARRIVED, along >= route.duration
        behind = ended or lag > THERE  # else it rests because the way does, or begins slowly
        waited = move.waited + dt if still and behind else 0.0
        track = JointTrack(positions, tuple([pace * rate for rate in rates]))
        return track, replace(move, along=along, waited=waited, pace=share), ended and still and lag < ARRIVED

    def _trajectory(self, move: Move) -> Any:
        if self._plan is None or self._known != (move.goal, move.start):
            assert move.start is not None
            self._plan, self._known = self._planned(move.goal, move.start), (move.goal, move.start)
        return self._plan

    def _planned(self, goal: Vector, start: Setpoint) -> Any:
        count = len(self.joints)
        ask = ruckig.InputParameter(count)
        ask.current_position = list(start.positions)
        ask.current_velocity = list(start.rates)
        ask.current_acceleration = list(start.accelerations)
        ask.target_position = list(goal)
        ask.max_velocity = [joint.velocity * HEADROOM for joint in self.joints]
        ask.max_acceleration = [joint.acceleration * HEADROOM for joint in self.joints]
        ask.max_jerk = [joint.jerk * HEADROOM for joint in self.joints]
        trajectory = ruckig.Trajectory(count)
        try:
            ruckig.Ruckig(count).calculate(ask, trajectory)
        except (ruckig.RuckigError, ValueError) as error:
            raise CommandError(f"there is no smooth way to {goal}") from error
        return trajectory


def _farthest(a: Any, b: Vector) -> float:
    return float(max([abs(x - y) for x, y in zip(a, b, strict=True)]))
