"""Force feedback: the contact wrench, smoothed and scaled for the hand."""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Meta, Struct

from farhand.poses import Quaternion, Vec3, conjugate, rotate
from farhand.types import Wrench
from farhand.vectors import plus, times

__all__ = ["NO_WRENCH", "ReflectionSpec", "reflect", "summed", "to_hand"]

NO_WRENCH = Wrench()


class ReflectionSpec(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The settings of the force feedback. Contact forces already exclude the weight of tool and load.

    Args:
        scale: N at the hand for each N at the robot's tip.
        torque_scale: Nm for each Nm; by default `scale`.
        cutoff: Cut-off frequency of the low-pass filter, Hz.
        threshold: Dead band, N; the feedback starts from 0 above it, without a jump.
    """

    scale: Annotated[float, Meta(ge=0.0, le=100.0)] = 1.0
    torque_scale: Annotated[float, Meta(ge=0.0, le=100.0)] | None = None
    cutoff: Annotated[float, Meta(gt=0.0, le=1000.0)] = 40.0
    threshold: Annotated[float, Meta(ge=0.0, le=100.0)] = 0.05


def reflect(spec: ReflectionSpec, contact: Wrench, base: Quaternion, last: Wrench, dt: float) -> Wrench:
    """Return the smoothed contact in the robot's base axes, in N and Nm of the robot.

    A first-order low-pass: f ← f + (1 - e^(-2π·cutoff·dt))·(contact - f).

    Args:
        spec: The settings of the force feedback.
        contact: The contact wrench at the tip, world axes.
        base: Orientation of the robot's base in the world.
        last: The smoothed contact of the last tick.
        dt: Seconds per tick.
    """
    if contact == NO_WRENCH == last:
        return last
    share, back = 1.0 - math.exp(-math.tau * spec.cutoff * dt), conjugate(base)
    force = _mixed(last.force, rotate(back, contact.force), share)
    torque = _mixed(last.torque, rotate(back, contact.torque), share)
    if max(map(abs, force + torque)) < 1e-6:
        return NO_WRENCH
    return Wrench(force, torque)


def to_hand(spec: ReflectionSpec, wrench: Wrench) -> Wrench:
    """Return the wrench at the hand for a wrench at the tip."""
    length = math.hypot(*wrench.force)
    beyond = max(0.0, length - spec.threshold) / length if length > 0.0 else 0.0
    k, t = spec.scale * beyond, spec.scale if spec.torque_scale is None else spec.torque_scale
    return Wrench(times(k, wrench.force), times(t * (beyond > 0.0), wrench.torque))


def summed(a: Wrench, b: Wrench) -> Wrench:
    """Return the sum of two wrenches."""
    if b == NO_WRENCH:
        return a
    return b if a == NO_WRENCH else Wrench(plus(a.force, b.force), plus(a.torque, b.torque))


def _mixed(a: Vec3, b: Vec3, share: float) -> Vec3:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))
