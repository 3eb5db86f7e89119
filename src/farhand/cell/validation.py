"""Validate events once, before anything changes: names must exist, numbers must be in range."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import get_args

from farhand.cell import camera_validation  # noqa: F401 - registers its checks
from farhand.cell.event_checks import CHECKS, placement_of
from farhand.errors import CommandError
from farhand.lane.paths.teaching import MAX_POINTS
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

MAX_FORCE = 1e5  # N of an injected load: more is surely a typing slip
MAX_DISTANCE = 1e3  # m from the origin
MIN_FREQUENCY, MAX_FREQUENCY = 0.01, 20.0  # Hz of a signal generator
MIN_STEP_S, MAX_DURATION_S = 1e-3, 3600.0  # between two points of a trajectory, and of a whole one
MAX_POSITION = 100.0  # rad or m, for joints without limits


def validate_event(event: Event, blueprint: Blueprint) -> None:
    """Check an event.

    Raises:
        UnknownNameError: If it names an unknown robot.
        CommandError: If it is not an event, or a number is out of range.
    """
    declared, robot = declaration_of(event), robot_of(event)
    if declared.scope == "robot" and not (declared.every and not robot):
        placement_of(robot, blueprint)
    CHECKS[declared.kind](event, blueprint)


@CHECKS.register(Stop, Reset, FreeMe, HoldHere, Continue, ResetRobot, ClearLoad)
def _names_only(event: Event, blueprint: Blueprint) -> None:
    """Check nothing beyond the robot's name."""


@CHECKS.register(Power, Park, SetSpeed, SetScale, SelectMapping, SwitchFilter, ZeroWrist)
def _checked_in_lane(event: Event, blueprint: Blueprint) -> None:
    """Leave the check to the lane, which knows the robot's equipment."""


@CHECKS.register(Reconfigure, ChangeTool, AddObject, RemoveObject, ResetObjects)
def _checked_in_cell(event: Event, blueprint: Blueprint) -> None:
    """Leave the check to the cell, which prepares the change before it commits it."""


@CHECKS.register(MoveJoints)
def _check_goal(event: MoveJoints, blueprint: Blueprint) -> None:
    """Check that the goal is within the limits of the joints."""
    if event.goal:
        _check_point(event.goal, placement_of(event.robot, blueprint), "the goal")


@CHECKS.register(MoveTip)
def _check_tip(event: MoveTip, _: Blueprint) -> None:
    """Check that the pose is valid and not too far away."""
    normalized(event.pose.rotation)
    if not (_sized(event.pose.position, 3) and all(abs(x) <= MAX_DISTANCE for x in event.pose.position)):
        raise CommandError(f"the position {event.pose.position} is not within {MAX_DISTANCE:g} m")


@CHECKS.register(MoveFlippers)
def _check_flippers(event: MoveFlippers, blueprint: Blueprint) -> None:
    """Check that there is one angle for each flipper, within its limits."""
    tracks = placement_of(event.robot, blueprint).model.tracks
    if tracks is None:
        raise CommandError(f"{event.robot} has no flippers")
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
    """Check that the force is finite and not absurdly large."""
    if not (_sized(event.force, 3) and all(abs(f) <= MAX_FORCE for f in event.force)):
        raise CommandError(f"the load {event.force} must be three forces of at most {MAX_FORCE:g} N")


@CHECKS.register(SwitchFeedforward)
def _check_feedforward(event: SwitchFeedforward, blueprint: Blueprint) -> None:
    """Check that the drive has a feed-forward."""
    if not placement_of(event.robot, blueprint).drive.feedforward:
        raise CommandError(f"the drive of {event.robot} has no feed-forward to switch")


@CHECKS.register(BreakWrist)
def _check_breaking(event: BreakWrist, blueprint: Blueprint) -> None:
    """Check that the robot has a wrist sensor, and that the failure is a known one."""
    if placement_of(event.robot, blueprint).wrist is None:
        raise CommandError(f"{event.robot} has no wrist sensor to break")
    if event.how not in BROKEN:
        known = ", ".join(filter(None, BROKEN))
        raise CommandError(f"a wrist sensor can fail as: {known}; found {event.how!r}")


@CHECKS.register(MoveObject)
def _check_pose(event: MoveObject, _: Blueprint) -> None:
    """Check that the pose is valid; the cell refuses a place that is occupied."""
    position, rotation = event.pose.position, event.pose.rotation
    length = math.sqrt(sum(x * x for x in rotation))
    sized = _sized(position, 3) and _sized(rotation, 4) and all(abs(x) <= MAX_DISTANCE for x in position)
    if not sized or not abs(length - 1.0) < 1e-3:
        raise CommandError(f"{event.name} cannot be moved to {event.pose}: that is not a valid pose")


@CHECKS.register(Generate)
def _check_generator(event: Generate, _: Blueprint) -> None:
    """Check the wave, axis, amplitude and frequency of the generator."""
    generator = event.generator
    if generator is None:
        return
    if generator.wave not in get_args(Wave):
        raise CommandError(f"no wave is called {generator.wave!r}; there are: {', '.join(get_args(Wave))}")
    whole = type(generator.axis) is int  # a caller in Python may pass another type
    if not whole or generator.axis < 0:
        raise CommandError(f"a generator's axis is counted from 0, found {generator.axis}")
    if not 0.0 <= generator.amplitude <= 1.0:
        raise CommandError(f"a generator's amplitude is from 0 to 1, found {generator.amplitude:g}")
    if not MIN_FREQUENCY <= generator.frequency <= MAX_FREQUENCY:
        raise CommandError(
            f"a generator's frequency is from {MIN_FREQUENCY:g} to {MAX_FREQUENCY:g} Hz, found {generator.frequency:g}"
        )


def _sized(values: Sequence[float], count: int) -> bool:
    """Return whether there are as many numbers as the type says; a caller in Python may pass others."""
    return len(values) == count


@CHECKS.register(Teach)
def _check_teaching(event: Teach, _: Blueprint) -> None:
    """Check the action, and with "finish" the name."""
    if event.action not in get_args(TeachAction):
        raise CommandError(
            f"no recording action is called {event.action!r}; there are: {', '.join(get_args(TeachAction))}"
        )
    problem = check_name(event.name) if event.action == "finish" else ""
    if problem:
        raise CommandError(problem)


def check_trajectory(taught: Trajectory, placement: Placement) -> None:
    """Check that an arm can follow a trajectory.

    Raises:
        CommandError: If it cannot; names the first problem.
    """
    problem = check_name(taught.name)
    if problem:
        raise CommandError(problem)
    if not 1 <= len(taught.points) <= MAX_POINTS + 2:
        raise CommandError(f"{taught.name} has {len(taught.points)} points, expected 1 to {MAX_POINTS + 2}")
    for i, point in enumerate(taught.points, 1):
        _check_point(point, placement, f"point {i} of {taught.name}")
    if taught.times or taught.rates:
        _check_times(taught, len(placement.model.arm.joints))


def _check_times(taught: Trajectory, joints: int) -> None:
    count = len(taught.points)
    if count < 2 or not len(taught.times) == len(taught.rates) == count:
        found = f"{count} points, {len(taught.times)} times and {len(taught.rates)} rows of rates"
        raise CommandError(f"{taught.name} has {found}, expected the same number of each, at least 2")
    if not (taught.times[0] == 0.0 and taught.times[-1] <= MAX_DURATION_S):
        raise CommandError(f"the times of {taught.name} must start at 0 and end at {MAX_DURATION_S:g} s at most")
    if not all(later - sooner >= MIN_STEP_S for sooner, later in pairwise(taught.times)):
        raise CommandError(f"the times of {taught.name} must rise by at least {MIN_STEP_S:g} s")
    if not all(len(row) == joints and all(abs(rate) <= MAX_POSITION for rate in row) for row in taught.rates):
        raise CommandError(f"{taught.name} has invalid rates; expected {joints} numbers at each point")


def _check_point(goal: Sequence[float], placement: Placement, title: str) -> None:
    joints = placement.model.arm.joints
    if len(goal) != len(joints):
        raise CommandError(f"{placement.name} has {len(joints)} joints, {title} has {len(goal)} numbers")
    for at, joint in zip(goal, joints, strict=True):
        if not (joint.lower <= at <= joint.upper and abs(at) <= MAX_POSITION):
            raise CommandError(
                f"{joint.label or joint.name} cannot go to {at:g}; its range is {joint.lower:g} to {joint.upper:g}"
            )
