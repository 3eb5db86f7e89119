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
from numpy.typing import NDArray

from farhand.errors import WorldError

__all__ = ["SavedPhysics", "load_arrays", "saved_arrays"]

NUMBERS = ("time", "nbody_awake", "nparent_awake", "ntree_awake", "nv_awake")
CONSTRAINTS = ("efc_", "iefc_", "island_", "iacc", "ifrc_", "map_efc", "map_iefc")
"""Beginnings of the names of arrays whose size depends on the contacts of the moment."""


INDEXES = {
    "body_awake": "nbody",
    "body_awake_ind": "nbody",
    "parent_awake_ind": "nbody",
    "dof_awake_ind": "nv",
    "dof_island": "ntree",
    "map_dof2idof": "nv",
    "map_idof2dof": "nv",
    "map_itree2tree": "ntree",
    "moment_colind": "nv",
    "tree_asleep": "ntree",
    "tree_awake": "ntree",
    "tree_island": "ntree",
}
"""Arrays with indexes, each with the size in the model that they stay below: MuJoCo itself checks none of them."""
COUNTS = {"nbody_awake": "nbody", "nparent_awake": "nbody", "ntree_awake": "ntree", "nv_awake": "nv"}
WAKING = -11  # least value of `tree_asleep`: ticks until a tree may sleep, negative
UNINDEXED = ("solver_",)  # figures that are told, and lead nowhere


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
    values = {name: np.frombuffer(saved.arrays[name], array.dtype) for name, array in own.items()}
    _check_indexes(model, values, saved.numbers)
    for name, array in own.items():
        array[...] = values[name].reshape(array.shape)
    surfaces = model.geom_surfacevel
    if saved.surfaces and surfaces.nbytes != len(saved.surfaces):
        raise WorldError("the saved physics is of another world: it has other belts")
    surfaces[...] = np.frombuffer(saved.surfaces, surfaces.dtype).reshape(surfaces.shape) if saved.surfaces else 0.0
    for name, value in saved.numbers.items():
        setattr(data, name, value)


def _check_indexes(model: Any, values: dict[str, NDArray[Any]], numbers: dict[str, int | float]) -> None:
    """Refuse indexes that lead out of MuJoCo's memory: saved physics may come from a stranger.

    Raises:
        WorldError: If there are any.
    """
    largest = max(model.nbody, model.nv, model.nu, model.nJmom, model.ntree)
    for name, array in values.items():
        if array.dtype.kind != "i" or name.startswith(UNINDEXED):
            continue
        low = WAKING if name == "tree_asleep" else -1
        size = getattr(model, INDEXES[name]) if name in INDEXES else largest + 1
        if array.min() < low or array.max() >= max(size, 2):
            raise WorldError(f"the saved physics is damaged: {name} leads out of the world")
    rows, adr = values.get("moment_rownnz"), values.get("moment_rowadr")
    if rows is not None and adr is not None and (rows.min() < 0 or (adr + rows).max() > model.nJmom or adr.min() < 0):
        raise WorldError("the saved physics is damaged: moment_rowadr leads out of the world")
    for name, of in COUNTS.items():
        if type(numbers[name]) is not int or not 0 <= numbers[name] <= getattr(model, of):
            raise WorldError(f"the saved physics is damaged: {name} is {numbers[name]}")
