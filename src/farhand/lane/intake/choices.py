"""Choices of the operator: mapping, speed, scale, lesson, brake, parts that are off. Impossible ones are refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.intake.hand_scales import LARGEST, SMALLEST
from farhand.lane.intake.requests import NO_REQUESTS, REFUSED, Requests, refused
from farhand.lane.memory import LaneMemory, disengage
from farhand.lane.modes.fault_finding import FEEDFORWARD, FaultFinder, Finding
from farhand.lane.motion.servo_stage import ServoMemory
from farhand.lane.paths.teaching import after_request
from farhand.types import (
    Generate,
    Note,
    Park,
    Power,
    Quantity,
    SelectMapping,
    SetScale,
    SetSpeed,
    Subject,
    SwitchFeedforward,
    SwitchFilter,
    Teach,
)
from farhand.types.events.declaration import Handlers

__all__ = ["CHOICES", "Choices", "take_choices"]

Notes = tuple[Note, ...]
Taken = tuple[LaneMemory, Notes]


class Choices(Struct, frozen=True):
    """The available choices.

    Args:
        robot: The robot's name.
        axes: Axes of each mapping, by its name.
        speeds: Number of speed levels.
        finder: The lane's fault finder, which switches parts off.
        power: True if the robot has a power switch.
        brake: True if it has a parking brake.
    """

    robot: str
    axes: dict[str, tuple[str, ...]]
    speeds: int
    finder: FaultFinder
    power: bool
    brake: bool


CHOICES: Handlers[Callable[[Any, Choices, LaneMemory], Taken]] = Handlers("choice")
"""Functions that apply an event with a choice to a lane's memory."""


def take_choices(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    """Apply the choices in order; refuse impossible ones with a note.

    Args:
        requests: Requests of this tick's events to the robot.
        there: The available choices.
        memory: The memory after the last tick.
    """
    notes: Notes = ()
    if memory.taught is not None:
        memory = replace(memory, taught=None)
    if requests is NO_REQUESTS:
        return memory, notes
    for number, event in requests.events:
        choose = CHOICES.get(type(event))
        if choose:
            memory, said = choose(event, there, memory)
            notes += tuple([replace(note, answers=number) if note.code == REFUSED else note for note in said])
    if requests.hold:
        memory = replace(memory, active=None, servo=ServoMemory())
    return memory, notes


@CHOICES.register(SelectMapping)
def _mapping(event: SelectMapping, there: Choices, memory: LaneMemory) -> Taken:
    """Select a mapping; a driven robot holds until a fresh press, since the master's motion now means another one."""
    wanted = event.mapping
    if wanted == memory.mapping:
        return memory, ()
    if wanted not in there.axes:
        return memory, refused(_no_mapping(there, wanted))
    driven = memory.mode.mode == "teleoperation" or memory.mode.paused == "teleoperation"
    changed = replace(memory, mapping=wanted, mapping_memory=None)
    return disengage(changed) if driven else changed, ()


@CHOICES.register(SetSpeed)
def _speed(event: SetSpeed, there: Choices, memory: LaneMemory) -> Taken:
    if not 1 <= event.level <= there.speeds:
        return memory, refused(_no_level(event.level, there.speeds))
    return replace(memory, speed_level=event.level), ()


@CHOICES.register(SetScale)
def _scale(event: SetScale, _: Choices, memory: LaneMemory) -> Taken:
    if not SMALLEST <= event.scale <= LARGEST:
        return memory, refused(_no_scale(event.scale))
    return replace(memory, scale=event.scale), ()


@CHOICES.register(Teach)
def _lesson(event: Teach, there: Choices, memory: LaneMemory) -> Taken:
    lesson, taught, problem = after_request(memory.lesson, event, memory.setpoints["arm"])
    memory = replace(memory, lesson=lesson, taught=taught or memory.taught)
    return memory, refused(Note("refused.teach", about=_robot(there), cause=problem)) if problem else ()


@CHOICES.register(Power)
def _power(_: Power, there: Choices, memory: LaneMemory) -> Taken:
    """Refuse the event for a robot without a power switch; the mode machine handles it otherwise."""
    return memory, () if there.power else refused(Note("refused.power", about=_robot(there)))


@CHOICES.register(Park)
def _brake(event: Park, there: Choices, memory: LaneMemory) -> Taken:
    if not there.brake:
        return memory, refused(Note("refused.brake", about=_robot(there)))
    return replace(memory, parked=event.on), ()


@CHOICES.register(SwitchFilter)
def _switch(event: SwitchFilter, there: Choices, memory: LaneMemory) -> Taken:
    return _found(memory, *there.finder.switch(event, memory.finding))


@CHOICES.register(SwitchFeedforward)
def _feedforward(event: SwitchFeedforward, there: Choices, memory: LaneMemory) -> Taken:
    return _found(memory, there.finder.switched(memory.finding, FEEDFORWARD, on=event.on), ())


@CHOICES.register(Generate)
def _generate(event: Generate, there: Choices, memory: LaneMemory) -> Taken:
    return _found(memory, *there.finder.generate(event.generator, there.axes[memory.mapping], memory.finding))


def _found(memory: LaneMemory, finding: Finding, notes: Notes) -> Taken:
    """Switch parts off or on; a part that is newly off no longer protects, so the robot holds until a fresh press."""
    protects_less = not set(finding.off) <= set(memory.finding.off)
    changed = replace(memory, finding=finding)
    return disengage(changed) if protects_less else changed, notes


def _robot(there: Choices) -> tuple[Subject, ...]:
    return (Subject("robot", there.robot),)


def _no_mapping(there: Choices, wanted: str) -> Note:
    known = [Subject("known", name) for name in there.axes]
    return Note("refused.mapping", about=(*_robot(there), Subject("mapping", wanted), *known))


def _no_level(level: int, levels: int) -> Note:
    quantities = (Quantity("level", level, "count"), Quantity("levels", levels, "count"))
    return Note("refused.speed", quantities=quantities)


def _no_scale(scale: float) -> Note:
    bounds = (Quantity("lowest", SMALLEST, ""), Quantity("highest", LARGEST, ""))
    return Note("refused.scale", quantities=(Quantity("scale", scale, ""), *bounds))
