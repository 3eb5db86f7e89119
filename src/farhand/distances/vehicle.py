"""An arm that a vehicle carries among things: it keeps clear of the vehicle too, and holds the vehicle back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from msgspec import Struct

from farhand.distances.arena import Arena, ArmShape, Item, Neighbour
from farhand.distances.driving import less_base, put_still, put_turned, shares_into, shares_size
from farhand.kernels import Floats
from farhand.kinematics import JointLimits, SerialChain
from farhand.poses import Pose, Vec3, inverse, matrix
from farhand.types import RobotState, Vector

__all__ = ["Ask", "Flipper", "Restraint", "Vehicle", "VehicleArena"]

LOOKED = 1.5  # metres around the arm within which anything counts: a load, and what top speed needs to stop


class Flipper(Struct, frozen=True):
    """Something of the vehicle that turns.

    Args:
        hub: A point of its axle, base frame.
        axis: The axle's direction.
        items: Its solids at angle zero, base frame.
    """

    hub: Vec3
    axis: Vec3
    items: tuple[Item, ...]


class Vehicle(Struct, frozen=True):
    """What carries an arm.

    Args:
        body: Solids that stay where they are in the base frame.
        flippers: What turns, in the order of the robot's group of that name.
    """

    body: tuple[Item, ...]
    flippers: tuple[Flipper, ...]


class Ask(Struct, frozen=True):
    """A motion of the vehicle that is asked for.

    Args:
        forward: m/s.
        turn: rad/s.
        flippers: rad/s of each.
        brake: Share of its speed that the base can lose in a second.
        delay: Seconds until it does.
        flipper_brakes: Likewise, of each flipper.
        flipper_delay: Likewise.
    """

    forward: float
    turn: float
    flippers: Vector
    brake: float
    delay: float
    flipper_brakes: Vector
    flipper_delay: float


class Restraint(Struct, frozen=True):
    """How much of a motion is let on, and for whose sake.

    Args:
        share: 1 for all of it.
        first: The link that something would come too near to; empty if nothing does.
        second: What.
        distance: Metres between the two.
    """

    share: float
    first: str = ""
    second: str = ""
    distance: float = 0.0


class VehicleArena(Arena):
    """An avoiding servo, its vehicle, and what is around both.

    Args:
        shape: The arm.
        speeds: As for `Arena`.
        vehicle: What carries it.
        items: What is around it; in the world's frame, not the base's.
        neighbours: Other arms, seen from where the base is at the start.
        T_base_world: The world in the base frame at the start.
        limits: Of its joints.
        dt: Seconds of a tick.
        keep: Metres to keep to what must not be touched.
    """

    drives = True

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
    ) -> None:
        turning = [item for flipper in vehicle.flippers for item in flipper.items]
        still, loose = [i for i in items if not i.object], [i for i in items if i.object]
        super().__init__(
            shape, speeds, (*vehicle.body, *loose), neighbours, T_base_world, limits, dt, keep, (*turning, *still)
        )
        first = len(vehicle.body)
        self._turning, self._still = self.rows_of(first, len(turning)), self.rows_of(first + len(turning), len(still))
        self._free = self.rows_of(first + len(turning) + len(still), len(loose))
        self._turned_at, self._still_at = _places(turning), _places(still)
        self._which = [k for k, flipper in enumerate(vehicle.flippers) for _ in flipper.items]
        axles = [(*flipper.hub, *flipper.axis) for flipper in vehicle.flippers for _ in flipper.items]
        self._axles = np.array(axles, dtype=np.float64).reshape(-1, 6)
        self._angles, self._rates = np.zeros(len(turning)), np.zeros(len(turning))
        chain = self.clearance.chain
        self._length = _length(chain, limits)
        self._reach, self._twist = self._length + LOOKED, np.zeros(6)
        self._sorts = np.zeros(len(self.clearance.solids), np.int64)
        self._sorts[self.rows_of(0, first)] = -1
        self._sorts[self._turning] = [1 + k for k in self._which]
        count = 1 + len(vehicle.flippers)
        self._ways, self._shares = np.zeros((count, 8)), np.zeros((count, 4))
        self._q, self._space = np.zeros(chain.n), np.zeros(shares_size(chain.n, len(self.clearance.capsules)) + 24)

    def look(
        self,
        told: Vector,
        robot: RobotState,
        objects: Mapping[str, Pose],
        before: Mapping[str, Pose],
        robots: Mapping[str, RobotState],
        robots_before: Mapping[str, RobotState],
    ) -> None:
        """Bring the scene up to date; arguments as for `Arena.look`."""
        assert robot.T_world_base is not None
        assert robot.base_twist is not None
        self.T_base_world = inverse(robot.T_world_base)
        self._T_base_world[:] = matrix(self.T_base_world)[:3]
        self._twist[:] = robot.base_twist.linear + robot.base_twist.angular
        super().look(told, robot, objects, before, robots, robots_before)
        flat, whole, around = self.clearance.flat, self.clearance.whole, self.servo.around
        less_base(flat, whole, around, self._free, self._twist, self._reach)
        for rows in self.neighbour_rows():
            less_base(flat, whole, around, rows, self._twist, self._reach)
        put_still(
            flat, whole, around, self._still, self._still_at, self._T_base_world, self._twist, self._reach, self._space
        )
        flippers = robot.groups["flippers"]
        self._angles[:] = [flippers.positions[k] for k in self._which]
        self._rates[:] = [flippers.rates[k] for k in self._which]
        put_turned(
            flat, whole, around, self._turning, self._turned_at, self._axles, self._angles, self._rates, self._space
        )

    def restrain(self, told: Vector, ask: Ask) -> tuple[Restraint, ...]:
        """Return how much of a motion of the vehicle is let on: of its base, then of each flipper.

        Args:
            told: The arm's set-point.
            ask: What is asked of the vehicle.
        """
        self._q[:] = told
        self._ways[0] = (-ask.forward, 0.0, 0.0, 0.0, 0.0, -ask.turn, ask.brake, ask.delay)
        for k, rate in enumerate(ask.flippers):
            self._ways[1 + k] = self._way(k, rate, ask.flipper_brakes[k], ask.flipper_delay)
        shares_into(
            self.clearance.flat, self.clearance.whole, self.servo.around, self._q, self._sorts, self._ways,
            self.servo.keep, self._length, self._space, self._shares,
        )  # fmt: skip
        return tuple([self._restraint(*row) for row in self._shares.tolist()])

    def _way(self, flipper: int, rate: float, brake: float, delay: float) -> Vector:
        """Return how a flipper moves, as a motion about the base's origin: ω = rate·axis, v = hub × ω."""
        if not rate or flipper not in self._which:
            return (0.0,) * 8
        hx, hy, hz, x, y, z = self._axles[self._which.index(flipper)].tolist()
        x, y, z = rate * x, rate * y, rate * z
        return (hy * z - hz * y, hz * x - hx * z, hx * y - hy * x, x, y, z, brake, delay)

    def _restraint(self, share: float, capsule: float, row: float, distance: float) -> Restraint:
        if capsule < 0:
            return FREE
        return Restraint(share, *self.clearance.names(int(capsule), int(row)), distance)


FREE = Restraint(1.0)


def _places(items: Sequence[Item]) -> Floats:
    """Return the poses (k, 3, 4) of solids."""
    return np.ascontiguousarray(np.array([matrix(i.solid.pose)[:3] for i in items]).reshape(-1, 3, 4))


def _length(chain: SerialChain, limits: JointLimits) -> float:
    """Return how far from the base's origin the tip can be at most."""
    fixed = float(np.linalg.norm(chain.arrays.fixed[:, :, 3], axis=1).sum() + np.linalg.norm(chain.arrays.tool[:, 3]))
    slides = chain.arrays.kinds != 0
    return fixed + float(np.abs(np.vstack((limits.lower, limits.upper)))[:, slides].max(axis=0).sum())
