"""Room for what is put somewhere: whether it would be inside of something, and how far above it is free.

Two bodies inside of one another are driven apart with a force that grows with how deep they are. So nothing is put
where something else is already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import mujoco
import numpy as np

from farhand.kernels import Floats, Ints

__all__ = ["DEEP", "FreePlaces", "awake", "below", "met"]

DEEP = 0.002  # m inside of one another from which on it is no mere touch
RAISE, HIGHEST = 0.05, 3.0  # m of each try, and of the last one
SUNK = 0.02  # m that belts may be in the ground that they stand on
LEVEL = 0.5  # how far up the normal of such a ground points at least
NO_BELTS: Ints = np.zeros(0, dtype=np.int64)


def met(
    model: Any, data: Any, bodies: Collection[int], deeper: float = DEEP, belts: Ints = NO_BELTS
) -> tuple[int, ...]:
    """Return what is inside of some bodies, the deepest first.

    Args:
        model: The compiled model.
        data: A state of it, with its contacts.
        bodies: They do not count among themselves.
        deeper: Metres from which on it counts.
        belts: Shapes of theirs that stand on the ground, and may sink into it a little.
    """
    contact = data.contact
    if not data.ncon:
        return ()
    pairs = model.geom_bodyid[contact.geom]
    standing = np.isin(contact.geom, belts).any(axis=1) & (model.body_weldid[pairs] == 0).any(axis=1)
    standing &= np.abs(contact.frame[:, 2]) > LEVEL
    deep = np.flatnonzero(contact.dist < -np.where(standing, SUNK, deeper))
    pairs = pairs[deep[np.argsort(contact.dist[deep], kind="stable")]]
    mine = np.isin(pairs, list(bodies))
    return tuple(pairs[:, ::-1][mine & ~mine[:, ::-1]].tolist())


def below(model: Any, root: int) -> set[int]:
    """Return a body and all that hang on it."""
    found = {root}
    for body in range(root + 1, model.nbody):
        if int(model.body_parentid[body]) in found:
            found.add(body)
    return found


class FreePlaces:
    """Tells whether bodies have room in a state of a world.

    Args:
        model: The compiled model.
        qpos: The state; changed to where there is room.
    """

    def __init__(self, model: Any, qpos: Floats) -> None:
        self._model, self.qpos = model, qpos
        self._data = mujoco.MjData(model)

    def raise_clear(self, bodies: Collection[int], at: int, but: Collection[int] = (), belts: Ints = NO_BELTS) -> float:
        """Lift a free body until nothing is inside of it; return by how much.

        What is fixed counts from the start for one on belts, which are told from the ground that it stands on; for
        others, which lie on it, only once they are lifted.

        Args:
            bodies: The body and what it carries.
            at: Where its position starts in qpos.
            but: Bodies that do not count, because they are still to be put elsewhere.
            belts: Its shapes that stand on the ground.
        """
        low = float(self.qpos[at + 2])
        blocked = self.blocked(bodies, but, fixed=bool(len(belts)), belts=belts)
        while blocked and self.qpos[at + 2] < low + HIGHEST:
            self.qpos[at + 2] += RAISE
            blocked = self.blocked(bodies, but, fixed=True)
        return float(self.qpos[at + 2]) - low

    def blocked(
        self, bodies: Collection[int], but: Collection[int] = (), *, fixed: bool = False, belts: Ints = NO_BELTS
    ) -> bool:
        """Return whether something that moves (or also what is fixed) is inside of these bodies."""
        self._data.qpos[:] = self.qpos
        with awake(self._model):
            mujoco.mj_kinematics(self._model, self._data)
            mujoco.mj_collision(self._model, self._data)
        found = [body for body in met(self._model, self._data, bodies, belts=belts) if body not in but]
        return any(fixed or self._model.body_weldid[body] != 0 for body in found)


@contextmanager
def awake(model: Any) -> Iterator[None]:
    """Let everything count for a moment, what sleeps too."""
    flags = int(model.opt.enableflags)
    model.opt.enableflags = flags & ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    try:
        yield
    finally:
        model.opt.enableflags = flags
