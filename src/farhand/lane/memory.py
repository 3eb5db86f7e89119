"""What a lane remembers from one tick to the next: one frozen value, so that going back and re-simulating are exact."""

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
    """All that a lane remembers from one tick to the next.

    Args:
        mode: Who is in charge.
        inbox: What the master sent.
        mapping: Name of the chosen mapping.
        mapping_memory: The mapping's own latch; None starts it anew.
        speed_level: Counted from 1.
        active: The autonomous source under way or interrupted.
        awaited: The plan that is waited for, if one is.
        filters: Memory of each filter.
        servo: Memory of the servo.
        setpoints: What the drives were told last, by group.
        tip: Where the set-points before those had the tip; None at the start.
        violating: A measured joint is beyond its limits; a stop was latched when that began.
        finding: What is switched off or replaced to find a fault; only its own events change it.
        scale: How far the robot goes for a way of the hand, times what the mapping has.
        contact: What the tip touches, smoothed, in base axes.
        trail: Where the arm has been lately, as measured, oldest first.
        lesson: What is being taught, if anything is.
        taught: A trajectory whose teaching ended in this tick.
        seen: The world in the last tick, for an arm that keeps clear: what moves is seen by comparing.
        wrist: What the wrist sensor felt, and what it knows of what is held.
        base: What a robot on tracks feels of its driving.
        stopping: A stop is under way, which is carried out to rest.
        parked: Its parking brake is set.
        hindered: What was said to be in the way when a move last did not get on.
        stuck: Why a move was given up; said until the next command.
        lost: Why a deadman that is held counts as let go: what leads the robot is lost.
        news: What changed between two ticks and is to be said in the next one.
        wall: By how much wall time is ahead of ticks.
        link: What is known of the way between the master and this lane.
        gap: Milliseconds for which the cell stood still and nobody knows yet whether its operator was there.
        refused: Why the press of a deadman that is still held did not count.
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
    """Return a fresh memory with what outlasts that a robot is put to rest: choices, a latched stop, points taught.

    Args:
        fresh: Of a lane that starts where the robot is.
        memory: Of the last tick.
    """
    mode = memory.mode if memory.mode.mode in KEPT_AT_REST else ModeMemory()
    chosen = replace(fresh, mapping=memory.mapping, scale=memory.scale, finding=memory.finding)
    lesson, news = memory.lesson, memory.news
    if lesson and lesson.kind == "record":  # the way that it records ends here
        lesson, news = None, (*news, DROPPED)
    kept = replace(chosen, mode=mode, inbox=memory.inbox, lesson=lesson, parked=memory.parked, news=news)
    return replace(kept, wrist=WristMemory(zero=memory.wrist.zero), wall=memory.wall, link=memory.link)


def disengage(memory: LaneMemory) -> LaneMemory:
    """Return the memory with whatever moves held: driving needs a fresh press, a move "continue".

    Filters and servo forget what was asked: coming to rest from that would go on past what held it back until now.
    """
    if memory.mode.mode not in ("teleoperation", "autonomous", "paused"):
        return memory
    return replace(memory, mode=ModeMemory(), filters=(None,) * len(memory.filters), servo=ServoMemory())


def standing_setpoint(positions: Vector) -> Setpoint:
    """Return the set-point of joints that stand."""
    still = (0.0,) * len(positions)
    return Setpoint(positions, still, still)


def limit_lead(told: Vector, measured: Vector, leads: Vector) -> Vector:
    """Return what joints were told, brought as near to where they are measured to be as it may lead them.

    Args:
        told: Positions.
        measured: Positions.
        leads: How far each of the former may be from the latter.
    """
    rows = zip(told, measured, leads, strict=True)
    return tuple([min(max(there, here - lead), here + lead) for there, here, lead in rows])
