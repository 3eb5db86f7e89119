"""Shapes of devices: rods between points that move with the joints, solids on the base, and the handle.

So a device is drawn without meshes. A new one with serial kinematics needs no shape: rods join its joints.
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
"""Returns points (n, 3) in the base frame, from the joints (k,) and the tip's pose (4, 4)."""

METAL: Colour = (0.72, 0.75, 0.78, 1.0)
DARK: Colour = (0.24, 0.27, 0.30, 1.0)
WARM: Colour = (0.93, 0.61, 0.22, 1.0)
RADIUS_SHARE = 0.022  # radius of a serial device's rods, as a share of its reach
SHORTEST_SHARE = 0.02  # share of the reach: joints closer than this have no rod between them


class DeviceSolid(Struct, frozen=True):
    """A solid body, sizes as in `GeomLook`, at a pose in the frame of the base or the tip."""

    shape: Literal["box", "sphere", "cylinder", "capsule"]
    size: Vector
    pose: Pose = IDENTITY
    colour: Colour = METAL


class DeviceRod(Struct, frozen=True):
    """A rod that starts at one point and points at another.

    Args:
        start: Index of the point it starts at.
        towards: Index of the point it points at.
        length: Metres; less than the distance of the points where two rods slide into each other.
        radius: Metres.
        colour: Red, green, blue, opacity; each from 0 to 1.
    """

    start: int
    towards: int
    length: float
    radius: float
    colour: Colour = METAL


class DeviceShape(Struct, frozen=True, kw_only=True):
    """The shape of a device.

    Args:
        points: The ends of the rods.
        rods: Rods between these points.
        base: Fixed solids, in the base frame.
        handle: Solids held by the hand, in the tip's frame.
    """

    points: Points
    rods: tuple[DeviceRod, ...]
    base: tuple[DeviceSolid, ...] = ()
    handle: tuple[DeviceSolid, ...] = ()


def poses_of(shape: DeviceShape, kinematics: Kinematics, joints: Vector) -> tuple[Floats, Floats]:
    """Return positions (n + 1, 3) and quaternions wxyz (n + 1, 4) of the rods, then of the handle, in the base frame.

    A rod's frame is at its start, with z along the rod.
    """
    q = np.array(joints)
    T_base_tip = kinematics.forward(q)
    points = shape.points(q, T_base_tip)
    starts, ends = points[[rod.start for rod in shape.rods]], points[[rod.towards for rod in shape.rods]]
    tip = from_matrix(T_base_tip)
    positions = np.vstack([starts, [tip.position]])
    return positions, np.vstack([_along(ends - starts), [tip.rotation]])


def _along(directions: Floats) -> Floats:
    """Return the smallest rotations (n, 4) that bring z to the directions (n, 3)."""
    lengths = np.linalg.norm(directions, axis=1, keepdims=True)
    x, y, z = (directions / np.where(lengths > 0.0, lengths, 1.0)).T
    turns = np.stack([1.0 + z, -y, x, np.zeros_like(z)], axis=1)  # half way between z and the direction
    turns[z < -1.0 + 1e-9] = (0.0, 1.0, 0.0, 0.0)
    turns /= np.linalg.norm(turns, axis=1, keepdims=True)
    return turns


def serial_shape(chain: SerialChain, rest: Vector, handle: tuple[DeviceSolid, ...] = ()) -> DeviceShape:
    """Return rods from joint to joint, in the rest pose; sliding joints keep their rods' rest lengths."""
    frames = chain.frames(rest)[:, :3, 3]
    reach = float(np.linalg.norm(np.diff(frames, axis=0), axis=1).sum()) + float(np.linalg.norm(frames[0]))
    radius, shortest = RADIUS_SHARE * reach, SHORTEST_SHARE * reach
    apart = [0] + [i for i in range(1, len(frames)) if np.linalg.norm(frames[i] - frames[i - 1]) > shortest]
    # the base, then every joint apart from the one before it, then the tip
    stops = list(dict.fromkeys([*apart, len(frames) - 1]))
    corners = np.vstack([np.zeros(3), frames[stops]])
    rods = tuple(
        DeviceRod(i, i + 1, float(np.linalg.norm(there - here)), radius * (1.0 - 0.08 * i), METAL if i % 2 else DARK)
        for i, (here, there) in enumerate(pairwise(corners))
        if np.linalg.norm(there - here) > shortest
    )

    def points(q: Floats, T_base_tip: Floats) -> Floats:
        del T_base_tip
        return np.vstack([np.zeros(3), chain.frames(q)[stops, :3, 3]])

    plate = DeviceSolid("cylinder", (3.0 * radius, radius), colour=DARK)
    knob = handle or (DeviceSolid("sphere", (1.6 * radius,), colour=WARM),)
    return DeviceShape(points=points, rods=rods, base=(plate,), handle=knob)
