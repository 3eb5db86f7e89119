"""Objects held by grippers: loose objects that two fingers of one robot touch, or its only finger and the palm.

Two objects side by side are held as well, if they touch each other and one finger each. A fixed object is never held; a
robot whose fingers press on it from opposite sides is clamped to it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from farhand.distances.fingers import FingerSweep
from farhand.kernels import Floats, Ints, kernel
from farhand.world.compiled import Compiled

__all__ = ["Grasps"]

NOTHING: dict[str, tuple[str, ...]] = {}
OPPOSITE = -0.5  # cosine of the angle between the normals of two contacts that press from opposite sides


@kernel("i8(i4[:, ::1], i8[::1], i8[::1], i8[:, ::1])")
def touches_into(geoms: Ints, fingers: Ints, items: Ints, out: Ints) -> int:
    """Write each pair of a finger and a loose object in contact; return their number.

    Args:
        geoms: (k, 2) shapes in contact.
        fingers: Number of the finger that each shape belongs to, -1 for none.
        items: Number of the loose object that it belongs to, -1 for none.
        out: (r, 2) result; pairs beyond its rows are left out.
    """
    # either shape may be the finger
    count = 0
    for k in range(geoms.shape[0]):
        for side in range(2):
            finger, item = fingers[geoms[k, side]], items[geoms[k, 1 - side]]
            if finger >= 0 and item >= 0 and count < out.shape[0]:
                out[count, 0], out[count, 1] = finger, item
                count += 1
    return count


@kernel("b1(i4[:, ::1], f8[:, ::1], i8[::1], i8[::1], i8[::1], i8)")
def is_clamped(geoms: Ints, frames: Floats, fingers: Ints, owners: Ints, fixed: Ints, robot: int) -> bool:
    """Return whether two fingers of a robot press on the same fixed object from opposite sides.

    Args:
        geoms: (k, 2) shapes in contact.
        frames: (k, 9) of their contacts; the first axis points from the first to the second.
        fingers: Number of the finger that each shape belongs to, -1 for none.
        owners: Number of the robot of each finger.
        fixed: Number of the body that each shape belongs to if it is fixed, else -1.
        robot: Its number.
    """
    for k in range(geoms.shape[0]):
        for mine in range(2):
            # a finger of the robot on a fixed object
            finger, thing = fingers[geoms[k, mine]], fixed[geoms[k, 1 - mine]]
            if finger < 0 or thing < 0 or owners[finger] != robot:
                continue
            # an earlier contact of another finger on the same object
            for j in range(k):
                for other in range(2):
                    second = fingers[geoms[j, other]]
                    if second < 0 or second == finger or owners[second] != robot or fixed[geoms[j, 1 - other]] != thing:
                        continue
                    # opposite normals clamp it
                    facing = 0.0
                    for r in range(3):
                        facing += frames[k, r] * frames[j, r]
                    if (facing if mine == other else -facing) < OPPOSITE:
                        return True
    return False


class Grasps:
    """Finds the loose objects between the fingers of each robot.

    Args:
        compiled: The compiled world.
    """

    def __init__(self, compiled: Compiled) -> None:
        model = compiled.model
        self._owners: list[str] = []  # the robot of each finger
        self._names = [item.name for item in compiled.index.objects]
        by_body = {model.body(name).id: k for k, name in enumerate(self._names)}
        finger_of: dict[int, int] = {}
        for placement in compiled.blueprint.robots:
            fingers = FingerSweep(model, {f"{placement.name}/{k}": ends for k, ends in placement.model.sweeps.items()})
            roots: dict[int, int] = {}  # number of each finger by its first body, tied ones among them
            for body in range(model.nbody):
                root = fingers.root(body)
                if root is not None:
                    finger_of[body] = roots.setdefault(root, len(self._owners) + len(roots))
            if len(roots) == 1:
                (only,) = roots
                palm = int(model.body_parentid[only])
                finger_of[palm] = roots.setdefault(palm, len(self._owners) + 1)
            self._owners += [placement.name] * len(roots)
        bodies = model.geom_bodyid.tolist()
        self._fingers = np.array([finger_of.get(body, -1) for body in bodies], dtype=np.int64)
        self._items = np.array([by_body.get(body, -1) for body in bodies], dtype=np.int64)
        still = [body if not model.body_weldid[body] and body not in finger_of else -1 for body in bodies]
        self._fixed = np.array(still, dtype=np.int64)
        self._robots = list(dict.fromkeys(self._owners))
        self._owner_of = np.array([self._robots.index(owner) for owner in self._owners], dtype=np.int64)
        self._out = np.zeros((64, 2), np.int64)

    def found(self, data: Any) -> dict[str, tuple[str, ...]]:
        """Return the objects that each robot holds; robots that hold nothing are left out."""
        if not self._owners or not data.ncon:
            return NOTHING
        geoms = np.ascontiguousarray(data.contact.geom)
        count = touches_into(geoms, self._fingers, self._items, self._out)
        if count < 2:
            return NOTHING
        fingers: dict[tuple[str, int], set[int]] = {}
        for finger, item in self._out[:count].tolist():
            fingers.setdefault((self._owners[finger], item), set()).add(finger)
        held: dict[str, tuple[str, ...]] = {}
        for (robot, item), touching in fingers.items():
            if len(touching) > 1 or self._pressed(robot, item, touching, fingers, geoms):
                held[robot] = (*held.get(robot, ()), self._names[item])
        return held

    def clamped(self, data: Any) -> list[str]:
        """Return the robots that are clamped to a fixed object."""
        if not self._owners or data.ncon < 2:
            return []
        geoms, frames = np.ascontiguousarray(data.contact.geom), np.ascontiguousarray(data.contact.frame)
        touching = (geoms, frames, self._fingers, self._owner_of, self._fixed)
        return [name for k, name in enumerate(self._robots) if is_clamped(*touching, k)]

    def _pressed(
        self, robot: str, item: int, finger: set[int], fingers: dict[tuple[str, int], set[int]], geoms: Ints
    ) -> bool:
        """Return whether an object at one finger is pressed against another object, which another finger touches."""
        others = {i for (owner, i), touching in fingers.items() if owner == robot and i != item and touching - finger}
        if not others:
            return False
        pairs = self._items[geoms].tolist()
        return any([(a == item and b in others) or (b == item and a in others) for a, b in pairs])
