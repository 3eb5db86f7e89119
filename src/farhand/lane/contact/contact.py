"""The contact force at the tip, and the force feedback to the hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from farhand.filters import Felt, Filter
from farhand.filters.compliance import Compliance, least_threshold
from farhand.filters.wrist_wrench import Wrist
from farhand.lane.contact.force_feedback import NO_WRENCH, ReflectionSpec, reflect, summed, to_hand
from farhand.lane.intake.requests import Requests, refused
from farhand.lane.memory import LaneMemory
from farhand.lane.motion.avoidance_notes import avoidance_force
from farhand.mapping import Mapping
from farhand.poses import Quaternion
from farhand.surroundings import AvoidSpec
from farhand.types import Note, RobotState, Wrench

__all__ = ["estimate", "feedback", "max_sensor_error", "sensor_fault", "smooth"]

Notes = tuple[Note, ...]
MAX_ERROR_SHARE = 0.5  # of the threshold of compliance: a larger force is a contact, not an error of the sensor
ZERO_AT_REST, NO_WRIST = Note("refused.zero.moving"), Note("refused.zero.missing")


def estimate(
    wrist: Wrist | None, most: float, requests: Requests, robot: RobotState, memory: LaneMemory
) -> tuple[LaneMemory, Wrench, Notes]:
    """Return the contact wrench at the tip, in world axes: from the wrist sensor, or without one from the physics.

    Args:
        wrist: The reader of the wrist sensor, if there is one.
        most: Largest force (N) that may count as an error of the sensor when it is zeroed.
        requests: The requests of this tick's events.
        robot: The measured state.
        memory: The memory of the last tick.
    """
    if wrist is None:
        return memory, robot.contact, _answering(NO_WRIST, requests)
    driven = memory.mode.mode in ("teleoperation", "autonomous")
    now, notes = wrist(robot, memory.wrist, zero=requests.zero is not None and not driven, most=most)
    broken = (Note("wrist.broken", "slow", cause=now.problem),) if now.problem else ()
    moving = _answering(ZERO_AT_REST, requests) if driven else ()
    return replace(memory, wrist=now), now.wrench, (*notes, *moving, *broken)


def _answering(cause: Note, requests: Requests) -> Notes:
    """Return the refusal of zeroing, if zeroing was requested."""
    return () if requests.zero is None else refused(cause, requests.zero)


def max_sensor_error(filters: Iterable[Filter]) -> float:
    """Return the largest force (N) that may count as an error of the wrist sensor."""
    return MAX_ERROR_SHARE * least_threshold(filters)


def sensor_fault(problem: Note, filters: Iterable[Filter | None]) -> Note | None:
    """Return the fault of a robot whose broken sensor is needed by compliance, or None.

    Args:
        problem: The problem of the sensor.
        filters: The active filters; None for each that is switched off.
    """
    needed = any([isinstance(stage, Compliance) for stage in filters])
    return Note("wrist.blind", cause=problem) if needed else None


def smooth(
    spec: ReflectionSpec, contact: Wrench, base: Quaternion, robot: RobotState, memory: LaneMemory, dt: float
) -> LaneMemory:
    """Return the memory with the smoothed contact wrench, in the present axes of the base.

    Args:
        spec: The settings of the force feedback.
        contact: The contact wrench at the tip, world axes.
        base: Orientation of the base, for a robot that does not drive.
        robot: The measured state.
        memory: The memory of the last tick.
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
    """Return the force feedback to the hand, in the axes of the chosen mapping; none unless the hand drives.

    Args:
        spec: The settings of the force feedback.
        avoid: The settings of collision avoidance, if the arm has it.
        filters: The filters that exert a force on the hand, each with its index.
        mapping: The chosen mapping.
        memory: The memory of this tick.
    """
    if memory.mode.mode != "teleoperation" or memory.finding.generator:
        return NO_WRENCH
    wrench = NO_WRENCH if memory.contact is NO_WRENCH else to_hand(spec, memory.contact)
    for i, stage in filters:
        wrench = summed(wrench, stage.felt(memory.filters[i]))
    if avoid and memory.servo.close:
        wrench = summed(wrench, avoidance_force(memory.servo.close, avoid.keep, avoid.force))
    return mapping.reflected(wrench, memory.mapping_memory)
