"""Clocks: virtual time is exact and as fast as the machine; wall time paces the same loop and says how well."""

from __future__ import annotations

import math
import time
from typing import Protocol

import numpy as np
from msgspec import Struct

from farhand.loop.governor import Governor

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

    lead: int
    """Whole milliseconds by which more than one tick has passed on the machine's clock since the tick before."""

    @property
    def time_factor(self) -> float:
        """Share of real time at which the cell runs; 0 where its computer cannot keep up."""

    def rest(self) -> None:
        """Say that the last tick's work is done and none follows for now."""

    def pace(self) -> Pace:
        """Return how well time was kept so far."""


class VirtualClock:
    """Never waits.

    Args:
        dt: Seconds per tick.
    """

    lead, time_factor = 0, 1.0

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
        governor: Lowers that while the work does not fit; left out: ticks are late then.
    """

    def __init__(self, dt: float, factor: float = 1.0, governor: Governor | None = None) -> None:
        self._governor, self._slept = governor, False
        self._dt, self._period = dt, dt / factor
        self._book = _Book(dt)
        self._due = math.nan
        self.late = 0.0
        """Seconds by which the last tick began too late."""
        self.lead = 0
        """Whole milliseconds by which more than one tick has passed since the tick before; the rest is carried on."""
        self._started, self._ahead = math.nan, 0.0

    def wait(self) -> None:
        """Sleep until the next tick is due, the last stretch awake."""
        now = time.perf_counter()
        self._book.work_ends(now)
        self._due = now if math.isnan(self._due) else self._due + self._next_period(now)
        if now - self._due > GIVE_UP:
            missed = int((now - self._due) / self._period)
            self._book.lost += missed
            self._due += missed * self._period
        rest = self._due - now - AWAKE
        self._slept = rest > 0.0
        if self._slept:
            time.sleep(rest)
        while (now := time.perf_counter()) < self._due:
            pass
        self.late = now - self._due
        self._lead(now)
        self._book.tick_starts(now, self.late)

    @property
    def time_factor(self) -> float:
        """Share of real time at which the governor has the cell run; 0 where it cannot keep up."""
        return self._governor.time_factor if self._governor else 1.0

    def _next_period(self, now: float) -> float:
        """Tell the governor what the last tick cost, and return how long the next one may take."""
        if self._governor is None:
            return self._period
        self._governor.took(now - self._started + (self.late if self._slept else 0.0))
        return self._period / self._governor.factor

    def _lead(self, now: float) -> None:
        """Count how far wall time has gained on ticks since the last one started, in whole milliseconds."""
        self.lead = 0
        if not math.isnan(self._started):
            self._ahead += (now - self._started - self._dt) * 1e3
            self.lead = int(self._ahead)
            self._ahead -= self.lead
        self._started = now

    def rest(self) -> None:
        """End the last tick; the next one is due at once."""
        self._book.work_ends(time.perf_counter())
        self._book.rests()
        self._due = self._started = math.nan

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
