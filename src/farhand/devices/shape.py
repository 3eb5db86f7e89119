"""What a device looks like: rods between points that move with its joints, solids on its base, and its handle.

So a device is drawn without meshes, and a new one of serial kinematics needs nothing: its joints tell where rods are.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Literal

import numpy as np
from msgspec import Struct

from farhand.kernels import Floats
from farhand.kinematics import Kinematics, SerialChain
from farhand.poses import IDENTITY, Pose, from_matrix
from farhand.types import Vector

__all__ = ["DARK", "METAL", "WARM", "DeviceRod", "DeviceShape", "DeviceSolid", "Points", "poses_of", "serial_shape"]

Colour = tuple[float, float, float, float]
Points = Callable[[Floats, Floats], Floats]
"""Where the points (n, 3) are in the base frame, from the joints (k,) and the tip's pose (4, 4)."""

METAL: Colour = (0.72, 0.75, 0.78, 1.0)
DARK: Colour = (0.24, 0.27, 0.30, 1.0)
WARM: Colour = (0.93, 0.61, 0.22, 1.0)
THICKNESS = 0.022  # radius of a serial device's rods, as a share of its reach
SHORTEST = 0.02  # share of the reach below which two joints are at one place, and no rod is between them


class DeviceSolid(Struct, frozen=True):
    """A solid body of one form, sizes as in `GeomLook`, at a pose in the frame of what carries it."""

    shape: Literal["box", "sphere", "cylinder", "capsule"]
    size: Vector
    pose: Pose = IDENTITY
    colour: Colour = METAL


class DeviceRod(Struct, frozen=True):
    """A rod that starts at one point and points at another.

    Args:
        start: Index of the point it starts at.
        towards: Index of the point it points at.
        length: Metres; may be less than the way, where two rods slide in each other.
        radius: Metres.
        colour: Its colour.
    """

    start: int
    towards: int
    length: float
    radius: float
    colour: Colour = METAL


class DeviceShape(Struct, frozen=True, kw_only=True):
    """A device to be drawn.

    Args:
        points: Where the ends of the rods are.
        rods: Between them.
        base: Solids that do not move, in the base frame.
        handle: What the hand holds, in the tip's frame.
    """

    points: Points
    rods: tuple[DeviceRod, ...]
    base: tuple[DeviceSolid, ...] = ()
    handle: tuple[DeviceSolid, ...] = ()


def poses_of(shape: DeviceShape, kinematics: Kinematics, joints: Vector) -> tuple[Floats, Floats]:
    """Return positions (n + 1, 3) and quaternions wxyz (n + 1, 4) of the rods, then of the handle, in the base frame.

    A rod's frame is at its start, its z points along it.
    """
    q = np.array(joints)
    T_base_tip = kinematics.forward(q)
    points = shape.points(q, T_base_tip)
    starts, ends = points[[rod.start for rod in shape.rods]], points[[rod.towards for rod in shape.rods]]
    tip = from_matrix(T_base_tip)
    positions = np.vstack([starts, [tip.position]])
    return positions, np.vstack([_along(ends - starts), [tip.rotation]])


def _along(ways: Floats) -> Floats:
    """Return the least turns (n, 4) that bring z to some directions."""
    lengths = np.linalg.norm(ways, axis=1, keepdims=True)
    x, y, z = (ways / np.where(lengths > 0.0, lengths, 1.0)).T
    turns = np.stack([1.0 + z, -y, x, np.zeros_like(z)], axis=1)  # half way between z and the direction
    turns[z < -1.0 + 1e-9] = (0.0, 1.0, 0.0, 0.0)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return turns


def serial_shape(chain: SerialChain, rest: Vector, handle: tuple[DeviceSolid, ...] = ()) -> DeviceShape:
    """Return rods from joint to joint, as they are at rest; slides along their rods are drawn as they are then."""
    frames = chain.frames(rest)[:, :3, 3]
    reach = float(np.linalg.norm(np.diff(frames, axis=0), axis=1).sum()) + float(np.linalg.norm(frames[0]))
    radius = THICKNESS * reach
    apart = [0] + [i for i in range(1, len(frames)) if np.linalg.norm(frames[i] - frames[i - 1]) > SHORTEST * reach]
    # a point at the base, then every joint that is not where the one before it is, then the tip
    stops = list(dict.fromkeys([*apart, len(frames) - 1]))
    corners = np.vstack([np.zeros(3), frames[stops]])
    rods = tuple(
        DeviceRod(i, i + 1, float(np.linalg.norm(there - here)), radius * (1.0 - 0.08 * i), METAL if i % 2 else DARK)
        for i, (here, there) in enumerate(pairwise(corners))
        if np.linalg.norm(there - here) > SHORTEST * reach
    )

    def points(q: Floats, T_base_tip: Floats) -> Floats:
        del T_base_tip
        return np.vstack([np.zeros(3), chain.frames(q)[stops, :3, 3]])

    plate = DeviceSolid("cylinder", (3.0 * radius, radius), colour=DARK)
    knob = handle or (DeviceSolid("sphere", (1.6 * radius,), colour=WARM),)
    return DeviceShape(points=points, rods=rods, base=(plate,), handle=knob)
