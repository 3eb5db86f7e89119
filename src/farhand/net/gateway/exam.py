"""Exams: what a trainee's page gets, which is what an operator far away has. Pictures and instruments, no poses.

Made here, once, from what everybody else gets; the page of a trainee cannot show what it was never told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from farhand.net.messages import LogEntry, Place, RobotInfo, RobotUpdate, Scene, SignalInfo
from farhand.poses import IDENTITY
from farhand.types import (
    AimCamera,
    ChangeTool,
    Continue,
    Event,
    FreeMe,
    HoldHere,
    MoveJoints,
    Note,
    Park,
    Power,
    Replay,
    Reset,
    SelectMapping,
    SetScale,
    SetSpeed,
    Stop,
    Teach,
    ZeroWrist,
)
from farhand.world.scene import FIXED

__all__ = [
    "FROM_THE_PAGE",
    "TRAINERS_ONLY",
    "for_trainee",
    "log_for_trainee",
    "robots_for_trainee",
    "trainee_may",
    "trainer_may",
    "unmeasured",
    "why_for_trainee",
]

NOWHERE = Place(body=FIXED, pose=IDENTITY)
WHERE = ("m", "°")  # units of signals of a tip that say where it is
LENGTH = r"[-−]?\d+(?:\.\d+)?(?:e[-+]?\d+)? ?(?:mm|cm|m|metres?)(?![\w/·])"  # not speeds, times or masses
# How sentences read without their lengths; the last one is for whatever else has one, as new sentences may.
UNMEASURED = [
    (re.compile(pattern), words)
    for pattern, words in (
        (rf"\b(is|are) {LENGTH} from\b", r"\1 near"),
        (rf", {LENGTH} away\b", ", which is near"),
        (rf", {LENGTH} off\b", ", off"),
        (rf"\bmore than {LENGTH} ahead\b", "too far ahead"),
        (LENGTH, "some way"),
    )
]
TRAINERS_ONLY = "Only the trainer may do that during an exam."
FROM_THE_PAGE = "A trainee drives from the page. Masters on other machines join with the trainer's link."
# What is not listed is the trainer's: whatever sets the task, changes the world or how a robot is driven.
_TRAINEES = (
    *(Stop, Reset, MoveJoints, Replay, Teach, FreeMe, HoldHere, Continue, Power, Park, SetSpeed, SetScale),
    *(SelectMapping, ChangeTool, ZeroWrist, AimCamera),
)


def for_trainee(scene: Scene) -> Scene:
    """Return what a trainee is told of a scene: robots with joints and cameras, but nothing of where things are."""
    return replace(
        scene,
        bodies=(),
        geoms=(),
        masters=(),
        robots=tuple(_robot(robot) for robot in scene.robots),
        signals=tuple(signal for signal in scene.signals if _felt(signal)),
    )


def robots_for_trainee(robots: tuple[RobotUpdate, ...]) -> tuple[RobotUpdate, ...]:
    """Return what a trainee is told of the robots: their joints, but not where their tips are or what they are near."""
    return tuple([replace(robot, tip=b"", near=None) for robot in robots])


def why_for_trainee(why: Mapping[str, tuple[Note, ...]]) -> dict[str, tuple[Note, ...]]:
    """Return why robots are slowed or stopped, without how far things are from each other."""
    return {robot: tuple([replace(note, text=unmeasured(note.text)) for note in notes]) for robot, notes in why.items()}


def log_for_trainee(entries: Iterable[LogEntry]) -> tuple[LogEntry, ...]:
    """Return what a trainee reads of the log: every entry, without how far things are from each other."""
    return tuple([replace(entry, text=unmeasured(entry.text)) for entry in entries])


def unmeasured(text: str) -> str:
    """Return a sentence without lengths: an operator far away reads no distances, he sees that something is near."""
    for pattern, words in UNMEASURED:
        text = pattern.sub(words, text)
    return text


def trainee_may(event: Event) -> bool:
    """Return whether a trainee may do it, if he is in control: drive, but not change the world or how it is driven."""
    return isinstance(event, _TRAINEES)


def trainer_may(event: Event) -> bool:
    """Return whether the trainer may do it without control: set the task, make things worse, and clear a stop."""
    return isinstance(event, Reset) or not isinstance(event, _TRAINEES)


def _robot(robot: RobotInfo) -> RobotInfo:
    return replace(
        robot,
        base=NOWHERE,
        tip=NOWHERE,
        frames=(),
        parts=(),
        cameras=tuple(replace(camera, place=NOWHERE) for camera in robot.cameras),
    )


def _felt(signal: SignalInfo) -> bool:
    """Return whether a signal is of an instrument on the robot, not of the world."""
    if signal.group in ("objects", "cell"):
        return False
    return not (signal.group.endswith(" tip") and signal.unit in WHERE)
