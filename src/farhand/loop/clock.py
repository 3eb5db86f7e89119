"""Clocks: virtual time is exact and as fast as the machine; wall time paces the same loop and says how well."""

from __future__ import annotations

import math
import time
from typing import Protocol

import numpy as np
from msgspec import Struct

__all__ = ["Clock", "Pace", "VirtualClock", "WallClock"]

# Sleeping is coarse: the last stretch before a tick is waited for awake.
AWAKE = 0.0002
# Later than this, lost ticks are given up: catching up would only run the robot in fast motion.
GIVE_UP = 0.05
KEPT = 1 << 14


class Pace(Struct, frozen=True):
    """How well a loop kept its time.

    Args:
        ticks: How many there were.
        real_time_factor: Virtual seconds per wall second.
        work_median: Seconds of work per tick.
        work_p99: Likewise, 99 of 100 ticks took less.
        late_median: Seconds after its due time at which a tick started.
        late_p99: Likewise.
        on_time: Share of ticks that started less than half a period late.
        lost: Ticks' worth of time that was given up.
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

    given_up: float
    """Seconds that the last wait found to be lost for good."""

    def rest(self) -> None:
        """Say that the last tick's work is done and none follows for now."""

    def pace(self) -> Pace:
        """Return how well time was kept so far."""


class VirtualClock:
    """Never waits.

    Args:
        dt: Seconds per tick.
    """

    given_up = 0.0

    def __init__(self, dt: float) -> None:
        self._book = _Book(dt)

    def wait(self) -> None:
        """Return at once."""
        self._book.work_ends(time.perf_counter())
        self._book.tick_starts(time.perf_counter(), 0.0)

    def rest(self) -> None:
        """End the last tick."""
        self._book.work_ends(time.perf_counter())
        self._book.rests()

    def pace(self) -> Pace:
        """Return how fast time ran."""
        return self._book.pace()


class WallClock:
    """Waits until each tick is due by the machine's monotonic clock.

    Args:
        dt: Seconds per tick.
        factor: Virtual seconds per wall second that are asked for.
    """

    def __init__(self, dt: float, factor: float = 1.0) -> None:
        self._period = dt / factor
        self._book = _Book(dt)
        self._due = math.nan
        self.late = 0.0
        """Seconds by which the last tick began too late."""
        self.given_up = 0.0
        """Seconds that the last wait found to be lost for good: the process was held up."""

    def wait(self) -> None:
        """Sleep until the next tick is due, the last stretch awake."""
        now = time.perf_counter()
        self._book.work_ends(now)
        self._due = now if math.isnan(self._due) else self._due + self._period
        self.given_up = 0.0
        if now - self._due > GIVE_UP:
            missed = int((now - self._due) / self._period)
            self._book.lost += missed
            self.given_up = missed * self._period
            self._due += self.given_up
        rest = self._due - now - AWAKE
        if rest > 0.0:
            time.sleep(rest)
        while (now := time.perf_counter()) < self._due:
            pass
        self.late = now - self._due
        self._book.tick_starts(now, self.late)

    def rest(self) -> None:
        """End the last tick; the next one is due at once."""
        self._book.work_ends(time.perf_counter())
        self._book.rests()
        self._due = math.nan

    def pace(self) -> Pace:
        """Return how well time was kept."""
        return self._book.pace(self._period)


class _Book:
    """Keeps the last work times and latenesses in fixed arrays."""

    def __init__(self, dt: float) -> None:
        self._dt = dt
        self._work, self._late = np.zeros(KEPT), np.zeros(KEPT)
        self.ticks, self.lost = 0, 0
        self._start = math.nan  # of the tick that is open
        self._ended = math.nan  # when the last one ended, unless the loop rests
        self._passed = 0.0

    def tick_starts(self, now: float, late: float) -> None:
        self._late[self.ticks % KEPT] = late
        if not math.isnan(self._ended):
            self._passed += now - self._ended
        self._start = now

    def work_ends(self, now: float) -> None:
        if not math.isnan(self._start):
            self._work[self.ticks % KEPT] = now - self._start
            self._passed += now - self._start
            self._start, self._ended = math.nan, now
            self.ticks += 1

    def rests(self) -> None:
        self._ended = math.nan

    def pace(self, period: float = math.inf) -> Pace:
        count = min(self.ticks, KEPT)
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
