"""A campaign of random event sequences: nothing begins to move without a fresh press of the deadman."""

from __future__ import annotations

from random import Random

from msgspec import Struct

from farhand.cell import Cell
from farhand.poses import Pose
from farhand.types import (
    Continue,
    Event,
    FollowPath,
    FreeMe,
    Generate,
    Generator,
    HoldHere,
    LaneReport,
    MoveJoints,
    Reading,
    Reset,
    SelectMapping,
    Setpoint,
    SetScale,
    SetSpeed,
    Stop,
    SwitchFilter,
    Teach,
    Trajectory,
)
from farhand_bench.rehearsal import Rehearsal

__all__ = ["Oracle", "sequences"]

TICKS = 24  # of a sequence
MOVES = (MoveJoints, FollowPath, FreeMe, Continue)
MOVING = ("teleoperation", "autonomous")


class Oracle:
    """Judges for each tick whether the motion was enabled, from readings and events alone.

    Args:
        pause: Seconds after which a reading counts as lost.
        dt: Seconds per tick.
    """

    def __init__(self, pause: float, dt: float) -> None:
        self._oldest = round(pause / dt)
        self._mode, self._interrupted = "idle", ""
        self._last: Reading | None = None
        self._heard = -1
        self._still = True

    def problem(self, tick: int, reading: Reading | None, events: tuple[Event, ...], seen: Seen) -> str:
        """Return the fault of a tick, or an empty text.

        Args:
            tick: Its number.
            reading: The reading that was sent.
            events: The events that were sent.
            seen: The lane's mode and set-point.
        """
        pressed = self._press(tick, reading)
        before, self._mode = self._mode, seen.mode
        was_still, self._still = self._still, not any(seen.arm.rates) and not any(seen.arm.accelerations)
        interrupted = self._interrupted
        if seen.mode == "paused" != before:
            self._interrupted = before
        if was_still and not self._still and seen.mode not in MOVING:
            return f"it began to move while {seen.mode}"
        held = self._last is not None and self._last.deadman and tick - self._heard <= self._oldest
        if seen.mode == "teleoperation" and not held:
            return "it is driven although the deadman is released or lost"
        if seen.mode == before:
            return ""
        if seen.mode == "teleoperation":
            resumed = before == "paused" and interrupted == "teleoperation"
            return "" if pressed or resumed else f"driving began without a fresh press, from {before}"
        if seen.mode == "autonomous" and not any(isinstance(event, MOVES) for event in events):
            return f"a move began without a command, from {before}"
        if before in ("stopped", "fault") and not any(isinstance(event, Reset) for event in events):
            return f"{before} ended without a reset"
        return ""

    def _press(self, tick: int, reading: Reading | None) -> bool:
        """Record a reading; return whether it is a fresh press."""
        last = self._last
        if reading is None:
            return False
        newer = last is None or (reading.epoch, reading.sequence) > (last.epoch, last.sequence)
        if not newer or not all(abs(axis) <= 1.0 for axis in reading.axes) or reading.tick >= tick:
            return False
        self._last, self._heard = reading, min(tick, reading.tick + 1) if reading.tick >= 0 else tick
        fresh = last is not None and reading.epoch == last.epoch and reading.deadman
        more = last is not None and reading.presses.get("deadman", 0) > last.presses.get("deadman", 0)
        return fresh and (more or not (last and last.deadman)) and tick - self._heard <= self._oldest


class Seen(Struct, frozen=True):
    """The mode of a lane and the arm's set-point."""

    mode: str
    arm: Setpoint

    @classmethod
    def of(cls, report: LaneReport) -> Seen:
        """Return the mode and set-point of a report."""
        return cls(report.mode, report.setpoints["arm"])


def sequences(cell: Cell, count: int, seed: int = 0) -> list[str]:
    """Return the faults in some random event sequences; each starts from home."""
    random, stage = Random(seed), Rehearsal(cell)
    home, events = stage.arm.positions, _events(stage.lane.name, stage.arm.positions)
    found = []
    for number in range(count):
        stage.begin(home)
        problem = _sequence(stage, random, events)
        if problem:
            found.append(f"sequence {number}: {problem}")
    return found


def _sequence(stage: Rehearsal, random: Random, events: tuple[Event, ...]) -> str:
    oracle, told = Oracle(stage.lane.watchdog.pause, stage.dt), Reading()
    while stage.tick < TICKS:
        reading: Reading | None = None
        if random.random() < 0.7:
            reading = told = _reading(random, told, stage.tick)
        sent = tuple(random.choice(events) for _ in range(random.choice((0, 0, 0, 1, 2))))
        if random.random() < 0.05:
            reading, sent = None, ()
            stage.tick += random.choice((30, 60, 600))  # silence of so many ticks
        problem = oracle.problem(stage.tick + 1, reading, sent, Seen.of(stage.step(reading, sent)))
        if problem:
            return f"{problem}, at tick {stage.tick}"
    return ""


def _reading(random: Random, last: Reading, tick: int) -> Reading:
    """Return a next reading, as a hand, a bad connection or a broken device might send it."""
    step = random.choice((1, 1, 1, 1, 2, 0, -1))
    press = random.choice((0, 0, 0, 1))
    wild = random.random() < 0.02
    return Reading(
        sequence=last.sequence + step,
        epoch=last.epoch + random.choice((0,) * 20 + (1, -1)),
        tick=tick - random.choice((0, 0, 0, 0, 1, 60, -3)),
        deadman=random.random() < 0.6,
        axes=tuple(random.uniform(-1.0, 1.0) for _ in range(6)) if not wild else (7.0,),
        pose=Pose((random.uniform(0.2, 0.5), 0.0, 0.4)),
        presses={"deadman": last.presses.get("deadman", 0) + press},
    )


def _events(robot: str, home: tuple[float, ...]) -> tuple[Event, ...]:
    away = tuple(at + 0.2 for at in home)
    return (
        Stop(),
        *(Reset(robot),) * 3,
        MoveJoints(robot, away),
        FollowPath(robot, Trajectory("way", (home, away))),
        FreeMe(robot),
        *(Continue(robot),) * 2,
        HoldHere(robot),
        SetSpeed(robot, 5),
        SetScale(robot, 0.5),
        SelectMapping(robot, "joints"),
        SelectMapping(robot, "base axes"),
        SelectMapping(robot, "pointer"),
        SwitchFilter(robot, "smooth", on=False),
        Generate(robot, Generator(0, "constant", 1.0)),
        Generate(robot),
        Teach(robot, "record"),
        Teach(robot, "finish", "way"),
    )
