"""An arm among moving objects: every tick the scene is updated before the servo reads it.

The scene is a function of the poses of this tick and the last one; nothing else is remembered.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from farhand.distances.avoiding_servo import AvoidingServo
from farhand.distances.capsules import Capsule, fit_link
from farhand.distances.carrier import Carrier, CarrierRows
from farhand.distances.clearance import WITH_BASE, Clearance, Near, blob_of
from farhand.distances.driving import less_base, other_from
from farhand.distances.linkage import Limb, LimbRows, Linkage, LinkagePosture
from farhand.distances.moving import FAR_AWAY, carry_at, put_objects
from farhand.distances.packed_scene import COUNTS
from farhand.distances.solids import Solid
from farhand.kernels import Floats, Ints
from farhand.kinematics import JointLimits
from farhand.poses import IDENTITY, Pose, compose, inverse, matrix
from farhand.types import RobotState, Vector

__all__ = ["ANY_SPEED", "Arena", "ArmShape", "Item", "Neighbour", "arm_shape"]

LOAD = "load"
SPARE = 2  # capsules reserved for a load
LONG = 0.3  # metres that a load may extend beyond the tip
WRIST = 2  # joints next to the gripper whose links a load may touch
ANY_SPEED = 10.0  # m/s: contact speed of a capsule that may touch everything touchable
NOWHERE = np.array([[0.0, 0.0, FAR_AWAY, 0.0, 0.0, FAR_AWAY, 0.01]] * SPARE)
AT_ORIGIN: Floats = np.eye(4)[:3].copy()
FAR = 3.0  # metres within which another robot's base motion counts


class ArmShape(Struct, frozen=True):
    """An arm as capsules, with spare capsules for a load and no surroundings.

    Args:
        clearance: The arm without surroundings.
        spare: Index of the first capsule reserved for a load.
    """

    clearance: Clearance
    spare: int

    def slackened(self, slacks: Floats) -> ArmShape:
        """Return the arm with other slacks of its own pairs; a load has none.

        Args:
            slacks: (p,) metres.
        """
        padded = np.zeros(len(self.clearance.pairs))
        padded[: len(slacks)] = slacks
        return ArmShape(self.clearance.slackened(padded), self.spare)


class Item(Struct, frozen=True):
    """A solid of the surroundings, fixed or part of a loose object.

    Args:
        solid: The solid, in the arm's base frame.
        speed: Largest contact speed, m/s; 0 if it must not be touched.
        object: Name of the loose object that it is part of; empty for a fixed solid.
        T_object_solid: Its pose on that object.
    """

    solid: Solid
    speed: float = 0.0
    object: str = ""
    T_object_solid: Pose = IDENTITY


class Neighbour(Struct, frozen=True):
    """Another robot's arm, as an obstacle.

    Args:
        name: Name of the robot.
        shape: Its capsules; for a robot that is not a chain, its limbs.
        T_base_other: Pose of its base in this arm's base frame.
        speed: Largest contact speed, m/s; 0 if it must not be touched.
        carrier: The vehicle that carries it; None if its base is fixed.
    """

    name: str
    shape: ArmShape | Linkage
    T_base_other: Pose
    speed: float = 0.0
    carrier: Carrier | None = None

    @property
    def linkage(self) -> Linkage:
        """Its limbs, without a load: that is an object of its own."""
        if isinstance(self.shape, Linkage):
            return self.shape
        bare = self.shape.clearance
        return Linkage((Limb(bare, self.shape.spare, tuple(range(bare.chain.n))),))


def arm_shape(bare: Clearance) -> ArmShape:
    """Return an arm with spare capsules for a load, from one without; no pair has any slack.

    Args:
        bare: The arm without surroundings.
    """
    chain = bare.chain
    x, y, z = chain.arrays.tool[:, 3].tolist()
    dx, dy, dz = (LONG * chain.arrays.tool[:, 2]).tolist()
    load = Capsule(chain.links.n - 1, (x, y, z), (x + dx, y + dy, z + dz), 0.01, LOAD)
    spare = len(bare.capsules)
    against = [i for i, c in enumerate(bare.capsules) if c.link < chain.links.n - 1 - WRIST]
    more = [(i, spare + k) for i in against for k in range(SPARE)]
    pairs = np.vstack((bare.pairs, np.array(more, dtype=np.int64).reshape(-1, 2)))
    capsules = (*bare.capsules, *([load] * SPARE))
    clearance = Clearance(chain, capsules, pairs=np.ascontiguousarray(pairs))
    clearance.left_out = bare.left_out
    _ = clearance.levers  # slow to compute, and the same for every arena of this arm
    return ArmShape(clearance, spare)


class Arena:
    """An avoiding servo and the moving surroundings of its arm.

    Args:
        shape: The arm.
        speeds: Largest contact speed of each link's capsules, m/s, by link name; 0 for links that must not touch.
        items: Solids around it.
        neighbours: Other robots' arms.
        T_base_world: Pose of the world in the arm's base frame.
        limits: Limits of its joints.
        dt: Seconds of a tick.
        keep: Clearance to keep from everything that must not be touched, metres.
        led: Solids that move but are not objects; the owner of the arena sets their poses.
        carried: Parts of loose objects that count only while they are carried.
        slides: Sliding speed up to which a touching pair may close at full contact speed, as a multiple of that speed;
            at twice that sliding speed it hardly closes.
    """

    drives = False
    """True if the arm's own base moves."""

    @property
    def T_base_world(self) -> Pose:
        """Pose of the world in the base frame."""
        return self._T_world

    def __init__(
        self,
        shape: ArmShape,
        speeds: Mapping[str, float],
        items: Sequence[Item],
        neighbours: Sequence[Neighbour],
        T_base_world: Pose,
        limits: JointLimits,
        dt: float,
        keep: float,
        led: Sequence[Item] = (),
        carried: Sequence[Item] = (),
        slides: float = np.inf,
    ) -> None:
        self.shape, self.dt, self._T_world = shape, dt, T_base_world
        fixed = [item for item in items if not item.object]
        loose = [item for item in items if item.object]
        others = [_solids_of(n) for n in neighbours]
        beside = [solid for solids in others for solid in solids]
        moving = [_moving(item.solid) for item in (*led, *loose)] + beside
        clearance = shape.clearance.among([item.solid for item in fixed] + moving)
        self.servo = AvoidingServo(clearance, limits, dt, keep, slides=slides)
        self.clearance = clearance
        of_beside = [n.speed for n, solids in zip(neighbours, others, strict=True) for _ in solids]
        self._set_speeds(speeds, [item.speed for item in (*fixed, *led, *loose)] + of_beside)
        first = len(fixed) + len(led)
        self._objects = _Objects(clearance, loose, first, carried, follows=self.drives)
        self._arms = _arms_of(clearance, neighbours, first + len(loose), inverse(T_base_world))
        self._lag = self.servo.around[1 : 1 + clearance.chain.n]
        self._T_base_world = np.ascontiguousarray(matrix(T_base_world)[:3])
        self._tool = np.vstack((clearance.chain.arrays.tool[:3], (0.0, 0.0, 0.0, 1.0)))
        load = COUNTS + clearance.chain.links.n + shape.spare  # index of the first load capsule's link in the scene
        self._load_links = clearance.whole[load : load + SPARE]
        self._carried: tuple[str, ...] = ("?",)
        self._put_down()

    def look(
        self,
        told: Vector,
        robot: RobotState,
        objects: Mapping[str, Pose],
        before: Mapping[str, Pose],
        robots: Mapping[str, RobotState],
        robots_before: Mapping[str, RobotState],
    ) -> None:
        """Update the scene.

        Args:
            told: The arm's set-point, radians or metres.
            robot: The arm as measured; an object that it holds is no obstacle, but moves with it.
            objects: Poses of loose objects, world frame.
            before: Their poses in the last tick.
            robots: All robots as measured.
            robots_before: All robots as measured in the last tick.
        """
        self.servo.around[0] = 0.0
        self._take_place(robot)
        self._lag[:] = [here - there for here, there in zip(robot.groups["arm"].positions, told, strict=True)]
        held = self._objects.put(self.servo.around, objects, before, robot.held, self._T_base_world, self.dt)
        for arm in self._arms:
            if self.drives or robots[arm.name].T_world_base is not None:
                arm.seat(self._T_base_world, robots[arm.name])
            arm.put(self.servo.around, robots, robots_before, self.dt)
        self._carry(held, robot, objects)
        self._put_led()

    def _take_place(self, robot: RobotState) -> None:
        """Update the pose of the arm's own base; a fixed base needs no update."""

    def _put_led(self) -> None:
        """Update the poses of solids that move but are not objects; here there are none."""

    def rows_of(self, first: int, count: int) -> Ints:
        """Return the scene rows of some solids.

        Args:
            first: Index of the first solid.
            count: Number of solids.
        """
        return _rows(self.clearance, first, count)

    def neighbour_rows(self) -> tuple[Ints, ...]:
        """Return the scene rows of each other arm and its vehicle."""
        return tuple([arm.rows for arm in self._arms])

    def touchable(self, pair: Near) -> bool:
        """Return whether a pair may touch.

        Args:
            pair: A pair of this arena's clearance.
        """
        return self.servo.touch_speed(*pair.who) > 0.0

    def _carry(self, held: tuple[str, ...], robot: RobotState, objects: Mapping[str, Pose]) -> None:
        """Move the load's capsules with it, or remove them from the scene."""
        if not held:
            if self._carried:
                self._put_down()
            return
        each = SPARE // len(held)
        for k, name in enumerate(held):
            T_base_item = compose(self.T_base_world, objects[name])
            T_link_item = self._tool @ matrix(compose(inverse(robot.T_base_tip), T_base_item))
            fits, T = self._objects.fit(name, each), np.ascontiguousarray(T_link_item[:3])
            carry_at(self.clearance.flat, self.clearance.whole, self.shape.spare + k * each, fits, T)
        self._load_links[:], self._carried = self.clearance.chain.links.n - 1, held

    def _put_down(self) -> None:
        """Move the load's capsules far away."""
        carry_at(self.clearance.flat, self.clearance.whole, self.shape.spare, NOWHERE, AT_ORIGIN)
        self._load_links[:], self._carried = WITH_BASE, ()

    def _set_speeds(self, speeds: Mapping[str, float], of_solids: Sequence[float]) -> None:
        n, capsules = self.clearance.chain.n, self.clearance.capsules
        around = self.servo.around
        around[1 + n : 1 + n + len(capsules)] = [
            ANY_SPEED if c.name == LOAD else speeds.get(c.name, 0.0) for c in capsules
        ]
        for k, speed in enumerate(of_solids):
            around[1 + n + len(capsules) + self.clearance.row_of(k)] = speed


class _Objects:
    """Loose objects of one arena, and the rows of their solids in the scene."""

    def __init__(
        self, clearance: Clearance, items: Sequence[Item], first: int, carried: Sequence[Item], *, follows: bool
    ) -> None:
        self._follows = follows  # the base moves, and with it all poses in its frame
        self.names = [item.object for item in items]
        parts = _parts((*items, *carried))
        self._fits = {(name, k): _fit(parts[name], k) for name in parts for k in range(1, SPARE + 1)}
        self._flat, self._whole = clearance.flat, clearance.whole
        self._rows = _rows(clearance, first, len(items))
        offsets = [matrix(item.T_object_solid)[:3] for item in items]
        self._offsets = np.ascontiguousarray(np.array(offsets).reshape(-1, 3, 4))
        self._now, self._before = np.zeros((len(items), 7)), np.zeros((len(items), 7))
        self._hidden, self._scratch = np.zeros(len(items), np.int64), np.zeros(42)
        self._at_rest: Mapping[str, Pose] | None = None  # the objects in the scene, if none of them moved or was held
        self._shown: list[Pose | None] = [None] * len(items)  # poses that are in the two tables now
        self._shown_before: list[Pose | None] = [None] * len(items)

    def put(
        self, around: Floats, objects: Mapping[str, Pose], before: Mapping[str, Pose], held: tuple[str, ...],
        T_base_world: Floats, dt: float,
    ) -> tuple[str, ...]:  # fmt: skip
        """Update the poses of all objects; return the held ones, as many as there are capsules for."""
        if objects is before and objects is self._at_rest and not held:
            return ()
        self._at_rest = objects if objects is before and not held and not self._follows else None
        for k, name in enumerate(self.names):
            now, then = objects[name], before.get(name)
            if now is not self._shown[k]:
                self._now[k], self._shown[k] = now.position + now.rotation, now
            if then is None:
                then = now
            if then is not self._shown_before[k]:
                self._before[k], self._shown_before[k] = then.position + then.rotation, then
            if held or self._hidden[k]:
                self._hidden[k] = name in held
        if self.names:
            put_objects(
                self._flat, self._whole, around, self._rows, self._offsets,
                self._now, self._before, self._hidden, T_base_world, dt, self._scratch,
            )  # fmt: skip
        return tuple([name for name in held if (name, 1) in self._fits][:SPARE])

    def fit(self, name: str, count: int) -> Floats:
        """Return so many capsules around an object, in its own frame."""
        return self._fits[name, count]


class _Arm:
    """Another robot's arm in one arena; its base may drive."""

    def __init__(self, clearance: Clearance, neighbour: Neighbour, first: int, T_world_base: Pose) -> None:
        self.name, linkage, carrier = neighbour.name, neighbour.linkage, neighbour.carrier
        count = sum(limb.count for limb in linkage.limbs)
        self._scene = clearance.flat, clearance.whole
        self.rows = _rows(clearance, first, count + (len(carrier.solids) if carrier else 0))
        self._now, self._before = LinkagePosture(linkage), LinkagePosture(linkage)
        self._limbs = LimbRows.of(self._scene, linkage, self.rows[:count])
        self._carrier = CarrierRows(self._scene, carrier, self.rows[count:]) if carrier else None
        self._T = np.ascontiguousarray(matrix(neighbour.T_base_other)[:3])
        stands = compose(T_world_base, neighbour.T_base_other)
        self._base, self._twist = np.array((*stands.position, *stands.rotation, *np.zeros(6))), np.zeros(6)

    def seat(self, T_base_world: Floats, robot: RobotState) -> None:
        """Update the pose of its base; a base that does not drive keeps its pose."""
        base, driving = robot.T_world_base, robot.base_twist
        if base is not None and driving is not None:
            self._base[:] = base.position + base.rotation + driving.linear + driving.angular
        other_from(self._base, T_base_world, self._T, self._twist)

    def put(
        self, around: Floats, robots: Mapping[str, RobotState], before: Mapping[str, RobotState], dt: float
    ) -> None:
        """Update its capsules to the measured joints."""
        now = robots[self.name].groups["arm"].positions
        self._now.take(now)
        self._before.take(before[self.name].groups["arm"].positions if self.name in before else now)
        for limb, q, then in zip(self._limbs, self._now.of_limbs, self._before.of_limbs, strict=True):
            limb.put(around, q, then, self._T, dt)
        if self._carrier is not None:
            self._carrier.put(around, robots[self.name], self._T)
        if robots[self.name].base_twist is not None:
            less_base(*self._scene, around, self.rows, self._twist, FAR)


def _arms_of(clearance: Clearance, neighbours: Sequence[Neighbour], first: int, T_world_base: Pose) -> tuple[_Arm, ...]:
    arms = []
    for neighbour in neighbours:
        arms.append(_Arm(clearance, neighbour, first, T_world_base))
        first += len(arms[-1].rows)
    return tuple(arms)


def _rows(clearance: Clearance, first: int, count: int) -> Ints:
    """Return the scene rows of `count` solids from solid `first` on."""
    return np.array([clearance.row_of(first + k) for k in range(count)], dtype=np.int64)


def _moving(solid: Solid) -> Solid:
    return Solid(solid.name, solid.shape, solid.pose, solid.size, solid.vertices, solid.least_link, moves=True)


def _solids_of(neighbour: Neighbour) -> list[Solid]:
    """Return another arm's capsules as solids, without its load, then the solids of its vehicle."""
    solids = []
    for capsule in [c for limb in neighbour.linkage.limbs for c in limb.capsules]:
        half = max(0.5 * float(np.linalg.norm(np.subtract(capsule.end, capsule.start))), 1e-6)
        name = f"{capsule.name} of {neighbour.name}"
        solids.append(Solid(name, "capsule", neighbour.T_base_other, (capsule.radius, half), moves=True))
    for solid in neighbour.carrier.solids if neighbour.carrier else ():
        name, pose = f"{solid.name} of {neighbour.name}", compose(neighbour.T_base_other, solid.pose)
        solids.append(replace(solid, name=name, pose=pose, moves=True))
    return solids


def _parts(items: Sequence[Item]) -> dict[str, tuple[tuple[Solid, Pose], ...]]:
    """Return the solids of each loose object and their poses on it."""
    parts: dict[str, list[Item]] = {}
    for item in items:
        parts.setdefault(item.object, []).append(item)
    return {name: tuple((_bare(i.solid), i.T_object_solid) for i in group) for name, group in parts.items()}


def _bare(solid: Solid) -> Solid:
    """Return a solid without its pose and name."""
    return Solid("", solid.shape, IDENTITY, solid.size, solid.vertices)


@functools.lru_cache(maxsize=1024)
def _fit(parts: tuple[tuple[Solid, Pose], ...], count: int) -> Floats:
    """Return capsules (count, 7) that enclose the solids of an object."""
    fit = fit_link([blob_of(solid).moved(matrix(T)) for solid, T in parts], count)
    rows = [fit.capsules[min(k, len(fit.capsules) - 1)] for k in range(count)]
    return np.ascontiguousarray(np.array(rows))
