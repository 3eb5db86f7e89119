"""Passivity of the port where a hand holds a device: it never gets more energy out than it has put in.

The device holds a force f for a tick while the hand moves by Δx: it then has taken up −f·Δx joules. Added up from the
start that is the observed energy E. A wall that is rendered with a delay gives back more than it took, and E would
sink without end; the hand would buzz. So before each tick

1. local damping, and more of it while E is negative, resists the motion there is;
2. the force is cut down to what the energy in store pays for, should the hand give way as far as it can.

The most that the hand can give way along f in a tick is v·dt + (|f|/m + a)·dt², with m no more than the mass that
surely moves (the device's own) and a what the hand accelerates by itself. With f scaled by s this asks for

    s²·Σ f²·dt²/m + s·Σ (f·v·dt + |f|·a·dt²) ≤ E + slack

and the largest such s is used. As long as the hand keeps to that bound, E never is below −slack: the guarantee. Where
it moves further by ε, E can fall short by at most |f|·ε more. What this costs is stiffness: a rigid wall feels like
one of about m/(2·dt²), and gives a little at the first touch.
"""

from __future__ import annotations

import math

from msgspec import Struct

from farhand.types import Vector

__all__ = ["Port", "PortMemory"]


class PortMemory(Struct, frozen=True):
    """What a port remembers from one tick to the next.

    Args:
        energy: Joules that the hand has put in, all in all.
        store: Joules of them that may come back: never more than `energy`, nor than the port keeps.
        force: What is exerted now.
        velocity: How the tip moved in the last tick.
    """

    energy: float = 0.0
    store: float = 0.0
    force: Vector = ()
    velocity: Vector = ()


class Port(Struct, frozen=True, kw_only=True):
    """A port of n directions, shifts or turns: observer and controller of its energy. Pure: memory comes and goes.

    Args:
        masses: (n,) kg or kg·m² that surely move with the tip: what limits how fast a force can speed it up.
        agility: (n,) m/s² or rad/s² by which the hand may speed up by itself.
        damping: Local damping while a force is felt, as a share of the most that is stable, m/dt.
        slack: Joules that may be lent; what a measurement cannot tell from nothing.
        most: Joules that are kept in store. What was put in long ago does not pay for a push now.
        weight: Motion scale × force scale from hand to robot: a joule at the hand stands for so many at the robot.
    """

    masses: Vector
    agility: Vector
    damping: float = 0.05
    slack: float = 5e-4
    most: float = 1.0
    weight: float = 1.0

    def step(
        self, force: Vector, displacement: Vector, dt: float, memory: PortMemory, supplied: float = 0.0
    ) -> tuple[Vector, PortMemory]:
        """Return what may be exerted for the next tick in place of a wanted force, and the memory.

        Args:
            force: (n,) N or Nm that are wanted.
            displacement: (n,) how far the tip moved in the tick that ends now, metres or radians.
            dt: Seconds of a tick.
            memory: From the last step; a fresh one at first.
            supplied: Joules that the robot's surroundings put into the robot meanwhile, at the robot: they may be
                passed on to the hand, divided by `weight`.
        """
        seen = self.observe(displacement, dt, memory, supplied)
        allowed = self.allow(self.resist(force, dt, seen), dt, seen)
        return allowed.force, allowed

    def observe(self, displacement: Vector, dt: float, memory: PortMemory, supplied: float = 0.0) -> PortMemory:
        """Return the memory after a tick in which the tip moved under the force that was exerted."""
        gained = supplied / self.weight
        for f, d in zip(memory.force, displacement, strict=False):  # at the very first there is no force yet
            gained -= f * d
        return PortMemory(
            memory.energy + gained,
            min(memory.store + gained, self.most),
            memory.force,
            tuple([d / dt for d in displacement]),
        )

    def resist(self, force: Vector, dt: float, memory: PortMemory) -> Vector:
        """Return a force with damping: local, and what brings a negative store back, at most m/dt in each direction.

        More would turn the motion round within the tick and feed it. Where nothing is felt nothing is resisted.
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
        """Return the memory with the force that is exerted: as wanted, or as much of it as the store pays for."""
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

    def weighed(self, memory: PortMemory) -> float:
        """Return the observed energy as joules at the robot."""
        return memory.energy * self.weight


def _largest(a: float, b: float, c: float) -> float:
    """Return the largest s in 0…1 with a·s² + b·s ≤ c, for a and c not negative."""
    if a + b <= c:
        return 1.0
    root = math.sqrt(b * b + 4.0 * a * c)
    return 2.0 * c / (b + root) if b > 0.0 else min(1.0, (root - b) / (2.0 * a))
