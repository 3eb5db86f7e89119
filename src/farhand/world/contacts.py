"""The contacts of a world: pairs of bodies, contact points and forces."""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray

from farhand.kernels import Floats, Ints, kernel
from farhand.types import Contact, Limb, PairContact
from farhand.world.overlap import body_name, owner
from farhand.world.placing import below
from farhand.world.rig import Rig

__all__ = ["ContactReader"]

PAIR_ROWS = 64  # of the scratch arrays at first


@kernel("i8(i4[:, ::1], f8[:, ::1], i4[::1], f8[::1], i8[::1], i8[:, ::1], f8[:, ::1])")
def add_pairs(
    geoms: Ints, frames: Floats, rows: Ints, forces: Floats, body_of: Ints, bodies: Ints, sums: Floats
) -> int:
    """Add up the contacts of each pair of bodies; return the number of pairs that press on each other.

    Args:
        geoms: (k, 2) shapes in contact.
        frames: (k, 9) normal from the first shape to the second, and two tangents.
        rows: (k,) start of each contact's forces, -1 for none.
        forces: Along normal and tangents.
        body_of: Body of each shape.
        bodies: (at least k, 2) result: the pairs, the lower number first, in the order of their first contacts.
        sums: (at least k, 4) result: force, and force times normal, from the first to the second.
    """
    count = 0
    for k in range(geoms.shape[0]):
        # contacts that press
        force = forces[rows[k]] if rows[k] >= 0 else 0.0
        if force <= 0.0:
            continue
        # their bodies, the lower number first
        first, second, sign = body_of[geoms[k, 0]], body_of[geoms[k, 1]], 1.0
        if first > second:
            first, second, sign = second, first, -1.0
        # find the pair's row, or start a new one
        row = 0
        while row < count and (bodies[row, 0] != first or bodies[row, 1] != second):
            row += 1
        if row == count:
            bodies[row, 0], bodies[row, 1], sums[row, :] = first, second, 0.0
            count += 1
        # add the force and its direction
        sums[row, 0] += force
        for i in range(3):
            sums[row, 1 + i] += sign * force * frames[k, i]
    return count


class ContactReader:
    """Reads the contacts of one world.

    Args:
        model: MuJoCo's model.
        data: MuJoCo's data.
        rigs: The robots in it, by name.
    """

    def __init__(self, model: Any, data: Any, rigs: Mapping[str, Rig]) -> None:
        self._model, self._data, self._rigs = model, data, rigs
        self._owners = [owner(model, i, rigs) for i in range(model.nbody)]
        self._carriers = model.geom_bodyid.tolist()
        self._of_geom = model.geom_bodyid.astype(np.int64)
        self._names = [body_name(model, i) for i in range(model.nbody)]
        self._bodies, self._sums = np.empty((PAIR_ROWS, 2), np.int64), np.empty((PAIR_ROWS, 4))  # scratch; grows
        self._solved: Any = None
        self._limbs: dict[tuple[str, Limb], frozenset[int]] = {}

    def contacts(self) -> tuple[Contact, ...]:
        """Return every present contact, with the names of the bodies."""
        found, wrench, data = [], np.zeros(6), self._with_forces()
        for i in range(data.ncon):
            contact = data.contact[i]
            mujoco.mj_contactForce(self._model, data, i, wrench)
            first, second = (body_name(self._model, self._carriers[int(contact.geom[k])]) for k in (0, 1))
            x, y, z = contact.pos.tolist()
            found.append(Contact(first, second, (x, y, z), float(wrench[0])))
        return tuple(found)

    def pairs(self) -> tuple[PairContact, ...]:
        """Return the pairs of bodies that press on each other; right after a step, while contacts and forces match."""
        data, count = self._data, self._data.ncon
        if not count:
            return ()
        if count > len(self._sums):
            self._bodies, self._sums = np.empty((2 * count, 2), np.int64), np.empty((2 * count, 4))
        contact, own = data.contact, np.ascontiguousarray
        found = add_pairs(
            own(contact.geom), own(contact.frame), own(contact.efc_address), data.efc_force, self._of_geom,
            self._bodies, self._sums,
        )  # fmt: skip
        rows = zip(self._bodies[:found].tolist(), self._sums[:found].tolist(), strict=True)
        return tuple([self._pair(first, second, total) for (first, second), total in rows])

    def _pair(self, first: int, second: int, total: list[float]) -> PairContact:
        force, x, y, z = total
        length = math.sqrt(x * x + y * y + z * z) or 1.0
        return PairContact(self._names[first], self._names[second], force, (x / length, y / length, z / length))

    def marks(self) -> NDArray[np.float64]:
        """Return a row of x, y, z (world frame) and normal force (N) for each present contact."""
        data = self._with_forces()
        contact = data.contact
        rows = contact.efc_address
        held = rows >= 0
        marks = np.empty((int(np.count_nonzero(held)), 4))
        marks[:, :3] = contact.pos[held]
        marks[:, 3] = data.efc_force[rows[held]]
        return marks

    def _with_forces(self) -> Any:
        """Return a copy of the physics with the forces of its contacts.

        A tick ends with new contacts, but their forces are solved in the next one: the stored forces are those of the
        last.
        """
        if self._solved is None:
            self._solved = copy.copy(self._data)
        else:
            mujoco.mj_copyData(self._solved, self._model, self._data)
        mujoco.mj_fwdActuation(self._model, self._solved)
        mujoco.mj_fwdAcceleration(self._model, self._solved)
        mujoco.mj_fwdConstraint(self._model, self._solved)
        return self._solved

    def touched_by(self, robot: str, limb: Limb | None) -> tuple[str, ...]:
        """Return the names of everything that a robot's moving links touch; its own name if they touch each other.

        Args:
            robot: Its name.
            limb: Count this part of it only; contacts with the robot's other parts come last.
        """
        found: dict[str, None] = {}
        bodies = None if limb is None else self._limb(robot, limb)
        for pair in self._data.contact.geom.tolist():
            first, second = self._carriers[pair[0]], self._carriers[pair[1]]
            if bodies is not None and first not in bodies and second not in bodies:
                continue
            owners = self._owners[first], self._owners[second]
            if robot in owners:
                found[owners[1] if owners[0] == robot else owners[0]] = None
        if bodies is not None and robot in found:
            found[robot] = found.pop(robot)
        return tuple(found)

    def _limb(self, robot: str, limb: Limb) -> frozenset[int]:
        """Return the bodies that the joints of a limb move."""
        if (robot, limb) not in self._limbs:
            index = self._rigs[robot].index
            group = index.tracks.flippers if limb == "flippers" and index.tracks else index.arm
            roots = self._model.dof_bodyid[group.dofs].tolist()
            self._limbs[robot, limb] = frozenset().union(*[below(self._model, root) for root in roots])
        return self._limbs[robot, limb]
