"""The physics between two ticks as named arrays, from which a world in any process continues identically, to the bit.

A copy of MuJoCo's data continues exactly in its own process. In another one it lacks what MuJoCo keeps beside its
arrays, and MuJoCo's own state vector is not exact where bodies sleep. So every array of the data is saved, except those
of the constraints: their size changes, and the first half of a step, computed again, fills them.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import mujoco
import numpy as np
from msgspec import Struct

from farhand.errors import WorldError

__all__ = ["SavedPhysics", "load_arrays", "saved_arrays"]

NUMBERS = ("time", "nbody_awake", "nparent_awake", "ntree_awake", "nv_awake")
CONSTRAINTS = ("efc_", "iefc_", "island_", "iacc", "ifrc_", "map_efc", "map_iefc")
"""Beginnings of the names of arrays whose size depends on the contacts of the moment."""


class SavedPhysics(Struct, frozen=True):
    """The physics between two ticks.

    Args:
        arrays: Bytes of MuJoCo's arrays, by name.
        numbers: Numbers beside them, by name.
        surfaces: Velocities of the belts' surfaces, float64: the only numbers of the model that change.
        frozen: The physics stands until a reset.
    """

    arrays: dict[str, bytes]
    numbers: dict[str, int | float]
    surfaces: bytes = b""
    frozen: bool = False


@cache
def _names() -> tuple[str, ...]:
    data = mujoco.MjData(mujoco.MjModel.from_xml_string("<mujoco/>"))
    names = [name for name in dir(data) if not name.startswith(("_", *CONSTRAINTS))]
    return tuple(name for name in names if isinstance(getattr(data, name), np.ndarray))


def saved_arrays(model: Any, data: Any) -> tuple[dict[str, bytes], dict[str, int | float], bytes]:
    """Return the arrays of MuJoCo's data, the numbers beside them, by name, and the belts' surface velocities."""
    arrays = {name: array.tobytes() for name in _names() if (array := getattr(data, name)).size}
    numbers = {name: getattr(data, name) for name in NUMBERS}
    return arrays, numbers, model.geom_surfacevel.tobytes() if model.geom_surfacevel.any() else b""


def load_arrays(model: Any, data: Any, saved: SavedPhysics) -> None:
    """Write saved arrays and numbers into MuJoCo's data, and the belts' surface velocities into its model.

    Raises:
        WorldError: If they are not of such a world, or of another version of MuJoCo.
    """
    own = {name: array for name in _names() if (array := getattr(data, name)).size}
    if own.keys() != saved.arrays.keys() or set(NUMBERS) != saved.numbers.keys():
        raise WorldError("the saved physics is of another world or another version of MuJoCo")
    for name, array in own.items():
        if array.nbytes != len(saved.arrays[name]):
            raise WorldError(f"the saved physics is of another world: {name} has another size")
    for name, array in own.items():
        array[...] = np.frombuffer(saved.arrays[name], array.dtype).reshape(array.shape)
    surfaces = model.geom_surfacevel
    if saved.surfaces and surfaces.nbytes != len(saved.surfaces):
        raise WorldError("the saved physics is of another world: it has other belts")
    surfaces[...] = np.frombuffer(saved.surfaces, surfaces.dtype).reshape(surfaces.shape) if saved.surfaces else 0.0
    for name, value in saved.numbers.items():
        setattr(data, name, value)
