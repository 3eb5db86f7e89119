"""A motion that leads to something, but would slide over it too fast to touch it, is slowed as a whole until it may.

Otherwise it would stay above it: what slides fast comes hardly nearer
(`distances/distance_rows.py`). A motion along it is not slowed, and stays there. As soon as nothing is held
off any more, because it touches, goes along or away, the motion gets faster again; gradually where it touches, for it
may stick and slip.
"""

from __future__ import annotations

import math

from msgspec.structs import replace

from farhand.distances import Blocking
from farhand.poses import Pose, Vec3, interpolate
from farhand.types import Note, TipTrack, TipTwist, Wall
from farhand.vectors import times

__all__ = ["EASED", "eased_jog", "eased_track", "is_eased", "next_ease"]

SLOWER = 0.1  # s in which a motion is slowed to a third
FASTER, TOUCHING = 0.3, 2.0  # s in which it is as fast as ever again: where nothing is touched, and where something is
LED = 0.3  # share of its way by which a motion must lead to something: with less it leads along it
LEAST = 0.02  # share of a motion that is always left
TOLD = 0.9  # share of a motion below which it is said to be slowed
EASED = Note("avoid.eases", "slow", free=("away",))


def next_ease(ease: float, blocking: tuple[Blocking, ...], way: Vec3, walls: tuple[Wall, ...], dt: float) -> float:
    """Return the share of the next tick's motion that is let on.

    Args:
        ease: That of this tick.
        blocking: Pairs that bounded it.
        way: Where the tip is asked to go, base axes.
        walls: What else bounds the tip: those that grip are touched.
        dt: Seconds per tick.
    """
    if any([pair.slides > 0.0 and _leads_to(pair, way) for pair in blocking]):
        return max(ease * (1.0 - dt / SLOWER), LEAST)
    if ease == 1.0:
        return ease
    touching = any([wall.grip > 0.0 for wall in walls])
    return min(ease + dt / (TOUCHING if touching else FASTER), 1.0)


def _leads_to(pair: Blocking, way: Vec3) -> bool:
    (x, y, z), (a, b, c) = pair.normal, way
    return -(x * a + y * b + z * c) > LED * math.sqrt(a * a + b * b + c * c)


def is_eased(ease: float) -> bool:
    """Tell whether a motion is slowed so much that its operator must know."""
    return ease < TOLD


def eased_jog(motion: TipTwist, ease: float) -> TipTwist:
    """Return a jog of which a share is left."""
    if ease == 1.0:
        return motion
    return replace(motion, linear=times(ease, motion.linear), angular=times(ease, motion.angular))


def eased_track(motion: TipTrack, ease: float, tip: Pose) -> TipTrack:
    """Return a track of which a share is left: its target comes as much nearer to the tip."""
    if ease == 1.0:
        return motion
    near = interpolate(tip, motion.pose, ease)
    return TipTrack(near, times(ease, motion.linear), times(ease, motion.angular))
