"""Batches that the process of a cell hands to the recorder, ten times a second: plain bytes, cheap to make."""

from __future__ import annotations

from msgspec import Raw, Struct

from farhand.records.entries import LogEntry, WorldEntry
from farhand.records.saved_cell import SavedCell

__all__ = ["Batch", "KeptTick"]


class KeptTick(Struct, frozen=True, array_like=True):
    """A tick that is kept.

    Args:
        number: Its number.
        tick: The `Tick` as msgpack, in deterministic order.
        qpos: Joint positions of the physics, float64.
        exact: It is kept with all its digits too.
    """

    number: int
    tick: bytes
    qpos: bytes
    exact: bool = False


class Batch(Struct, frozen=True, array_like=True):
    """Ticks in a row.

    Args:
        number: Counts the batches of a collector, from 1.
        first: Number of the first tick.
        inputs: `Inputs` of each tick as msgpack; nil for a tick without any.
        kept: Ticks that are kept.
        pairs: Numbers of the ticks with contacts, each with its `PairContact`s as msgpack.
        moving: Something moves, or a person drives: the batch is not to wait.
        world: The world, if it or the robots' configuration has changed.
        snapshot: The cell after the last tick, if it is time for one.
        log: Lines of the log.
    """

    number: int
    first: int
    inputs: tuple[Raw, ...]
    kept: tuple[KeptTick, ...]
    pairs: tuple[tuple[int, Raw], ...] = ()
    moving: bool = True
    world: WorldEntry | None = None
    snapshot: SavedCell | None = None
    log: tuple[LogEntry, ...] = ()

    @property
    def last(self) -> int:
        """Number of the last tick."""
        return self.first + len(self.inputs) - 1
