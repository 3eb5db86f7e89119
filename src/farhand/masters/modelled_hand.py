"""An operator's hand: a mass that a spring and a damper pull along an intended motion.

::

    (M + m)·a = K·(x_intended − x) + B·(v_intended − v) − c·v + F

M, K and B are the hand's, m and c the device's, and F is the force feedback; rotation likewise. Each step is solved
implicitly, so it is stable for every hand, time step and bounded force.

The presets span the 100 to 1000 N/m known of hands, at damping ratios of 0.3 to 0.7. Relaxed is a measured trial of an
arm at a handle: 0.554 kg, 6.45 N·s/m, 135 N/m (van Beek and others, Scientific Reports 5, 18004, 2015). Stiffness and
damping grow with the grip and the mass does not (Hasser and Cutkosky, Haptic Symposium 2002); normal and firm follow
that trend. So do the figures of turning, from a passive wrist of the order of 1 Nm/rad (Formica and others, Journal of
Neurophysiology 108, 2012), and the strengths.
"""

from __future__ import annotations

import math
from typing import Annotated

from msgspec import Meta, Struct

from farhand.poses import Pose, Quaternion, Vec3, conjugate, from_rotation_vector, multiply, normalized, rotation_vector
from farhand.types import Twist, Vector

__all__ = ["HANDS", "HandState", "ModelledHand", "move_hand"]

Positive = Annotated[float, Meta(gt=0.0, le=1e5)]


class ModelledHand(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The impedance and strength of a hand about its intended motion.

    Args:
        mass: Mass that moves with the tip, kg.
        damping: Against the velocity relative to the intended one, N·s/m.
        stiffness: Towards the intended position, N/m.
        strength: Greatest force, N.
        inertia: Inertia that turns with the tip, kg·m².
        turn_damping: Nm·s/rad.
        turn_stiffness: Nm/rad.
        turn_strength: Greatest torque, Nm.
    """

    mass: Positive
    damping: Positive
    stiffness: Positive
    strength: Positive = 30.0
    inertia: Positive = 3e-3
    turn_damping: Positive = 0.1
    turn_stiffness: Positive = 3.0
    turn_strength: Positive = 1.5


HANDS: dict[str, ModelledHand] = {
    "relaxed": ModelledHand(
        mass=0.55, damping=6.5, stiffness=135.0, strength=10.0,
        inertia=3e-3, turn_damping=0.04, turn_stiffness=1.0, turn_strength=0.5,
    ),
    "normal": ModelledHand(
        mass=0.60, damping=18.0, stiffness=400.0, strength=30.0,
        inertia=3e-3, turn_damping=0.10, turn_stiffness=3.0, turn_strength=1.5,
    ),
    "firm": ModelledHand(
        mass=0.70, damping=37.0, stiffness=1000.0, strength=60.0,
        inertia=3e-3, turn_damping=0.22, turn_stiffness=8.0, turn_strength=3.0,
    ),
}  # fmt: skip
"""Hands by their grip."""


class HandState(Struct, frozen=True):
    """Pose and velocity of a hand, in base axes of the device.

    Args:
        pose: Pose of the device's tip.
        linear: m/s.
        angular: rad/s.
    """

    pose: Pose
    linear: Vec3 = (0.0, 0.0, 0.0)
    angular: Vec3 = (0.0, 0.0, 0.0)


def move_hand(
    hand: ModelledHand,
    state: HandState,
    intended: Pose,
    pace: Twist,
    wrench: Vector,
    dt: float,
    mass: float = 0.0,
    inertia: float = 0.0,
    friction: float = 0.0,
) -> HandState:
    """Return the hand's state after a time step.

    Args:
        hand: Its impedance.
        state: At the beginning of the step.
        intended: Intended pose at the end of the step.
        pace: Velocity of the intended pose.
        wrench: (6,) N and Nm on the hand.
        dt: Seconds.
        mass: Mass of the device, kg.
        inertia: Its inertia, kg·m².
        friction: Its viscous friction, N·s/m.
    """
    place, aim = state.pose.position, intended.position
    lead = _shortened((aim[0] - place[0], aim[1] - place[1], aim[2] - place[2]), hand.strength / hand.stiffness)
    linear = _velocity(
        state.linear, lead, pace.linear, wrench[:3], dt, hand.mass + mass, hand.damping, friction, hand.stiffness
    )
    x, y, z = linear
    position = (place[0] + x * dt, place[1] + y * dt, place[2] + z * dt)
    rotation, angular = _turned(hand, state, intended.rotation, pace.angular, wrench[3:], dt, inertia)
    return HandState(Pose(position, rotation), linear, angular)


def _turned(
    hand: ModelledHand, state: HandState, aim: Quaternion, pace: Vec3, torque: Vector, dt: float, inertia: float
) -> tuple[Quaternion, Vec3]:
    """Return rotation and turn rate at the end of the step."""
    before = state.pose.rotation
    if before == aim and not (any(state.angular) or any(pace) or any(torque)):
        return before, state.angular  # no rotation, the most frequent case
    turn = _shortened(_turn_to(before, aim), hand.turn_strength / hand.turn_stiffness)
    a, b, c = angular = _velocity(
        state.angular, turn, pace, torque, dt, hand.inertia + inertia, hand.turn_damping, 0.0, hand.turn_stiffness
    )
    return normalized(multiply(from_rotation_vector((a * dt, b * dt, c * dt)), before)), angular


def _velocity(
    velocity: Vec3,
    lead: Vec3,
    pace: Vec3,
    force: Vector,
    dt: float,
    mass: float,
    damping: float,
    friction: float,
    stiffness: float,
) -> Vec3:
    """Return v' of M·(v' − v)/dt = K·(lead − v'·dt) + B·(pace − v') − c·v' + F."""
    below = mass + dt * (damping + friction) + dt * dt * stiffness
    x, y, z = [
        (mass * v + dt * (stiffness * e + damping * u + f)) / below
        for v, e, u, f in zip(velocity, lead, pace, force, strict=True)
    ]
    return (x, y, z)


def _turn_to(rotation: Quaternion, aim: Quaternion) -> Vec3:
    """Return the shortest rotation vector, in base axes, from one rotation to another."""
    return rotation_vector(multiply(aim, conjugate(rotation)))


def _shortened(v: Vec3, longest: float) -> Vec3:
    length = math.sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2])
    if length <= longest:
        return v
    k = longest / length
    return (v[0] * k, v[1] * k, v[2] * k)
