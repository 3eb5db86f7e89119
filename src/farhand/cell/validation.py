"""Whether an event fits the cell: names that exist, numbers that make sense. Checked once, before anything changes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

from farhand.cell import camera_validation  # noqa: F401 - registers its checks
from farhand.cell.event_checks import CHECKS, placement_of
from farhand.errors import CommandError
from farhand.lane.paths.teaching import MOST_POINTS
from farhand.poses import normalized
from farhand.types import (
    AddObject,
    BreakWrist,
    ChangeTool,
    ClearLoad,
    Continue,
    Event,
    FollowPath,
    FreeMe,
    Generate,
    HoldHere,
    Load,
    MoveFlippers,
    MoveJoints,
    MoveObject,
    MoveTip,
    Park,
    PlanFound,
    Power,
    Reconfigure,
    RemoveObject,
    Reset,
    ResetObjects,
    ResetRobot,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
    TeachAction,
    Trajectory,
    Wave,
    ZeroWrist,
)
from farhand.types.events.declaration import declaration_of, robot_of
from farhand.world import Blueprint, Placement
from farhand.world.object_kinds import check_name
from farhand.world.wrist_mount import BROKEN

__all__ = ["check_trajectory", "validate_event"]

STRONGEST = 1e5  # N: an injected load beyond this is surely a slip
FAR = 1e3  # m
SLOWEST, FASTEST = 0.01, 20.0  # Hz of a signal generator
SHORTEST, LONGEST = 1e-3, 3600.0  # s between two points of a trajectory, and of a whole one
MANY_TURNS = 100.0  # rad or m: no joint without limits is sent further than this


def validate_event(event: Event, blueprint: Blueprint) -> None:
    """Check an event.

    Raises:
        UnknownNameError: If it names a robot that is not there.
        CommandError: If it is no event, or its numbers make no sense.
    """
    declared, robot = declaration_of(event), robot_of(event)
    if declared.scope == "robot" and not (declared.every and not robot):
        placement_of(robot, blueprint)
    CHECKS[declared.kind](event, blueprint)


@CHECKS.register(Stop, Reset, FreeMe, HoldHere, Continue, ResetRobot, ClearLoad)
def _names_only(event: Event, blueprint: Blueprint) -> None:
    """Check only its robot, if it names one."""


@CHECKS.register(Power, Park, SetSpeed, SetScale, SelectMapping, SwitchFilter, ZeroWrist)
def _lane_knows(event: Event, blueprint: Blueprint) -> None:
    """Check in the lane, which knows what the robot has."""


@CHECKS.register(Reconfigure, ChangeTool, AddObject, RemoveObject, ResetObjects)
def _cell_knows(event: Event, blueprint: Blueprint) -> None:
    """Check in the cell, which makes the change aside first."""


@CHECKS.register(MoveJoints)
def _check_goal(event: MoveJoints, blueprint: Blueprint) -> None:
    """Check that the goal is within the limits of the joints."""
    if event.goal:
        _check_point(event.goal, placement_of(event.robot, blueprint), "the goal")


@CHECKS.register(MoveTip)
def _check_tip(event: MoveTip, _: Blueprint) -> None:
    """Check that the pose is one."""
    normalized(event.pose.rotation)
    if not (_sized(event.pose.position, 3) and all(abs(x) <= FAR for x in event.pose.position)):
        raise CommandError(f"the place {event.pose.position} is not within {FAR:g} m")


@CHECKS.register(MoveFlippers)
def _check_flippers(event: MoveFlippers, blueprint: Blueprint) -> None:
    """Check that there are so many flippers, and angles within their limits."""
    tracks = placement_of(event.robot, blueprint).model.tracks
    if tracks is None:
        raise CommandError("it has no flippers")
    if not _sized(event.angles, len(tracks.flippers)) or not all(map(math.isfinite, event.angles)):
        raise CommandError(f"the angles {event.angles} must be {len(tracks.flippers)} finite numbers")
    for angle, joint in zip(event.angles, tracks.flippers, strict=True):
        if not joint.lower <= angle <= joint.upper:
            title = joint.label or joint.name
            raise CommandError(f"{title} cannot be at {angle:g} rad, expected {joint.lower:g} to {joint.upper:g}")


@CHECKS.register(PlanFound)
def _check_plan(event: PlanFound, blueprint: Blueprint) -> None:
    """Check that the arm can follow the plan."""
    if event.trajectory is not None:
        check_trajectory(event.trajectory, placement_of(event.robot, blueprint))


@CHECKS.register(FollowPath)
def _check_path(event: FollowPath, blueprint: Blueprint) -> None:
    """Check that the arm can follow the path: points, times and rates."""
    check_trajectory(event.trajectory, placement_of(event.robot, blueprint))


@CHECKS.register(Load)
def _check_load(event: Load, _: Blueprint) -> None:
    """Check that the force is of a sensible size."""
    if not (_sized(event.force, 3) and all(abs(f) <= STRONGEST for f in event.force)):
        raise CommandError(f"the load {event.force} is not a force of sensible size")


@CHECKS.register(SwitchFeedforward)
def _check_feedforward(event: SwitchFeedforward, blueprint: Blueprint) -> None:
    """Check that the drive has a feed-forward."""
    if not placement_of(event.robot, blueprint).drive.feedforward:
        raise CommandError(f"the drive of {event.robot} has no feed-forward that could be switched")


@CHECKS.register(BreakWrist)
def _check_breaking(event: BreakWrist, blueprint: Blueprint) -> None:
    """Check that the robot has a wrist sensor, and that it can break so."""
    if placement_of(event.robot, blueprint).wrist is None:
        raise CommandError(f"{event.robot} has no wrist sensor that could break")
    if event.how not in BROKEN:
        known = ", ".join(filter(None, BROKEN))
        raise CommandError(f"a wrist sensor breaks as one of {known}, found {event.how!r}")


@CHECKS.register(MoveObject)
def _check_pose(event: MoveObject, _: Blueprint) -> None:
    """Check that the pose is one; the cell refuses a place that is taken."""
    position, rotation = event.pose.position, event.pose.rotation
    length = math.sqrt(sum(x * x for x in rotation))
    sized = _sized(position, 3) and _sized(rotation, 4) and all(abs(x) <= FAR for x in position)
    if not sized or not abs(length - 1.0) < 1e-3:
        raise CommandError(f"{event.name} cannot be moved to {event.pose}: that is no pose")


@CHECKS.register(Generate)
def _check_generator(event: Generate, _: Blueprint) -> None:
    """Check the wave, axis, amplitude and frequency of the generator."""
    generator = event.generator
    if generator is None:
        return
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


@CHECKS.register(Teach)
def _check_teaching(event: Teach, _: Blueprint) -> None:
    """Check the action, and with "finish" the name."""
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


def _check_point(goal: Sequence[float], placement: Placement, what: str) -> None:
    joints = placement.model.arm.joints
    if len(goal) != len(joints):
        raise CommandError(f"{placement.name} has {len(joints)} joints, {what} has {len(goal)} numbers")
    for at, joint in zip(goal, joints, strict=True):
        if not (joint.lower <= at <= joint.upper and abs(at) <= MANY_TURNS):
            raise CommandError(
                f"{joint.label or joint.name} cannot go to {at:g}; its range is {joint.lower:g} to {joint.upper:g}"
            )
