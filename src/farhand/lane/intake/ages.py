"""The one rule of time: every age that guards a robot, as frozen values and pure functions; see docs/time.md.

Seconds are the greater of ticks and wall time. Wall time enters a tick as its *lead*: the whole milliseconds by which
the machine's monotonic clock advanced beyond one tick since the tick before. In virtual time it is 0.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from farhand.types import Arrival

__all__ = [
    "DISTANT_S",
    "DRAWN_S",
    "HISTORY_S",
    "IDLE_S",
    "MEASURED_OVER_S",
    "MEASURED_READINGS",
    "NO_LEAD",
    "OLDEST_S",
    "Ages",
    "Link",
    "Verdict",
    "WallLead",
    "add_lead",
    "between",
    "echo_age",
    "elapsed",
    "judge_gap",
    "measure_link",
    "seconds",
]

HISTORY_S = 2.0
"""Seconds for which the lead of each tick is kept; longer than the greatest age allowed for driving."""
SPREAD_MS = 2
"""Largest difference between the leads of one stretch of the history, ms."""
IDLE_S = 5.0
"""Seconds of idle time over which a link's baseline is measured."""
OLDEST_S = 60.0
"""Seconds after which a measured age expires."""
MEASURED_READINGS, MEASURED_OVER_S = 10, 0.5
"""Least number of readings, and least span in seconds, before a link has a baseline other than 0."""
DRAWN_S = 0.5
"""Largest age of the operator's picture beyond the baseline, seconds."""
DISTANT_S = 0.1
"""Age beyond which speed is bounded by overrun / age, and baseline above which a cell never runs slow, seconds."""
BUCKET_S = 0.25
"""Seconds of idle time that share one measurement."""
ROUNDING = 1e-9
LAG_FALL = 0.1
"""Fall of the age that bounds the speed, seconds per second; its rise is immediate."""


def seconds(ticks: int, lead_ms: int, dt: float) -> float:
    """Return the duration of some ticks: the greater of ticks·dt and ticks·dt + lead.

    Args:
        ticks: Number of ticks.
        lead_ms: Milliseconds that wall time gained on them.
        dt: Seconds per tick.
    """
    return ticks * dt + lead_ms * 1e-3 if lead_ms > 0 else ticks * dt


class WallLead(Struct, frozen=True):
    """The lead of wall time over ticks, now and at each tick of the last seconds.

    Args:
        total: Present lead, ms; negative if the cell runs faster than real time.
        stretches: First tick, least and greatest lead (ms) of each stretch, oldest first.
    """

    total: int = 0
    stretches: tuple[tuple[int, int, int], ...] = ((0, 0, 0),)

    def around(self, tick: int) -> tuple[int, int]:
        """Return the least and the greatest possible lead of a tick; before the history, those of its first stretch."""
        for first, least, greatest in reversed(self.stretches):
            if first <= tick:
                return least, greatest
        _, least, greatest = self.stretches[0]
        return least, greatest


NO_LEAD = WallLead()


def add_lead(wall: WallLead, lead_ms: int, tick: int, dt: float) -> WallLead:
    """Return the lead after a tick before which wall time gained some milliseconds."""
    if not lead_ms:
        return wall
    total = wall.total + lead_ms
    first, least, greatest = wall.stretches[-1]
    low, high = min(least, total), max(greatest, total)
    if high - low <= SPREAD_MS:
        same = (low, high) == (least, greatest)
        return WallLead(total, wall.stretches if same else (*wall.stretches[:-1], (first, low, high)))
    return WallLead(total, (*_recent(wall.stretches, total, tick, dt), (tick, total, total)))


def _recent(
    stretches: tuple[tuple[int, int, int], ...], total: int, tick: int, dt: float
) -> tuple[tuple[int, int, int], ...]:
    """Return the stretches without those older than the history."""
    keep = 0
    while keep + 1 < len(stretches):
        first, least, _ = stretches[keep + 1]
        if seconds(tick - first, total - least, dt) <= HISTORY_S:
            break
        keep += 1
    return stretches[keep:] if keep else stretches


def elapsed(wall: WallLead, since: int, tick: int, dt: float) -> float:
    """Return the seconds from an earlier tick to this one; the longer time in case of doubt."""
    if tick <= since:
        return 0.0
    if wall is NO_LEAD:  # wall time never led
        return (tick - since) * dt
    return seconds(tick - since, wall.total - wall.around(since)[0], dt)


def between(wall: WallLead, first: int, last: int, dt: float) -> float:
    """Return the seconds between two earlier ticks; the shorter time in case of doubt."""
    if last <= first:
        return 0.0
    return seconds(last - first, wall.around(last)[0] - wall.around(first)[1], dt)


def echo_age(wall: WallLead, echoed: int, tick: int, dt: float) -> float:
    """Return the seconds since an echoed tick could be seen: at best one tick later."""
    return elapsed(wall, echoed + 1, tick, dt)


# ── A gap of the cell itself ─────────────────────────────────────────────────────────────────────────────────────

Verdict = Literal["there", "gone", "open"]
"""Presence of the operator while the cell stood still; open until a fresh reading decides it."""


def judge_gap(gap_ms: int, arrival: Arrival | None, pause: float) -> Verdict:
    """Return whether the operator was present during a gap of the cell, by the first reading after it.

    Args:
        gap_ms: Milliseconds for which the cell stood still.
        arrival: Arrival of this tick's reading; None for one made in the cell's own process.
        pause: Seconds without input that cause a pause.
    """
    if arrival is None:
        return "there"
    if arrival.waited * 1e-3 >= pause:  # sent during the gap: a newer one may follow
        return "open"
    known = arrival.waited >= 0
    return "there" if known and arrival.steady * 1e-3 + pause >= gap_ms * 1e-3 else "gone"


# ── A link and its baseline ──────────────────────────────────────────────────────────────────────────────────────


class _Bucket(Struct, frozen=True):
    """Idle readings of 0.25 s: their idle times, tick and lead of the first, least age, and number."""

    begin: float
    end: float
    tick: int
    lead: int
    least: float
    count: int


class Link(Struct, frozen=True):
    """The state of the link between a master and its lane.

    Args:
        baseline: Smallest age measured in idle time, within the allowed maximum, s. It only falls while engaged.
        measured: True once enough readings have been seen for a baseline.
        lag: Age of the readings, which bounds the speed, s: rises at once, falls slowly.
        idle: Idle time so far, s.
        last: Tick of the newest reading; -1 before the first.
        idling: True if the newest reading was idle.
        buckets: Ages of idle readings, oldest first.
    """

    baseline: float = 0.0
    measured: bool = False
    lag: float = 0.0
    idle: float = 0.0
    last: int = -1
    idling: bool = False
    buckets: tuple[_Bucket, ...] = ()


def measure_link(
    link: Link, age: float, tick: int, wall: WallLead, dt: float, *, idle: bool, engaged: bool, allowed: float
) -> Link:
    """Return the state of a link after a reading.

    Args:
        link: The state before it.
        age: Seconds since the tick that the reading echoes.
        tick: Number of this tick.
        wall: Lead of wall time over ticks.
        dt: Seconds per tick.
        idle: True if the reading does not hold the deadman.
        engaged: True while the robot is driven or moves; no limit relaxes meanwhile.
        allowed: Greatest baseline, s.
    """
    passed = elapsed(wall, link.last, tick, dt) if link.last >= 0 else 0.0
    lag = max(age, link.lag - LAG_FALL * passed)
    if engaged:
        return Link(min(link.baseline, age), link.measured, lag, link.idle, tick, buckets=link.buckets)
    spent = link.idle + passed if idle and link.idling else link.idle
    buckets = _still(link.buckets, spent, tick, wall, dt)
    if idle:
        buckets = _with(buckets, _Bucket(spent, spent, tick, wall.total, age, 1))
    measured = _is_measured(buckets)
    baseline = min(allowed, *[bucket.least for bucket in buckets]) if measured else 0.0
    return Link(baseline, measured, lag, spent, tick, idle, buckets)


def _still(buckets: tuple[_Bucket, ...], spent: float, tick: int, wall: WallLead, dt: float) -> tuple[_Bucket, ...]:
    """Return the buckets without expired ones."""
    for i, bucket in enumerate(buckets):
        recent = seconds(tick - bucket.tick, wall.total - bucket.lead, dt) <= OLDEST_S
        if recent and spent - bucket.begin <= IDLE_S + ROUNDING:
            return buckets[i:] if i else buckets
    return ()


def _with(buckets: tuple[_Bucket, ...], new: _Bucket) -> tuple[_Bucket, ...]:
    if not buckets or new.begin - buckets[-1].begin >= BUCKET_S:
        return (*buckets, new)
    last = buckets[-1]
    both = _Bucket(last.begin, new.end, last.tick, last.lead, min(last.least, new.least), last.count + 1)
    return (*buckets[:-1], both)


def _is_measured(buckets: tuple[_Bucket, ...]) -> bool:
    enough = sum([bucket.count for bucket in buckets]) >= MEASURED_READINGS
    return enough and buckets[-1].end - buckets[0].begin >= MEASURED_OVER_S - ROUNDING


class Ages(Struct, frozen=True):
    """All ages of the newest valid reading, in seconds.

    Args:
        gap: Seconds since the server received it.
        echo: Seconds since the tick that it echoes; 0 if it echoes none.
        drawn: Seconds since the tick that its page has drawn; 0 if it draws none.
        baseline: Baseline of its link.
    """

    gap: float
    echo: float
    drawn: float = 0.0
    baseline: float = 0.0

    @property
    def age(self) -> float:
        """The greater of gap and echo."""
        return max(self.gap, self.echo)

    @property
    def beyond(self) -> float:
        """The age for the watchdog: the greater of the gap of receipt and the age beyond the baseline."""
        return max(self.gap, self.echo - self.baseline)

    @property
    def blind(self) -> bool:
        """True if the operator's picture is too old to drive by."""
        return self.drawn > self.baseline + DRAWN_S
