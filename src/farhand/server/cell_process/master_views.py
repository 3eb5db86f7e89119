"""The masters of a live cell for its viewers: shapes, poses, and forces on the hand."""

from __future__ import annotations

import math
from collections.abc import Mapping

from farhand.cell import Cell
from farhand.devices import Device
from farhand.devices.shape import DeviceShape, DeviceSolid, poses_of
from farhand.errors import CommandError
from farhand.kinematics import SerialChain, Stewart
from farhand.kinematics.arithmetic.link_frames import LEADS, SLIDES
from farhand.masters import HANDS, Master, Modelled, TakeoverIntent, driven_by_operator
from farhand.poses import Pose
from farhand.server.cell_process.packing import floats, pack_pose, pack_poses
from farhand.server.protocol.messages import JointInfo, MasterInfo, MasterUpdate
from farhand.types import Inputs, Reading, Tick, Wrench
from farhand.world.visual_scene import FIXED, BodyLook, GeomLook

__all__ = ["MasterView", "views_of"]

NO_READING = MasterUpdate(bodies=b"", joints=b"", tip=b"", intended=b"", felt=b"", held=False)


class MasterView:
    """A master that has joints and a shape.

    Args:
        name: Name in the cell.
        master: The master.
        device: The device in the operator's hand.
        shape: Shape of the device.
        robots: Names of the robots that it drives.
    """

    def __init__(self, name: str, master: Master, device: Device, shape: DeviceShape, robots: tuple[str, ...]) -> None:
        self._name, self._master, self._device, self._shape, self._robots = name, master, device, shape, robots
        self._reading = Reading()

    def describe(self) -> MasterInfo:
        """Return everything about the master that stays the same."""
        device, rods = self._device, self._shape.rods
        geoms = [_geom(FIXED, solid) for solid in self._shape.base]
        geoms += [_geom(i, _capsule(rod.radius, rod.length, rod.colour)) for i, rod in enumerate(rods)]
        geoms += [_geom(len(rods), solid) for solid in self._shape.handle]
        return MasterInfo(
            name=self._name,
            label=device.label,
            hand=_hand(self._master),
            joints=_joints(device),
            bodies=(*(BodyLook(f"rod {i + 1}") for i in range(len(rods))), BodyLook("handle")),
            geoms=tuple(geoms),
            lower=device.lower,
            upper=device.upper,
            force=device.force,
            robots=self._robots,
            by_hand=driven_by_operator(self._master),
        )

    def keep(self, inputs: Inputs) -> None:
        """Keep the master's reading of this tick."""
        self._reading = inputs.readings.get(self._name, self._reading)

    def update(self, tick: Tick) -> MasterUpdate:
        """Return its present state; a reading that does not fit the device is not shown."""
        reading, kinematics = self._reading, self._device.kinematics
        if len(reading.joints) != kinematics.n or not all(map(math.isfinite, reading.joints)):
            return NO_READING
        try:
            bodies = pack_poses(*poses_of(self._shape, kinematics, reading.joints))
        except CommandError:
            return NO_READING
        return MasterUpdate(
            bodies=bodies,
            joints=floats(reading.joints),
            tip=pack_pose(reading.pose),
            intended=pack_pose(self._master.intended if isinstance(self._master, Modelled) else None),
            felt=floats(self._force(tick).force),
            held=reading.deadman,
            alone=isinstance(self._master, Modelled)
            and isinstance(self._master.intent, TakeoverIntent)
            and self._master.intent.automatic,
        )

    def _force(self, tick: Tick) -> Wrench:
        """Return the force on the hand: from the motors of a modelled device, for others the requested feedback."""
        if isinstance(self._master, Modelled):
            return self._master.felt
        return tick.lanes[self._robots[0]].felt if self._robots else Wrench()


def views_of(cell: Cell, masters: Mapping[str, Master]) -> tuple[MasterView, ...]:
    """Return views of the masters that can be drawn."""
    shows = []
    for name, master in masters.items():
        device = getattr(master, "device", None)
        shape = device.drawn() if isinstance(device, Device) else None
        if isinstance(device, Device) and shape is not None:
            robots = tuple(robot for robot in cell.lanes if cell.master_of(robot) == name)
            shows.append(MasterView(name, master, device, shape, robots))
    return tuple(shows)


def _hand(master: Master) -> str:
    if not isinstance(master, Modelled):
        return ""
    return next((name for name, hand in HANDS.items() if hand == master.hand), "own")


def _joints(device: Device) -> tuple[JointInfo, ...]:
    kinematics = device.kinematics
    if isinstance(kinematics, SerialChain):
        slides = [int(kind) % LEADS == SLIDES for kind in kinematics.arrays.kinds]
    else:
        slides = [isinstance(kinematics, Stewart)] * kinematics.n
    rows = zip(kinematics.names, slides, kinematics.lower.tolist(), kinematics.upper.tolist(), device.rest, strict=True)
    return tuple(
        JointInfo(
            name=name,
            label=name[:1].upper() + name[1:],
            kind="slide" if slide else "hinge",
            lower=low if math.isfinite(low) else None,
            upper=high if math.isfinite(high) else None,
            home=rest,
            velocity=0.0,  # a hand has no limit
        )
        for name, slide, low, high, rest in rows
    )


def _capsule(radius: float, length: float, colour: tuple[float, float, float, float]) -> DeviceSolid:
    return DeviceSolid("capsule", (radius, 0.5 * length), Pose((0.0, 0.0, 0.5 * length)), colour)


def _geom(body: int, solid: DeviceSolid) -> GeomLook:
    return GeomLook(body, solid.shape, solid.size, solid.pose, solid.colour, touched=False)
