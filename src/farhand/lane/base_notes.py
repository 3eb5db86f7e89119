"""What a robot on tracks feels of its own driving: that it slips, is stuck, has tipped over, or has fallen."""

from __future__ import annotations

import math

from msgspec import Struct

from farhand.poses import Quaternion
from farhand.types import BaseWord, Note, RobotState, Setpoint

__all__ = ["AT_EASE", "PARKED", "BaseMemory", "attitude_of", "base_word", "lean_of", "sense_base", "sinking_of"]

TIPPED = math.radians(70.0)
SLIP_SHARE, SLIP_LEAST, SLIP_AFTER = 0.35, 0.08, 0.3  # of the belts' speed, m/s, s
STUCK_BELOW, STUCK_TURN, STUCK_TOLD, STUCK_AFTER = 0.03, 0.06, 0.05, 0.6  # m/s, rad/s, m/s, s
FALLING, TOLD_FOR = 1.5, 4.0  # m/s downwards that no belt gives it, s for which it is said
SMOOTHING = 0.3  # s over which its own motion is averaged: belts that pull at a wall shake it


class BaseMemory(Struct, frozen=True):
    """How it moves, smoothed; for how many seconds it has slipped and not got on, and will still speak of a fall."""

    ahead: float = 0.0
    turning: float = 0.0
    slipping: float = 0.0
    stuck: float = 0.0
    fallen: float = 0.0


AT_EASE = BaseMemory()


def sense_base(robot: RobotState, told: Setpoint, memory: BaseMemory, dt: float) -> tuple[BaseMemory, tuple[Note, ...]]:
    """Return what is remembered of the driving, and what the operator shall know of it.

    Args:
        robot: As measured.
        told: What its belts were told last.
        memory: Of the last tick.
        dt: Seconds per tick.
    """
    if robot.T_world_base is None or robot.base_twist is None:
        return memory, ()
    notes: tuple[Note, ...] = ()
    if lean_of(robot.T_world_base.rotation) > TIPPED:
        notes += (OVER,)
    wanted = max(map(abs, told.rates))
    fallen = TOLD_FOR if sinking_of(robot) > FALLING else max(0.0, memory.fallen - dt)
    if fallen:
        notes += (FALLEN,)
    if memory is AT_EASE and wanted == 0.0 and not fallen:
        return memory, notes
    share = dt / SMOOTHING
    ahead = memory.ahead + share * (robot.base_twist.linear[0] - memory.ahead)
    turning = memory.turning + share * (robot.base_twist.angular[2] - memory.turning)
    left, right = robot.groups["base"].rates
    belts = 0.5 * (left + right)
    slips = abs(belts - ahead) > max(SLIP_LEAST, SLIP_SHARE * abs(belts))
    stands = abs(ahead) < STUCK_BELOW and abs(turning) < STUCK_TURN and wanted > STUCK_TOLD
    slipping, stuck = memory.slipping + dt if slips else 0.0, memory.stuck + dt if stands else 0.0
    if stuck > STUCK_AFTER:
        notes += (STUCK,)
    elif slipping > SLIP_AFTER:
        notes += (SLIP,)
    still = wanted == 0.0 and max(abs(ahead), abs(turning)) < STUCK_BELOW and not fallen
    return (AT_EASE if still else BaseMemory(ahead, turning, slipping, stuck, fallen)), notes


def sinking_of(robot: RobotState) -> float:
    """Return how fast a robot that drives about comes down, m/s."""
    if robot.T_world_base is None or robot.base_twist is None:
        return 0.0
    (w, x, y, z), (ahead, left, up) = robot.T_world_base.rotation, robot.base_twist.linear
    return -(2.0 * (x * z - w * y) * ahead + 2.0 * (y * z + w * x) * left + (1.0 - 2.0 * (x * x + y * y)) * up)


def lean_of(rotation: Quaternion) -> float:
    """Return by what angle the base leans, whichever way: 0 upright, π upside down."""
    _, x, y, _ = rotation
    return math.acos(min(max(1.0 - 2.0 * (x * x + y * y), -1.0), 1.0))


def attitude_of(rotation: Quaternion) -> tuple[float, float]:
    """Return pitch (nose up) and roll (right side down) of the base, rad."""
    w, x, y, z = rotation
    up = 2.0 * (x * z - w * y)
    return math.asin(min(max(up, -1.0), 1.0)), math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))


def base_word(notes: tuple[Note, ...], told: Setpoint) -> BaseWord:
    """Return in one word what a robot on tracks does.

    Args:
        notes: What was said in this tick.
        told: What its belts were told.
    """
    codes = {note.code for note in notes}
    for note, word in WORDS:
        if note.code in codes:
            return word
    return "driving" if any(told.rates) else "standing"


OVER = Note(
    "base.over",
    "The robot has tipped over.",
    "slow",
    free="Turn its flippers or its arm against the ground to right it, or reset the robot.",
)
STUCK = Note(
    "base.stuck",
    "The robot does not get on: something holds it, or its motors are too weak for this.",
    "slow",
    free="The way back may be free; flippers lift it over edges.",
)
FALLEN = Note(
    "base.fallen",
    "The robot has fallen.",
    free="Look whether it stands and its arm is free; flippers and arm can right it, or reset the robot.",
)
PARKED = Note("base.parked", "The parking brake is set: the belts stand.", "slow", free="Release it to drive.")
SLIP = Note("base.slip", "The belts slip.", free="Go slower, or bring more of the flippers' belts to the ground.")
WORDS: tuple[tuple[Note, BaseWord], ...] = ((OVER, "tipped"), (STUCK, "stuck"), (SLIP, "slipping"))
