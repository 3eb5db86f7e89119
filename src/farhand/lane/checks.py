"""What must never reach a robot, and what must never be measured of one."""

from __future__ import annotations

import math

from farhand.formats.model import JointSpec
from farhand.types import Demand, GripRate, GripTo, GroupState, Hold, JointRates, JointTrack, Motion, TipTrack, TipTwist

__all__ = ["Watch", "demand_problem"]

# How far beyond a limit a measured joint must be before it counts as violated: drives bend, contacts push.
POSITION_MARGIN = {"hinge": math.radians(3.0), "slide": 0.01}
RATE_FACTOR, RATE_MARGIN = 2.0, {"hinge": 1.0, "slide": 0.2}


def demand_problem(demand: Demand, joints: int) -> str:
    """Return what is wrong with a demand's numbers, as a sentence, or an empty text."""
    for group, motion in demand.motions.items():
        values = _numbers(motion)
        if not math.isfinite(sum(values)) and not all([math.isfinite(value) for value in values]):
            return f"What {demand.source!r} asks of the {group} is not a number."
        if isinstance(motion, (JointRates, JointTrack)) and group == "arm" and len(motion.rates) != joints:
            return f"What {demand.source!r} asks has {len(motion.rates)} joint rates; the arm has {joints} joints."
        if isinstance(motion, JointTrack) and len(motion.positions) != joints:
            return f"What {demand.source!r} asks has {len(motion.positions)} joints; the arm has {joints}."
        if isinstance(motion, (GripRate, GripTo)) != (group != "arm") and not isinstance(motion, Hold):
            return f"What {demand.source!r} asks of the {group} is nothing it can do."
    return ""


def _numbers(motion: Motion) -> tuple[float, ...]:
    if isinstance(motion, JointRates):
        return motion.rates
    if isinstance(motion, JointTrack):
        return motion.positions + motion.rates
    if isinstance(motion, TipTwist):
        return motion.linear + motion.angular
    if isinstance(motion, TipTrack):
        return motion.pose.position + motion.pose.rotation + motion.linear + motion.angular
    if isinstance(motion, GripRate):
        return (motion.rate,)
    return (motion.opening, motion.share) if isinstance(motion, GripTo) else ()


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
