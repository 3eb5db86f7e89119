"""What an operator chooses: mapping, speed, scale, lesson, brakes, what is off. What cannot be had is refused."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from farhand.lane.faults import FaultFinder
from farhand.lane.lessons import taken
from farhand.lane.memory import LaneMemory, let_go
from farhand.lane.requests import NO_REQUESTS, Requests, refused
from farhand.lane.scales import LARGEST, SMALLEST
from farhand.lane.servo_stage import ServoMemory
from farhand.types import Note

__all__ = ["Choices", "take_choices"]

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


def take_choices(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    """Take over choices; those that cannot be are refused with a note.

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
    for take in TAKERS:
        memory, said = take(requests, there, memory)
        notes += said
    return memory, notes


def _mapping(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    """Take up another mapping; who is driving lets go, for what he holds would now mean something else."""
    wanted = requests.mapping
    if wanted is None or wanted == memory.mapping:
        return memory, ()
    if wanted not in there.axes:
        return memory, refused(f"{there.robot} has no mapping {wanted!r}; there are: {', '.join(there.axes)}.")
    driven = memory.mode.mode == "teleoperation" or memory.mode.paused == "teleoperation"
    changed = replace(memory, mapping=wanted, mapping_memory=None)
    return let_go(changed) if driven else changed, ()


def _speed(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    level = requests.speed_level
    if level is None:
        return memory, ()
    if not 1 <= level <= there.speeds:
        return memory, refused(f"Speed {level} is not one of 1 to {there.speeds}.")
    return replace(memory, speed_level=level), ()


def _scale(requests: Requests, _: Choices, memory: LaneMemory) -> Taken:
    scale = requests.scale
    if scale is None:
        return memory, ()
    if not SMALLEST <= scale <= LARGEST:
        return memory, refused(f"Scale {scale:g} is not one from {SMALLEST:g} to {LARGEST:g}.")
    return replace(memory, scale=scale), ()


def _hold(requests: Requests, _: Choices, memory: LaneMemory) -> Taken:
    return replace(memory, move=None, servo=ServoMemory()) if requests.hold else memory, ()


def _lesson(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    notes: Notes = ()
    for asked in requests.teach:
        lesson, taught, problem = taken(memory.lesson, asked, memory.setpoints["arm"])
        if problem:
            notes += refused(f"{there.robot} cannot be taught that: {problem}.")
        memory = replace(memory, lesson=lesson, taught=taught or memory.taught)
    return memory, notes


def _power(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    """Refuse what is asked of a switch that is not there; the modes take up what is asked of one."""
    missing = requests.power is not None and not there.power
    return memory, refused(f"{there.robot} has no power switch.") if missing else ()


def _brake(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    if requests.park is None:
        return memory, ()
    if not there.brake:
        return memory, refused(f"{there.robot} has no tracks and no parking brake.")
    return replace(memory, parked=requests.park), ()


def _parts(requests: Requests, there: Choices, memory: LaneMemory) -> Taken:
    """Switch parts off and on, to find a fault; what is off no longer protects, so whoever drives lets go."""
    finding, notes = there.finder.take(requests, there.axes[memory.mapping], memory.finding)
    looser = not set(finding.off) <= set(memory.finding.off)
    changed = replace(memory, finding=finding)
    return let_go(changed) if looser else changed, notes


# in the order in which their refusals are said
TAKERS: tuple[Callable[[Requests, Choices, LaneMemory], Taken], ...] = (
    _mapping,
    _speed,
    _scale,
    _hold,
    _lesson,
    _power,
    _brake,
    _parts,
)
