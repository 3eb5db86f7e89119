"""A mobile base that carries its arm along: its speed towards a point, and the slowing where the arm must not go on."""

from __future__ import annotations

import math

from msgspec.structs import replace

from farhand.poses import Vec3
from farhand.types import Demand, DriveRate, Note, RobotState

__all__ = ["approach", "slowed", "stopping_speed"]

BELT_MOVES_MPS, FLIPPER_TURNS_RADPS = 1e-3, 5e-3  # m/s, rad/s: below these the base counts as standing
BRAKING_MPS2, DELAY_S = 0.9, 0.2  # m/s², s: cautious braking of a base
CARRIES = Note("base.carries", "slow", free=("away",))


def approach(robot: RobotState, point: Vec3, normal: Vec3) -> float:
    """Return the speed at which the base carries a point along a direction, m/s; zero while belts and flippers stand.

    A base at rest rocks a little when its arm pushes; answering that motion would rock it more.

    Args:
        robot: As measured.
        point: Base frame.
        normal: Unit vector, base axes.
    """
    twist = robot.base_twist
    if twist is None or not _driven(robot):
        return 0.0
    (x, y, z), (a, b, c), (px, py, pz) = twist.linear, twist.angular, point
    v = (x + b * pz - c * py, y + c * px - a * pz, z + a * py - b * px)
    return v[0] * normal[0] + v[1] * normal[1] + v[2] * normal[2]


def stopping_speed(gap: float) -> float:
    """Return the speed from which a base still stops within a gap: gap = v·τ + v²/2a."""
    if gap <= 0.0:
        return 0.0
    h = BRAKING_MPS2 * DELAY_S
    return math.sqrt(h * h + 2.0 * BRAKING_MPS2 * gap) - h


def slowed(demand: Demand, point: Vec3, normal: Vec3, speed: float) -> tuple[Demand, tuple[Note, ...]]:
    """Return a demand whose base carries a point along a direction no faster than a limit, and notes on the slowing.

    Both belts are slowed by the same share, so that the arc stays the same.

    Args:
        demand: The demand.
        point: Base frame.
        normal: Unit vector, base axes.
        speed: The limit, m/s; below zero counts as zero.
    """
    motion = demand.motions.get("base")
    if not isinstance(motion, DriveRate):
        return demand, ()
    towards = normal[0] * (motion.forward - motion.turn * point[1]) + normal[1] * motion.turn * point[0]
    if towards <= max(speed, 0.0):
        return demand, ()
    share = max(speed, 0.0) / towards
    base = DriveRate(share * motion.forward, share * motion.turn)
    return replace(demand, motions={**demand.motions, "base": base}), (CARRIES,)


def _driven(robot: RobotState) -> bool:
    belts, flippers = robot.groups["base"].rates, robot.groups["flippers"].rates
    return max(map(abs, belts)) > BELT_MOVES_MPS or max(map(abs, flippers)) > FLIPPER_TURNS_RADPS
