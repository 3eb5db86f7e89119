"""What must never reach a robot, and what must never be measured of one."""

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
    TipTrack,
    TipTwist,
)

__all__ = ["Watch", "demand_problem"]

# How far beyond a limit a measured joint must be before it counts as violated: drives bend, contacts push.
POSITION_MARGIN = {"hinge": math.radians(3.0), "slide": 0.01}
RATE_FACTOR, RATE_MARGIN = 2.0, {"hinge": 1.0, "slide": 0.2}


def demand_problem(demand: Demand, joints: int) -> str:
    """Return what is wrong with a demand's numbers, as a sentence, or an empty text."""
    for group, motion in demand.motions.items():
        kind = type(motion)
        if kind not in _KINDS.get(group, _NONE):
            return f"What {demand.source!r} asks of the {group} is nothing it can do."
        values = _NUMBERS[kind](motion)
        if not math.isfinite(sum(values)) and not all([math.isfinite(value) for value in values]):
            return f"What {demand.source!r} asks of the {group} is not a number."
        here = joints if group == "arm" else FLIPPERS
        expected = _COUNTS.get(kind, 0) * here
        if expected and len(values) != expected:
            found = len(values) // _COUNTS[kind]
            return f"What {demand.source!r} asks has {found} joint rates; the {group} has {here} joints."
    return ""


FLIPPERS = 4
# What each group can be asked for.
_NONE: set[type] = set()
_KINDS: dict[str, set[type]] = {
    "arm": {Hold, JointRates, JointTrack, TipTwist, TipTrack},
    "gripper": {Hold, GripRate, GripTo},
    "base": {Hold, DriveRate},
    "flippers": {Hold, JointRates, JointTrack},
}
# The numbers of each kind of motion, and how many there must be for each joint.
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


class Watch:
    """Tells which measured joint is beyond its limits.

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

    def __call__(self, measured: GroupState) -> str | None:
        """Return the first such joint as a sentence, or None."""
        for (lower, upper, top, name), at, rate in zip(self._rows, measured.positions, measured.rates, strict=True):
            if not lower <= at <= upper:
                return f"{name} was pushed beyond its limit."
            if not -top <= rate <= top:
                return f"{name} was pushed faster than it may turn."
        return None
