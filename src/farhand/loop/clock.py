"""Clocks: virtual time runs as fast as the machine; wall time paces the same loop and measures its punctuality."""

from __future__ import annotations

import math
import time
from typing import Protocol

import numpy as np
from msgspec import Struct

from farhand.loop.governor import Governor

__all__ = ["Clock", "Pace", "VirtualClock", "WallClock"]

# Sleeping is coarse: the loop spins for the last stretch before a tick.
SPIN_S = 0.0002
# A later loop skips the lost ticks: catching up would run the robot in fast motion.
MAX_LATE_S = 0.05
KEPT_TICKS = 1 << 14


class Pace(Struct, frozen=True):
    """The punctuality of a loop.

    Args:
        ticks: Number of ticks.
        real_time_factor: Virtual seconds per wall second.
        work_median: Median work per tick, s.
        work_p99: 99th percentile of the work per tick, s.
        late_median: Median delay of a tick's start after its due time, s.
        late_p99: 99th percentile of that delay, s.
        on_time: Share of ticks that started less than half a period late.
        lost: Number of skipped ticks.
    """

    ticks: int
    real_time_factor: float
    work_median: float
    work_p99: float
    late_median: float
    late_p99: float
    on_time: float
    lost: int


class Clock(Protocol):
    """Paces a loop."""

    def wait(self) -> None:
        """Return when the next tick is due."""

    lead: int
    """Whole milliseconds by which the machine's clock advanced beyond one tick since the tick before."""

    @property
    def time_factor(self) -> float:
        """Share of real time at which the cell runs; 0 if its computer cannot keep up."""

    def rest(self) -> None:
        """End the last tick; no tick follows for now."""

    def pace(self) -> Pace:
        """Return the loop's punctuality so far."""


class VirtualClock:
    """A clock that never waits.

    Args:
        dt: Seconds per tick.
    """

    lead, time_factor = 0, 1.0

    def __init__(self, dt: float) -> None:
        self._statistics = _Statistics(dt)

    def wait(self) -> None:
        """Return at once."""
        self._statistics.work_ends(time.perf_counter())
        self._statistics.tick_starts(time.perf_counter(), 0.0)

    def rest(self) -> None:
        """End the last tick."""
        self._statistics.work_ends(time.perf_counter())
        self._statistics.rests()

    def pace(self) -> Pace:
        """Return the loop's speed and work so far."""
        return self._statistics.pace()


class WallClock:
    """A clock that waits until each tick is due by the machine's monotonic clock.

    Args:
        dt: Seconds per tick.
        factor: Demanded virtual seconds per wall second.
        governor: Lowers the factor while the work does not fit; left out: ticks are then late.
    """

    def __init__(self, dt: float, factor: float = 1.0, governor: Governor | None = None) -> None:
        self._governor, self._slept = governor, False
        self._dt, self._period = dt, dt / factor
        self._statistics = _Statistics(dt)
        self._due = math.nan
        self.late = 0.0
        """Delay of the last tick's start, s."""
        self.lead = 0
        """Whole milliseconds beyond one tick since the tick before; the fraction is carried over to the next tick."""
        self._started, self._ahead = math.nan, 0.0

    def wait(self) -> None:
        """Sleep until shortly before the next tick is due, then spin."""
        now = time.perf_counter()
        self._statistics.work_ends(now)
        self._due = now if math.isnan(self._due) else self._due + self._next_period(now)
        if now - self._due > MAX_LATE_S:
            missed = int((now - self._due) / self._period)
            self._statistics.lost += missed
            self._due += missed * self._period
        rest = self._due - now - SPIN_S
        self._slept = rest > 0.0
        if self._slept:
            time.sleep(rest)
        while (now := time.perf_counter()) < self._due:
            pass
        self.late = now - self._due
        self._lead(now)
        self._statistics.tick_starts(now, self.late)

    @property
    def time_factor(self) -> float:
        """Share of real time that the governor allows; 0 if the computer cannot keep up."""
        return self._governor.time_factor if self._governor else 1.0

    def _next_period(self, now: float) -> float:
        """Report the cost of the last tick to the governor, and return the period of the next one."""
        if self._governor is None:
            return self._period
        self._governor.took(now - self._started + (self.late if self._slept else 0.0))
        return self._period / self._governor.factor

    def _lead(self, now: float) -> None:
        """Compute the lead of wall time since the last tick's start, in whole milliseconds."""
        self.lead = 0
        if not math.isnan(self._started):
            self._ahead += (now - self._started - self._dt) * 1e3
            self.lead = int(self._ahead)
            self._ahead -= self.lead
        self._started = now

    def rest(self) -> None:
        """End the last tick; the next one is due at once."""
        self._statistics.work_ends(time.perf_counter())
        self._statistics.rests()
        self._due = self._started = math.nan

    def pace(self) -> Pace:
        """Return the loop's punctuality."""
        return self._statistics.pace(self._period)


class _Statistics:
    """The last work times and delays, in fixed arrays."""

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._work, self._late = np.zeros(KEPT_TICKS), np.zeros(KEPT_TICKS)
        self.ticks, self.lost = 0, 0
        self._start = math.nan  # of the tick that is open
        self._ended = math.nan  # when the last one ended, unless the loop rests
        self._passed = 0.0

    def tick_starts(self, now: float, late: float) -> None:
        self._late[self.ticks % KEPT_TICKS] = late
        if not math.isnan(self._ended):
            self._passed += now - self._ended
        self._start = now

    def work_ends(self, now: float) -> None:
        if not math.isnan(self._start):
            self._work[self.ticks % KEPT_TICKS] = now - self._start
            self._passed += now - self._start
            self._start, self._ended = math.nan, now
            self.ticks += 1

    def rests(self) -> None:
        self._ended = math.nan

    def pace(self, period: float = math.inf) -> Pace:
        count = min(self.ticks, KEPT_TICKS)
        work, late = self._work[:count], self._late[:count]
        if not count:
            return Pace(0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0)
        passed = self._passed
        return Pace(
            ticks=self.ticks,
            real_time_factor=self.ticks * self._dt / passed if passed > 0.0 else math.inf,
            work_median=float(np.median(work)),
            work_p99=float(np.percentile(work, 99)),
            late_median=float(np.median(late)),
            late_p99=float(np.percentile(late, 99)),
            on_time=float(np.mean(late < 0.5 * period)),
            lost=self.lost,
        )
