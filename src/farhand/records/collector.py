"""A listener of the loop that gathers, in the process of the cell, what the recorder writes.

It is cheap: it encodes, and leaves everything else to the recorder. It never waits and never raises into a tick.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import Raw

from farhand.cell import Cell, checkpoint_of
from farhand.masters import Master
from farhand.records.batch import Batch, KeptTick
from farhand.records.entries import WorldEntry
from farhand.records.saved_cell import save
from farhand.types import Inputs, Tick

__all__ = ["BATCH_S", "KEEP_HZ", "SNAPSHOT_S", "Collector", "plain"]

BATCH_S = 0.1
SNAPSHOT_S = 10.0
KEEP_HZ = 100.0
IDLE_RATIO = 10  # at rest, batches are this much longer and kept ticks this much rarer
STILL = 1e-4  # rad/s or m/s of a set-point
NIL = Raw(msgspec.msgpack.encode(None))


def plain(value: Any) -> Any:
    """Return a number of numpy as one of Python; for encoders."""
    return value.item()


class Collector:
    """Gathers inputs and ticks into batches.

    Args:
        cell: The cell.
        sink: Takes each batch.
        masters: The masters that drive the cell, by name; their state is part of a snapshot.
        keep_hz: Ticks a second that are kept for viewing.
    """

    def __init__(
        self,
        cell: Cell,
        sink: Callable[[Batch], None],
        masters: Mapping[str, Master] | None = None,
        keep_hz: float = KEEP_HZ,
    ) -> None:
        self._cell, self._sink, self._masters = cell, sink, dict(masters or {})
        self.keep_every = max(1, round(1.0 / (keep_hz * cell.dt)))
        self._size = max(1, round(BATCH_S / cell.dt))
        self._snapshot_every = round(SNAPSHOT_S / cell.dt)
        self._encode = msgspec.msgpack.Encoder(enc_hook=plain).encode
        self._encode_tick = msgspec.msgpack.Encoder(order="deterministic", enc_hook=plain).encode
        self._number = 0
        self._inputs: list[Raw] = []
        self._kept: list[KeptTick] = []
        self._pairs: list[tuple[int, Raw]] = []
        self._said: tuple[str, ...] = ()
        self._snapshot_at = cell.number  # a snapshot is due from this tick on
        self._world: object = None
        self._lanes: object = None
        self._exact_at = 0
        self._idle = self._special = False
        self._exact_every = round(1.0 / cell.dt)

    def begin(self) -> None:
        """Hand over the cell as it is before the first tick: the world, and a snapshot."""
        self._send(moving=True)

    def __call__(self, inputs: Inputs, tick: Tick) -> None:
        """Take a tick."""
        empty = not (inputs.readings or inputs.events or inputs.wall_lead) and inputs.time_factor == 1.0
        self._inputs.append(NIL if empty else Raw(self._encode(inputs)))
        if tick.state.pairs:
            self._pairs.append((tick.number, Raw(self._encode(tick.state.pairs))))
        said = tuple(
            [word for report in tick.lanes.values() for word in (report.mode, *[note.code for note in report.notes])]
        )
        special = said != self._said or bool(inputs.events) or bool(tick.notes) or self._has_changed
        self._said = said
        if special:
            self._idle, self._special = False, True
        if special or tick.number % (self.keep_every * (IDLE_RATIO if self._idle else 1)) == 0:
            exact = special or tick.number >= self._exact_at
            if exact:
                self._exact_at = tick.number + self._exact_every * (IDLE_RATIO if self._idle else 1)
            qpos = self._cell.world.qpos.tobytes()
            self._kept.append(KeptTick(tick.number, self._encode_tick(tick), qpos, exact))
        if self._has_changed:
            self._send(moving=True)  # at once: from this tick on positions are those of another world
        elif len(self._inputs) % self._size == 0:
            moving = self._special or self._moving(tick)
            if moving or len(self._inputs) >= IDLE_RATIO * self._size:
                self._send(moving=moving)
            self._idle, self._special = not moving, False

    def flush(self) -> None:
        """Hand over what has been gathered, complete or not."""
        if self._inputs:
            self._send(moving=not self._idle)

    @property
    def _has_changed(self) -> bool:
        """Whether the world or the robots' configuration is another one than that of the last entry."""
        return self._cell.world.compiled is not self._world or self._cell.lanes is not self._lanes

    def _send(self, *, moving: bool) -> None:
        number = self._cell.number
        world = None
        if self._has_changed:
            self._world, self._lanes = self._cell.world.compiled, self._cell.lanes
            world = WorldEntry(number, checkpoint_of(self._cell))
        snapshot = None
        if number >= self._snapshot_at and moving:
            self._snapshot_at = number + self._snapshot_every
            snapshot = save(self._cell, self._masters)
        self._number += 1
        first = number - len(self._inputs) + 1
        batch = Batch(
            self._number,
            first,
            tuple(self._inputs),
            tuple(self._kept),
            tuple(self._pairs),
            moving,
            world,
            snapshot,
        )
        self._inputs, self._kept, self._pairs = [], [], []
        self._sink(batch)

    def _moving(self, tick: Tick) -> bool:
        """Return whether a robot or an object moves, or a person drives."""
        if len(tick.state.asleep) < len(tick.state.objects):
            return True
        for report in tick.lanes.values():
            if report.mode in ("teleoperation", "autonomous", "paused", "powering"):
                return True
            if any(abs(rate) > STILL for setpoint in report.setpoints.values() for rate in setpoint.rates):
                return True
        return False
