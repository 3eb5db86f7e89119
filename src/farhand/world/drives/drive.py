"""What every drive offers, and where it is wired to."""

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
    "Floats",
    "Ints",
    "Wires",
    "inertia_matrix",
    "least_inertia",
    "restlessness",
    "share_that_calms",
    "tops",
]

LEAST_DAMPING = 0.05  # share of the critical one below which a loop swings for too long
SMALLEST = 1e-6  # share of a gain below which there is as good as none

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

HEADROOM = 1.05
"""How much faster than its top velocity a drive may ask a joint to go: one that fell behind must catch up."""


class Wires(Struct, frozen=True):
    """The parts of MuJoCo's arrays that an arm's drive reads and writes.

    Args:
        ctrl: What all actuators are told.
        qpos: Where all joints are.
        qvel: How fast they are.
        kept: What the drive remembers from tick to tick: part of the user data, so that a copy of that is complete.
        actuators: Numbers of the arm's actuators.
        at: Where its joints lie among the positions.
        dofs: Where they lie among the velocities.
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
        """Tell the actuators what to do in this tick.

        Args:
            q: Where each joint shall be at the end of the tick.
            rates: How fast it shall be there.
            forward: The torques that the wanted motion needs, by dof.
        """

    def hold(self) -> None:
        """Forget, and keep the joints where they are."""


def inertia_matrix(model: Any, data: Any, dofs: Ints) -> Floats:
    """Return the joint-space inertia of some dofs (kg·m², kg), the rest of the world held still."""
    full = np.zeros((model.nv, model.nv))
    for column, unit in enumerate(np.eye(model.nv)):
        mujoco.mj_mulM(model, data, full[column], unit)
    return np.ascontiguousarray(full[np.ix_(dofs, dofs)])


def least_inertia(inertia: Floats) -> Floats:
    """Return the smallest inertia that each joint can meet: 1/(M⁻¹)ᵢᵢ, the others free to move."""
    return np.asarray(1.0 / np.diag(np.linalg.inv(inertia)))


def tops(joints: tuple[JointSpec, ...]) -> Floats:
    """Return the velocity at which each joint's drive saturates."""
    return np.array([HEADROOM * joint.velocity for joint in joints])


def restlessness(step: Floats) -> str:
    """Say what a loop does that does not come to rest, given the map of its state in one step; empty if it does.

    Stable if every eigenvalue λ lies inside the unit circle. Of one that swings, -ln|λ|/|ln λ| is the share of the
    critical damping.
    """
    values = np.linalg.eigvals(step).astype(np.complex128)
    if np.abs(values).max() > 1.0 - 1e-9:
        return "diverge"
    swings = np.log(values[(np.abs(values.imag) > 1e-9) & (np.abs(values) > 0.0)])
    return "swing for long" if (-swings.real < LEAST_DAMPING * np.abs(swings)).any() else ""


def share_that_calms(restless: Callable[[float], str]) -> float | None:
    """Return the largest share, of two digits, of some gains with which a loop comes to rest; None if there is none.

    Args:
        restless: Says what the loop with a share of those gains does instead.
    """
    share = 1.0
    while share > SMALLEST:
        share *= 0.8
        digits = 10.0 ** (math.floor(math.log10(share)) - 1)
        rounded = math.floor(share / digits) * digits
        if not restless(rounded):
            return rounded
    return None
