"""What an operator chooses: mapping, speed, scale, lesson, brakes, what is off. What cannot be had is refused."""

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
    """What there is to choose from.

    Args:
        robot: The robot's name.
        axes: Those of each mapping, by its name.
        speeds: How many speed levels there are.
        finder: Switches parts of the lane off.
        power: It has a power switch.
        brake: It has a parking brake.
    """

    robot: str
    axes: dict[str, tuple[str, ...]]
    speeds: int
    finder: FaultFinder
    power: bool
    brake: bool


CHOICES: Handlers[Callable[[Any, Choices, LaneMemory], Taken]] = Handlers("choice")
"""What becomes of a lane's memory with an event that chooses something for its robot."""


def take_choices(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    """Take over choices in order; those that cannot be are refused with a note.

    Args:
        requests: What this tick's events ask of the robot.
        there: What there is to choose from.
        memory: Of the last tick.
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
    """Take up another mapping; who is driving lets go, for what he holds would now mean something else."""
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
    """Refuse what is asked of a switch that is not there; the modes take up what is asked of one."""
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
    """Take over which parts are off, to find a fault; what is off no longer protects, so whoever drives lets go."""
    looser = not set(finding.off) <= set(memory.finding.off)
    changed = replace(memory, finding=finding)
    return disengage(changed) if looser else changed, notes


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
