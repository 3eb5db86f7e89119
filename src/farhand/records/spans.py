"""Stretches of a run that are marked by themselves: idle, protected, paused, stopped, jerky, driven."""

from __future__ import annotations

from collections.abc import Iterator

from farhand.records.entries import Span, SpanKind
from farhand.types import LaneReport, Tick

__all__ = ["Spans"]

SHORTEST_S = 0.2
JERKY = 1.0  # change of a joint's set-point rate (rad/s, m/s) that turns round between two ticks that are looked at
KINDS: dict[str, SpanKind] = {
    "off": "idle",
    "powering": "idle",
    "idle": "idle",
    "paused": "paused",
    "stopped": "stopped",
    "fault": "stopped",
    "autonomous": "autonomous",
    "teleoperation": "driving",
}


class Spans:
    """Finds spans in kept ticks.

    Args:
        dt: Seconds per tick.
    """

    def __init__(self, dt: float) -> None:
        self._shortest = round(SHORTEST_S / dt)
        self._open: dict[str, tuple[SpanKind, int]] = {}
        self._rates: dict[str, tuple[float, ...]] = {}
        self._jerky_until: dict[str, int] = {}
        self._taken = -1

    def take(self, tick: Tick) -> Iterator[Span]:
        """Take a tick; yield the spans that have ended."""
        if tick.number <= self._taken:
            return
        self._taken = tick.number
        for robot, report in tick.lanes.items():
            kind = self._kind(robot, report, tick.number)
            before = self._open.get(robot)
            if before is None or before[0] != kind:
                self._open[robot] = (kind, tick.number)
                if before is not None and tick.number - before[1] >= self._shortest:
                    yield Span(robot, before[0], before[1], tick.number - 1)

    def end(self, tick: int) -> Iterator[Span]:
        """Yield the spans that are still open after the last tick."""
        for robot, (kind, first) in self._open.items():
            if tick - first >= self._shortest:
                yield Span(robot, kind, first, tick)
        self._open = {}

    def _kind(self, robot: str, report: LaneReport, tick: int) -> SpanKind:
        kind = KINDS[report.mode]
        rates = tuple([rate for setpoint in report.setpoints.values() for rate in setpoint.rates])
        before, self._rates[robot] = self._rates.get(robot, rates), rates
        if kind != "driving":
            return kind
        if len(before) == len(rates):
            for old, new in zip(before, rates, strict=True):
                if old * new < 0.0 and abs(old - new) > JERKY:
                    self._jerky_until[robot] = tick + self._shortest
        if tick <= self._jerky_until.get(robot, -1):
            return "jerky"
        return "protected" if any([note.level != "info" for note in report.notes]) else "driving"
