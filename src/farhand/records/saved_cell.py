"""A cell between two ticks as plain bytes, from which any process of the same build goes on to the bit.

A `CellSnapshot` lives in its process. A `SavedCell` is a value that can be sent and kept: a checkpoint, which says of
what the world is made and how each robot is driven; the physics as named arrays; and the lanes' memories.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from farhand.cell import Cell, CellValues, Checkpoint, checkpoint_of
from farhand.errors import FarhandError
from farhand.masters import Master, SavesState
from farhand.records.errors import RecordError
from farhand.records.values import pack, unpack
from farhand.world import SavedPhysics

__all__ = ["SavedCell", "restore", "save"]


class SavedCell(Struct, frozen=True):
    """A cell between two ticks.

    Args:
        number: Number of the last tick.
        checkpoint: Objects, tools, how each robot is driven.
        physics: MuJoCo's arrays and numbers, by name.
        values: `CellValues`, packed.
        masters: Packed state of each master that has one, by name.
    """

    number: int
    checkpoint: Checkpoint
    physics: SavedPhysics
    values: bytes
    masters: dict[str, bytes] = {}


def save(cell: Cell, masters: Mapping[str, Master] | None = None) -> SavedCell:
    """Return a cell as it is between two ticks.

    Args:
        cell: The cell.
        masters: The masters that drive it, by name; their state is saved too.
    """
    states = {name: pack(m.saved_state()) for name, m in (masters or {}).items() if isinstance(m, SavesState)}
    return SavedCell(cell.number, checkpoint_of(cell), cell.world.saved_physics(), pack(cell.values()), states)


def restore(cell: Cell, saved: SavedCell, masters: Mapping[str, Master] | None = None) -> None:
    """Put a cell of the same cell file into a saved state; its next tick is the one that followed.

    Args:
        cell: The cell; as it was, if this fails.
        saved: The saved state.
        masters: The masters that drive it, by name; they take up their saved state.

    Raises:
        RecordError: If the saved state is of another cell or of another build.
    """
    before = cell.snapshot()
    try:
        cell.resume(saved.checkpoint)
        cell.restore_values(unpack(saved.values, CellValues), saved.physics)
        for name, master in (masters or {}).items():
            if isinstance(master, SavesState) and name in saved.masters:
                master.load_state(unpack(saved.masters[name], Struct))
    except (FarhandError, TypeError, ValueError, LookupError, AttributeError, ArithmeticError) as error:
        cell.restore(before)
        raise RecordError(f"the snapshot of tick {saved.number} cannot be taken up: {error}") from error
