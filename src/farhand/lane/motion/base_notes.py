"""Notes on the driving of a robot on tracks: it slips, is stuck, does not turn, tips over, or falls."""

from __future__ import annotations

import math

from msgspec import Struct
from msgspec.structs import replace

from farhand.poses import Quaternion
from farhand.types import BaseWord, Note, RobotState, Setpoint

__all__ = ["AT_EASE", "PARKED", "BaseMemory", "attitude_of", "base_word", "lean_of", "sense_base", "sinking_of"]

TIPPED_RAD = math.radians(70.0)
FLIPPERS_AT_REST_RADPS = 0.02
SLIP_SHARE, SLIP_MPS, SLIP_RADPS, SLIP_AFTER_S = 0.3, 0.08, 0.2, 0.3  # share of the belts' speed
STUCK_MPS, STUCK_RADPS, STUCK_TOLD_MPS, STUCK_AFTER_S = 0.03, 0.06, 0.05, 0.6
STUCK_SHARE = 0.2  # of the demanded turn rate: a robot that shakes at a wall does not turn
HELD_SHARE, HELD_TOLD_RADPS = 0.6, 0.15  # of the demanded turn rate: on free ground it turns within 15 %
FALLING_MPS, FALLEN_NOTE_S = 1.5, 4.0  # faster downwards than belts can drive; how long the note stays
SMOOTHING_S = 0.3  # time constant of the measured motion: belts that pull at a wall shake the robot


class BaseMemory(Struct, frozen=True):
    """The motion of the base; all values are smoothed alike, so that none lags behind another.

    Args:
        ahead: Measured speed ahead, m/s.
        turning: Measured turn rate, rad/s.
        belts: Speed that the belts give the robot, m/s.
        spin: Turn rate that the belts give it, rad/s.
        asked: Turn rate demanded of the belts, rad/s.
        slipping: Seconds for which it has slipped.
        stuck: Seconds for which it has made no progress.
        held: Seconds for which it has not turned as demanded.
        fallen: Seconds for which the note on a fall stays.
        aside: Measured speed to the left, m/s.
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
    """Return the smoothed motion of the base, and the notes on it.

    Args:
        robot: The measured state.
        told: Last set-point of the belts.
        memory: The memory of the last tick.
        gauge: Distance between the belts, m.
        dt: Seconds per tick.
    """
    if robot.T_world_base is None or robot.base_twist is None:
        return memory, ()
    notes: tuple[Note, ...] = ()
    if lean_of(robot.T_world_base.rotation) > TIPPED_RAD:
        notes += (OVER,)
    wanted = max(map(abs, told.rates))
    fallen = FALLEN_NOTE_S if sinking_of(robot) > FALLING_MPS else max(0.0, memory.fallen - dt)
    if fallen:
        notes += (FALLEN,)
    ahead, aside, _ = robot.base_twist.linear
    moves = max(abs(ahead), abs(aside)) > STUCK_MPS
    if memory is AT_EASE and wanted == 0.0 and not (fallen or moves):
        return memory, notes
    moved = _smoothed(robot, told, memory, gauge, dt / SMOOTHING_S)
    slipping, stuck, held = (
        before + dt if now else 0.0
        for before, now in (
            (memory.slipping, _slips(moved)),
            (memory.stuck, wanted > STUCK_TOLD_MPS and _stands(moved)),
            (memory.held, told.rates[0] != told.rates[1] and _is_held(moved)),
        )
    )
    if stuck > STUCK_AFTER_S:
        notes += (STUCK,)
    elif slipping > SLIP_AFTER_S:
        notes += (SLIP,) if wanted else () if _swings(robot) else (SLIDE,)
    elif held > STUCK_AFTER_S:
        notes += (HELD,)
    slow = max(abs(moved.ahead), abs(moved.aside), abs(moved.turning)) < STUCK_MPS
    still = wanted == 0.0 and slow and not (fallen or moves)
    return (AT_EASE if still else replace(moved, slipping=slipping, stuck=stuck, held=held, fallen=fallen)), notes


def _smoothed(robot: RobotState, told: Setpoint, last: BaseMemory, gauge: float, share: float) -> BaseMemory:
    """Return the measured motion, the motion of the belts and the demanded turn rate, smoothed."""
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
    """Return whether the robot moves differently from its belts, or slides sideways while they stand."""
    if max(abs(moved.belts), abs(moved.spin)) < STUCK_MPS and abs(moved.aside) > SLIP_MPS:
        return True
    along = abs(moved.belts - moved.ahead) > max(SLIP_MPS, SLIP_SHARE * abs(moved.belts))
    return along or abs(moved.spin - moved.turning) > max(SLIP_RADPS, SLIP_SHARE * abs(moved.spin))


def _swings(robot: RobotState) -> bool:
    """Return whether its flippers turn: a robot that they push does not slide."""
    return any([abs(rate) > FLIPPERS_AT_REST_RADPS for rate in robot.groups["flippers"].rates])


def _stands(moved: BaseMemory) -> bool:
    """Return whether the robot neither drives nor turns."""
    return abs(moved.ahead) < STUCK_MPS and abs(moved.turning) < max(STUCK_RADPS, STUCK_SHARE * abs(moved.asked))


def _is_held(moved: BaseMemory) -> bool:
    """Return whether the robot turns far less than demanded, or the other way."""
    asked = abs(moved.asked)
    return asked > HELD_TOLD_RADPS and math.copysign(1.0, moved.asked) * moved.turning < HELD_SHARE * asked


def sinking_of(robot: RobotState) -> float:
    """Return the downward speed of a mobile robot, m/s."""
    if robot.T_world_base is None or robot.base_twist is None:
        return 0.0
    (w, x, y, z), (ahead, left, up) = robot.T_world_base.rotation, robot.base_twist.linear
    return -(2.0 * (x * z - w * y) * ahead + 2.0 * (y * z + w * x) * left + (1.0 - 2.0 * (x * x + y * y)) * up)


def lean_of(rotation: Quaternion) -> float:
    """Return the angle between the base and upright, rad: π is upside down."""
    _, x, y, _ = rotation
    return math.acos(min(max(1.0 - 2.0 * (x * x + y * y), -1.0), 1.0))


def attitude_of(rotation: Quaternion) -> tuple[float, float]:
    """Return pitch (nose up) and roll (right side down) of the base, rad."""
    w, x, y, z = rotation
    up = 2.0 * (x * z - w * y)
    return math.asin(min(max(up, -1.0), 1.0)), math.atan2(2.0 * (w * x + y * z), 1.0 - 2.0 * (x * x + y * y))


def base_word(notes: tuple[Note, ...], told: Setpoint) -> BaseWord:
    """Return the state of a robot on tracks as one word.

    Args:
        notes: Notes of this tick.
        told: Set-point of its belts.
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
