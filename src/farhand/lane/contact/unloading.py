"""Unloading: a standing arm that presses too hard moves its set-point back to its measured joints.

An operator who drives an arm into a contact and lets go leaves the set-point a little inside the obstacle. A drive with
an integrator would then press harder and harder, up to several times the threshold. So while compliance finds the
contact force too high, the set-point returns to the measured joints. This drives nothing: the arm stops pressing, and
yields when it is pushed.
"""

from __future__ import annotations

from farhand.types import Demand, Mode

__all__ = ["should_unload"]

DRIVEN_MODES: tuple[Mode, ...] = ("teleoperation", "autonomous")


def should_unload(demand: Demand, mode: Mode) -> bool:
    """Return whether a standing arm has a gripping wall that demands a motion back."""
    return mode not in DRIVEN_MODES and any([wall.grip > 0.0 > wall.speed for wall in demand.walls])
