"""Teaching: record the motion of an arm as a trajectory, continuously or point by point.

A recording keeps set-points, not measurements: they are smooth, and within all limits. Pauses are left out. Only the
samples that the path needs are kept: a straight stretch at a steady rate is two points.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.paths.path_timing import between
from farhand.types import Note, Quantity, Setpoint, Teach, Trajectory, Vector

__all__ = ["MAX_POINTS", "Lesson", "after_request", "extended"]

Sample = tuple[float, Vector, Vector]
Notes = tuple[Note, ...]
SAMPLE_S = 0.02  # between two samples
MAX_POINTS = 2000
TOLERANCE = 2e-4  # rad or m by which the kept points may miss a sample
MAX_SPAN = 25  # samples in one piece
POINTS = (Quantity("points", MAX_POINTS, "count"),)
FULL = Note("lesson.full", quantities=POINTS)
NONE, EMPTY, SAME = Note("lesson.none"), Note("lesson.empty"), Note("lesson.same")
BEGUN, RECORDING = Note("lesson.begun"), Note("lesson.recording")
TOO_LONG = Note("lesson.points", quantities=POINTS)


class Lesson(Struct, frozen=True):
    """A recording in progress.

    Args:
        kind: Recorded continuously, or point by point.
        kept: Time, positions and rates of each point.
        since: Samples after the last kept point.
        clock: Time of motion, s.
        resting: Whether the arm was at rest in the last tick.
    """

    kind: Literal["record", "points"]
    kept: tuple[Sample, ...] = ()
    since: tuple[Sample, ...] = ()
    clock: float = 0.0
    resting: bool = True


def after_request(
    lesson: Lesson | None, asked: Teach, now: Setpoint
) -> tuple[Lesson | None, Trajectory | None, Note | None]:
    """Return the recording after a request, the trajectory if that finished it, and the reason of a refusal.

    Args:
        lesson: The recording in progress, if any.
        asked: The request.
        now: The present set-point of the arm.
    """
    if asked.action == "discard":
        return None, None, None if lesson else NONE
    if asked.action == "finish":
        return _finished(lesson, asked.name, now)
    if asked.action == "record":
        if lesson is not None:
            return lesson, None, BEGUN
        return Lesson("record", ((0.0, now.positions, now.rates),), resting=not any(now.rates)), None, None
    return _with_point(lesson, now)


def _with_point(lesson: Lesson | None, now: Setpoint) -> tuple[Lesson | None, Trajectory | None, Note | None]:
    lesson = lesson or Lesson("points")
    if lesson.kind == "record":
        return lesson, None, RECORDING
    if len(lesson.kept) >= MAX_POINTS:
        return lesson, None, TOO_LONG
    if lesson.kept and _same(lesson.kept[-1][1], now.positions):
        return lesson, None, SAME
    point = (float(len(lesson.kept)), now.positions, ())
    return replace(lesson, kept=(*lesson.kept, point)), None, None


def _finished(lesson: Lesson | None, name: str, now: Setpoint) -> tuple[Lesson | None, Trajectory | None, Note | None]:
    if lesson is None:
        return None, None, NONE
    if lesson.kind == "record":
        kept = lesson.kept + lesson.since[-1:]
        if lesson.clock > kept[-1][0]:
            kept += ((lesson.clock, now.positions, now.rates),)
    else:
        kept = lesson.kept
    if len(kept) < (2 if lesson.kind == "record" else 1):
        return lesson, None, EMPTY
    points = tuple([positions for _, positions, _ in kept])
    if lesson.kind == "points":
        return None, Trajectory(name, points), None
    return None, Trajectory(name, points, tuple([at for at, _, _ in kept]), tuple([r for _, _, r in kept])), None


def extended(lesson: Lesson, now: Setpoint, dt: float) -> tuple[Lesson, Notes]:
    """Return a recording one tick later, with the set-point of this tick.

    Args:
        lesson: The recording.
        now: The set-point of the arm in this tick.
        dt: Seconds per tick.
    """
    if lesson.kind == "points":
        return lesson, ()
    if len(lesson.kept) >= MAX_POINTS:
        return lesson, (FULL,)
    resting = not any(now.rates)
    if resting and lesson.resting:
        return lesson, ()
    clock = lesson.clock + dt
    last = lesson.since[-1] if lesson.since else lesson.kept[-1]
    lesson = replace(lesson, clock=clock, resting=resting)
    sample = (clock, now.positions, now.rates)
    if resting:  # a point where the arm rests, so that it rests there in the path too
        return replace(lesson, kept=(*lesson.kept, *_needed(lesson, sample), sample), since=()), ()
    return (_sampled(lesson, sample) if clock - last[0] > SAMPLE_S - 0.5 * dt else lesson), ()


def _sampled(lesson: Lesson, sample: Sample) -> Lesson:
    if not _needed(lesson, sample) and len(lesson.since) < MAX_SPAN:
        return replace(lesson, since=(*lesson.since, sample))
    return replace(lesson, kept=(*lesson.kept, lesson.since[-1]), since=(sample,))


def _needed(lesson: Lesson, sample: Sample) -> tuple[Sample, ...]:
    """Return the last sample if the piece from the last kept point to a new sample would miss one in between."""
    start = lesson.kept[-1]
    missed = any([_misses(start, sample, each) for each in lesson.since])
    return lesson.since[-1:] if missed else ()


def _misses(start: Sample, end: Sample, middle: Sample) -> bool:
    h, s = end[0] - start[0], middle[0] - start[0]
    rows = zip(middle[1], start[1], end[1], start[2], end[2], strict=True)
    return any([abs(between(h, s, p0, p1, r0, r1)[0] - at) > TOLERANCE for at, p0, p1, r0, r1 in rows])


def _same(a: Vector, b: Vector) -> bool:
    return max([abs(x - y) for x, y in zip(a, b, strict=True)]) < TOLERANCE
