"""Room for what is put back: whether it would stand inside of something, and how far above it is free.

Two bodies inside of one another are driven apart with a force that grows with how deep they are. So nothing is put
where something else that moves is already.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any

import mujoco
import numpy as np

from farhand.kernels import Floats

__all__ = ["Room"]

DEEP = 0.002  # m inside of one another from which on it is no mere touch
RAISE, HIGHEST = 0.05, 3.0  # m of each try, and of the last one


class Room:
    """Tells whether bodies have room in a state of a world.

    Args:
        model: The compiled model.
        qpos: The state; changed to where there is room.
    """

    def __init__(self, model: Any, qpos: Floats) -> None:
        self._model, self.qpos = model, qpos
        self._data = mujoco.MjData(model)

    def raise_clear(self, bodies: Collection[int], at: int, but: Collection[int] = ()) -> float:
        """Lift a free body until nothing is inside of it; return by how much.

        Args:
            bodies: The body and what it carries.
            at: Where its position starts in qpos.
            but: Bodies that do not count, because they are still to be put elsewhere.
        """
        low = float(self.qpos[at + 2])
        while self.blocked(bodies, but, fixed=self.qpos[at + 2] > low) and self.qpos[at + 2] < low + HIGHEST:
            self.qpos[at + 2] += RAISE
        return float(self.qpos[at + 2]) - low

    def blocked(self, bodies: Collection[int], but: Collection[int] = (), *, fixed: bool = False) -> bool:
        """Return whether something that moves (or also what is fixed) is inside of these bodies."""
        self._data.qpos[:] = self.qpos
        with _awake(self._model):
            mujoco.mj_kinematics(self._model, self._data)
            mujoco.mj_collision(self._model, self._data)
        contact = self._data.contact
        if not self._data.ncon:
            return False
        pairs = self._model.geom_bodyid[contact.geom[contact.dist < -DEEP]]
        mine = np.isin(pairs, list(bodies))
        met = pairs[:, ::-1][mine & ~mine[:, ::-1]]
        met = met[~np.isin(met, list(but))]
        return bool(met.size if fixed else np.any(self._model.body_weldid[met] != 0))


@contextmanager
def _awake(model: Any) -> Iterator[None]:
    """Let everything count for a moment, what sleeps too."""
    flags = int(model.opt.enableflags)
    model.opt.enableflags = flags & ~int(mujoco.mjtEnableBit.mjENBL_SLEEP)
    try:
        yield
    finally:
        model.opt.enableflags = flags
