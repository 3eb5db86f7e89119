"""The interface of drives, their arrays, and shared stability checks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Protocol

import mujoco
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from farhand.formats.model import JointSpec

__all__ = [
    "HEADROOM",
    "Drive",
    "DriveArrays",
    "Floats",
    "Ints",
    "inertia_matrix",
    "instability",
    "least_inertia",
    "stable_share",
    "top_velocities",
]

LEAST_DAMPING = 0.05  # share of the critical damping: with less a loop oscillates for too long
SMALLEST_SHARE = 1e-6  # of a gain: a smaller one counts as none

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADROOM = 1.05
"""Factor on the top velocity that a drive may ask for, so that a joint that fell behind can catch up."""


class DriveArrays(Struct, frozen=True):
    """The parts of MuJoCo's arrays that an arm's drive reads and writes.

    Args:
        ctrl: Commands of all actuators.
        qpos: Positions of all joints.
        qvel: Rates of all joints.
        kept: The drive's state from tick to tick, a part of the user data, so that a copy of that is complete.
        actuators: Numbers of the arm's actuators.
        at: Places of its joints in the positions.
        dofs: Their places in the rates.
        dt: Seconds per tick.
    """

    ctrl: Floats
    qpos: Floats
    qvel: Floats
    kept: Floats
    actuators: Ints
    at: Ints
    dofs: Ints
    dt: float


class Drive(Protocol):
    """Drives the joints of one arm."""

    def write(self, q: Floats, rates: Floats, forward: Floats) -> None:
        """Write the commands of the actuators for this tick.

        Args:
            q: Position of each joint at the end of the tick.
            rates: Its rate there.
            forward: Feed-forward torques, by dof.
        """

    def hold(self) -> None:
        """Clear the state and hold the joints in their present positions."""


def inertia_matrix(model: Any, data: Any, dofs: Ints) -> Floats:
    """Return the joint-space inertia of some dofs (kg·m², kg), with the rest of the world held still."""
    full = np.zeros((model.nv, model.nv))
    for column, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, full[column], unit)
    return np.ascontiguousarray(full[np.ix_(dofs, dofs)])


def least_inertia(inertia: Floats) -> Floats:
    """Return the smallest inertia at each joint, with the others free to move: 1/(M⁻¹)ᵢᵢ."""
    return np.asarray(1.0 / np.diag(np.linalg.inv(inertia)))


def top_velocities(joints: tuple[JointSpec, ...]) -> Floats:
    """Return the velocity at which each joint's drive saturates."""
    return np.array([HEADROOM * joint.velocity for joint in joints])


def instability(step: Floats) -> str:
    """Return how a loop fails to settle ("diverge", "oscillate for long"), by the map of its state in one step.

    The text is empty if the loop settles.

    A loop is stable if every eigenvalue λ lies inside the unit circle. For an oscillation, -ln|λ|/|ln λ| is the share
    of the critical damping.
    """
    values = np.linalg.eigvals(step).astype(np.complex128)
    if np.abs(values).max() > 1.0 - 1e-9:
        return "diverge"
    swings = np.log(values[(np.abs(values.imag) > 1e-9) & (np.abs(values) > 0.0)])
    return "oscillate for long" if (-swings.real < LEAST_DAMPING * np.abs(swings)).any() else ""


def stable_share(failure: Callable[[float], str]) -> float | None:
    """Return the largest share, in two digits, of some gains with which a loop is stable; None if there is none.

    Args:
        failure: Returns the instability of the loop with a share of these gains.
    """
    share = 1.0
    while share > SMALLEST_SHARE:
        share *= 0.8
        digits = 10.0 ** (math.floor(math.log10(share)) - 1)
        rounded = math.floor(share / digits) * digits
        if not failure(rounded):
            return rounded
    return None
