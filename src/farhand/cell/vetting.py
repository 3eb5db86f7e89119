"""Whether an event fits the cell: names that exist, numbers that make sense. Checked once, before anything changes."""

from __future__ import annotations

import math
from collections.abc import Sequence

from farhand.errors import CommandError, UnknownNameError
from farhand.types import (
    ClearLoad,
    Continue,
    Event,
    HoldHere,
    Load,
    MoveJoints,
    MoveObject,
    Reset,
    ResetRobot,
    SelectMapping,
    SetSpeed,
)
from farhand.world import Blueprint, Placement

__all__ = ["vetted"]

STRONGEST = 1e5  # N: an injected load beyond this is surely a slip
FAR = 1e3  # m
MANY_TURNS = 100.0  # rad or m: no joint without limits is sent further than this


def vetted(event: Event, blueprint: Blueprint) -> None:
    """Check an event.

    Raises:
        UnknownNameError: If it names a robot that is not there.
        CommandError: If its numbers make no sense.
    """
    robots = {placement.name: placement for placement in blueprint.robots}
    addressed = (MoveJoints, HoldHere, Continue, SetSpeed, SelectMapping, ResetRobot, Load, ClearLoad)
    if (isinstance(event, addressed) or (isinstance(event, Reset) and event.robot)) and event.robot not in robots:
        raise UnknownNameError("robot", event.robot, robots)
    if isinstance(event, MoveJoints) and event.goal:
        _check_goal(event, robots[event.robot])
    if isinstance(event, Load) and not (_sized(event.force, 3) and all(abs(f) <= STRONGEST for f in event.force)):
        raise CommandError(f"the load {event.force} is not a force of sensible size")
    if isinstance(event, MoveObject):
        position, rotation = event.pose.position, event.pose.rotation
        length = math.sqrt(sum(x * x for x in rotation))
        sized = _sized(position, 3) and _sized(rotation, 4) and all(abs(x) <= FAR for x in position)
        if not sized or not abs(length - 1.0) < 1e-3:
            raise CommandError(f"{event.name} cannot be moved to {event.pose}: that is no pose")


def _sized(values: Sequence[float], count: int) -> bool:
    """Return whether there are as many numbers as the type says; a caller in Python may have given others."""
    return len(values) == count


def _check_goal(event: MoveJoints, placement: Placement) -> None:
    joints = placement.model.arm.joints
    if len(event.goal) != len(joints):
        raise CommandError(f"{event.robot} has {len(joints)} joints, the goal has {len(event.goal)} numbers")
    for at, joint in zip(event.goal, joints, strict=True):
        if not (joint.lower <= at <= joint.upper and abs(at) <= MANY_TURNS):
            raise CommandError(
                f"{joint.label or joint.name} cannot go to {at:g}; its range is {joint.lower:g} to {joint.upper:g}"
            )
