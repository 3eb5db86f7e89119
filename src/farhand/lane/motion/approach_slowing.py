"""Slow a motion towards a surface as a whole when it would slide over that surface too fast to touch it.

Otherwise the arm would stay above the surface: while it slides fast it may hardly come closer
(`distances/distance_rows.py`). A motion along the surface is not slowed. As soon as no pair is held off any more, the
motion speeds up again; slowly during contact, since it may stick and slip.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from farhand.distances import Blocking
from farhand.poses import Pose, Vec3, interpolate
from farhand.types import Note, TipTrack, TipTwist, Wall
from farhand.vectors import times

__all__ = ["EASED", "eased_jog", "eased_track", "is_eased", "next_ease"]

SLOWING_S = 0.1  # s to slow a motion to a third
RECOVERY_S, TOUCH_RECOVERY_S = 0.3, 2.0  # s back to full speed: without contact, and with it
LEAD_SHARE = 0.3  # least share of a motion towards a surface; below it the motion counts as along it
MIN_SHARE = 0.02  # least share of a motion that remains
NOTE_SHARE = 0.9  # share of a motion below which a note is made
EASED = Note("avoid.eases", "slow", free=("away",))


def next_ease(ease: float, blocking: tuple[Blocking, ...], way: Vec3, walls: tuple[Wall, ...], dt: float) -> float:
    """Return the share of the next tick's motion that is allowed.

    Args:
        ease: The share of this tick.
        blocking: Pairs that bounded the motion.
        way: The demanded velocity of the tip, base axes.
        walls: Other bounds on the tip; those with grip mean contact.
        dt: Seconds per tick.
    """
    if any([pair.slides > 0.0 and _leads_to(pair, way) for pair in blocking]):
        return max(ease * (1.0 - dt / SLOWING_S), MIN_SHARE)
    if ease == 1.0:
        return ease
    touching = any([wall.grip > 0.0 for wall in walls])
    return min(ease + dt / (TOUCH_RECOVERY_S if touching else RECOVERY_S), 1.0)


def _leads_to(pair: Blocking, way: Vec3) -> bool:
    (x, y, z), (a, b, c) = pair.normal, way
    return -(x * a + y * b + z * c) > LEAD_SHARE * math.sqrt(a * a + b * b + c * c)


def is_eased(ease: float) -> bool:
    """Return whether a motion is slowed so much that it needs a note."""
    return ease < NOTE_SHARE


def eased_jog(motion: TipTwist, ease: float) -> TipTwist:
    """Return a jog scaled to a share."""
    if ease == 1.0:
        return motion
    return replace(motion, linear=times(ease, motion.linear), angular=times(ease, motion.angular))


def eased_track(motion: TipTrack, ease: float, tip: Pose) -> TipTrack:
    """Return a track scaled to a share: its target lies that share of the way from the tip."""
    if ease == 1.0:
        return motion
    near = interpolate(tip, motion.pose, ease)
    return TipTrack(near, times(ease, motion.linear), times(ease, motion.angular))
