"""Autonomous moves: jerk-limited and synchronous from wherever the set-point is to a joint goal."""

from __future__ import annotations

from typing import Any

import ruckig
from msgspec import Struct

from farhand.formats.model import JointSpec
from farhand.types import JointTrack, Setpoint, Vector

__all__ = ["Move", "follow_move", "start_move"]

# Planned a little inside the limits, so that servo and guard have room to follow exactly.
HEADROOM = 0.9
ARRIVED = 1e-4  # rad or m, and their rates
LEAD = 0.05  # rad or m: a plan that runs further ahead of the set-point than this slows down, at twice this it waits


class Move(Struct, frozen=True):
    """A move under way, or one that was interrupted.

    Args:
        goal: Joint positions.
        trajectory: Ruckig's plan; None while interrupted.
        elapsed: Seconds along it.
    """

    goal: Vector
    trajectory: Any = None
    elapsed: float = 0.0


def start_move(joints: tuple[JointSpec, ...], goal: Vector, start: Setpoint, speed: float) -> Move:
    """Return a move from a set-point, in whatever motion it is, to rest at the goal.

    Args:
        joints: The arm's joints, for their limits.
        goal: Joint positions, inside the limits.
        start: Where the set-point is now.
        speed: Share of the joints' top rates.
    """
    ask = ruckig.InputParameter(len(joints))
    ask.current_position = list(start.positions)
    ask.current_velocity = list(start.rates)
    ask.current_acceleration = list(start.accelerations)
    ask.target_position = list(goal)
    ask.max_velocity = [max(joint.velocity * HEADROOM * speed, 1e-6) for joint in joints]
    ask.max_acceleration = [joint.acceleration * HEADROOM for joint in joints]
    ask.max_jerk = [joint.jerk * HEADROOM for joint in joints]
    trajectory = ruckig.Trajectory(len(joints))
    ruckig.Ruckig(len(joints)).calculate(ask, trajectory)
    return Move(goal, trajectory)


def follow_move(move: Move, setpoint: Setpoint, dt: float) -> tuple[JointTrack, Move, bool]:
    """Return where the move wants the joints now, the move one tick on, and whether it has arrived."""
    lag = max([abs(a - b) for a, b in zip(_at(move, move.elapsed)[0], setpoint.positions, strict=True)])
    pace = min(1.0, max(0.0, 2.0 - lag / LEAD))
    elapsed = move.elapsed + pace * dt
    positions, rates = _at(move, elapsed)
    still = max(map(abs, setpoint.rates)) < ARRIVED
    done = elapsed >= move.trajectory.duration and still and lag < ARRIVED
    rates = tuple([pace * rate for rate in rates])
    return JointTrack(positions, rates), Move(move.goal, move.trajectory, elapsed), done


def _at(move: Move, time: float) -> tuple[Vector, Vector]:
    positions, rates, _ = move.trajectory.at_time(time)
    return tuple(positions), tuple(rates)
