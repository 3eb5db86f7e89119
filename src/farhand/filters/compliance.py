"""Compliance: the tip presses no harder than a threshold, whatever moves it, and yields above it.

A wall is laid across the way that the tip presses, and lets it on at

    v ≤ (threshold − F) / (K·T)

where F is what it presses with, T how long it takes to come to the threshold, and K how stiff what it touches is, found
from how the force grows with the way. Close to the threshold it goes more gently still, so that it does not answer
every shiver of the force. Below the threshold that only slows the last bit; at the threshold the tip stands; above it v
is negative and the tip backs out, by the integral of the excess. v falls at once and rises slowly: something heavy
answers every rise by its inertia, and would be shaken. Along the surface and away from it all ways are free.
The wall is honoured by jogs, tracks and moves of joints alike, so there is no offset to wind up. It is laid at the
point that touches, which the torque tells, so a tool that turns against something yields as well. Jaws that grip touch
at more than one: backing out, the tip itself goes back as fast, so that no turn about a point that is none drives it
on. Where the tip is only asked to go and not to turn, the wall is laid at the tip alone: wide jaws would otherwise be
driven on by tilting over the one that touches. Friction tilts the force that is felt, and the wall with it: what is led
nearly straight in does not slide, and joints that move one by one or by a plan are slowed alike and keep to their way.
Jaws that are clamped to something that cannot move do not slide at all.

Turning is bounded likewise, by a wall on the turn rate and a torque of its own about the tip. What a point of the tool
can be the reason for is no matter of it: the lever of the wall above says that. Nor is what hangs in the jaws.

A base that drives brings the tip nearer too. It is slowed to v likewise; as it needs a moment to brake, the arm backs
out meanwhile: what the base does comes off what the arm may. A tip that was knocked back is not brought on again at
speed: for a moment the base goes no faster than something stiff may be touched.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.carrying import approach, slowed
from farhand.filters.filter import FILTERS, NO_NOTES, Filter, Surroundings, View
from farhand.filters.stiffness import FORCE, TORQUE, Range, Stiffness
from farhand.poses import Pose, Quaternion, Vec3, conjugate, multiply, rotate, rotation_vector
from farhand.types import HOLD, STOP, Demand, Motion, Note, Quantity, TipTwist, Wall, Wrench

__all__ = ["PEAK", "Compliance", "ComplianceSpec", "contact_speed", "least_threshold"]

Notes = tuple[Note, ...]
Smoothed = tuple[Wrench, Wrench]  # once, twice
FELT = 0.03  # share of the threshold from which on something is touched
SMOOTH = 0.005  # s over which the force is smoothed, twice: heavy things answer every change of speed by their inertia
CALM = 0.05  # share of the threshold: nearer to it than this, the tip comes gently, so as not to answer every shiver
CALM_BACK = 0.02  # the same for backing out, which is in more of a hurry
DELAY = 0.03  # s from a set-point to the force that it makes: drives, servo and smoothing
GRIPS = 0.25  # share of a way against something that may go aside: what is led nearer to straight in does not slide
TWISTED = 0.2  # share of the torque's threshold from which on turning is bounded
LEVER = 0.15  # m from the tip at which something of a tool may touch
CLAMPS = 8.0  # the same while the jaws hold on to something that cannot move
WARY = 1.0  # s for which a base remembers what its tip has touched
NOTHING = 1e-6  # N, Nm that are none
RISE = 5e-3  # 1/kg: the tip speeds up by so much of what is left, so that 20 kg answer with a tenth of that
PEAK = 0.5  # share of the threshold that the first touch may add to it


class ComplianceSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """What a cell file says of it.

    Args:
        threshold: N that the tip may press with.
        torque: Nm that it may turn against, about the tip; left out: what the threshold does at a lever of 0.15 m.
        settle: Seconds in which it comes to the threshold.
        backing: m/s at which it backs out at most.
    """

    threshold: Annotated[float, Meta(gt=0.0, le=1e5)] = 50.0
    torque: Annotated[float, Meta(gt=0.0, le=1e5)] | None = None
    settle: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.15
    backing: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Pass everything on: it has not been told which way the robot stands."""
        del view, memory
        return demand, None, NO_NOTES

    def placed(self, around: Surroundings) -> Filter:
        """Return it for a robot that stands somewhere."""
        return Compliance(self, around.T_world_base.rotation)


def contact_speed(threshold: float, stiffness: float = 1e5) -> float:
    """Return the speed (m/s) at which something stiff may be touched: what is on its way then adds half the threshold.

    Args:
        threshold: N, of the compliance.
        stiffness: N/m of the hardest thing that may be touched.
    """
    return PEAK * threshold / (stiffness * DELAY)


class _Touch(Struct, frozen=True):
    """What was felt in the last tick.

    Args:
        smooth: Force and torque at the tip, base axes, smoothed once and twice.
        tip: Where the tip's set-point was then, while something was touched.
        force: How the force grows with the tip's way.
        torque: How the torque grows with its turn, while there is enough of it.
        into: Which way the tip pressed when it last did, base axes.
        since: Seconds since then.
    """

    smooth: Smoothed
    tip: Pose | None = None
    force: Stiffness | None = None
    torque: Stiffness | None = None
    into: Vec3 = (0.0, 0.0, 0.0)
    since: float = math.inf


NO_TURN: Vec3 = (0.0, 0.0, 0.0)
NO_CONTACT = Wrench()
UNTOUCHED = _Touch((NO_CONTACT, NO_CONTACT))


class Compliance:
    """Keeps what the tip presses with and turns against at or below the thresholds.

    Args:
        spec: As the cell file has it.
        base: How the base of a robot that stands is turned in the world.
    """

    def __init__(self, spec: ComplianceSpec, base: Quaternion) -> None:
        self.spec, self._back = spec, conjugate(base)
        self._torque = spec.torque or LEVER * spec.threshold

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with walls across the ways that the tip presses and turns."""
        contact = view.robot.contact if view.contact is None else view.contact
        if memory is UNTOUCHED and contact == NO_CONTACT:
            return demand, memory, NO_NOTES
        smooth = self._smoothed(contact, view, memory)
        touch = _Touch(smooth, view.T_base_tip)
        demand, touch, notes = self._pressing(demand, view, touch, memory)
        demand, touch, said = self._turning(demand, view, touch, memory)
        if touch.force is None and touch.torque is None:
            return self._wary(demand, view, smooth, memory)
        return demand, touch, notes + said

    def _pressing(
        self, demand: Demand, view: View, touch: _Touch, memory: _Touch | None
    ) -> tuple[Demand, _Touch, Notes]:
        """Lay a wall across the way that the tip presses, at the point that touches."""
        felt, most = touch.smooth[1], self.spec.threshold
        size, into = _split(felt.force)
        if size < FELT * most:
            return demand, touch, NO_NOTES
        tip, moving = view.T_base_tip.position, view.robot.base_twist is not None
        carried = approach(view.robot, tip, into)
        way = _along(memory, tip, into) + carried * view.dt
        known = _learnt(memory.force if memory else None, size, way, FORCE)
        speed = self._let_on(size, most, known.value(FORCE))
        lever = NO_TURN if _only_goes(demand.motions.get("arm")) else _lever(felt.torque, size)
        if memory and memory.force and not view.robot.clamped:
            gone = way + _round(memory, touch, lever)
            speed = min(speed, max(gone / view.dt, 0.0) + _rise(size, most) * view.dt)
        touch = replace(touch, force=known)
        notes = (self._note(size, demand, view),) if size > 0.9 * most and demand.source != STOP else NO_NOTES
        if moving:
            touch = replace(touch, into=into, since=0.0)
            demand, said = slowed(demand, tip, into, speed)
            notes += said
        grip = _grip(view) * min(1.0, size / most)
        wall = Wall(into, max(speed, -self.spec.backing) - carried, "", 0.0, lever, grip)
        walls = (*demand.walls, wall)
        if speed < 0.0 and any(lever):
            walls += (replace(wall, turn=NO_TURN, grip=0.0),)
        return replace(demand, walls=walls), touch, notes

    def _turning(
        self, demand: Demand, view: View, touch: _Touch, memory: _Touch | None
    ) -> tuple[Demand, _Touch, Notes]:
        """Lay a wall across the way that the tip turns against something; what is held may hang as it likes."""
        size, into = _split(touch.smooth[1].torque)
        if size < TWISTED * self._torque or view.robot.held:
            return demand, touch, NO_NOTES
        turned = _round(memory, touch, into)
        known = _learnt(memory.torque if memory else None, size, turned, TORQUE)
        rate = self._let_on(size, self._torque, known.value(TORQUE))
        if memory and memory.torque and not view.robot.clamped:
            rate = min(rate, max(turned / view.dt, 0.0) + _rise(size, self._torque) / LEVER**2 * view.dt)
        touch, slowest = replace(touch, torque=known), -self.spec.backing / LEVER
        wall = Wall(NO_TURN, max(rate, slowest), "", 0.0, into, _grip(view) * min(1.0, size / self._torque))
        told = size > 0.9 * self._torque and demand.source != STOP
        notes = (self._twist_note(size, demand, view),) if told else NO_NOTES
        return replace(demand, walls=(*demand.walls, wall)), touch, notes

    def _let_on(self, size: float, most: float, stiffness: float) -> float:
        """Return how fast a force or a torque may be increased: m/s, or rad/s; below zero it is relieved."""
        left = most - size
        calm = abs(left) / (abs(left) + (CALM if left > 0.0 else CALM_BACK) * most)
        return calm * left / (stiffness * self.spec.settle)

    def _wary(self, demand: Demand, view: View, smooth: Smoothed, memory: _Touch | None) -> tuple[Demand, Any, Notes]:
        """Return what may go on where nothing is touched: a base comes back gently to what has just been."""
        if memory is None or memory.since + view.dt > WARY:
            still = max([max(map(abs, felt.force + felt.torque)) for felt in smooth]) < NOTHING
            return demand, UNTOUCHED if still else _Touch(smooth), NO_NOTES
        kept = _Touch(smooth, into=memory.into, since=memory.since + view.dt)
        gently = contact_speed(self.spec.threshold)
        demand, said = slowed(demand, view.T_base_tip.position, memory.into, gently)
        return demand, kept, said

    def _smoothed(self, contact: Wrench, view: View, memory: Any) -> Smoothed:
        """Return the contact in base axes without the chatter of friction, which has no direction to give way to."""
        driving = view.robot.T_world_base
        back = conjugate(driving.rotation) if driving else self._back
        force, torque = rotate(back, contact.force), rotate(back, contact.torque)
        if memory is None:
            return (Wrench(force, torque),) * 2
        share, (once, twice) = 1.0 - math.exp(-view.dt / SMOOTH), memory.smooth
        once = Wrench(_mixed(once.force, force, share), _mixed(once.torque, torque, share))
        return once, Wrench(_mixed(twice.force, once.force, share), _mixed(twice.torque, once.torque, share))

    def _note(self, force: float, demand: Demand, view: View) -> Note:
        if _stays(demand, view):
            return Note("compliance.pressed", quantities=(Quantity("force", force, "N"),))
        quantities = (Quantity("force", force, "N"), Quantity("threshold", self.spec.threshold, "N"))
        return Note("compliance.yields", "slow", quantities=quantities, free=("along", "back"))

    def _twist_note(self, torque: float, demand: Demand, view: View) -> Note:
        if _stays(demand, view):
            return Note("compliance.twisted", quantities=(Quantity("torque", torque, "Nm"),))
        quantities = (Quantity("torque", torque, "Nm"), Quantity("threshold", self._torque, "Nm"))
        return Note("compliance.turns", "slow", quantities=quantities, free=("turn-back",))


def _stays(demand: Demand, view: View) -> bool:
    """Return whether nobody asks for anything, and the arm holds its place: only one on a base that drives yields."""
    return demand.source == HOLD and view.robot.base_twist is None


def least_threshold(filters: Iterable[Filter]) -> float:
    """Return the force (N) above which the first of some filters gives way; infinity if none does."""
    return min([stage.spec.threshold for stage in filters if isinstance(stage, Compliance)], default=math.inf)


def _only_goes(motion: Motion | None) -> bool:
    """Return whether the tip is asked to go somewhere without turning."""
    return isinstance(motion, TipTwist) and not any(motion.angular)


def _grip(view: View) -> float:
    """Return which share of a way against something may go aside: jaws that hold on to something do not slide."""
    return CLAMPS if view.robot.clamped else GRIPS


def _split(v: Vec3) -> tuple[float, Vec3]:
    """Return the size of a force or torque on the tip, and the direction in which the tip presses or turns."""
    x, y, z = v
    size = math.sqrt(x * x + y * y + z * z)
    return (size, (-x / size, -y / size, -z / size)) if size > 0.0 else (0.0, NO_TURN)


def _lever(torque: Vec3, force: float) -> Vec3:
    """Return r × n of the point that touches, as far as a point of the tool can be the reason for a torque."""
    size, turn = _split(torque)
    arm = min(size / force, LEVER)
    return (arm * turn[0], arm * turn[1], arm * turn[2])


def _along(memory: _Touch | None, tip: Vec3, into: Vec3) -> float:
    """Return how far the tip has gone since the last tick, in a direction."""
    if memory is None or memory.tip is None:
        return 0.0
    (x, y, z), (a, b, c) = tip, memory.tip.position
    return (x - a) * into[0] + (y - b) * into[1] + (z - c) * into[2]


def _round(memory: _Touch | None, touch: _Touch, into: Vec3) -> float:
    """Return how far the tip has turned since the last tick, about a direction."""
    if memory is None or memory.tip is None or touch.tip is None:
        return 0.0
    a, b, c = rotation_vector(multiply(touch.tip.rotation, conjugate(memory.tip.rotation)))
    return a * into[0] + b * into[1] + c * into[2]


def _learnt(known: Stiffness | None, size: float, way: float, within: Range) -> Stiffness:
    return known.after(size, way, within) if known else Stiffness.unknown(size, within)


def _rise(size: float, most: float) -> float:
    """Return by how much a force lets the tip speed up, m/s²; times a lever's square a torque its turn, rad/s²."""
    return RISE * max(most - size, CALM * most)


def _mixed(a: Vec3, b: Vec3, share: float) -> Vec3:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


@FILTERS.register("compliance")
def _make(table: dict[str, Any]) -> ComplianceSpec:
    """The tip presses no harder than a threshold, and gives way above it."""
    return convert(table, ComplianceSpec)
