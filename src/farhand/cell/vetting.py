"""Whether an event fits the cell: names that exist, numbers that make sense. Checked once, before anything changes."""

from __future__ import annotations

import math

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
    if isinstance(event, Load) and not all(abs(f) <= STRONGEST for f in event.force):
        raise CommandError(f"the load {event.force} is not a force of sensible size")
    if isinstance(event, MoveObject):
        length = math.sqrt(sum(x * x for x in event.pose.rotation))
        if not abs(length - 1.0) < 1e-3 or not all(abs(x) <= FAR for x in event.pose.position):
            raise CommandError(f"{event.name} cannot be moved to {event.pose}: that is no pose")


def _check_goal(event: MoveJoints, placement: Placement) -> None:
    joints = placement.model.arm.joints
    if len(event.goal) != len(joints):
        raise CommandError(f"{event.robot} has {len(joints)} joints, the goal has {len(event.goal)} numbers")
    for at, joint in zip(event.goal, joints, strict=True):
        if not (math.isfinite(at) and joint.lower <= at <= joint.upper):
            raise CommandError(
                f"{joint.label or joint.name} cannot go to {at:g}; its range is {joint.lower:g} to {joint.upper:g}"
            )
