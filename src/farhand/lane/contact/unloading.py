"""An arm that stands and is pressed too hard keeps where its joints are, not where they were told to be.

Whoever leads an arm against something and lets go leaves its set-point a little inside. A drive that integrates would
press ever harder from there, to several times the threshold. So while compliance says that it presses too hard, the
set-point comes back to the joints. Nothing is driven by it: what presses is taken back, and a pushed arm gives way.
"""

from __future__ import annotations

from farhand.types import Demand, Mode

__all__ = ["should_unload"]

LED: tuple[Mode, ...] = ("teleoperation", "autonomous")


def should_unload(demand: Demand, mode: Mode) -> bool:
    """Tell whether an arm stands, and something that it touches, which grips, would have it back out."""
    return mode not in LED and any([wall.grip > 0.0 > wall.speed for wall in demand.walls])
