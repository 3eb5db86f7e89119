"""The speed level's limit on joints that follow the joints of a master.

Autonomous moves are timed for the speed level beforehand; the motion of a hand is not.
"""

from __future__ import annotations

from farhand.lane.motion.servo_stage import TRACK_GAIN
from farhand.types import JointTrack, Note, Quantity, Vector

__all__ = ["paced"]


def paced(track: JointTrack, told: Vector, top: Vector, share: float) -> tuple[JointTrack, tuple[Note, ...]]:
    """Return a track that moves no joint faster than a share of its top rate, and a note if that slows it.

    |q̇ + k·(q − q_told)| ≤ share·q̇_top, with the servo's own gain k.

    Args:
        track: The mapping's demand.
        told: Last set-point of the joints.
        top: Top rate of each joint.
        share: The speed level as a share of full speed.
    """
    if share >= 1.0:
        return track, ()
    rows = zip(track.positions, track.rates, told, top, strict=True)
    rates = [rate + TRACK_GAIN * (there - here) for there, rate, here, _ in rows]
    slow = [max(-share * most, min(share * most, rate)) for rate, most in zip(rates, top, strict=True)]
    if slow == rates:
        return track, ()
    # a slowed joint keeps its place, and its rate alone moves it
    kept = [a == b for a, b in zip(slow, rates, strict=True)]
    positions = [a if same else b for a, b, same in zip(track.positions, told, kept, strict=True)]
    speeds = [a if same else b for a, b, same in zip(track.rates, slow, kept, strict=True)]
    note = Note("lane.behind", "slow", quantities=(Quantity("share", share, "share"),))
    return JointTrack(tuple(positions), tuple(speeds)), (note,)
