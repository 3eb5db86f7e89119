"""Another arm's vehicle as obstacles: body and flippers of a tracked robot, updated to their measured poses.

The flippers turn by their measured angles, and everything moves with that robot's base.
"""

from __future__ import annotations

import numpy as np
from msgspec import Struct

from farhand.distances.driving import put_carrier
from farhand.distances.solids import Solid
from farhand.kernels import Floats, Ints
from farhand.poses import Vec3, matrix
from farhand.types import RobotState

__all__ = ["Carrier", "CarrierFlipper", "CarrierRows"]


class CarrierFlipper(Struct, frozen=True):
    """A flipper.

    Args:
        hub: A point on its axle, in its robot's base frame, metres.
        axis: Direction of the axle, a unit vector.
        solids: Its solids at angle zero.
    """

    hub: Vec3
    axis: Vec3
    solids: tuple[Solid, ...]


class Carrier(Struct, frozen=True):
    """The vehicle that carries another arm.

    Args:
        body: Solids fixed to its base.
        flippers: Its flippers, in the order of the robot's joint group of that name.
    """

    body: tuple[Solid, ...] = ()
    flippers: tuple[CarrierFlipper, ...] = ()

    @property
    def solids(self) -> tuple[Solid, ...]:
        """All its solids, the body first."""
        return (*self.body, *[solid for flipper in self.flippers for solid in flipper.solids])


class CarrierRows:
    """Another arm's vehicle in one arena.

    Args:
        scene: Numbers and integers of the arena's scene.
        carrier: The vehicle.
        rows: Rows of its solids in the scene.
    """

    def __init__(self, scene: tuple[Floats, Ints], carrier: Carrier, rows: Ints) -> None:
        self._scene, self._rows = scene, rows
        places = [matrix(solid.pose)[:3] for solid in carrier.solids]
        self._places = np.ascontiguousarray(np.array(places).reshape(-1, 3, 4))
        which = [k for k, flipper in enumerate(carrier.flippers) for _ in flipper.solids]
        self._which = np.array(which, dtype=np.int64)
        self._axles = np.array([(*f.hub, *f.axis) for f in carrier.flippers]).reshape(-1, 6)
        self._turned = np.zeros(2 * len(carrier.flippers))
        self._scratch = np.zeros(24 + 12 * len(places) + 6 * len(carrier.flippers))

    def put(self, around: Floats, robot: RobotState, T_base_other: Floats) -> None:
        """Update its solids.

        Args:
            around: State of the arm's surroundings, see `around_size`.
            robot: The robot that it belongs to, as measured.
            T_base_other: (3, 4) pose of that robot's base in this arm's base frame.
        """
        flippers = robot.groups["flippers"]
        self._turned[:] = flippers.positions + flippers.rates
        put_carrier(
            *self._scene, around, self._rows, self._places, self._which, self._axles, self._turned, T_base_other,
            self._scratch,
        )  # fmt: skip
