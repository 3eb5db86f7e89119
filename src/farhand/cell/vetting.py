"""Whether an event fits the cell: names that exist, numbers that make sense. Checked once, before anything changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import get_args

from farhand.errors import CommandError, UnknownNameError
from farhand.types import (
    BreakWrist,
    ChangeTool,
    ClearLoad,
    Continue,
    Event,
    Generate,
    Generator,
    HoldHere,
    Load,
    MoveJoints,
    MoveObject,
    Power,
    Reset,
    ResetRobot,
    SelectMapping,
    SetScale,
    SetSpeed,
    SwitchFeedforward,
    SwitchFilter,
    Wave,
    ZeroWrist,
)
from farhand.world import Blueprint, Placement
from farhand.world.sensing import BROKEN

__all__ = ["vetted"]

STRONGEST = 1e5  # N: an injected load beyond this is surely a slip
FAR = 1e3  # m
SLOWEST, FASTEST = 0.01, 20.0  # Hz of a signal generator
MANY_TURNS = 100.0  # rad or m: no joint without limits is sent further than this


ADDRESSED = (
    *(MoveJoints, HoldHere, Continue, Power, SetSpeed, SetScale, SelectMapping, ResetRobot),
    *(Load, ClearLoad, SwitchFilter, SwitchFeedforward, Generate, ChangeTool, ZeroWrist, BreakWrist),
)


def vetted(event: Event, blueprint: Blueprint) -> None:
    """Check an event.

    Raises:
        UnknownNameError: If it names a robot that is not there.
        CommandError: If its numbers make no sense.
    """
    robots = {placement.name: placement for placement in blueprint.robots}
    if (isinstance(event, ADDRESSED) or (isinstance(event, Reset) and event.robot)) and event.robot not in robots:
        raise UnknownNameError("robot", event.robot, robots)
    if isinstance(event, MoveJoints) and event.goal:
        _check_goal(event, robots[event.robot])
    if isinstance(event, Load) and not (_sized(event.force, 3) and all(abs(f) <= STRONGEST for f in event.force)):
        raise CommandError(f"the load {event.force} is not a force of sensible size")
    if isinstance(event, SwitchFeedforward) and not robots[event.robot].drive.feedforward:
        raise CommandError(f"the drive of {event.robot} has no feed-forward that could be switched")
    if isinstance(event, BreakWrist):
        if robots[event.robot].wrist is None:
            raise CommandError(f"{event.robot} has no wrist sensor that could break")
        if event.how not in BROKEN:
            known = ", ".join(filter(None, BROKEN))
            raise CommandError(f"a wrist sensor breaks as one of {known}, found {event.how!r}")
    if isinstance(event, Generate) and event.generator is not None:
        _check_generator(event.generator)
    if isinstance(event, MoveObject):
        position, rotation = event.pose.position, event.pose.rotation
        length = math.sqrt(sum(x * x for x in rotation))
        sized = _sized(position, 3) and _sized(rotation, 4) and all(abs(x) <= FAR for x in position)
        if not sized or not abs(length - 1.0) < 1e-3:
            raise CommandError(f"{event.name} cannot be moved to {event.pose}: that is no pose")


def _check_generator(generator: Generator) -> None:
    if generator.wave not in get_args(Wave):
        raise CommandError(f"no wave is called {generator.wave!r}; there are: {', '.join(get_args(Wave))}")
    whole = type(generator.axis) is int  # a caller in Python may have given something else
    if not whole or generator.axis < 0:
        raise CommandError(f"a generator's axis is counted from 0, found {generator.axis}")
    if not 0.0 <= generator.amplitude <= 1.0:
        raise CommandError(f"a generator's amplitude is from 0 to 1, found {generator.amplitude:g}")
    if not SLOWEST <= generator.frequency <= FASTEST:
        raise CommandError(
            f"a generator's frequency is from {SLOWEST:g} to {FASTEST:g} Hz, found {generator.frequency:g}"
        )


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
