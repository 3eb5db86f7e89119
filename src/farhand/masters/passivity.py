"""Passivity of the port between a hand and a device: the device never returns more energy than the hand has put in.

The device holds a force f for a tick while the hand moves by Δx, so it absorbs −f·Δx joules. The sum from the start is
the observed energy E. A wall rendered with a delay returns more than it absorbed: E would fall without end, and the
hand would buzz. So before each tick

1. local damping, increased while E is negative, resists the motion;
2. the force is scaled so that the stored energy covers the furthest the hand can move along it.

That distance along f in a tick is at most v·dt + (|f|/m + a)·dt², with the device's own mass m (at least that moves)
and the hand's own acceleration a. With f scaled by s the condition is

    s²·Σ f²·dt²/m + s·Σ (f·v·dt + |f|·a·dt²) ≤ E + slack

and the largest such s is used. While the hand keeps to that bound, E never falls below −slack: this is the guarantee.
If it moves further by ε, E falls by at most |f|·ε more. The cost is stiffness: a rigid wall is rendered at about
m/(2·dt²), and gives a little at the first contact.
"""

from __future__ import annotations

import math

from msgspec import Struct

from farhand.types import Vector

__all__ = ["Port", "PortMemory"]


class PortMemory(Struct, frozen=True):
    """The state of a port from one tick to the next.

    Args:
        energy: Net energy that the hand has put in, J.
        store: Part of it that may be returned, J: at most `energy` and the port's `max_store`.
        force: Force exerted in this tick.
        velocity: Velocity of the tip in the last tick.
    """

    energy: float = 0.0
    store: float = 0.0
    force: Vector = ()
    velocity: Vector = ()


class Port(Struct, frozen=True, kw_only=True):
    """A port of n directions, linear or angular: passivity observer and controller, as pure functions of a memory.

    Args:
        masses: (n,) kg or kg·m²: least inertia that moves with the tip, which limits the acceleration by a force.
        agility: (n,) m/s² or rad/s²: greatest acceleration of the hand by itself.
        damping: Local damping while a force acts, as a share of the greatest stable one, m/dt.
        slack: Energy that may be lent, J: too small to measure.
        max_store: Greatest stored energy, J. Energy put in long ago must not pay for a push now.
        weight: Motion scale × force scale from hand to robot: joules at the robot for one at the hand.
    """

    masses: Vector
    agility: Vector
    damping: float = 0.05
    slack: float = 5e-4
    max_store: float = 1.0
    weight: float = 1.0

    def step(
        self, force: Vector, displacement: Vector, dt: float, memory: PortMemory, supplied: float = 0.0
    ) -> tuple[Vector, PortMemory]:
        """Return the force to exert in the next tick for a wanted one, and the memory.

        Args:
            force: (n,) wanted force, N or Nm.
            displacement: (n,) displacement of the tip in the tick that ends now, metres or radians.
            dt: Seconds of a tick.
            memory: From the last step; a new one at first.
            supplied: Energy that the robot's surroundings put into the robot meanwhile, J: the hand may receive it,
                divided by `weight`.
        """
        seen = self.observe(displacement, dt, memory, supplied)
        allowed = self.allow(self.resist(force, dt, seen), dt, seen)
        return allowed.force, allowed

    def observe(self, displacement: Vector, dt: float, memory: PortMemory, supplied: float = 0.0) -> PortMemory:
        """Return the memory after a tick in which the tip moved under the exerted force."""
        gained = supplied / self.weight
        for f, d in zip(memory.force, displacement, strict=False):  # there is no force before the first step
            gained -= f * d
        return PortMemory(
            memory.energy + gained,
            min(memory.store + gained, self.max_store),
            memory.force,
            tuple([d / dt for d in displacement]),
        )

    def resist(self, force: Vector, dt: float, memory: PortMemory) -> Vector:
        """Return a force with damping: local, plus enough to restore a negative store, at most m/dt in each direction.

        More would reverse the motion within the tick and add energy. Without a force there is no damping.
        """
        if not any(force) or not any(memory.velocity):
            return force
        share = self.damping
        if memory.store < 0.0:
            kinetic = sum([m * v * v for m, v in zip(self.masses, memory.velocity, strict=True)])
            share += -memory.store / max(kinetic, 1e-12)
        rate = min(share, 1.0) / dt
        return tuple([f - rate * m * v for f, m, v in zip(force, self.masses, memory.velocity, strict=True)])

    def allow(self, force: Vector, dt: float, memory: PortMemory) -> PortMemory:
        """Return the memory with the exerted force: the wanted one, or the share of it that the store covers."""
        still = memory.velocity or (0.0,) * len(force)
        if not any(force):
            return PortMemory(memory.energy, memory.store, force, still)
        square = line = 0.0
        for f, v, m, a in zip(force, still, self.masses, self.agility, strict=True):
            square += f * f * dt * dt / m
            line += (f * v + abs(f) * a * dt) * dt
        share = _largest(square, line, max(memory.store + self.slack, 0.0))
        exerted = force if share == 1.0 else tuple([share * f for f in force])
        return PortMemory(memory.energy, memory.store, exerted, still)

    def robot_energy(self, memory: PortMemory) -> float:
        """Return the observed energy as joules at the robot."""
        return memory.energy * self.weight


def _largest(a: float, b: float, c: float) -> float:
    """Return the largest s in 0…1 with a·s² + b·s ≤ c, for a and c not negative."""
    if a + b <= c:
        return 1.0
    root = math.sqrt(b * b + 4.0 * a * c)
    return 2.0 * c / (b + root) if b > 0.0 else min(1.0, (root - b) / (2.0 * a))
