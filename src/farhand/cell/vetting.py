"""Whether an event fits the cell: names that exist, numbers that make sense. Checked once, before anything changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

from farhand.cell.camera_vetting import check_camera_event
from farhand.errors import CommandError, UnknownNameError
from farhand.lane.lessons import MOST_POINTS
from farhand.types import (
    AimCamera,
    BreakWrist,
    ChangeTool,
    ClearLoad,
    Continue,
    DegradeCamera,
    Event,
    FreeMe,
    Generate,
    Generator,
    HoldHere,
    Load,
    MoveJoints,
    MoveObject,
    Park,
    Power,
    Reconfigure,
    Replay,
    Reset,
    ResetRobot,
    SelectMapping,
    SetScale,
    SetSpeed,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    TeachAction,
    Trajectory,
    Wave,
    ZeroWrist,
)
from farhand.world import Blueprint, Placement
from farhand.world.objects import check_name
from farhand.world.sensing import BROKEN

__all__ = ["check_trajectory", "vetted"]

STRONGEST = 1e5  # N: an injected load beyond this is surely a slip
FAR = 1e3  # m
SLOWEST, FASTEST = 0.01, 20.0  # Hz of a signal generator
SHORTEST, LONGEST = 1e-3, 3600.0  # s between two points of a trajectory, and of a whole one
MANY_TURNS = 100.0  # rad or m: no joint without limits is sent further than this


ADDRESSED = (
    *(MoveJoints, Replay, Teach, FreeMe, HoldHere, Continue, Power, Park, SetSpeed, SetScale, SelectMapping),
    *(Reconfigure, ResetRobot, Load, ClearLoad, SwitchFilter, SwitchFeedforward, Generate),
    *(ChangeTool, ZeroWrist, BreakWrist, AimCamera, DegradeCamera),
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
    if isinstance(event, Replay):
        check_trajectory(event.trajectory, robots[event.robot])
    if isinstance(event, Teach):
        _check_teaching(event)
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
    if isinstance(event, AimCamera | DegradeCamera):
        check_camera_event(event, robots[event.robot])
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


def _check_teaching(event: Teach) -> None:
    if event.action not in get_args(TeachAction):
        raise CommandError(f"no part of a lesson is {event.action!r}; there are: {', '.join(get_args(TeachAction))}")
    problem = check_name(event.name) if event.action == "finish" else ""
    if problem:
        raise CommandError(problem)


def check_trajectory(taught: Trajectory, placement: Placement) -> None:
    """Check that an arm can follow a trajectory.

    Raises:
        CommandError: If it cannot, with the first thing that is wrong.
    """
    problem = check_name(taught.name)
    if problem:
        raise CommandError(problem)
    if not 1 <= len(taught.points) <= MOST_POINTS + 2:
        raise CommandError(f"{taught.name} has {len(taught.points)} points, expected 1 to {MOST_POINTS + 2}")
    for i, point in enumerate(taught.points, 1):
        _check_point(point, placement, f"point {i} of {taught.name}")
    if taught.times or taught.rates:
        _check_times(taught, len(placement.model.arm.joints))


def _check_times(taught: Trajectory, joints: int) -> None:
    count = len(taught.points)
    if count < 2 or not len(taught.times) == len(taught.rates) == count:
        found = f"{count} points, {len(taught.times)} times and {len(taught.rates)} rows of rates"
        raise CommandError(f"{taught.name} has {found}, expected as many of each, 2 at least")
    if not (taught.times[0] == 0.0 and taught.times[-1] <= LONGEST):
        raise CommandError(f"{taught.name} must last from 0 to at most {LONGEST:g} s")
    if not all(later - sooner >= SHORTEST for sooner, later in pairwise(taught.times)):
        raise CommandError(f"the times of {taught.name} must rise, by {SHORTEST:g} s at least")
    if not all(len(row) == joints and all(abs(rate) <= MANY_TURNS for rate in row) for row in taught.rates):
        raise CommandError(f"{taught.name} has rates that are none; expected {joints} numbers at each point")


def _check_goal(event: MoveJoints, placement: Placement) -> None:
    _check_point(event.goal, placement, "the goal")


def _check_point(goal: Sequence[float], placement: Placement, what: str) -> None:
    joints = placement.model.arm.joints
    if len(goal) != len(joints):
        raise CommandError(f"{placement.name} has {len(joints)} joints, {what} has {len(goal)} numbers")
    for at, joint in zip(goal, joints, strict=True):
        if not (joint.lower <= at <= joint.upper and abs(at) <= MANY_TURNS):
            raise CommandError(
                f"{joint.label or joint.name} cannot go to {at:g}; its range is {joint.lower:g} to {joint.upper:g}"
            )
