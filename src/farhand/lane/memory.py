"""The memory of a lane between two ticks: one frozen value, so that restoring and re-simulating are exact."""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.filters.wrist_wrench import AT_REST, WristMemory
from farhand.lane.contact.force_feedback import NO_WRENCH
from farhand.lane.intake.ages import NO_LEAD, Link, WallLead
from farhand.lane.intake.inbox import Inbox
from farhand.lane.modes.fault_finding import NOTHING, Finding
from farhand.lane.modes.mode_machine import ModeMemory
from farhand.lane.motion.base_notes import AT_EASE, BaseMemory
from farhand.lane.motion.servo_stage import ServoMemory
from farhand.lane.paths.teaching import Lesson
from farhand.lane.sources import Active, Awaited
from farhand.poses import Pose
from farhand.types import Note, Setpoint, State, Trajectory, Vector, Wrench

__all__ = ["LaneMemory", "disengage", "limit_lead", "rested", "standing_setpoint"]

DROPPED = Note("lesson.dropped")
KEPT_AT_REST = ("stopped", "fault", "off", "powering")


class LaneMemory(Struct, frozen=True):
    """The memory of a lane between two ticks.

    Args:
        mode: The mode and its state.
        inbox: The last readings of the master.
        mapping: Name of the chosen mapping.
        mapping_memory: The mapping's own latch; None starts it afresh.
        speed_level: The speed level, counted from 1.
        active: The autonomous source that runs or is interrupted.
        awaited: The plan that the lane waits for, if there is one.
        filters: Memory of each filter.
        servo: Memory of the servo.
        setpoints: The last set-points of the drives, by group.
        tip: Tip pose at the set-points before those; None at the start.
        violating: True while a measured joint is beyond its limits; the stop was latched when that began.
        finding: Parts that are switched off or replaced to find a fault; only their own events change it.
        scale: Robot motion per hand motion, as a factor on the mapping's own scale.
        contact: Contact wrench at the tip, smoothed, in base axes.
        trail: Recent measured positions of the arm, oldest first.
        lesson: The trajectory that is being taught, if there is one.
        taught: A trajectory whose teaching ended in this tick.
        seen: The world in the last tick, for obstacle avoidance: moving objects are found by comparison.
        wrist: The last reading of the wrist sensor, and the payload.
        base: Smoothed motion of a robot on tracks.
        stopping: True while a stop brings the robot to rest.
        parked: True while the parking brake is set.
        hindered: The obstacle or limit named when a move last made no progress.
        stuck: The reason that a move was given up; reported until the next command.
        lost: The reason that a held deadman counts as released: the signal that drives the robot is lost.
        news: Notes on changes between two ticks, for the next report.
        wall: Lead of wall time over ticks.
        link: State of the link between the master and this lane.
        gap: Milliseconds for which the cell stood still, until it is known whether the operator was present.
        refused: The reason that the press of the deadman, still held, did not count.
    """

    mode: ModeMemory
    inbox: Inbox
    mapping: str
    mapping_memory: Any
    speed_level: int
    active: Active | None
    filters: tuple[Any, ...]
    servo: ServoMemory
    setpoints: dict[str, Setpoint]
    tip: Pose | None = None
    violating: bool = False
    finding: Finding = NOTHING
    scale: float = 1.0
    contact: Wrench = NO_WRENCH
    trail: tuple[Vector, ...] = ()
    lesson: Lesson | None = None
    taught: Trajectory | None = None
    seen: State | None = None
    wrist: WristMemory = AT_REST
    base: BaseMemory = AT_EASE
    stopping: bool = False
    parked: bool = False
    hindered: Note | None = None
    stuck: Note | None = None
    lost: Note | None = None
    news: tuple[Note, ...] = ()
    wall: WallLead = NO_LEAD
    link: Link = Link()
    gap: int = 0
    refused: Note | None = None
    awaited: Awaited | None = None


def rested(fresh: LaneMemory, memory: LaneMemory) -> LaneMemory:
    """Return a fresh memory that keeps the choices, a latched stop and the taught points of another.

    Args:
        fresh: The memory of a lane that starts at the robot's present position.
        memory: The memory after the last tick.
    """
    mode = memory.mode if memory.mode.mode in KEPT_AT_REST else ModeMemory()
    chosen = replace(fresh, mapping=memory.mapping, scale=memory.scale, finding=memory.finding)
    lesson, news = memory.lesson, memory.news
    if lesson and lesson.kind == "record":  # the recorded path ends here
        lesson, news = None, (*news, DROPPED)
    kept = replace(chosen, mode=mode, inbox=memory.inbox, lesson=lesson, parked=memory.parked, news=news)
    return replace(kept, wrist=WristMemory(zero=memory.wrist.zero), wall=memory.wall, link=memory.link)


def disengage(memory: LaneMemory) -> LaneMemory:
    """Return the memory of a robot that holds: driving needs a fresh press, a move needs "continue".

    Filters and servo start afresh: otherwise the robot would come to rest beyond the limit that held it back until now.
    """
    if memory.mode.mode not in ("teleoperation", "autonomous", "paused"):
        return memory
    return replace(memory, mode=ModeMemory(), filters=(None,) * len(memory.filters), servo=ServoMemory())


def standing_setpoint(positions: Vector) -> Setpoint:
    """Return the set-point of joints at rest."""
    still = (0.0,) * len(positions)
    return Setpoint(positions, still, still)


def limit_lead(told: Vector, measured: Vector, leads: Vector) -> Vector:
    """Return set-point positions, limited to a lead over the measured ones.

    Args:
        told: Set-point positions.
        measured: Measured positions.
        leads: Largest lead of each joint.
    """
    rows = zip(told, measured, leads, strict=True)
    return tuple([min(max(there, here - lead), here + lead) for there, here, lead in rows])
