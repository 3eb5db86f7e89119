"""A driver of a robot on tracks who sees no more than an operator does: attitude, flipper angles, and the clock."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from farhand.cell import Cell
from farhand.lane.motion.base_notes import attitude_of
from farhand.loop.plan_queue import PlanQueue
from farhand.mapping.drive_tracks import DriveTracks
from farhand.types import Event, Inputs, MoveJoints, Reading, RobotState, Tick, Vector
from farhand_bench.courts import MASTER, ROBOT

__all__ = ["Driver", "Sight"]

NEAR = 0.02  # rad: a flipper that is this near to where it shall be is there
EASY = 0.3  # rad from there, within which it is turned ever slower


class Sight(Struct, frozen=True):
    """What the operator's page shows.

    Args:
        pitch: Nose up, rad.
        roll: Right side down, rad.
        flippers: Front left, front right, rear left, rear right: tip up, rad.
        time: Seconds since the start.
    """

    pitch: float
    roll: float
    flippers: Vector
    time: float


class Driver:
    """Deflects the axes of `drive-tracks`, tick by tick, with the deadman held while anything is deflected.

    Args:
        cell: A court.
    """

    def __init__(self, cell: Cell) -> None:
        self.cell, self._sequence, self._presses, self._held = cell, 0, 0, False
        self._events: tuple[Event, ...] = ()
        self._desk = PlanQueue(cell, None)
        mapping = cell.lanes[ROBOT].mappings["drive"]
        assert isinstance(mapping, DriveTracks)
        self.speed, self.turn_speed = mapping.speed, mapping.turn_speed
        self.tick: Tick = self.step(0.0, 0.0, (0.0,) * 4)

    @property
    def robot(self) -> RobotState:
        """The robot as it is; for who judges, not for who drives."""
        return self.tick.state.robots[ROBOT]

    @property
    def sight(self) -> Sight:
        """What the operator sees."""
        base = self.robot.T_world_base
        assert base is not None
        pitch, roll = attitude_of(base.rotation)
        return Sight(pitch, roll, self.robot.groups["flippers"].positions, self.tick.time)

    def step(self, forward: float, turn: float, lifts: Vector) -> Tick:
        """Do one tick.

        Args:
            forward: m/s.
            turn: rad/s.
            lifts: Deflection of each flipper's axis, -1 to 1.
        """
        return self.say(
            (_within(forward / self.speed), _within(turn / self.turn_speed), 0.0, 0.0, 0.0, *map(_within, lifts))
        )

    def say(self, axes: Vector) -> Tick:
        """Do one tick with the axes of whatever mapping is chosen deflected."""
        held = any(axes)
        self._presses += held and not self._held
        self._held, self._sequence = held, self._sequence + 1
        reading = Reading(
            sequence=self._sequence,
            tick=self.cell.number,
            deadman=held,
            axes=axes,
            presses={"deadman": self._presses},
        )
        events, self._events = self._events, ()
        return self.take(Inputs(readings={MASTER: reading}, events=events))

    def take(self, inputs: Inputs) -> Tick:
        """Do one tick; all ticks pass here."""
        plans = self._desk.found()
        self.tick = self.cell.step(replace(inputs, events=(*inputs.events, *plans)) if plans else inputs)
        self._desk.look(self.tick)
        return self.tick

    def send(self, event: Event) -> None:
        """Let an event come with the next tick."""
        self._events = (*self._events, event)

    def drive(self, seconds: float, forward: float = 0.0, turn: float = 0.0) -> None:
        """Drive with the flippers as they are."""
        for _ in range(round(seconds / self.cell.dt)):
            self.step(forward, turn, (0.0,) * 4)

    def reach(self, joints: Vector, seconds: float = 12.0) -> bool:
        """Let the arm move to joint positions by itself; return whether it got there in time."""
        events: tuple[MoveJoints, ...] = (MoveJoints(ROBOT, joints),)
        for _ in range(round(seconds / self.cell.dt)):
            self._sequence, self._held = self._sequence + 1, False
            reading = Reading(sequence=self._sequence, tick=self.cell.number, presses={"deadman": self._presses})
            self.take(Inputs(readings={MASTER: reading}, events=events))
            report = self.tick.lanes[ROBOT]
            if not events and report.mode == "idle" and report.planning is None:
                return self.cell.memory[ROBOT].stuck is None
            events = ()
        return False

    def on(self, forward: float, front: float, rear: float, turn: float = 0.0) -> Tick:
        """Do one tick of driving, with the flippers led to angles, rad."""
        at = self.sight.flippers
        lifts = tuple([_led(to - here) for to, here in zip((front, front, rear, rear), at, strict=True)])
        return self.step(forward, turn, lifts)

    def pose(self, front: float, rear: float, seconds: float = 6.0) -> bool:
        """Bring the flippers to angles at a standstill; return whether they got there in time."""
        for _ in range(round(seconds / self.cell.dt)):
            self.on(0.0, front, rear)
            at = self.sight.flippers
            if max(abs(front - at[0]), abs(front - at[1]), abs(rear - at[2]), abs(rear - at[3])) < NEAR:
                return True
        return False


def _led(away: float) -> float:
    return 0.0 if abs(away) < 0.5 * NEAR else _within(away / EASY)


def _within(value: float) -> float:
    return min(max(value, -1.0), 1.0)
