"""Supports of objects: checked before an object is removed, and when one is placed in mid-air."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import mujoco

from farhand.kernels import Floats
from farhand.world.compiled import Compiled, fresh_data
from farhand.world.placing import awake, below

__all__ = ["falls", "load_on"]

LEVEL = 0.5  # least upward component of the contact normal of a body that lies on another
LYING_M = 0.005  # an object this close to the ground lies on it


def load_on(compiled: Compiled, qpos: Floats, name: str) -> str:
    """Return the loose object or robot on tracks that stands on an object, or an empty text.

    Args:
        compiled: The world.
        qpos: All positions.
        name: Of the object.
    """
    model, data = compiled.model, _placed(compiled, qpos)
    carriers = below(model, int(model.body(name).id))
    riders = {item.body: item.name for item in compiled.index.objects if item.loose}
    for robot, index in compiled.index.robots.items():
        if index.tracks:
            riders |= dict.fromkeys(below(model, index.base_body), robot)
    for lower, upper in _stacked(model, data):
        if lower in carriers and upper in riders and upper not in carriers:
            return riders[upper]
    return ""


def falls(compiled: Compiled, qpos: Floats, name: str) -> bool:
    """Return whether a loose object has no support.

    Args:
        compiled: The world.
        qpos: All positions.
        name: Of the object.
    """
    item = next((item for item in compiled.index.objects if item.name == name and item.loose), None)
    if item is None:
        return False
    lower = qpos.copy()
    lower[item.qpos + 2] -= LYING_M
    own = below(compiled.model, item.body)
    return not any(upper in own for _, upper in _stacked(compiled.model, _placed(compiled, lower)))


def _placed(compiled: Compiled, qpos: Floats) -> Any:
    """Return a separate state with all contacts, including those of sleeping bodies."""
    data = fresh_data(compiled)
    data.qpos[:] = qpos
    with awake(compiled.model):
        mujoco.mj_kinematics(compiled.model, data)
        mujoco.mj_collision(compiled.model, data)
    return data


def _stacked(model: Any, data: Any) -> Collection[tuple[int, int]]:
    """Return pairs of bodies of which the second lies on the first."""
    found = []
    for (a, b), up in zip(data.contact.geom.tolist(), data.contact.frame[:, 2].tolist(), strict=True):
        first, second = int(model.geom_bodyid[a]), int(model.geom_bodyid[b])
        if abs(up) > LEVEL:
            found.append((first, second) if up > 0.0 else (second, first))
    return found
