"""Autonomous moves: jerk-limited and synchronous from wherever the set-point is to a joint goal."""

from __future__ import annotations

from typing import Any

import ruckig
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import CommandError
from farhand.formats.model import JointSpec
from farhand.types import JointTrack, Setpoint, Vector

__all__ = ["Move", "Mover"]

# Planned a little inside the limits, so that servo and guard have room to follow exactly.
HEADROOM = 0.9
ARRIVED = 1e-4  # rad or m, and their rates
LEAD = 0.05  # rad or m: a plan that runs further ahead of the set-point than this slows down, at twice this it waits
CHANGE = 0.25  # seconds from full speed to none when another speed is chosen
STUCK = 1.0  # seconds without getting on after which a move is given up


class Move(Struct, frozen=True):
    """A move under way, or one that was interrupted.

    Args:
        goal: Joint positions.
        start: The set-point it was planned from; None while interrupted.
        elapsed: Seconds along the plan.
        waited: Seconds for which it has not got on.
        pace: Share of full speed at which it runs; follows the chosen one gently.
    """

    goal: Vector
    start: Setpoint | None = None
    elapsed: float = 0.0
    waited: float = 0.0
    pace: float = 1.0


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
        return track, replace(move, elapsed=elapsed, waited=waited, pace=share), done

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
