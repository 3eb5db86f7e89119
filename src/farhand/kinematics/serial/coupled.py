"""Chains in which some joints follow others (mimic joints): q_all = C·q + c, with q the driven joints.

A coupled chain is a serial chain whose kernels know the couplings, see `ties`: forward kinematics, Jacobian (J·C),
inverse, following and the servo cost as much as for a plain chain of all its joints.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from farhand.errors import CommandError, UnknownNameError
from farhand.kernels import Floats
from farhand.kinematics.argument_checks import check_vector
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.ties import LEADS, SLIDES
from farhand.kinematics.serial.chain import SerialChain
from farhand.kinematics.serial.compiled_chain import chain_of_model

__all__ = ["CoupledChain"]

Followers = Mapping[str, tuple[str, float, float]]


class CoupledChain(SerialChain):
    """A serial chain in which some joints follow others.

    Args:
        chain: The chain of all joints.
        followers: (name of the leader, multiplier, offset) by name of each joint that follows;
            q_follower = multiplier·q_leader + offset.

    Raises:
        UnknownNameError: If the chain has no such joint.
        CommandError: If a leader itself follows, or the limits of leader and follower leave no common position.
    """

    def __init__(self, chain: SerialChain, followers: Followers) -> None:
        for name in [*followers, *(leader for leader, _, _ in followers.values())]:
            if name not in chain.names:
                raise UnknownNameError("joint", name, chain.names)
        driven = [name for name in chain.names if name not in followers]
        for name, (leader, _, _) in followers.items():
            if leader in followers:
                raise CommandError(f"joint {name!r} follows {leader!r}, which follows another one itself")
        ties = [followers.get(name, (name, 1.0, 0.0)) for name in chain.names]
        self.drivers = np.array([driven.index(leader) for leader, _, _ in ties], dtype=np.int64)
        self.multipliers = np.array([multiplier for _, multiplier, _ in ties])
        self.offsets = np.array([offset for _, _, offset in ties])
        lower, upper = self._narrowed(chain, driven)
        low, high = self._image(lower, upper)
        self._links = SerialChain(
            chain.arrays, np.maximum(low, chain.lower), np.minimum(high, chain.upper), chain.names
        )
        arrays = self._tied(chain.arrays, driven, chain.names) if followers else chain.arrays
        super().__init__(arrays, lower, upper, driven)

    @classmethod
    def from_model(cls, model: Any, base: str, tip: str, followers: Followers | None = None) -> CoupledChain:
        """Return the chain of a compiled MuJoCo model.

        Args:
            model: The compiled model (``mujoco.MjModel``).
            base: Body whose frame is the base frame.
            tip: Site or body whose frame is the tip.
            followers: Couplings, as for the class; None: the model's joint equalities.

        Raises:
            UnknownNameError: If there is no such body or site.
            CommandError: If there is no chain, or a coupling is not linear.
        """
        arrays, names, lower, upper = chain_of_model(model, base, tip)
        chain = SerialChain(arrays, lower, upper, names)
        return cls(chain, _followers_of(model, chain.names) if followers is None else followers)

    @property
    def links(self) -> SerialChain:
        """The chain of all joints, each taken as driven."""
        return self._links

    def joints(self, q: ArrayLike) -> Floats:
        """Return the positions of all joints, given the driven ones: C·q + c.

        Args:
            q: (n,) positions of the driven joints, radians or metres.
        """
        driven = check_vector(q, self.n, "joint positions")
        return np.asarray(self.multipliers * driven[self.drivers] + self.offsets)

    @property
    def ratios(self) -> Floats:
        """(followers, n) ratio of each following joint to each driven joint, from base to tip."""
        C = np.zeros((self._links.n, self.n))
        C[np.arange(self._links.n), self.drivers] = self.multipliers
        return C[self.following]

    @property
    def following(self) -> NDArray[np.bool_]:
        """(m,) true for each joint of the chain that follows another."""
        return np.array([name not in self.names for name in self._links.names])

    def frames(self, q: ArrayLike) -> Floats:
        """Return the frames (m + 1, 4, 4) of all joints, moved by them, and of the tip; see `SerialChain.frames`.

        Args:
            q: (n,) positions of the driven joints, radians or metres.
        """
        return self._links.frames(self.joints(q))

    def _furthest(self) -> float:
        return self._links.reach

    def _tied(self, arrays: ChainArrays, driven: list[str], names: tuple[str, ...]) -> ChainArrays:
        """Return the arrays that kernels read, see `ties`."""
        m = len(names)
        fixed = np.zeros((2 * m, 3, 4))
        for k, offset in enumerate(self.offsets.tolist()):
            Z = np.eye(4)
            if arrays.kinds[k] == SLIDES:
                Z[2, 3] = offset
            else:
                Z[:2, :2] = [[np.cos(offset), -np.sin(offset)], [np.sin(offset), np.cos(offset)]]
            fixed[k] = arrays.fixed[k] @ Z if offset else arrays.fixed[k]
        fixed[m:, 0, 0], fixed[m:, 0, 1], fixed[m:, 0, 2] = self.drivers, arrays.kinds, self.multipliers
        kinds = np.array([LEADS + arrays.kinds[names.index(name)] for name in driven], dtype=np.int64)
        return ChainArrays(fixed, kinds, arrays.tool)

    def _narrowed(self, chain: SerialChain, driven: list[str]) -> tuple[Floats, Floats]:
        """Return limits of the driven joints that keep their followers within limits too."""
        lower, upper = np.full(len(driven), -np.inf), np.full(len(driven), np.inf)
        for i, k in enumerate(self.drivers.tolist()):
            low, high = float(chain.lower[i]), float(chain.upper[i])
            if self.multipliers[i] == 0.0:
                if not low <= self.offsets[i] <= high:
                    raise CommandError(f"joint {chain.names[i]!r} is held beyond its limits by what it follows")
                continue
            ends = (np.array([low, high]) - self.offsets[i]) / self.multipliers[i]
            lower[k], upper[k] = max(lower[k], ends.min()), min(upper[k], ends.max())
        for k in np.flatnonzero(lower > upper).tolist():
            raise CommandError(f"joint {driven[k]!r} and those that follow it have no position in common")
        return lower, upper

    def _image(self, lower: Floats, upper: Floats) -> tuple[Floats, Floats]:
        """Return the limits of all joints that follow from those of the driven ones."""
        with np.errstate(invalid="ignore"):
            ends = self.multipliers * np.array([lower[self.drivers], upper[self.drivers]]) + self.offsets
        ends[:, self.multipliers == 0.0] = self.offsets[self.multipliers == 0.0]
        return ends.min(axis=0), ends.max(axis=0)


def _followers_of(model: Any, names: tuple[str, ...]) -> Followers:
    """Return the couplings within a chain that a compiled model's joint equalities define."""
    import mujoco

    followers = {}
    for k in range(model.neq):
        if int(model.eq_type[k]) != int(mujoco.mjtEq.mjEQ_JOINT) or not model.eq_active0[k]:
            continue
        first, second = int(model.eq_obj1id[k]), int(model.eq_obj2id[k])
        name, leader = str(model.joint(first).name), str(model.joint(second).name) if second >= 0 else ""
        if name not in names or leader not in names:
            continue
        c0, c1, *curve = model.eq_data[k, :5].tolist()
        if any(curve):
            raise CommandError(f"joint {name!r} follows {leader!r} in a curve; a chain can follow lines only")
        rest, rest_leader = (float(model.qpos0[model.jnt_qposadr[joint]]) for joint in (first, second))
        followers[name] = (leader, c1, rest + c0 - c1 * rest_leader)
    return followers
