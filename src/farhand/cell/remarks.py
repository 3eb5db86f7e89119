"""What is worth knowing of how a robot of a cell is set up, before anybody drives it."""

from __future__ import annotations

import math

from farhand.filters.compliance import least_threshold
from farhand.kinematics import SerialChain
from farhand.lane import Lane
from farhand.types import Note

__all__ = ["remarks_of"]


def remarks_of(lane: Lane) -> tuple[Note, ...]:
    """Return what the set-up of a robot does not do, though one might think so."""
    threshold = least_threshold(lane.filters)
    if lane.avoid is not None or not math.isfinite(threshold):
        return ()
    text = (
        f"Compliance gives way above {threshold:g} N, but does not slow the approach: "
        "at full speed the first push may be many times harder. "
    )
    if isinstance(lane.chain, SerialChain):
        text += "With `avoid` it comes slowly to what it touches."
    else:
        text += "`avoid` is for arms whose joints form a chain; here `limits` can keep all of its motion slow."
    return (Note("cell.unslowed", text),)
