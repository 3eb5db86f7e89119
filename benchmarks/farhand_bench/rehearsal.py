"""A lane without physics, whose drives are always at their set-points; for campaigns of many short sequences."""

from __future__ import annotations

from collections.abc import Iterable

from farhand.cell import Cell
from farhand.lane import Lane, LaneMemory
from farhand.lane.intake.requests import NO_REQUESTS, requests_for
from farhand.types import Event, GroupState, LaneReport, Reading, RobotState, Setpoint, Vector

__all__ = ["Rehearsal"]


class Rehearsal:
    """One robot's lane, tick by tick.

    Args:
        cell: The cell of the lane; it is not stepped itself.
        robot: Name of the robot.

    Attributes:
        tick: Number of the last tick.
        report: The lane's report of it.
    """

    def __init__(self, cell: Cell, robot: str = "arm") -> None:
        self.lane: Lane = cell.lanes[robot]
        self.dt = cell.dt
        self._level, self._first = cell.spec.speed_level, cell.state.robots[robot]
        self.begin(self._first.groups["arm"].positions)

    def begin(self, joints: Vector) -> None:
        """Restart with the arm at rest at some joint positions."""
        still = (0.0,) * len(joints)
        groups = {**self._first.groups, "arm": GroupState(joints, still, still)}
        self._robot = RobotState(groups, self.lane.tip(joints))
        self.memory: LaneMemory = self.lane.start(self._robot, self._level)
        self.tick = 0
        self.report: LaneReport | None = None

    @property
    def arm(self) -> Setpoint:
        """The last set-point of the arm."""
        return self.memory.setpoints["arm"]

    def step(self, reading: Reading | None = None, events: Iterable[Event] = ()) -> LaneReport:
        """Do one tick."""
        self.tick += 1
        asked = requests_for(self.lane.name, enumerate(events)) if events else NO_REQUESTS
        self.report, self.memory = self.lane.step(self.tick, reading, asked, self._robot, self.memory)
        groups = {name: _measured(told) for name, told in self.memory.setpoints.items()}
        self._robot = RobotState(groups, self.lane.tip(self.arm.positions))
        return self.report


def _measured(told: Setpoint) -> GroupState:
    return GroupState(told.positions, told.rates, (0.0,) * len(told.positions))
