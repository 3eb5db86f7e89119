"""Dynamics of mechanisms with undriven joints, as seen by the motors: a Delta, or an arm with follower joints.

All joints, driven ones first, move as ẋ = (1; G)·q̇ with the motors' angles q. So a force f on all joints acts on the
motors as (1; G)ᵀ·f, and the inertia M as (1; G)ᵀ·M·(1; G). The forces in the loops do no work and drop out: no
constraint has to be solved, and the feed-forward is as exact as for a serial arm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from farhand.kernels import kernel
from farhand.kinematics import CoupledChain, Delta
from farhand.kinematics.contract import Mechanism
from farhand.kinematics.parallel.delta_rods import COUNT, close_into
from farhand.world.drives import inertia_matrix
from farhand.world.index import RobotIndex

__all__ = ["Loop", "Ties", "inertia_at_motors", "loop_of"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@kernel("void(f8[::1],i8[::1],i8[::1],f8[:,::1])")
def gather_force(force: Floats, motors: Ints, undriven: Ints, G: Floats) -> None:
    """Add Gᵀ·f of the undriven joints to the forces on the motors."""
    # one product per motor
    for i in range(motors.shape[0]):
        for u in range(undriven.shape[0]):
            force[motors[i]] += G[u, i] * force[undriven[u]]


class Loop:
    """The undriven joints of a Delta.

    Args:
        delta: Its kinematics.
        index: Places of its joints in the compiled model.
    """

    def __init__(self, delta: Delta, index: RobotIndex) -> None:
        self.delta, self.motors, self.undriven = delta, index.arm, index.undriven
        self.dofs = np.concatenate((index.arm.dofs, index.undriven.dofs))
        self._G, self._rates, self._accelerations = np.zeros((COUNT, 3)), np.zeros(COUNT), np.zeros(COUNT)

    def close(self, qpos: Floats) -> None:
        """Set the undriven joints to fit the motors' angles."""
        qpos[self.undriven.qpos] = self.delta.undriven(qpos[self.motors.qpos])

    def inertia(self, model: Any, data: Any) -> Floats:
        """Return the inertia (3, 3) at the motors."""
        q, still = np.array(data.qpos[self.motors.qpos]), np.zeros(3)
        close_into(self.delta.size, q, still, still, self._G, self._rates, self._accelerations)
        return inertia_at_motors(self._G, inertia_matrix(model, data, self.dofs))

    def move(self, q: Floats, rates: Floats, accelerations: Floats, wanted: Floats) -> Floats:
        """Write the accelerations of the undriven joints for wanted ones of the motors; return the rates of all joints.

        Args:
            q: (3,) measured angles of the motors.
            rates: (3,) their wanted rates.
            accelerations: (3,) their wanted accelerations.
            wanted: (nv,) result.
        """
        close_into(self.delta.size, q, rates, accelerations, self._G, self._rates, self._accelerations)
        wanted[self.undriven.dofs] = self._accelerations
        return np.concatenate((rates, self._rates))

    def project_forces(self, force: Floats) -> None:
        """Add the forces on the undriven joints, projected to the motors, to the motors' own; call it after `move`."""
        gather_force(force, self.motors.dofs, self.undriven.dofs, self._G)


class Ties:
    """The follower joints of an arm; see `Loop`.

    Args:
        chain: Its kinematics.
        index: Places of its joints in the compiled model.
    """

    def __init__(self, chain: CoupledChain, index: RobotIndex) -> None:
        self.chain, self.motors, self.undriven = chain, index.arm, index.undriven
        self.dofs = np.concatenate((index.arm.dofs, index.undriven.dofs))
        self._G = np.ascontiguousarray(chain.ratios)

    @property
    def all_per_motor(self) -> Floats:
        """(n + followers, n): motion of all joints per driven joint, driven ones first."""
        return np.vstack((np.eye(len(self.motors.dofs)), self._G))

    def close(self, qpos: Floats) -> None:
        """Set the follower joints to fit the driven ones."""
        qpos[self.undriven.qpos] = self.chain.joints(qpos[self.motors.qpos])[self.chain.following]

    def inertia(self, model: Any, data: Any) -> Floats:
        """Return the inertia (n, n) at the motors."""
        return inertia_at_motors(self._G, inertia_matrix(model, data, self.dofs))

    def move(self, q: Floats, rates: Floats, accelerations: Floats, wanted: Floats) -> Floats:
        """Write the accelerations of the followers for wanted ones of the motors; return the rates of all joints."""
        del q
        wanted[self.undriven.dofs] = self._G @ accelerations
        return np.concatenate((rates, self._G @ rates))

    def project_forces(self, force: Floats) -> None:
        """Add the forces on the followers, projected to the motors, to the motors' own."""
        gather_force(force, self.motors.dofs, self.undriven.dofs, self._G)


def inertia_at_motors(G: Floats, inertia: Floats) -> Floats:
    """Return the inertia (n, n) at the motors of all joints, motors first, that move with them as (1; G)·q̇."""
    all_per_motor = np.vstack((np.eye(G.shape[1]), G))
    return np.ascontiguousarray(all_per_motor.T @ inertia @ all_per_motor)


def loop_of(chain: Mechanism, index: RobotIndex) -> Loop | Ties | None:
    """Return the undriven joints of a robot; None if all its joints are driven."""
    if isinstance(chain, Delta):
        return Loop(chain, index)
    return Ties(chain, index) if isinstance(chain, CoupledChain) else None
