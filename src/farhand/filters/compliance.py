"""Compliance: the tip presses no harder than a threshold, whatever moves it, and yields above it.

The tip's velocity in the direction of the contact force is bounded by

    v ≤ (threshold − F) / (K·T)

with the contact force F, the time T in which it settles at the threshold, and the contact stiffness K, which is
estimated from the growth of force with travel. Close to the threshold the bound falls further, so that the tip does not
answer every tremor of the force. Below the threshold the bound only slows the last bit of travel; at the threshold the
tip stands; above it v is negative and the tip backs out, by the integral of the excess. v falls at once and rises
slowly, because a heavy object answers every rise by its inertia and would be shaken. Motion along the surface and away
from it stays free.

Jogs, tracks and joint moves all honour the bound, so there is no offset to wind up. It applies at the contact point,
found from the torque, so that a tool that turns against an obstacle yields too. Jaws that grip touch at more than one
point: while backing out, the tip itself retreats as fast, so that no turn about a wrongly found point drives it on. A
demand for translation without turning is bounded at the tip alone: wide jaws would otherwise be driven on by tilting
over the jaw that touches. Friction tilts the measured force, and the bound with it: a tip led nearly straight in does
not slide, and single-joint and planned moves are slowed without leaving their path. Jaws clamped to an immovable object
do not slide at all.

A second bound, on the turn rate about the tip, has a torque threshold of its own. It ignores torque that a contact
force within the tool's reach explains, which the first bound covers, and torque from a held object.

A driving base moves the tip too. It is slowed to v likewise; because it needs a moment to brake, the arm backs out
meanwhile, and the base's speed comes off the arm's. After a contact ends the base does not drive on at speed: for a
moment it goes no faster than a stiff obstacle may be touched.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from farhand.config import convert
from farhand.filters.base_carrying_tip import approach, slowed
from farhand.filters.filter import FILTERS, NO_NOTES, Filter, Surroundings, View
from farhand.filters.stiffness import FORCE, TORQUE, Range, Stiffness
from farhand.poses import Pose, Quaternion, Vec3, conjugate, multiply, rotate, rotation_vector
from farhand.types import HOLD, STOP, Demand, Motion, Note, Quantity, TipTwist, Wall, Wrench

__all__ = ["PEAK", "Compliance", "ComplianceSpec", "contact_speed", "least_threshold"]

Notes = tuple[Note, ...]
Smoothed = tuple[Wrench, Wrench]  # once, twice
CONTACT_SHARE = 0.03  # share of the threshold: smaller forces are no contact
SMOOTH_S = 0.005  # time constant of the force's filter, applied twice: heavy objects add inertial force
CALM_SHARE = 0.05  # share of the threshold: this close to it the bound falls further
CALM_BACK_SHARE = 0.02  # the same for backing out, which has to be faster
FORCE_DELAY_S = 0.03  # from a set-point to its contact force: drives, servo and smoothing
FRICTION = 0.25  # friction of a contact: a demand closer to straight in than this slope does not slide
TWIST_SHARE = 0.2  # share of the torque threshold: smaller torques do not bound turning
LEVER_M = 0.15  # greatest distance of a contact point from the tip
CLAMP_FRICTION = 8.0  # friction while the jaws are clamped to an immovable object
WARY_S = 1.0  # how long a base stays slow after its tip lost contact
ZERO_WRENCH = 1e-6  # N, Nm that count as zero
RISE_PER_KG = 5e-3  # 1/kg: acceleration per newton left to the threshold; 20 kg answer with a tenth of that force
PEAK = 0.5  # greatest overshoot at first contact, as a share of the threshold


class ComplianceSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """The settings of compliance in a cell file.

    Args:
        threshold: Greatest contact force, N.
        torque: Greatest contact torque about the tip, Nm; left out: the threshold at a lever of 0.15 m.
        settle: Seconds in which the force settles at the threshold.
        backing: Top speed of backing out, m/s.
    """

    threshold: Annotated[float, Meta(gt=0.0, le=1e5)] = 50.0
    torque: Annotated[float, Meta(gt=0.0, le=1e5)] | None = None
    settle: Annotated[float, Meta(ge=0.05, le=1.0)] = 0.15
    backing: Annotated[float, Meta(gt=0.0, le=1.0)] = 0.1

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Pass the demand unchanged: the orientation of the robot's base is not known yet."""
        del view, memory
        return demand, None, NO_NOTES

    def placed(self, around: Surroundings) -> Filter:
        """Return the filter for a robot whose base pose is known."""
        return Compliance(self, around.T_world_base.rotation)


def contact_speed(threshold: float, stiffness: float = 1e5) -> float:
    """Return the speed (m/s) at which a stiff obstacle may be touched; the first contact then adds half the threshold.

    Args:
        threshold: Force threshold of the compliance, N.
        stiffness: Stiffness of the hardest obstacle, N/m.
    """
    return PEAK * threshold / (stiffness * FORCE_DELAY_S)


class _Touch(Struct, frozen=True):
    """The contact as estimated in the last tick.

    Args:
        smooth: Force and torque at the tip, base axes, smoothed once and twice.
        tip: The tip's set-point then, during contact.
        force: Stiffness against translation.
        torque: Stiffness against turning, while the torque is large enough.
        into: Direction in which the tip last pressed, base axes.
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
    """Keeps contact force and torque at or below their thresholds.

    Args:
        spec: The settings.
        base: Orientation in the world of the base of a robot that stands.
    """

    def __init__(self, spec: ComplianceSpec, base: Quaternion) -> None:
        self.spec, self._back = spec, conjugate(base)
        self._torque = spec.torque or LEVER_M * spec.threshold

    def __call__(self, demand: Demand, view: View, memory: Any) -> tuple[Demand, Any, tuple[Note, ...]]:
        """Return the demand with velocity bounds in the directions that the tip presses and turns."""
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
        """Bound the velocity at the contact point in the direction that the tip presses."""
        felt, most = touch.smooth[1], self.spec.threshold
        size, into = _split(felt.force)
        if size < CONTACT_SHARE * most:
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
        """Bound the turn rate in the direction of the contact torque; a held object may hang as it likes."""
        size, into = _split(touch.smooth[1].torque)
        if size < TWIST_SHARE * self._torque or view.robot.held:
            return demand, touch, NO_NOTES
        turned = _round(memory, touch, into)
        known = _learnt(memory.torque if memory else None, size, turned, TORQUE)
        rate = self._let_on(size, self._torque, known.value(TORQUE))
        if memory and memory.torque and not view.robot.clamped:
            rate = min(rate, max(turned / view.dt, 0.0) + _rise(size, self._torque) / LEVER_M**2 * view.dt)
        touch, slowest = replace(touch, torque=known), -self.spec.backing / LEVER_M
        wall = Wall(NO_TURN, max(rate, slowest), "", 0.0, into, _grip(view) * min(1.0, size / self._torque))
        told = size > 0.9 * self._torque and demand.source != STOP
        notes = (self._twist_note(size, demand, view),) if told else NO_NOTES
        return replace(demand, walls=(*demand.walls, wall)), touch, notes

    def _let_on(self, size: float, most: float, stiffness: float) -> float:
        """Return the rate at which a force or torque may grow, m/s or rad/s of motion; below zero it is relieved."""
        left = most - size
        calm = abs(left) / (abs(left) + (CALM_SHARE if left > 0.0 else CALM_BACK_SHARE) * most)
        return calm * left / (stiffness * self.spec.settle)

    def _wary(self, demand: Demand, view: View, smooth: Smoothed, memory: _Touch | None) -> tuple[Demand, Any, Notes]:
        """Return the demand without contact: a base returns gently to an obstacle that it has just left."""
        if memory is None or memory.since + view.dt > WARY_S:
            still = max([max(map(abs, felt.force + felt.torque)) for felt in smooth]) < ZERO_WRENCH
            return demand, UNTOUCHED if still else _Touch(smooth), NO_NOTES
        kept = _Touch(smooth, into=memory.into, since=memory.since + view.dt)
        gently = contact_speed(self.spec.threshold)
        demand, said = slowed(demand, view.T_base_tip.position, memory.into, gently)
        return demand, kept, said

    def _smoothed(self, contact: Wrench, view: View, memory: Any) -> Smoothed:
        """Return the contact in base axes, smoothed against the chatter of friction, which has no steady direction."""
        driving = view.robot.T_world_base
        back = conjugate(driving.rotation) if driving else self._back
        force, torque = rotate(back, contact.force), rotate(back, contact.torque)
        if memory is None:
            return (Wrench(force, torque),) * 2
        share, (once, twice) = 1.0 - math.exp(-view.dt / SMOOTH_S), memory.smooth
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
    """Return whether no motion is demanded and the arm holds its place: only an arm on a driving base then yields."""
    return demand.source == HOLD and view.robot.base_twist is None


def least_threshold(filters: Iterable[Filter]) -> float:
    """Return the force threshold (N) of the first compliance among some filters; infinity if there is none."""
    return min([stage.spec.threshold for stage in filters if isinstance(stage, Compliance)], default=math.inf)


def _only_goes(motion: Motion | None) -> bool:
    """Return whether the demand is translation without turning."""
    return isinstance(motion, TipTwist) and not any(motion.angular)


def _grip(view: View) -> float:
    """Return the friction of a contact: clamped jaws do not slide."""
    return CLAMP_FRICTION if view.robot.clamped else FRICTION


def _split(v: Vec3) -> tuple[float, Vec3]:
    """Return the size of a force or torque on the tip, and the direction in which the tip presses or turns."""
    x, y, z = v
    size = math.sqrt(x * x + y * y + z * z)
    return (size, (-x / size, -y / size, -z / size)) if size > 0.0 else (0.0, NO_TURN)


def _lever(torque: Vec3, force: float) -> Vec3:
    """Return r × n of the contact point, as far as a point of the tool explains the torque."""
    size, turn = _split(torque)
    arm = min(size / force, LEVER_M)
    return (arm * turn[0], arm * turn[1], arm * turn[2])


def _along(memory: _Touch | None, tip: Vec3, into: Vec3) -> float:
    """Return how far the tip has moved along a direction since the last tick."""
    if memory is None or memory.tip is None:
        return 0.0
    (x, y, z), (a, b, c) = tip, memory.tip.position
    return (x - a) * into[0] + (y - b) * into[1] + (z - c) * into[2]


def _round(memory: _Touch | None, touch: _Touch, into: Vec3) -> float:
    """Return how far the tip has turned about a direction since the last tick."""
    if memory is None or memory.tip is None or touch.tip is None:
        return 0.0
    a, b, c = rotation_vector(multiply(touch.tip.rotation, conjugate(memory.tip.rotation)))
    return a * into[0] + b * into[1] + c * into[2]


def _learnt(known: Stiffness | None, size: float, way: float, within: Range) -> Stiffness:
    return known.after(size, way, within) if known else Stiffness.unknown(size, within)


def _rise(size: float, most: float) -> float:
    """Return the tip's greatest acceleration under a force, m/s²; times the lever squared, under a torque, rad/s²."""
    return RISE_PER_KG * max(most - size, CALM_SHARE * most)


def _mixed(a: Vec3, b: Vec3, share: float) -> Vec3:
    return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2]))


@FILTERS.register("compliance")
def _make(table: dict[str, Any]) -> ComplianceSpec:
    """Limit the tip's contact force, and yield above the threshold."""
    return convert(table, ComplianceSpec)
