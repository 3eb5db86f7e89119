"""A checkpoint: enough of a cell to restart it in the same world after its process has ended.

Unlike a snapshot it is a small plain value that can be sent and stored: the objects, all poses, and the operator's
choices. Motion is not kept, nor parts switched off for fault finding: a restarted cell is at rest, and every robot is
stopped until an operator resets it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell.cell_spec import ChangeableSpec
from farhand.cell.degraded_cameras import NONE_DEGRADED, Degraded
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

MAX_BEYOND = 0.3  # rad or m beyond a joint limit: no joint was ever pushed as far
MAX_VALUE = 1e6  # m or rad: beyond it rounding errors are too large
MAX_TICK = 2**53


class RobotCheckpoint(Struct, frozen=True):
    """A robot of a checkpoint.

    Args:
        posture: Positions of all its joints.
        setpoints: Positions that its drives were commanded to, by group; held objects stay held.
        speed_level: The chosen speed level, counted from 1.
        mapping: The chosen control mode.
        tool: The mounted tool.
        changed: The changeable part of its table, if it was changed since the cell file was read.
        zooms: The zoom of each camera with a head, by name.
        scale: The chosen scale of the hand's motion.
        parked: Whether its parking brake is set.
    """

    posture: Posture
    setpoints: dict[str, Vector]
    speed_level: int
    mapping: str
    tool: str = ""
    changed: ChangeableSpec | None = None
    zooms: dict[str, float] = {}
    scale: float = 1.0
    parked: bool = False


class Checkpoint(Struct, frozen=True):
    """A cell between two ticks.

    Args:
        number: Number of the last tick.
        time: Virtual time, s.
        objects: All objects of the world, edits included.
        poses: Poses of the loose objects, by name.
        robots: The robots, by name.
        joints: Positions of the objects on joints, by name.
        degraded: The degraded cameras.
    """

    number: int
    time: float
    objects: tuple[ObjectSpec, ...]
    poses: dict[str, Pose]
    robots: dict[str, RobotCheckpoint]
    joints: dict[str, float] = {}
    degraded: Degraded = NONE_DEGRADED


def fitting_blueprint(checkpoint: Checkpoint, world: World, lanes: Mapping[str, Lane]) -> Blueprint:
    """Return the blueprint of a checkpoint's world, with the robots of a cell.

    Raises:
        FarhandError: If the checkpoint does not fit the cell, or its numbers are out of range.
    """
    if not 0 <= checkpoint.number < MAX_TICK:
        raise CommandError(f"the checkpoint's tick number {checkpoint.number} is out of range")
    for name in checkpoint.robots:
        if name not in lanes:
            raise UnknownNameError("robot", name, lanes)
    for name, lane in lanes.items():
        if name not in checkpoint.robots:
            raise CommandError(f"the checkpoint lacks the robot {name!r}")
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
    """Return the memories of a restarted cell's lanes: every robot is stopped.

    Args:
        checkpoint: A checkpoint that fits the cell.
        lanes: The lanes, by robot.
        robots: The measured states, at rest.
    """
    return {
        name: lanes[name].resumed(
            robots[name],
            found.setpoints,
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
    for title, there, here in (
        ("joints", at.arm, present.arm),
        ("finger joints", at.fingers, present.fingers),
        ("other joints", at.others, present.others),
    ):
        if len(there) != len(here):
            raise CommandError(f"{name} has {len(here)} {title}, the checkpoint has {len(there)}")
        if not _sensible(there):
            raise CommandError(f"the checkpoint has {name} at impossible positions: {list(there)}")
    for joint, position in zip(joints, at.arm, strict=True):
        if not joint.lower - MAX_BEYOND <= position <= joint.upper + MAX_BEYOND:
            raise CommandError(f"{joint.label or joint.name} of {name} cannot be at {position:g}")
    sizes = {"arm": len(joints)} | ({"gripper": 1} if lane.gripper else {})
    if lane.tracks:
        sizes |= {BASE: 2, FLIPPERS: len(lane.tracks.tracks.flippers)}
    if {group: len(values) for group, values in found.setpoints.items()} != sizes:
        raise CommandError(f"the checkpoint's set-points do not fit {name}")
    if not all(_sensible(values) for values in found.setpoints.values()):
        raise CommandError(f"the checkpoint has impossible set-points of {name}: {found.setpoints}")
    if found.mapping not in lane.mappings:
        raise UnknownNameError("mapping", found.mapping, lane.mappings)
    if not _sensible(found.zooms.values()):
        raise CommandError(f"the checkpoint has impossible zooms of the cameras of {name}: {found.zooms}")
    if not 1 <= found.speed_level <= len(lane.speeds):
        raise CommandError(f"speed {found.speed_level} is not one of 1 to {len(lane.speeds)}")
    if not SMALLEST <= found.scale <= LARGEST:
        raise CommandError(f"scale {found.scale:g} is outside {SMALLEST:g} to {LARGEST:g}")
    if found.parked and lane.tracks is None:
        raise CommandError(f"the checkpoint sets the parking brake of {name}, which has none")


def _check_poses(checkpoint: Checkpoint) -> None:
    names = {item.name for item in checkpoint.objects if loose(item)}
    if names != checkpoint.poses.keys():
        odd = ", ".join(sorted(names ^ checkpoint.poses.keys()))
        raise CommandError(f"the checkpoint's objects and poses do not match: {odd}")
    if {item.name for item in checkpoint.objects if jointed(item)} != checkpoint.joints.keys():
        raise CommandError("the checkpoint's objects and joints do not match")
    if not _sensible(checkpoint.joints.values()):
        raise CommandError(f"the checkpoint has impossible positions of objects on joints: {checkpoint.joints}")
    for name, pose in checkpoint.poses.items():
        sized = (len(pose.position), len(pose.rotation)) == (3, 4)
        length = math.sqrt(sum(x * x for x in pose.rotation))
        if not sized or not _sensible(pose.position) or not abs(length - 1.0) < 1e-3:
            raise CommandError(f"{name} cannot be at {pose}: that is not a valid pose")


def _sensible(values: Iterable[float]) -> bool:
    return all(abs(value) < MAX_VALUE for value in values)  # also false for NaN
