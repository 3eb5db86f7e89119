"""Checks of demands before they reach the servo, and of measured joints against their limits."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from farhand.formats.model import JointSpec
from farhand.types import (
    Demand,
    DriveRate,
    GripRate,
    GripTo,
    GroupState,
    Hold,
    JointRates,
    JointTrack,
    Note,
    Quantity,
    Subject,
    TipTrack,
    TipTwist,
)

__all__ = ["LimitWatch", "demand_problem"]

# Margins by which a measured joint must exceed a limit to violate it: drives bend, contacts push.
POSITION_MARGIN = {"hinge": math.radians(3.0), "slide": 0.01}
RATE_FACTOR, RATE_MARGIN = 2.0, {"hinge": 1.0, "slide": 0.2}


def demand_problem(demand: Demand, joints: int) -> Note | None:
    """Return the problem with a demand, or None."""
    for group, motion in demand.motions.items():
        kind = type(motion)
        if kind not in _KINDS.get(group, _NONE):
            return Note("demand.kind", about=_about(demand, group))
        values = _NUMBERS[kind](motion)
        if not math.isfinite(sum(values)) and not all([math.isfinite(value) for value in values]):
            return Note("demand.number", about=_about(demand, group))
        here = joints if group == "arm" else FLIPPERS
        expected = _COUNTS.get(kind, 0) * here
        if expected and len(values) != expected:
            found = Quantity("found", len(values) // _COUNTS[kind], "count")
            there = Quantity("joints", here, "count")
            return Note("demand.count", about=_about(demand, group), quantities=(found, there))
    return None


def _about(demand: Demand, group: str) -> tuple[Subject, ...]:
    return (Subject("source", demand.source), Subject("group", group))


FLIPPERS = 4
# The motions that each group can do.
_NONE: set[type] = set()
_KINDS: dict[str, set[type]] = {
    "arm": {Hold, JointRates, JointTrack, TipTwist, TipTrack},
    "gripper": {Hold, GripRate, GripTo},
    "base": {Hold, DriveRate},
    "flippers": {Hold, JointRates, JointTrack},
}
# The numbers of each kind of motion, and how many of them each joint needs.
_NUMBERS: dict[type, Callable[[Any], tuple[float, ...]]] = {
    Hold: lambda _: (),
    JointRates: lambda motion: motion.rates,
    JointTrack: lambda motion: motion.positions + motion.rates,
    TipTwist: lambda motion: motion.linear + motion.angular,
    TipTrack: lambda motion: motion.pose.position + motion.pose.rotation + motion.linear + motion.angular,
    GripRate: lambda motion: (motion.rate,),
    GripTo: lambda motion: (motion.opening, motion.share),
    DriveRate: lambda motion: (motion.forward, motion.turn),
}
_COUNTS: dict[type, int] = {JointRates: 1, JointTrack: 2}


class LimitWatch:
    """Finds the first measured joint that is beyond its limits.

    Args:
        joints: The joints.
    """

    def __init__(self, joints: tuple[JointSpec, ...]) -> None:
        self._rows = tuple(
            (
                joint.lower - POSITION_MARGIN[joint.kind],
                joint.upper + POSITION_MARGIN[joint.kind],
                RATE_FACTOR * joint.velocity + RATE_MARGIN[joint.kind],
                joint.label or joint.name,
            )
            for joint in joints
        )

    def __call__(self, measured: GroupState) -> Note | None:
        """Return the note on the first such joint, or None."""
        for (lower, upper, top, name), at, rate in zip(self._rows, measured.positions, measured.rates, strict=True):
            if not lower <= at <= upper:
                return Note("joint.beyond", about=(Subject("joint", name),))
            if not -top <= rate <= top:
                return Note("joint.fast", about=(Subject("joint", name),))
        return None
