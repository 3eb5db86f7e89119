"""A driver of a tracked robot who sees no more than an operator: attitude, flipper angles, and the clock."""

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

NEAR = 0.02  # rad: tolerance of a flipper's angle
EASY = 0.3  # rad from the goal within which a flipper slows down


class Sight(Struct, frozen=True):
    """The values that the operator's page shows.

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
    """Deflects the axes of `drive-tracks`, tick by tick, with the deadman held while an axis is deflected.

    Args:
        cell: The court.
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
        """The true state of the robot, for the judge, not for the driver."""
        return self.tick.state.robots[ROBOT]

    @property
    def sight(self) -> Sight:
        """The operator's view."""
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
        """Do one tick with the axes of the chosen mapping deflected."""
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
        """Do one tick; all ticks go through here."""
        plans = self._desk.found()
        self.tick = self.cell.step(replace(inputs, events=(*inputs.events, *plans)) if plans else inputs)
        self._desk.look(self.tick)
        return self.tick

    def send(self, event: Event) -> None:
        """Send an event with the next tick."""
        self._events = (*self._events, event)

    def drive(self, seconds: float, forward: float = 0.0, turn: float = 0.0) -> None:
        """Drive with the flippers as they are."""
        for _ in range(round(seconds / self.cell.dt)):
            self.step(forward, turn, (0.0,) * 4)

    def reach(self, joints: Vector, seconds: float = 12.0) -> bool:
        """Move the arm to joint positions by command; return whether it arrived in time."""
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
        """Do one tick of driving, with the flippers moved towards angles, rad."""
        at = self.sight.flippers
        lifts = tuple([_led(to - here) for to, here in zip((front, front, rear, rear), at, strict=True)])
        return self.step(forward, turn, lifts)

    def pose(self, front: float, rear: float, seconds: float = 6.0) -> bool:
        """Bring the flippers to angles at standstill; return whether they arrived in time."""
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
