"""A checkpoint: enough of a cell to start it anew in the same world after its process has ended.

Unlike a snapshot it is a small plain value that travels and can be kept: what the world is made of, where everything
is, and what was chosen. Motion is not kept, nor what was switched off to find a fault: a cell that is started anew is
at rest, and every robot is stopped until somebody resets it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.cell_spec import ChangeableSpec
from farhand.cell.degraded_cameras import UNHARMED, Degraded
from farhand.cell.validation import validate_event
from farhand.errors import CommandError, UnknownNameError
from farhand.lane import Lane, LaneMemory
from farhand.lane.intake.hand_scales import LARGEST, SMALLEST
from farhand.lane.intake.requests import RESTARTED
from farhand.lane.motion.base_stage import BASE, FLIPPERS
from farhand.poses import Pose
from farhand.types import AddObject, ObjectSpec, RobotState, Vector
from farhand.world import Blueprint, Posture, World, edited, jointed, loose

__all__ = ["Checkpoint", "RobotCheckpoint", "fitting_blueprint", "memories_of"]

BENT = 0.3  # rad or m beyond a limit: no joint was ever bent as far
FARTHEST = 1e6  # m: what has fallen further is lost in rounding
LAST = 2**53  # ticks


class RobotCheckpoint(Struct, frozen=True):
    """A robot of a checkpoint.

    Args:
        posture: Where all its joints are.
        told: Where its drives were told to be, by group: what is held by the fingers stays held.
        speed_level: The chosen one, counted from 1.
        mapping: The chosen one.
        tool: What it carries.
        way: How it is driven, if that was changed since the cell file was read.
        zooms: Of its cameras that have a head, by name.
        scale: The chosen one, of the hand's motion.
        parked: Its parking brake is set.
    """

    posture: Posture
    told: dict[str, Vector]
    speed_level: int
    mapping: str
    tool: str = ""
    way: ChangeableSpec | None = None
    zooms: dict[str, float] = {}
    scale: float = 1.0
    parked: bool = False


class Checkpoint(Struct, frozen=True):
    """A cell between two ticks.

    Args:
        number: Of the last tick.
        time: Seconds of virtual time.
        objects: What the world has in it, edits included.
        poses: Where the loose objects are, by name.
        robots: By name.
        joints: Where the objects on joints are, by name.
        degraded: Cameras whose pictures were made worse on purpose.
    """

    number: int
    time: float
    objects: tuple[ObjectSpec, ...]
    poses: dict[str, Pose]
    robots: dict[str, RobotCheckpoint]
    joints: dict[str, float] = {}
    degraded: Degraded = UNHARMED


def fitting_blueprint(checkpoint: Checkpoint, world: World, lanes: Mapping[str, Lane]) -> Blueprint:
    """Return the blueprint of a checkpoint's world, for the robots that a cell has.

    Raises:
        FarhandError: If the checkpoint is not of such a cell, or its numbers make no sense.
    """
    if not 0 <= checkpoint.number < LAST:
        raise CommandError(f"a checkpoint cannot be of tick {checkpoint.number}")
    for name in checkpoint.robots:
        if name not in lanes:
            raise UnknownNameError("robot", name, lanes)
    for name, lane in lanes.items():
        if name not in checkpoint.robots:
            raise CommandError(f"the checkpoint knows nothing of the robot {name!r}")
        _check_robot(name, checkpoint.robots[name], lane, world.rig(name).posture())
    for event in checkpoint.degraded:
        validate_event(event, world.blueprint)
    blueprint = replace(world.blueprint, objects=())
    for item in checkpoint.objects:
        blueprint = edited(blueprint, AddObject(item))
    _check_poses(checkpoint)
    return blueprint


def memories_of(
    checkpoint: Checkpoint, lanes: Mapping[str, Lane], robots: Mapping[str, RobotState]
) -> dict[str, LaneMemory]:
    """Return what the lanes of a cell remember that is started anew: every robot is stopped.

    Args:
        checkpoint: Fits the cell.
        lanes: By robot.
        robots: At rest, as measured.
    """
    return {
        name: lanes[name].resumed(
            robots[name],
            found.told,
            found.mapping,
            found.speed_level,
            RESTARTED,
            scale=found.scale,
            parked=found.parked,
        )
        for name, found in checkpoint.robots.items()
    }


def _check_robot(name: str, found: RobotCheckpoint, lane: Lane, present: Posture) -> None:
    joints, at = lane.model.arm.joints, found.posture
    for what, there, here in (
        ("joints", at.arm, present.arm),
        ("finger joints", at.fingers, present.fingers),
        ("other joints", at.others, present.others),
    ):
        if len(there) != len(here):
            raise CommandError(f"{name} has {len(here)} {what}, the checkpoint has {len(there)}")
        if not _sensible(there):
            raise CommandError(f"{name} cannot be where the checkpoint has it: {list(there)}")
    for joint, position in zip(joints, at.arm, strict=True):
        if not joint.lower - BENT <= position <= joint.upper + BENT:
            raise CommandError(f"{joint.label or joint.name} of {name} cannot be at {position:g}")
    sizes = {"arm": len(joints)} | ({"gripper": 1} if lane.gripper else {})
    if lane.tracks:
        sizes |= {BASE: 2, FLIPPERS: len(lane.tracks.tracks.flippers)}
    if {group: len(values) for group, values in found.told.items()} != sizes:
        raise CommandError(f"the checkpoint's set-points are not those of {name}")
    if not all(_sensible(values) for values in found.told.values()):
        raise CommandError(f"{name} cannot have been told to be at {found.told}")
    if found.mapping not in lane.mappings:
        raise UnknownNameError("mapping", found.mapping, lane.mappings)
    if not _sensible(found.zooms.values()):
        raise CommandError(f"the cameras of {name} cannot zoom as the checkpoint has it: {found.zooms}")
    if not 1 <= found.speed_level <= len(lane.speeds):
        raise CommandError(f"speed {found.speed_level} is not one of 1 to {len(lane.speeds)}")
    if not SMALLEST <= found.scale <= LARGEST:
        raise CommandError(f"scale {found.scale:g} is outside {SMALLEST:g} to {LARGEST:g}")
    if found.parked and lane.tracks is None:
        raise CommandError(f"{name} has no parking brake that could be set, as the checkpoint has it")


def _check_poses(checkpoint: Checkpoint) -> None:
    names = {item.name for item in checkpoint.objects if loose(item)}
    if names != checkpoint.poses.keys():
        odd = ", ".join(sorted(names ^ checkpoint.poses.keys()))
        raise CommandError(f"the checkpoint's objects and their poses do not belong together: {odd}")
    if {item.name for item in checkpoint.objects if jointed(item)} != checkpoint.joints.keys():
        raise CommandError("the checkpoint's objects and their joints do not belong together")
    if not _sensible(checkpoint.joints.values()):
        raise CommandError(f"objects of the checkpoint cannot be turned like this: {checkpoint.joints}")
    for name, pose in checkpoint.poses.items():
        sized = (len(pose.position), len(pose.rotation)) == (3, 4)
        length = math.sqrt(sum(x * x for x in pose.rotation))
        if not sized or not _sensible(pose.position) or not abs(length - 1.0) < 1e-3:
            raise CommandError(f"{name} cannot be at {pose}: that is no pose")


def _sensible(values: Iterable[float]) -> bool:
    return all(abs(value) < FARTHEST for value in values)  # also false for NaN
