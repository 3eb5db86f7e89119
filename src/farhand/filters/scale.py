"""The speed level, and a gentle start after every change of source."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.filter import FILTERS, NO_NOTES, View
from farhand.types import Demand, DriveRate, GripRate, GripTo, JointRates, Motion, Note, TipTwist

__all__ = ["Scale", "scaled"]


class Scale(Struct, frozen=True, forbid_unknown_fields=True):
    """Scales rates by the chosen speed level, and ramps them up after every change of source.

    Every report gives the level itself; only the ramp needs a note.

    Args:
        ramp: Seconds from standstill to full speed after a change of source.
    """

    ramp: Annotated[float, Meta(ge=0.0, le=5.0)] = 0.2

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with its rates scaled; targets (tracks) pass unchanged."""
        source, share = memory or ("", 0.0)
        if source != demand.source:
            share = 0.0
        share = min(1.0, share + view.dt / self.ramp) if self.ramp > 0.0 else 1.0
        factor = share * view.speed
        motions = {group: scaled(motion, factor) for group, motion in demand.motions.items()}
        notes = (GENTLY,) if share < 1.0 and any(factor_matters(m) for m in demand.motions.values()) else NO_NOTES
        return replace(demand, motions=motions), (demand.source, share), notes

    def tightens(self, before: Scale) -> bool:
        """Return whether this ramp is no shorter."""
        return self.ramp >= before.ramp


GENTLY = Note("scale.ramp")


def factor_matters(motion: Motion) -> bool:
    """Return whether a motion has rates that can be scaled."""
    return isinstance(motion, (JointRates, TipTwist, GripRate, GripTo, DriveRate))


def scaled(motion: Motion, factor: float) -> Motion:
    """Return a motion with its rates multiplied by a factor."""
    if isinstance(motion, JointRates):
        return JointRates(tuple([rate * factor for rate in motion.rates]))
    if isinstance(motion, TipTwist):
        (x, y, z), (a, b, c), k = motion.linear, motion.angular, factor
        return TipTwist((x * k, y * k, z * k), (a * k, b * k, c * k), motion.frame, motion.turn_frame, motion.copies)
    if isinstance(motion, GripRate):
        return GripRate(motion.rate * factor)
    if isinstance(motion, GripTo):
        return GripTo(motion.opening, motion.share * factor)
    if isinstance(motion, DriveRate):
        return DriveRate(motion.forward * factor, motion.turn * factor)
    return motion


@FILTERS.register("scale")
def _make(table: dict[str, Any]) -> Scale:
    """Scale rates by the speed level, and start gently after every change of source."""
    return convert(table, Scale)
