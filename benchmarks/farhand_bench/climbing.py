"""Scripts of an operator who drives a tracked robot up and down; they see attitude, flipper angles and the clock only.

Each returns when the operator would consider it done, or after a time-out; the caller judges the result. The long plank
that four level flippers form is what climbs: it lies on two edges at least.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from farhand_bench.driver import Driver, Sight

__all__ = ["climb_step", "down_stairs", "go_until", "up_ramp", "up_stairs"]

LEVEL = math.radians(6.0)
STEEP = math.radians(12.0)
STEERING, SHARPEST = 1.5, 0.3  # 1/s, rad/s
SINKING = math.radians(7.0)
SETTLED = 0.6  # s
STRETCHED = (0.0, -0.6, 0.7, 0.3, 0.0, 0.0, 0.0)  # the arm, ahead and low


def go_until(
    driver: Driver,
    done: Callable[[Sight], bool],
    forward: float,
    front: float,
    rear: float,
    seconds: float,
    held: float = 0.0,
) -> bool:
    """Drive with the flippers at angles until a condition holds for some time; return whether it did.

    Args:
        driver: The driver.
        done: The condition.
        forward: m/s.
        front: Angle of the front flippers, rad.
        rear: Angle of the rear flippers, rad.
        seconds: Time-out, s.
        held: Time for which the condition must hold, s.
    """
    since = driver.tick.time
    fits = since
    while driver.tick.time - since < seconds:
        sight = driver.sight
        fits = fits if done(sight) else sight.time
        if sight.time - fits > held or (held == 0.0 and fits != sight.time):
            return True
        driver.on(forward, front, rear, _straight(sight))
    return False


def _straight(sight: Sight) -> float:
    """Return the turn rate that aligns the robot with a slope, from its roll."""
    if abs(sight.pitch) < STEEP:
        return 0.0
    turn = STEERING * sight.roll * (1.0 if sight.pitch > 0.0 else -1.0)
    return min(max(turn, -SHARPEST), SHARPEST)


def up_ramp(driver: Driver, speed: float, seconds: float) -> None:
    """Drive onto a ramp with the front flippers raised, then level, and on."""
    driver.pose(math.radians(30.0), 0.0)
    go_until(driver, lambda s: s.pitch > STEEP, speed, math.radians(30.0), 0.0, 8.0)
    go_until(driver, lambda _: False, speed, 0.0, 0.0, seconds)


def up_stairs(driver: Driver, speed: float = 0.3, patience: float = 40.0) -> bool:
    """Climb: front flippers up to the first edge, then all level, until the robot is level again."""
    driver.pose(math.radians(45.0), 0.0)
    if not go_until(driver, lambda s: s.pitch > STEEP, speed, math.radians(45.0), 0.0, patience):
        return False
    if not go_until(driver, lambda s: s.pitch > math.radians(22.0), speed, 0.0, 0.0, patience):
        return False
    return _over_the_top(driver, speed, patience)


def _over_the_top(driver: Driver, speed: float, patience: float) -> bool:
    """Continue until the nose begins to sink, support it with the front flippers, and come to rest level."""
    steepest = [driver.sight.pitch]

    def sinks(sight: Sight) -> bool:
        steepest[0] = max(steepest[0], sight.pitch)
        return sight.pitch < steepest[0] - SINKING

    if not go_until(driver, sinks, speed, math.radians(-5.0), 0.0, patience):
        return False
    go_until(driver, lambda s: s.pitch < STEEP, 0.3 * speed, math.radians(-50.0), 0.0, 3.0)
    return go_until(driver, lambda s: abs(s.pitch) < LEVEL, speed, 0.0, 0.0, 8.0, SETTLED)


def down_stairs(driver: Driver, speed: float = 0.25, patience: float = 40.0) -> bool:
    """Descend nose first: all flippers level over the edge, the front ones slightly raised for the floor."""
    driver.pose(0.0, 0.0)
    if not go_until(driver, lambda s: s.pitch < -STEEP, speed, 0.0, 0.0, patience):
        return False
    go_until(driver, lambda s: s.pitch < math.radians(-24.0), speed, 0.0, 0.0, 6.0)
    return go_until(driver, lambda s: abs(s.pitch) < LEVEL, speed, math.radians(15.0), 0.0, patience, SETTLED)


def climb_step(driver: Driver, speed: float = 0.2) -> bool:
    """Climb a step as high as the flippers are long: the arm stretched ahead brings the weight over the edge.

    The front flippers are placed onto the step from above, the rear ones stand up as legs. Both drive until the body is
    on the edge and tips over it.
    """
    driver.reach(STRETCHED)
    driver.pose(math.radians(62.0), 0.0)
    go_until(driver, lambda s: s.pitch > STEEP, speed, math.radians(62.0), 0.0, 6.0)
    go_until(driver, lambda _: False, speed, math.radians(-30.0), math.radians(-60.0), 2.5)
    legs = math.radians(-15.0), math.radians(-75.0)
    if not go_until(driver, lambda s: s.pitch < math.radians(3.0), speed, *legs, 12.0):
        return False
    return go_until(driver, lambda s: abs(s.pitch) < LEVEL, speed, 0.0, 0.0, 10.0, SETTLED)
