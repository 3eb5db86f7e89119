"""The governor: it lowers a cell's share of real time while its computer cannot keep up, and raises it slowly again.

Without it, a cell whose work does not fit the period would fall behind in jumps. Time runs slower instead, evenly;
commands and the tick itself stay the same. A single hiccup changes nothing.
"""

from __future__ import annotations

__all__ = ["LEAST_FACTOR", "Governor"]

LEAST_FACTOR = 0.25
"""The least share of real time; a cell that needs less pauses."""
STRETCH_TICKS = 64
"""Number of ticks that are averaged."""
STRETCHES = 2
"""Number of consecutive stretches over the period before the factor falls."""
HICCUP_PERIODS = 8.0
"""Upper limit on the cost of a single tick, in periods."""
MAX_FALL, MAX_RISE = 0.1, 0.02
"""Largest change of the factor per stretch."""
SPARE_FACTOR = 1.1
"""Possible over needed speed above which the factor rises; more than 1, so that it does not waver."""


class Governor:
    """Chooses a cell's time factor by the cost of its ticks.

    Args:
        dt: Seconds per tick.
        least: The least factor; 1.0 for cells that never run slow: they pause at once.
    """

    def __init__(self, dt: float, least: float = LEAST_FACTOR) -> None:
        self.factor = 1.0
        """Share of real time at which the clock runs."""
        self.overloaded = False
        """True if even the least factor is too fast: the robots pause."""
        self._dt, self._least = dt, least
        self._spent, self._ticks, self._tight = 0.0, 0, 0

    @property
    def time_factor(self) -> float:
        """The factor for the inputs of a tick; 0 if the computer cannot keep up."""
        return 0.0 if self.overloaded else self.factor

    def took(self, cost: float) -> None:
        """Add the cost of a tick in wall seconds: its work, and its delay after a sleep."""
        self._spent += min(cost, HICCUP_PERIODS * self._dt / self.factor)
        self._ticks += 1
        if self._ticks == STRETCH_TICKS:
            possible = self._dt * STRETCH_TICKS / max(self._spent, 1e-9)
            self._spent, self._ticks = 0.0, 0
            self._judge(possible)

    def _judge(self, possible: float) -> None:
        """Adapt the factor to the factor that was possible over a stretch."""
        self._tight = self._tight + 1 if possible < self.factor else 0
        if self._tight >= STRETCHES:
            lower = max(self._least, possible / SPARE_FACTOR, self.factor - MAX_FALL)
            self.overloaded = self.overloaded or (self.factor <= self._least and possible < self._least)
            self.factor = round(min(self.factor, lower), 2)
        elif possible > SPARE_FACTOR * self.factor:
            if self.overloaded:
                self.overloaded = False
            else:
                self.factor = round(min(1.0, self.factor + MAX_RISE), 2)
