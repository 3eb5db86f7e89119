"""Fingers: which end of their travel is closed, how far they open, and where between them the tip is."""

from __future__ import annotations

import numpy as np

from farhand.formats.chain import Choice
from farhand.formats.model import GripperSpec
from farhand.formats.posing import Floats, Posed
from farhand.formats.tree import Part, Tree

__all__ = ["Fingers"]

_LEAST_OPENING = 0.005


class Fingers:
    """The fingers of a robot, measured.

    Args:
        tree: The robot's parts.
        posed: The robot to measure on.
        choice: What was chosen as palm and fingers.
        driven: Names of the joints with a drive of their own; None if all have one.
    """

    def __init__(self, tree: Tree, posed: Posed, choice: Choice, driven: frozenset[str] | None) -> None:
        self.tree, self.posed, self.palm = tree, posed, choice.palm
        self.sets = [self._geoms([b for p in f.subtree() for b in p.bodies]) for f in choice.fingers]
        if len(self.sets) == 1:
            self.sets.append(self._geoms(choice.palm.bodies))
        joints = [j for f in choice.fingers for p in f.subtree() for j in p.joints if posed.scalar[j]]
        free = [j for j in joints if j not in posed.followers]
        chosen = [j for j in free if driven is None or tree.joint_names[j] in driven]
        self.joints = chosen or free
        self.all_joints = joints
        self.closed, self.opened = self._ends()

    def _geoms(self, bodies: list[int]) -> list[int]:
        m = self.tree.model
        inside = [g for g in range(m.ngeom) if int(m.geom_bodyid[g]) in bodies]
        return [g for g in inside if m.geom_contype[g] or m.geom_conaffinity[g]] or inside

    def _apart(self, joints: dict[int, float]) -> tuple[float, float]:
        """Return the gap between the fingers, and the distance of their middles, with joints at these positions."""
        self.posed.go(self.posed.pose(joints))
        gap, middles = 1.0, 1.0
        for i, first in enumerate(self.sets):
            for second in self.sets[i + 1 :]:
                gap = min(gap, self.posed.gap(first, second))
                if first and second:
                    a, b = self.posed.corners(first), self.posed.corners(second)
                    middles = min(middles, float(np.linalg.norm(a.mean(axis=0) - b.mean(axis=0))))
        return gap, middles

    def _ends(self) -> tuple[dict[int, float], dict[int, float]]:
        lower, upper = self.posed.lower, self.posed.upper
        middle = {j: float(lower[j] + upper[j]) / 2 for j in self.joints}
        closed, opened = {}, {}
        for j in self.joints:
            low, high = (self._apart(middle | {j: float(end[j])}) for end in (lower, upper))
            # A finger whose gap does not tell (overlapping hulls) is judged by how far apart the middles are.
            which = 0 if abs(low[0] - high[0]) > 1e-4 and max(low[0], high[0]) > 0 else 1
            ends = float(lower[j]), float(upper[j])
            closed[j], opened[j] = ends if low[which] <= high[which] else ends[::-1]
        return closed, opened

    def spec(self, velocities: dict[int, float], efforts: dict[int, float]) -> GripperSpec:
        """Return what the engine must know.

        Args:
            velocities: Top rate of each finger joint.
            efforts: Top effort of each finger joint.
        """
        near, far = self._apart(self.closed), self._apart(self.opened)
        opening = far[0] if far[0] > _LEAST_OPENING else abs(far[1] - near[1])
        opening = float(max(opening, _LEAST_OPENING))
        seconds = max(abs(self.opened[j] - self.closed[j]) / velocities[j] for j in self.joints)
        return GripperSpec(
            joints=tuple(self.tree.joint_names[j] for j in self.joints),
            closed=tuple(self.closed[j] for j in self.joints),
            opened=tuple(self.opened[j] for j in self.joints),
            opening=opening,
            speed=opening / max(seconds, 0.05),
            effort=min(efforts[j] for j in self.joints),
        )

    def tip(self, body: int, fingers: list[Part]) -> Floats:
        """Return the point between the finger tips, in the frame of the palm's body."""
        last = [p for f in fingers for p in f.subtree() if not p.children]
        geoms = [self._geoms(p.bodies) for p in last]
        self.posed.go(self.posed.pose(self.opened))
        R = self.posed.data.xmat[body].reshape(3, 3)
        clouds = [(self.posed.corners(g) - self.posed.data.xpos[body]) @ R for g in geoms if g]
        if not clouds:
            return np.zeros(3)
        middle = np.mean([c.mean(axis=0) for c in clouds], axis=0)
        axis = int(np.argmax(np.abs(middle)))
        if abs(middle[axis]) < 0.01:
            return middle
        # Along the axis on which the fingers stand out: a little short of their ends.
        along = np.concatenate(clouds)[:, axis] * np.sign(middle[axis])
        depth = min(0.25 * float(np.ptp(along)), 0.02)
        middle[axis] = np.sign(middle[axis]) * (along.max() - depth)
        return middle
