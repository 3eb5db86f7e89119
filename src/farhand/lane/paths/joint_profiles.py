"""Jerk-limited, synchronous motions from the present set-point to rest at a joint goal."""

from __future__ import annotations

import atexit
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import ruckig
from msgspec import Struct
from msgspec.structs import replace

from farhand.errors import CommandError
from farhand.formats.model import JointSpec
from farhand.types import JointTrack, Setpoint, Vector

__all__ = [
    "ARRIVED",
    "HEADROOM",
    "LEAD",
    "JointProfile",
    "Limits",
    "begin_profile",
    "farthest",
    "follow_profile",
    "limits_of",
    "plan_profile",
]

# Plans use this share of the limits, so that servo and guard can follow them exactly.
HEADROOM = 0.9
ARRIVED = 1e-4  # rad or m, and their rates
LEAD = 0.05  # rad or m that a plan may be ahead of the set-point; beyond it the plan slows, at twice this it waits
RAMP_S = 0.25  # from full speed to none after a change of speed
CACHED_PLANS = 64

Limits = tuple[Vector, Vector, Vector]
"""Velocity, acceleration and jerk that plans use, by joint."""


class JointProfile(Struct, frozen=True):
    """The state of a motion to a joint goal.

    Args:
        goal: Joint positions (rad, m).
        start: The set-point that it was planned from.
        elapsed: Time along the plan, s.
        waited: Time without progress, s.
        pace: Share of full speed at which it runs; follows the chosen speed smoothly.
    """

    goal: Vector
    start: Setpoint
    elapsed: float = 0.0
    waited: float = 0.0
    pace: float = 1.0


def limits_of(joints: Sequence[JointSpec]) -> Limits:
    """Return the limits that plans for some joints use."""
    return (
        tuple([joint.velocity * HEADROOM for joint in joints]),
        tuple([joint.acceleration * HEADROOM for joint in joints]),
        tuple([joint.jerk * HEADROOM for joint in joints]),
    )


def begin_profile(limits: Limits, goal: Vector, start: Setpoint, speed: float) -> JointProfile:
    """Return a motion from a set-point, which may be moving, to rest at the goal.

    Args:
        limits: The limits of the arm.
        goal: Joint positions (rad, m).
        start: The last set-point of the arm, with its rates and accelerations.
        speed: The chosen share of full speed.

    Raises:
        CommandError: If no motion within the limits leads there.
    """
    plan_profile(limits, goal, start)
    return JointProfile(goal, start, pace=speed if not any(start.rates) else 1.0)


def follow_profile(
    limits: Limits, profile: JointProfile, setpoint: Setpoint, speed: float, dt: float
) -> tuple[JointTrack, JointProfile, bool]:
    """Return the joints' target in this tick, the motion one tick later, and whether it has arrived.

    Args:
        limits: The limits of the arm.
        profile: The motion.
        setpoint: The last set-point of the arm.
        speed: The chosen share of full speed, which slows the plan.
        dt: Seconds per tick.
    """
    plan = plan_profile(limits, profile.goal, profile.start)
    lag = farthest(plan.at_time(profile.elapsed)[0], setpoint.positions)
    share = profile.pace + min(max(speed - profile.pace, -dt / RAMP_S), dt / RAMP_S)
    pace = share * min(1.0, max(0.0, 2.0 - lag / LEAD))
    elapsed = profile.elapsed + pace * dt
    positions, rates, _ = plan.at_time(elapsed)
    still = max(map(abs, setpoint.rates)) < ARRIVED
    done = elapsed >= plan.duration and still and lag < ARRIVED
    waited = profile.waited + dt if still and profile.elapsed > 0.05 * plan.duration else 0.0
    track = JointTrack(tuple(positions), tuple([pace * rate for rate in rates]))
    return track, replace(profile, elapsed=elapsed, waited=waited, pace=share), done


@lru_cache(maxsize=CACHED_PLANS)
def plan_profile(limits: Limits, goal: Vector, start: Setpoint) -> Any:
    """Return the plan of a motion: positions, rates and accelerations by time, and its duration.

    Args:
        limits: The limits of the arm.
        goal: Joint positions (rad, m).
        start: The set-point that it starts from.

    Raises:
        CommandError: If no motion within the limits leads there.
    """
    count = len(limits[0])
    ask = ruckig.InputParameter(count)
    ask.current_position = list(start.positions)
    ask.current_velocity = list(start.rates)
    ask.current_acceleration = list(start.accelerations)
    ask.target_position = list(goal)
    ask.max_velocity, ask.max_acceleration, ask.max_jerk = [list(limit) for limit in limits]
    trajectory = ruckig.Trajectory(count)
    try:
        ruckig.Ruckig(count).calculate(ask, trajectory)
    except (ruckig.RuckigError, ValueError) as error:
        raise CommandError(f"there is no smooth motion to {goal}") from error
    return trajectory


atexit.register(plan_profile.cache_clear)  # else the plans outlive their library, which warns about it


def farthest(a: Any, b: Vector) -> float:
    """Return the largest distance between two sets of joint positions, over all joints (rad, m)."""
    return float(max([abs(x - y) for x, y in zip(a, b, strict=True)]))
