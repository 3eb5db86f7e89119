"""An operator at the other end of a slow link, for tests in virtual time."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

from farhand.cell import Cell
from farhand.types import Inputs, Note, Reading, SelectMapping, SetSpeed, Tick

DT = 0.002
HZ = 60.0


class Distant:
    """An operator some way off: sees each tick late, and is heard as late again."""

    def __init__(
        self, cell: Cell, one_way: float, mapping: str = "base axes", robot: str = "arm", speed: int = 5, **fields: Any
    ) -> None:
        self.cell, self.robot, self.delay, self.fields = cell, robot, round(one_way / DT), fields
        self.sequence, self.due, self.presses, self.factor = 0, 0.0, 0, 1.0
        self.under_way: deque[tuple[int, Reading]] = deque()
        self.notes: dict[str, Note] = {}
        self.fastest, self.tip = 0.0, cell.state.robots[robot].T_base_tip.position
        self.first = cell.number + 1  # before that it sees nothing, and says nothing
        self.tick = cell.step(Inputs(events=(SelectMapping(robot, mapping), SetSpeed(robot, speed))))

    def go(self, seconds: float, *axes: float, **fields: Any) -> str:
        """Hold axes for some time; without any, hold nothing. Return the mode."""
        self.presses += bool(axes)
        for _ in range(round(seconds / DT)):
            self.step(axes, fields)
        return self.mode

    def step(self, axes: tuple[float, ...], fields: dict[str, Any]) -> Tick:
        number = self.cell.number
        seen = number - self.delay
        if number * DT >= self.due and seen >= self.first:
            self.due = number * DT + 1.0 / HZ
            self.sequence += 1
            said: dict[str, Any] = {
                "sequence": self.sequence,
                "tick": seen,
                "deadman": bool(axes),
                "axes": axes or (0.0,) * 6,
            }
            reading = Reading(**(said | {"presses": {"deadman": self.presses}} | self.fields | fields))
            self.under_way.append((number + self.delay, reading))
        readings = {}
        while self.under_way and self.under_way[0][0] <= number:
            readings["hand"] = self.under_way.popleft()[1]
        self.tick = self.cell.step(Inputs(readings, time_factor=self.factor))
        now = self.tick.state.robots[self.robot].T_base_tip.position
        self.fastest, self.tip = max(self.fastest, math.dist(now, self.tip) / DT), now
        self.notes |= {note.code: note for note in self.tick.lanes[self.robot].notes}
        return self.tick

    @property
    def mode(self) -> str:
        return self.tick.lanes[self.robot].mode
