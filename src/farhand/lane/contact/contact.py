"""What the tip feels, as far as the robot can tell, and what of it the hand shall feel."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from farhand.filters import Felt, Filter
from farhand.filters.compliance import Compliance, least_threshold
from farhand.filters.wrist_wrench import Wrist
from farhand.lane.contact.force_feedback import NOTHING_FELT, ReflectionSpec, added, reflect, to_hand
from farhand.lane.intake.requests import Requests, refused
from farhand.lane.memory import LaneMemory
from farhand.lane.motion.avoidance_notes import pushed_away
from farhand.mapping import Mapping
from farhand.poses import Quaternion
from farhand.surroundings import AvoidSpec
from farhand.types import Note, RobotState, Wrench

__all__ = ["blind", "estimate", "feedback", "most_zeroed", "smooth"]

Notes = tuple[Note, ...]
ZEROED_AT_MOST = 0.5  # of the force above which compliance gives way: more is no error of a sensor
ZERO_AT_REST, NO_WRIST = Note("refused.zero.moving"), Note("refused.zero.missing")


def estimate(
    wrist: Wrist | None, most: float, requests: Requests, robot: RobotState, memory: LaneMemory
) -> tuple[LaneMemory, Wrench, Notes]:
    """Return what the surroundings do to the tip, in world axes: by the wrist sensor, or without one as measured.

    Args:
        wrist: Makes sense of the sensor, if there is one.
        most: N that may be taken for an error of the sensor when it is zeroed.
        requests: What this tick's events ask of the robot.
        robot: As measured.
        memory: Of the last tick.
    """
    if wrist is None:
        return memory, robot.contact, _answering(NO_WRIST, requests)
    driven = memory.mode.mode in ("teleoperation", "autonomous")
    now, notes = wrist(robot, memory.wrist, zero=requests.zero is not None and not driven, most=most)
    broken = (Note("wrist.broken", "slow", cause=now.problem),) if now.problem else ()
    moving = _answering(ZERO_AT_REST, requests) if driven else ()
    return replace(memory, wrist=now), now.wrench, (*notes, *moving, *broken)


def _answering(cause: Note, requests: Requests) -> Notes:
    """Return the note with which zeroing is refused, if that is asked for."""
    return () if requests.zero is None else refused(cause, requests.zero)


def most_zeroed(filters: Iterable[Filter]) -> float:
    """Return the force that may be taken for an error of the sensor, N."""
    return ZEROED_AT_MOST * least_threshold(filters)


def blind(problem: Note, filters: Iterable[Filter | None]) -> Note | None:
    """Return why the robot must stand: its sensor cannot be believed, and compliance relies on it.

    Args:
        problem: What is wrong with the sensor.
        filters: Those at work; None for one that is switched off.
    """
    needed = any([isinstance(stage, Compliance) for stage in filters])
    return Note("wrist.blind", cause=problem) if needed else None


def smooth(
    spec: ReflectionSpec, contact: Wrench, base: Quaternion, robot: RobotState, memory: LaneMemory, dt: float
) -> LaneMemory:
    """Take in what the tip touches, in the axes that the base has now.

    Args:
        spec: How it is smoothed.
        contact: What the surroundings do to the tip, world axes.
        base: How the base of a robot is turned that stands.
        robot: As measured.
        memory: Of the last tick.
        dt: Seconds per tick.
    """
    turned = robot.T_world_base.rotation if robot.T_world_base else base
    smooth = reflect(spec, contact, turned, memory.contact, dt)
    return memory if smooth is memory.contact else replace(memory, contact=smooth)


def feedback(
    spec: ReflectionSpec,
    avoid: AvoidSpec | None,
    filters: Sequence[tuple[int, Felt]],
    mapping: Mapping,
    memory: LaneMemory,
) -> Wrench:
    """Return what the hand shall feel: the contact, while it drives, as its mapping turns it.

    Args:
        spec: How much of a contact that is.
        avoid: How the arm keeps clear, if it does.
        filters: Those that can be felt, each with its place among all.
        mapping: The chosen one.
        memory: Of this tick.
    """
    if memory.mode.mode != "teleoperation" or memory.finding.generator:
        return NOTHING_FELT
    wrench = NOTHING_FELT if memory.contact is NOTHING_FELT else to_hand(spec, memory.contact)
    for i, stage in filters:
        wrench = added(wrench, stage.felt(memory.filters[i]))
    if avoid and memory.servo.close:
        wrench = added(wrench, pushed_away(memory.servo.close, avoid.keep, avoid.force))
    return mapping.reflected(wrench, memory.mapping_memory)
