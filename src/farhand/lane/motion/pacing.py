"""Joints that are led by a master's go no faster than the speed level lets them.

What moves by itself is timed for that level beforehand; a hand is not.
"""

from __future__ import annotations

from farhand.lane.motion.servo_stage import TRACK_GAIN
from farhand.types import JointTrack, Note, Quantity, Vector

__all__ = ["paced"]


def paced(track: JointTrack, told: Vector, top: Vector, share: float) -> tuple[JointTrack, tuple[Note, ...]]:
    """Return a track after which no joint is led faster than a share of its top rate, and a note where that slows it.

    |q̇ + k·(q − q_told)| ≤ share·q̇_top, with the servo's own gain k.

    Args:
        track: What a mapping asks for.
        told: Where the joints were told to be last.
        top: Top rate of each joint.
        share: The speed level.
    """
    if share >= 1.0:
        return track, ()
    rows = zip(track.positions, track.rates, told, top, strict=True)
    rates = [rate + TRACK_GAIN * (there - here) for there, rate, here, _ in rows]
    slow = [max(-share * most, min(share * most, rate)) for rate, most in zip(rates, top, strict=True)]
    if slow == rates:
        return track, ()
    # where a joint is slowed, its rate alone says it all
    kept = [a == b for a, b in zip(slow, rates, strict=True)]
    positions = [a if same else b for a, b, same in zip(track.positions, told, kept, strict=True)]
    speeds = [a if same else b for a, b, same in zip(track.rates, slow, kept, strict=True)]
    note = Note("lane.behind", "slow", quantities=(Quantity("share", share, "share"),))
    return JointTrack(tuple(positions), tuple(speeds)), (note,)
