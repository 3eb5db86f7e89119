"""An arm on a vehicle: it keeps clear of the vehicle too, and limits the vehicle's motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from farhand.distances.arena import Arena, ArmShape, Item, Neighbour
from farhand.distances.driving import less_base, put_vehicle, shares_into, shares_size, world_from
from farhand.kernels import Floats
from farhand.kinematics import JointLimits, SerialChain
from farhand.poses import Pose, Vec3, inverse, matrix
from farhand.types import RobotState, Vector

__all__ = ["Flipper", "Vehicle", "VehicleArena", "VehicleLimit"]

LOOKED = 1.5  # metres around the arm within which solids count: room for a load, and to stop from top speed


class Flipper(Struct, frozen=True):
    """A flipper of the vehicle.

    Args:
        hub: A point on its axle, base frame, metres.
        axis: Direction of the axle, a unit vector.
        items: Its solids at angle zero, base frame.
        acceleration: Braking acceleration, rad/s².
        jerk: Rate of change of the braking, rad/s³.
    """

    hub: Vec3
    axis: Vec3
    items: tuple[Item, ...]
    acceleration: float
    jerk: float


class Vehicle(Struct, frozen=True):
    """The vehicle that carries an arm.

    Args:
        body: Solids fixed in the base frame.
        flippers: Its flippers, in the order of the robot's joint group of that name.
        gauge: Distance between its belts, metres.
        acceleration: Braking acceleration of the belts, m/s².
        jerk: Rate of change of the braking, m/s³.
    """

    body: tuple[Item, ...]
    flippers: tuple[Flipper, ...]
    gauge: float
    acceleration: float
    jerk: float


class VehicleLimit(Struct, frozen=True):
    """The permitted share of a motion, and the pair that limits it.

    Args:
        share: Permitted share, 0 to 1.
        first: The link that limits the motion; empty if nothing does.
        second: The solid that would come too near to it.
        distance: Distance of the two, metres.
    """

    share: float
    first: str = ""
    second: str = ""
    distance: float = 0.0


class VehicleArena(Arena):
    """An avoiding servo, its vehicle, and the surroundings of both.

    Args:
        shape: The arm.
        speeds: See `Arena`.
        vehicle: The vehicle that carries it.
        items: Solids around it, in the world frame, not the base frame.
        neighbours: Other robots' arms, relative to the base at the start.
        T_base_world: Pose of the world in the base frame at the start.
        limits: Limits of its joints.
        dt: Seconds of a tick.
        keep: Clearance to keep from everything that must not be touched, metres.
        carried: See `Arena`.
        slides: See `Arena`.
    """

    drives = True

    @property
    def T_base_world(self) -> Pose:
        """Pose of the world in the base frame."""
        return inverse(self._T_world_base)

    def __init__(
        self,
        shape: ArmShape,
        speeds: Mapping[str, float],
        vehicle: Vehicle,
        items: Sequence[Item],
        neighbours: Sequence[Neighbour],
        T_base_world: Pose,
        limits: JointLimits,
        dt: float,
        keep: float,
        carried: Sequence[Item] = (),
        slides: float = np.inf,
    ) -> None:
        self._T_world_base = inverse(T_base_world)
        turning = [item for flipper in vehicle.flippers for item in flipper.items]
        still, loose = [i for i in items if not i.object], [i for i in items if i.object]
        there, led = (*vehicle.body, *loose), (*turning, *still)
        super().__init__(shape, speeds, there, neighbours, T_base_world, limits, dt, keep, led, carried, slides)
        first = len(vehicle.body)
        self._turning, self._still = self.rows_of(first, len(turning)), self.rows_of(first + len(turning), len(still))
        self._free = self.rows_of(first + len(turning) + len(still), len(loose))
        self._turned_at, self._still_at = _places(turning), _places(still)
        which = [k for k, flipper in enumerate(vehicle.flippers) for _ in flipper.items]
        self._which = np.array(which, dtype=np.int64)
        self._axles = np.array([(*f.hub, *f.axis) for f in vehicle.flippers], dtype=np.float64).reshape(-1, 6)
        chain, flippers = self.clearance.chain, len(vehicle.flippers)
        self._length = _length(chain, limits)
        self._reach, self._now = self._length + LOOKED, np.zeros(13 + 2 * flippers)
        self._twist = self._now[7:13]
        self._sorts = np.zeros(len(self.clearance.solids), np.int64)
        self._sorts[self.rows_of(0, first)] = -1
        self._sorts[self._turning] = 1 + self._which
        self._alone = not items and not neighbours
        self._braking = _braking(vehicle, dt)
        self._asked, self._shares = np.zeros(2 + flippers), np.zeros((1 + flippers, 4))
        self._free_of = (FREE,) * (1 + flippers)
        self._q, self._scratch = np.zeros(chain.n), np.zeros(24)
        self._space = np.zeros(shares_size(chain.links.n, len(self.clearance.capsules), flippers))

    def _take_place(self, robot: RobotState) -> None:
        base, twist, flippers = robot.T_world_base, robot.base_twist, robot.groups["flippers"]
        assert base is not None
        assert twist is not None
        pose = base.position + base.rotation
        self._now[:] = pose + twist.linear + twist.angular + flippers.positions + flippers.rates
        self._T_world_base = base
        world_from(self._now, self._T_base_world)

    def _put_led(self) -> None:
        for rows in self.neighbour_rows():
            less_base(self.clearance.flat, self.clearance.whole, self.servo.around, rows, self._twist, self._reach)
        put_vehicle(
            self.clearance.flat, self.clearance.whole, self.servo.around, self._free, self._still, self._still_at,
            self._turning, self._which, self._turned_at, self._axles, self._T_base_world, self._now, self._reach,
            self._scratch,
        )  # fmt: skip

    def limit(self, told: Vector, belts: tuple[float, float], flippers: Vector) -> tuple[VehicleLimit, ...]:
        """Return the permitted share of a motion of the vehicle: of its base, then of each flipper.

        Args:
            told: The arm's set-point.
            belts: Commanded speeds of the left and right belt, m/s.
            flippers: Commanded rate of each flipper, rad/s.
        """
        if self._alone and not any(flippers):
            return self._free_of  # driving alone brings nothing nearer
        self._q[:], self._asked[:] = told, belts + flippers
        held = shares_into(
            self.clearance.flat, self.clearance.whole, self.servo.around, self._q, self._sorts, self._asked,
            self._braking, self._axles, self.servo.keep, self._length, self._space, self._shares,
        )  # fmt: skip
        return tuple([self._limit(*row) for row in self._shares.tolist()]) if held else self._free_of

    def _limit(self, share: float, capsule: float, row: float, distance: float) -> VehicleLimit:
        if capsule < 0:
            return FREE
        return VehicleLimit(share, *self.clearance.names(int(capsule), int(row)), distance)


FREE = VehicleLimit(1.0)


def _places(items: Sequence[Item]) -> Floats:
    """Return the poses (k, 3, 4) of solids."""
    return np.ascontiguousarray(np.array([matrix(i.solid.pose)[:3] for i in items]).reshape(-1, 3, 4))


def _braking(vehicle: Vehicle, dt: float) -> Floats:
    """Return the braking of belts and flippers: acceleration, worst delay until it is reached (s), the belts' gauge."""
    rows = [(vehicle.acceleration, dt + 2.0 * vehicle.acceleration / vehicle.jerk, vehicle.gauge)]
    rows += [(f.acceleration, dt + 2.0 * f.acceleration / f.jerk, 0.0) for f in vehicle.flippers]
    return np.array(rows)


def _length(chain: SerialChain, limits: JointLimits) -> float:
    """Return the largest distance of the tip from the base's origin (m)."""
    fixed = float(np.linalg.norm(chain.arrays.fixed[:, :, 3], axis=1).sum() + np.linalg.norm(chain.arrays.tool[:, 3]))
    links = chain.links
    slides = links.arrays.kinds != 0
    ends = np.vstack((limits.lower, limits.upper)) if links is chain else np.vstack((links.lower, links.upper))
    return fixed + float(np.abs(ends)[:, slides].max(axis=0).sum())
