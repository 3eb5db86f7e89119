"""Make the arenas of a cell's arms from the compiled world."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Set

import msgspec
import mujoco
import numpy as np
from msgspec.structs import replace

from farhand.config import ConfigError
from farhand.distances import (
    Arena,
    ArmShape,
    Capsule,
    Clearance,
    Item,
    Linkage,
    Neighbour,
    ShapePiece,
    Slacks,
    Solid,
    VehicleArena,
    arm_capsules,
    calibrate_slacks,
    ignore_mounting_contact,
)
from farhand.distances.arena import ANY_SPEED
from farhand.filters import Filter
from farhand.filters.compliance import PEAK, contact_speed, least_threshold
from farhand.formats.model import RobotModel
from farhand.kinematics import SerialChain, joint_limits
from farhand.kinematics.mechanism import chain_of
from farhand.poses import Pose, compose, inverse
from farhand.surroundings.arm_shapes import shape_of
from farhand.surroundings.avoid_spec import AvoidSpec
from farhand.surroundings.moving_shapes import linkage_of, moved_bodies
from farhand.surroundings.vehicles import carrier_of, parts_of, vehicle_of
from farhand.types import ObjectSpec, Touch
from farhand.world import Compiled, Placement
from farhand.world.passive_joints import Ties, loop_of

__all__ = ["Arenas"]

FLOOR = "floor"
END_EFFECTOR = {"gripper", "tool"}  # the last link has both names, since tools change
STOP_DISTANCE = 0.001  # m in which an arm without compliance stops from its contact speed
MAX_STIFFNESS = 1e5  # N/m of the hardest body that may be touched
AIM_SHARE = 0.8  # of the contact speed: an arm that slips off a body springs on, and speeds swing 10 % while braking
LOOSE_FACTOR = 2.0  # a light loose object may be touched at up to this multiple of a given contact speed
SLIDE_SHARE = 0.3  # of the threshold: the push of a tip that slides at its top speed and digs in
LIGHT_SPEED = 0.05  # m/s: top speed of contact with a light loose object


class Arenas:
    """Makes the arenas of a cell's arms, again after every edit of the world; the arms' shapes are fitted once.

    Args:
        wanted: The settings of collision avoidance, by robot, for the robots that have them.
        compiled: The compiled world.

    Raises:
        ConfigError: If an arm cannot have `avoid`; the field is relative to the cell file.
    """

    def __init__(self, wanted: Mapping[str, AvoidSpec], compiled: Compiled) -> None:
        self.wanted, self._dt = dict(wanted), compiled.blueprint.timestep
        serial = {p.name: p for p in compiled.blueprint.robots if isinstance(compiled.chains[p.name], SerialChain)}
        for name in self.wanted:
            if name not in serial:
                problem = "is only for arms whose joints form a chain; other arms still avoid this robot"
                raise ConfigError(f"robots.{name}.avoid", problem)
        keeps = {name: avoid.keep for name, avoid in self.wanted.items()}
        least = min(keeps.values(), default=0.0)
        self._masses = {name: _apparent_mass(compiled, name) for name in keeps}
        self._shapes = {name: _shape(serial[name], compiled, keep) for name, keep in keeps.items()}
        # each arm as the others see it
        self._seen: dict[str, ArmShape | Linkage] = {
            p.name: _shape(p, compiled, keeps.get(p.name, least)) if p.name in serial else linkage_of(p, compiled)
            for p in compiled.blueprint.robots
            if any(other != p.name and avoid.surroundings for other, avoid in self.wanted.items())
        }
        # moving bodies and vehicles are the same after every edit
        self._moved = frozenset(
            [b for p in compiled.blueprint.robots if p.name in self._seen for b in moved_bodies(p, compiled.model)]
        )
        self._carriers = {name: carrier_of(p, compiled) for name, p in serial.items()}
        self._stood_on: dict[tuple[str, Solid], Solid] = {}

    def check_names(self, compiled: Compiled) -> None:
        """Check that the names in the cell file exist at the start; later, objects may be removed and tools change.

        Raises:
            ConfigError: If a name does not exist.
        """
        for name, avoid in self.wanted.items():
            self._check_names(name, avoid, compiled)

    def __bool__(self) -> bool:
        """Return whether any arm has collision avoidance."""
        return bool(self.wanted)

    def made(self, compiled: Compiled, filters: Mapping[str, tuple[Filter, ...]]) -> dict[str, Arena]:
        """Return the arena of each arm with collision avoidance.

        Args:
            compiled: The compiled world.
            filters: The filters of each robot; compliance sets the contact speed.
        """
        placements = {p.name: p for p in compiled.blueprint.robots}
        return {
            name: self._arena(placements, name, avoid, compiled, filters[name]) for name, avoid in self.wanted.items()
        }

    def _arena(
        self,
        placements: Mapping[str, Placement],
        name: str,
        avoid: AvoidSpec,
        compiled: Compiled,
        filters: tuple[Filter, ...],
    ) -> Arena:
        placement, shape = placements[name], self._shapes[name]
        chain = shape.clearance.chain
        limits = joint_limits(placement.model.arm.joints)
        T_base_world = inverse(compiled.bases[name])
        contact = _ContactSpeeds(avoid, filters, chain, limits.acceleration, self._masses[name] / self._dt)
        beside = compiled.beside(name) if avoid.surroundings else ()
        pieces = [piece for piece in beside if piece.body not in self._moved]
        items = list(_items(pieces, avoid, compiled, contact, placements.keys() - {name}))
        carried = list(_only_carried(pieces, avoid, compiled))
        neighbours = [
            Neighbour(
                other,
                self._seen[other],
                compose(T_base_world, compiled.bases[other]),
                contact.speed if other in avoid.may else 0.0,
                self._carriers.get(other),
            )
            for other in self._seen
            if other != name and avoid.surroundings
        ]
        links = {c.name: _link_speed(c, avoid, chain.links.n) for c in shape.clearance.capsules}
        dt = self._dt
        if carrier := self._carriers[name]:
            vehicle = vehicle_of(placement, carrier, avoid, contact.speed)
            vehicle = replace(vehicle, body=tuple([self._on(name, item) for item in vehicle.body]))
            items = [_in_world(item, compiled.bases[name]) for item in items]
            return VehicleArena(
                shape, links, vehicle, items, neighbours, T_base_world, limits, dt, avoid.keep, carried, contact.slides
            )
        items = [self._on(name, item) for item in items]
        return Arena(shape, links, items, neighbours, T_base_world, limits, dt, avoid.keep, (), carried, contact.slides)

    def _on(self, name: str, item: Item) -> Item:
        return replace(item, solid=self._freed(name, item))

    def _freed(self, name: str, item: Item) -> Solid:
        """Return a solid that ignores the first links if they always touch it, such as the stand of the arm."""
        if item.object:
            return item.solid
        key = name, item.solid
        if key not in self._stood_on:
            (self._stood_on[key],) = ignore_mounting_contact(self._shapes[name].clearance.among([item.solid])).solids
        return self._stood_on[key]

    def _check_names(self, name: str, avoid: AvoidSpec, compiled: Compiled) -> None:
        links = {c.name for c in self._shapes[name].clearance.capsules} | END_EFFECTOR
        placement = next(p for p in compiled.blueprint.robots if p.name == name)
        robots = [p.name for p in compiled.blueprint.robots]
        known = [*sorted(links), *parts_of(placement), *[o.name for o in compiled.blueprint.objects], *robots, FLOOR]
        for field in ("never", "may"):
            for i, found in enumerate(getattr(avoid, field)):
                if found not in known:
                    problem = f"there is no link, object or robot {found!r}; there are: {', '.join(known)}"
                    where = f"robots.{name}.avoid.{field}[{i}]"
                    raise ConfigError(where, problem, found, tuple(known))
                if found in avoid.never and found in avoid.may:
                    where = f"robots.{name}.avoid.{field}[{i}]"
                    raise ConfigError(where, f"{found!r} cannot be both never and may")


class _ContactSpeeds:
    """The contact speeds of one arm: its compliance can absorb them, or without it the arm stops within a millimetre.

    At worst a contact stops the arm within a tick, with the force m·v/dt: a heavy arm approaches more slowly.

    Args:
        avoid: The settings of collision avoidance.
        filters: The filters of its lane.
        chain: The kinematics of the arm.
        braking: Accelerations of its joints.
        impulse: m/dt (kg/s), with its apparent mass at the tip.
    """

    def __init__(
        self, avoid: AvoidSpec, filters: tuple[Filter, ...], chain: SerialChain, braking: np.ndarray, impulse: float
    ) -> None:
        self.threshold = least_threshold(filters)
        self._yields = math.isfinite(self.threshold)
        self._given = avoid.contact_speed is not None
        slowest = float(braking.min()) * chain.length
        stops = min(math.sqrt(2.0 * STOP_DISTANCE * slowest), 0.25)
        absorbed = (
            min(contact_speed(self.threshold, MAX_STIFFNESS), PEAK * self.threshold / impulse)
            if self._yields
            else stops
        )
        self.speed = AIM_SHARE * (avoid.contact_speed or absorbed)
        self.slides = SLIDE_SHARE * self.threshold / (impulse * self.speed)
        """Sliding speed at contact, as a multiple of the contact speed: at worst the tip digs in."""

    def towards(self, item: ObjectSpec | None) -> float:
        """Return the contact speed for an object; a light loose object moves away by itself.

        A mass m that is hit at v pushes back with v·√(k·m) at most. But it may lie on another body: a contact speed
        from the cell file is exceeded by LOOSE_FACTOR at most, so that jaws still get down around objects.
        """
        if item is None or item.mass == 0.0 or item.stiffness > 0.0 or not self._yields:
            return self.speed
        most = LOOSE_FACTOR * self.speed if self._given else LIGHT_SPEED
        return max(self.speed, min(most, LIGHT_SPEED, 0.5 * self.threshold / math.sqrt(MAX_STIFFNESS * item.mass)))


def _apparent_mass(compiled: Compiled, name: str) -> float:
    """Return the apparent mass of an arm at its tip at the start, kg: over all directions, 3/tr(J·M⁻¹·Jᵀ)."""
    model, index = compiled.model, compiled.index.robots[name]
    data = mujoco.MjData(model)
    data.qpos[:] = compiled.qpos_start
    mujoco.mj_forward(model, data)
    inertia, jacobian = np.zeros((model.nv, model.nv)), np.zeros((3, model.nv))
    mujoco.mj_fullM(model, data, inertia)
    mujoco.mj_jacSite(model, data, jacobian, None, index.tip_site)
    loop = loop_of(compiled.chains[name], index)
    dofs = loop.dofs if loop else index.arm.dofs
    J, M = jacobian[:, dofs], inertia[np.ix_(dofs, dofs)]
    if isinstance(loop, Ties):
        M, J = loop.inertia(model, data), J @ loop.all_per_motor
    return 3.0 / float(np.trace(J @ np.linalg.solve(M, J.T)))


def _items(
    pieces: list[ShapePiece], avoid: AvoidSpec, compiled: Compiled, contact: _ContactSpeeds, others: Set[str]
) -> Iterator[Item]:
    specs = {o.name: o for o in compiled.blueprint.objects}
    loose = {o.name for o in compiled.index.objects}
    for piece in pieces:
        if _owner(piece) in others:  # the fixed part of another robot
            speed = contact.speed if _owner(piece) in avoid.may else 0.0
            yield Item(replace(piece.solid, name=f"base of {_owner(piece)}"), speed)
            continue
        spec = specs.get(piece.body)
        # of its own robot only parts beside the arm remain
        name = piece.solid.name.replace("_", " ") if _owner(piece) else piece.body or FLOOR
        solid = replace(piece.solid, name=name)
        touch = _touch(name, spec, avoid)
        if touch == "free":
            continue
        speed = contact.towards(spec) if touch == "may" else 0.0
        moves = piece.body if piece.body in loose else ""
        yield Item(solid, speed, moves, piece.T_body_solid)


def _only_carried(pieces: list[ShapePiece], avoid: AvoidSpec, compiled: Compiled) -> Iterator[Item]:
    """Yield objects that no arm avoids, but that avoid other bodies while they are carried."""
    specs = {o.name: o for o in compiled.blueprint.objects}
    loose = {o.name for o in compiled.index.objects}
    for piece in pieces:
        if piece.body in loose and _touch(piece.body, specs.get(piece.body), avoid) == "free":
            yield Item(piece.solid, ANY_SPEED, piece.body, piece.T_body_solid)


def _owner(piece: ShapePiece) -> str:
    """Return the robot that a shape belongs to, or an empty text."""
    robot, slash, _ = piece.body.partition("/")
    return robot if slash else ""


def _touch(name: str, spec: ObjectSpec | None, avoid: AvoidSpec) -> Touch:
    """Return whether a body may be touched; the robot's settings go before the object's own."""
    if name in avoid.never:
        return "never"
    return "may" if name in avoid.may or spec is None else spec.touch


def _link_speed(capsule: Capsule, avoid: AvoidSpec, n: int) -> float:
    last = capsule.link == n - 1
    names = END_EFFECTOR if last else {capsule.name}
    if names & set(avoid.never):
        return 0.0
    return ANY_SPEED if last or names & set(avoid.may) else 0.0


def _in_world(item: Item, T_world_base: Pose) -> Item:
    """Return an item with its pose in the world frame instead of the base frame."""
    return replace(item, solid=replace(item.solid, pose=compose(T_world_base, item.solid.pose)))


def _shape(placement: Placement, compiled: Compiled, keep: float) -> ArmShape:
    """Return a robot's arm in capsules, with the operator's names of its links.

    A vehicle that carries it is not part of it: its flippers turn by themselves, so it is seen shape by shape.

    Args:
        placement: The robot.
        compiled: The compiled world.
        keep: Clearance between its links, m.
    """
    name, model, gripper = placement.name, placement.model, placement.model.gripper
    base, tip, home = _base(placement), f"{name}/{model.arm.tip}", placement.home_joints()
    chain = chain_of(model, compiled.model, f"{name}/", model.arm.tip)
    sweeps = {f"{name}/{joint}": ends for joint, ends in model.sweeps.items()}

    def fit() -> tuple[Clearance, Slacks]:
        found = arm_capsules(compiled.model, base, tip, sweeps, with_base=model.tracks is None, measure=False)
        capsules = [replace(capsule, name=_link_name(capsule, model, chain, name)) for capsule in found.capsules]
        return calibrate_slacks(Clearance(chain, capsules, rest=home), compiled.model, base, sweeps)

    made_of = (model.mjcf, model.arm, gripper, home, placement.attached)
    return shape_of(msgspec.msgpack.encode(made_of), chain, keep, fit)


def _base(placement: Placement) -> str:
    return f"{placement.name}/{placement.model.arm.base}"


def _link_name(capsule: Capsule, model: RobotModel, chain: SerialChain, prefix: str) -> str:
    if capsule.link < 0:
        return "base"
    if capsule.link == chain.links.n - 1:
        return "gripper" if model.gripper else "tool"
    titles = {f"{prefix}/{joint.name}": joint.link for joint in model.arm.joints}
    return titles.get(chain.links.names[capsule.link]) or capsule.name.replace("_", " ")
