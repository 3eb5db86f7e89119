"""At what share of real time a cell runs: lower while its computer cannot keep up, slowly up again when it can.

Work per tick that does not fit its period would let the cell fall behind in jumps. Time runs slower instead, evenly:
commands and the tick itself stay as they are. A single hiccup changes nothing.
"""

from __future__ import annotations

__all__ = ["LEAST_FACTOR", "Governor"]

LEAST_FACTOR = 0.25
"""The least share of real time; a cell that needs less pauses."""
STRETCH = 64
"""Ticks that are judged together."""
STRETCHES = 2
"""Stretches in a row that must not fit before anything changes."""
HICCUP = 8.0
"""Periods as which a single tick counts at most."""
LOWER, RAISE = 0.1, 0.02
"""By how much the factor changes with a stretch, at most."""
SPARE = 1.1
"""Share of what is needed that must be there before the factor rises, so that it does not waver."""


class Governor:
    """Chooses a cell's time factor by what its ticks cost.

    Args:
        dt: Seconds per tick.
        least: The least factor; 1.0 for cells that never run slow: they pause at once.
    """

    def __init__(self, dt: float, least: float = LEAST_FACTOR) -> None:
        self.factor = 1.0
        """Share of real time at which the clock is to run."""
        self.overloaded = False
        """Even the least factor is too much: robots are to pause."""
        self._dt, self._least = dt, least
        self._spent, self._ticks, self._tight = 0.0, 0, 0

    @property
    def time_factor(self) -> float:
        """What enters a tick: the factor, or 0 where the cell cannot keep up."""
        return 0.0 if self.overloaded else self.factor

    def took(self, cost: float) -> None:
        """Take what a tick cost, in seconds of the wall: its work, and by how much it was woken too late."""
        self._spent += min(cost, HICCUP * self._dt / self.factor)
        self._ticks += 1
        if self._ticks == STRETCH:
            possible = self._dt * STRETCH / max(self._spent, 1e-9)
            self._spent, self._ticks = 0.0, 0
            self._judge(possible)

    def _judge(self, possible: float) -> None:
        """Change the factor by what would have been possible over a stretch."""
        self._tight = self._tight + 1 if possible < self.factor else 0
        if self._tight >= STRETCHES:
            lower = max(self._least, possible / SPARE, self.factor - LOWER)
            self.overloaded = self.overloaded or (self.factor <= self._least and possible < self._least)
            self.factor = round(min(self.factor, lower), 2)
        elif possible > SPARE * self.factor:
            if self.overloaded:
                self.overloaded = False
            else:
                self.factor = round(min(1.0, self.factor + RAISE), 2)
