"""What a robot on tracks feels of its own driving: that it slips, is stuck, does not turn, tips over, or falls."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from farhand.poses import Quaternion
from farhand.types import BaseWord, Note, RobotState, Setpoint

__all__ = ["AT_EASE", "PARKED", "BaseMemory", "attitude_of", "base_word", "lean_of", "sense_base", "sinking_of"]

TIPPED = math.radians(70.0)
FLIPPERS_AT_REST = 0.02  # rad/s
SLIP_SHARE, SLIP_LEAST, SLIP_TURN, SLIP_AFTER = 0.3, 0.08, 0.2, 0.3  # of the belts' speed, m/s, rad/s, s
STUCK_BELOW, STUCK_TURN, STUCK_TOLD, STUCK_AFTER = 0.03, 0.06, 0.05, 0.6  # m/s, rad/s, m/s, s
STUCK_SHARE = 0.2  # of the turn that is told: a robot that shivers at a wall does not turn
HELD_SHARE, HELD_TOLD = 0.6, 0.15  # of the turn that is told, rad/s: on free ground it turns within 15 %
FALLING, TOLD_FOR = 1.5, 4.0  # m/s downwards that no belt gives it, s for which it is said
SMOOTHING = 0.3  # s over which its own motion is averaged: belts that pull at a wall shake it


class BaseMemory(Struct, frozen=True):
    """What it remembers of its driving; all motion is smoothed alike, so that none of it lags behind the other.

    Args:
        ahead: Its own speed, m/s.
        turning: Its own turn rate, rad/s.
        belts: The speed that its belts give it.
        spin: The turn rate that they give it.
        asked: The turn rate that they are told to give it.
        slipping: For how many seconds it has slipped.
        stuck: For how many it has not got on.
        held: For how many it has not turned as it is told.
        fallen: For how many it will still speak of a fall.
        aside: Its own speed to the left, m/s.
    """

    ahead: float = 0.0
    turning: float = 0.0
    belts: float = 0.0
    spin: float = 0.0
    asked: float = 0.0
    slipping: float = 0.0
    stuck: float = 0.0
    held: float = 0.0
    fallen: float = 0.0
    aside: float = 0.0


AT_EASE = BaseMemory()


def sense_base(
    robot: RobotState, told: Setpoint, memory: BaseMemory, gauge: float, dt: float
) -> tuple[BaseMemory, tuple[Note, ...]]:
    """Return what is remembered of the driving, and what the operator shall know of it.

    Args:
        robot: As measured.
        told: What its belts were told last.
        memory: Of the last tick.
        gauge: Between the belts, m.
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
    ahead, aside, _ = robot.base_twist.linear
    moves = max(abs(ahead), abs(aside)) > STUCK_BELOW
    if memory is AT_EASE and wanted == 0.0 and not (fallen or moves):
        return memory, notes
    moved = _smoothed(robot, told, memory, gauge, dt / SMOOTHING)
    slipping, stuck, held = (
        before + dt if now else 0.0
        for before, now in (
            (memory.slipping, _slips(moved)),
            (memory.stuck, wanted > STUCK_TOLD and _stands(moved)),
            (memory.held, told.rates[0] != told.rates[1] and _is_held(moved)),
        )
    )
    if stuck > STUCK_AFTER:
        notes += (STUCK,)
    elif slipping > SLIP_AFTER:
        notes += (SLIP,) if wanted else () if _swings(robot) else (SLIDE,)
    elif held > STUCK_AFTER:
        notes += (HELD,)
    slow = max(abs(moved.ahead), abs(moved.aside), abs(moved.turning)) < STUCK_BELOW
    still = wanted == 0.0 and slow and not (fallen or moves)
    return (AT_EASE if still else replace(moved, slipping=slipping, stuck=stuck, held=held, fallen=fallen)), notes


def _smoothed(robot: RobotState, told: Setpoint, last: BaseMemory, gauge: float, share: float) -> BaseMemory:
    """Return how it moves, how its belts would move it, and how they are told to turn it."""
    assert robot.base_twist is not None
    left, right = robot.groups["base"].rates
    slow, fast = told.rates
    return BaseMemory(
        last.ahead + share * (robot.base_twist.linear[0] - last.ahead),
        last.turning + share * (robot.base_twist.angular[2] - last.turning),
        last.belts + share * (0.5 * (left + right) - last.belts),
        last.spin + share * ((right - left) / gauge - last.spin),
        last.asked + share * ((fast - slow) / gauge - last.asked),
        aside=last.aside + share * (robot.base_twist.linear[1] - last.aside),
    )


def _slips(moved: BaseMemory) -> bool:
    """Return whether it drives or turns otherwise than its belts run, or slides sideways on belts that stand."""
    if max(abs(moved.belts), abs(moved.spin)) < STUCK_BELOW and abs(moved.aside) > SLIP_LEAST:
        return True
    along = abs(moved.belts - moved.ahead) > max(SLIP_LEAST, SLIP_SHARE * abs(moved.belts))
    return along or abs(moved.spin - moved.turning) > max(SLIP_TURN, SLIP_SHARE * abs(moved.spin))


def _swings(robot: RobotState) -> bool:
    """Return whether its flippers turn: they push it along, which is no sliding."""
    return any([abs(rate) > FLIPPERS_AT_REST for rate in robot.groups["flippers"].rates])


def _stands(moved: BaseMemory) -> bool:
    """Return whether it neither drives nor turns."""
    return abs(moved.ahead) < STUCK_BELOW and abs(moved.turning) < max(STUCK_TURN, STUCK_SHARE * abs(moved.asked))


def _is_held(moved: BaseMemory) -> bool:
    """Return whether it turns far less than it is told, or the other way."""
    asked = abs(moved.asked)
    return asked > HELD_TOLD and math.copysign(1.0, moved.asked) * moved.turning < HELD_SHARE * asked


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


OVER = Note("base.over", "slow")
STUCK = Note("base.stuck", "slow")
HELD = Note("base.held", "slow")
FALLEN = Note("base.fallen")
PARKED = Note("base.parked", "slow")
SLIP = Note("base.slip")
SLIDE = Note("base.slide", "slow")
WORDS: tuple[tuple[Note, BaseWord], ...] = (
    *((OVER, "tipped"), (STUCK, "stuck"), (SLIP, "slipping"), (SLIDE, "slipping"), (HELD, "stuck")),
)
