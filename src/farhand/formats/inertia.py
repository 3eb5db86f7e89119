"""Mass and inertia: checked if a file gives them, else estimated from the shape."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["Inertia", "from_bounds", "principal", "problem_with"]

Floats = NDArray[np.float64]

#: Mean density of a robot's link within its bounding box, kg/m³: housings are hollow and do not fill the box.
_DENSITY = 300.0
_MIN_MASS = 0.01
_MAX_MASS = 1e5


@dataclass(frozen=True)
class Inertia:
    """Mass (kg), centre of mass (m), principal moments (kg m²) and rotation (wxyz) of the principal axes."""

    mass: float
    centre: tuple[float, float, float]
    moments: tuple[float, float, float]
    turn: tuple[float, float, float, float] = (1.0, 0.0, 0.0, 0.0)


def from_bounds(lower: Floats, upper: Floats, mass: float | None = None) -> Inertia:
    """Return the inertia of an even box between two corners; without `mass`, at the density of a robot's link."""
    size = np.maximum(upper - lower, 0.005)
    if mass is None:
        mass = float(np.clip(_DENSITY * np.prod(size), _MIN_MASS, _MAX_MASS))
    squares = size**2
    moments = np.maximum(mass / 12 * (squares.sum() - squares), 1e-9)
    x, y, z = (lower + upper) / 2
    return Inertia(mass, (float(x), float(y), float(z)), (float(moments[0]), float(moments[1]), float(moments[2])))


def principal(tensor: Floats) -> tuple[tuple[float, float, float], Floats]:
    """Return the principal moments of a symmetric tensor and the right-handed axes as columns."""
    values, axes = np.linalg.eigh(tensor)
    if np.linalg.det(axes) < 0:
        axes[:, 2] = -axes[:, 2]
    return (float(values[0]), float(values[1]), float(values[2])), axes


def problem_with(mass: float, moments: tuple[float, float, float], reach: float) -> str:
    """Return the error in a mass and its principal moments, or an empty text.

    Args:
        mass: Kilograms.
        moments: Principal moments, smallest first.
        reach: Distance from the centre of mass to the farthest point of the link's shape, metres.
    """
    low, middle, high = moments
    if mass <= 0 and high <= 0:
        return "has no mass"
    if mass <= 0:
        return "has inertia but no mass"
    if mass > _MAX_MASS:
        return "has an impossibly large mass"
    if low <= 0:
        return "has an inertia that is not positive"
    if low + middle < high * (1 - 1e-3):
        return "has an impossible inertia (the two smaller moments must add up to at least the largest)"
    if high > mass * (3 * max(reach, 0.05)) ** 2:
        return "has an inertia far too large for its size and mass"
    return ""
