"""Free places for bodies: whether a body would overlap others, and how far it must be raised to be free.

Two overlapping bodies are driven apart with a force that grows with the depth. So nothing is placed into another body.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import mujoco
import numpy as np

from farhand.kernels import Floats, Ints

__all__ = ["DEEP", "FreePlaces", "awake", "below", "overlapping"]

DEEP = 0.002  # m: a deeper contact is an overlap
RAISE_STEP_M, MAX_RAISE_M = 0.05, 3.0
BELT_SINK_M = 0.02  # permitted depth of belts in their ground
LEVEL = 0.5  # least upward component of the normal of a ground
NO_BELTS: Ints = np.zeros(0, dtype=np.int64)


def overlapping(
    model: Any, data: Any, bodies: Collection[int], deeper: float = DEEP, belts: Ints = NO_BELTS
) -> tuple[int, ...]:
    """Return the bodies that overlap some bodies, the deepest first.

    Args:
        model: The compiled model.
        data: A state of it, with its contacts.
        bodies: Bodies that do not count among themselves.
        deeper: Least depth that counts, metres.
        belts: Their shapes that stand on the ground, and may sink into it a little.
    """
    contact = data.contact
    if not data.ncon:
        return ()
    pairs = model.geom_bodyid[contact.geom]
    standing = np.isin(contact.geom, belts).any(axis=1) & (model.body_weldid[pairs] == 0).any(axis=1)
    standing &= np.abs(contact.frame[:, 2]) > LEVEL
    deep = np.flatnonzero(contact.dist < -np.where(standing, BELT_SINK_M, deeper))
    pairs = pairs[deep[np.argsort(contact.dist[deep], kind="stable")]]
    mine = np.isin(pairs, list(bodies))
    return tuple(pairs[:, ::-1][mine & ~mine[:, ::-1]].tolist())


def below(model: Any, root: int) -> set[int]:
    """Return a body and all its descendants."""
    found = {root}
    for body in range(root + 1, model.nbody):
        if int(model.body_parentid[body]) in found:
            found.add(body)
    return found


class FreePlaces:
    """Checks whether bodies have a free place in a state of a world.

    Args:
        model: The compiled model.
        qpos: The state; changed to a free place.
    """

    def __init__(self, model: Any, qpos: Floats) -> None:
        self._model, self.qpos = model, qpos
        self._data = mujoco.MjData(model)

    def raise_clear(self, bodies: Collection[int], at: int, but: Collection[int] = (), belts: Ints = NO_BELTS) -> float:
        """Raise a free body until nothing overlaps it; return by how much.

        Fixed bodies count from the start for a body on belts, whose contact with its ground is known; for others, which
        lie on them, only once they are raised.

        Args:
            bodies: The body and its descendants.
            at: Start of its position in qpos.
            but: Bodies that do not count, because they are still to be placed.
            belts: Its shapes that stand on the ground.
        """
        low = float(self.qpos[at + 2])
        blocked = self.blocked(bodies, but, fixed=bool(len(belts)), belts=belts)
        while blocked and self.qpos[at + 2] < low + MAX_RAISE_M:
            self.qpos[at + 2] += RAISE_STEP_M
            blocked = self.blocked(bodies, but, fixed=True)
        return float(self.qpos[at + 2]) - low

    def blocked(
        self, bodies: Collection[int], but: Collection[int] = (), *, fixed: bool = False, belts: Ints = NO_BELTS
    ) -> bool:
        """Return whether a moving body (or a fixed one too) overlaps these bodies."""
        self._data.qpos[:] = self.qpos
        with awake(self._model):
            mujoco.mj_kinematics(self._model, self._data)
            mujoco.mj_collision(self._model, self._data)
        found = [body for body in overlapping(self._model, self._data, bodies, belts=belts) if body not in but]
        return any(fixed or self._model.body_weldid[body] != 0 for body in found)


@contextmanager
def awake(model: Any) -> Iterator[None]:
    """Include sleeping bodies for the duration of the block."""
    flags = int(model.opt.enableflags)
    model.opt.enableflags = flags & ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    try:
        yield
    finally:
        model.opt.enableflags = flags
