"""Warnings about the set-up of a robot, before anyone drives it."""

from __future__ import annotations

import math

from farhand.filters.compliance import least_threshold
from farhand.kinematics import SerialChain
from farhand.lane import Lane, ReflectionSpec
from farhand.types import Note, Quantity

__all__ = ["setup_warnings"]

UNPROTECTED = Note("cell.unprotected")
NUMB = Note("cell.numb")


def setup_warnings(lane: Lane) -> tuple[Note, ...]:
    """Return warnings about missing protection in the set-up of a robot."""
    numb = lane.wrist is not None and not lane.wrist.mount.solid
    return _unprotected(lane) + ((NUMB,) if numb else ())


def _unprotected(lane: Lane) -> tuple[Note, ...]:
    threshold = least_threshold(lane.filters)
    if lane.avoid is not None:
        return ()
    if not math.isfinite(threshold):
        return (UNPROTECTED,) if _reflects(lane) else ()
    quantities = (Quantity("threshold", threshold, "N"),)
    serial = isinstance(lane.chain, SerialChain)
    return (Note("cell.unslowed" if serial else "cell.unslowed.linkage", quantities=quantities),)


def _reflects(lane: Lane) -> bool:
    """Return whether there is force feedback: the master has motors, or the cell file sets `feedback`."""
    device = lane.config.driven.device is not None
    return lane.reflection.scale > 0.0 and (device or lane.reflection != ReflectionSpec())
