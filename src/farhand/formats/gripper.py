"""Fingers: their closed and open ends, their opening, and the tip between them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from farhand.formats.arm_chain import Choice
from farhand.formats.body_tree import MovingPart, Tree
from farhand.formats.model import GripperSpec
from farhand.formats.posing import Floats, Posed

__all__ = ["MeasuredFingers"]

_LEAST_OPENING = 0.005
_OUTER = 0.25


class MeasuredFingers:
    """The fingers of a robot, measured.

    Args:
        tree: The robot's parts.
        posed: The robot to measure.
        choice: The chosen palm and fingers.
        driven: Names of the joints with a drive of their own; None if all have one.
    """

    def __init__(self, tree: Tree, posed: Posed, choice: Choice, driven: frozenset[str] | None) -> None:
        self.tree, self.posed, self.palm = tree, posed, choice.palm
        joints = [j for f in choice.fingers for p in f.subtree() for j in p.joints if posed.scalar[j]]
        free = [j for j in joints if j not in posed.followers]
        chosen = [j for j in free if driven is None or tree.joint_names[j] in driven]
        self.joints = chosen or free
        self.sets = [self._geoms([b for p in f.subtree() for b in p.bodies]) for f in choice.fingers]
        self.roots = [f.root for f in choice.fingers]
        self.alone = len(self.sets) == 1
        if self.alone:
            self.sets.append(self._geoms(choice.palm.bodies))
        self.outer = [self._outer(geoms, root) for geoms, root in zip(self.sets, self.roots, strict=False)]
        self.closed, self.opened = self._ends()

    def _geoms(self, bodies: list[int]) -> list[int]:
        m = self.tree.model
        inside = [g for g in range(m.ngeom) if int(m.geom_bodyid[g]) in bodies]
        return [g for g in inside if m.geom_contype[g] or m.geom_conaffinity[g]] or inside

    def _outer(self, geoms: list[int], root: int) -> NDArray[np.intp]:
        """Return the outer points of a finger: farthest from its joint, or from the palm if it slides."""
        first = int(self.tree.model.body_jntadr[root])
        self.posed.go(self.posed.rest)
        seen_from = self.palm.root if self.posed.slides[first] else root
        away = np.linalg.norm(self.posed.points(geoms) - self.posed.data.xpos[seen_from], axis=1)
        return np.flatnonzero(away >= np.quantile(away, 1 - _OUTER)) if len(away) else np.zeros(0, dtype=np.intp)

    def _apart(self, joints: dict[int, float]) -> float:
        """Return the distance between the finger tips with joints at these positions.

        It uses points, not hulls: a hull fills the gap of a bent finger. With several fingers it is the mean distance
        between the middles of their tips; with a single one, from its tip to the palm.
        """
        self.posed.go(self.posed.pose(joints))
        clouds = [self.posed.points(geoms) for geoms in self.sets]
        tips = [cloud[outer] for cloud, outer in zip(clouds, self.outer, strict=False) if len(outer)]
        if not tips or (self.alone and not len(clouds[1])):
            return 0.0
        if self.alone:
            return float(np.median(np.linalg.norm(tips[0][:, None] - clouds[1][None], axis=2).min(axis=1)))
        middles = np.array([tip.mean(axis=0) for tip in tips])
        count = len(middles) * (len(middles) - 1)
        return float(np.linalg.norm(middles[:, None] - middles[None], axis=2).sum() / max(count, 1))

    def _ends(self) -> tuple[dict[int, float], dict[int, float]]:
        lower, upper = self.posed.lower, self.posed.upper
        middle = {j: float(lower[j] + upper[j]) / 2 for j in self.joints}
        closed, opened = {}, {}
        for j in self.joints:
            low, high = (self._apart(middle | {j: float(end[j])}) for end in (lower, upper))
            ends = float(lower[j]), float(upper[j])
            closed[j], opened[j] = ends if low <= high else ends[::-1]
        return closed, opened

    def _opening(self) -> float:
        travel = abs(self._apart(self.opened) - (0.0 if self.alone else self._apart(self.closed)))
        self.posed.go(self.posed.pose(self.opened))
        pairs = [(a, b) for i, a in enumerate(self.sets) for b in self.sets[i + 1 :]]
        gap = 0.0 if self.alone else min(self.posed.gap(a, b) for a, b in pairs)
        return max(gap if gap > _LEAST_OPENING else travel, _LEAST_OPENING)

    def spec(self, velocities: dict[int, float], efforts: dict[int, float]) -> GripperSpec:
        """Return the data of the gripper.

        Args:
            velocities: Top rate of each finger joint.
            efforts: Top effort of each finger joint.
        """
        opening = self._opening()
        seconds = max(abs(self.opened[j] - self.closed[j]) / velocities[j] for j in self.joints)
        return GripperSpec(
            joints=tuple(self.tree.joint_names[j] for j in self.joints),
            closed=tuple(self.closed[j] for j in self.joints),
            opened=tuple(self.opened[j] for j in self.joints),
            opening=opening,
            speed=opening / max(seconds, 0.05),
            effort=min(efforts[j] for j in self.joints),
        )

    def tip(self, body: int, fingers: list[MovingPart]) -> Floats:
        """Return the point between the finger tips, in the frame of the palm's body."""
        last = [p for f in fingers for p in f.subtree() if not p.children]
        self.posed.go(self.posed.pose(self.closed if self.alone else self.opened))
        R = self.posed.data.xmat[body].reshape(3, 3)
        clouds = [self.posed.points(self._geoms(p.bodies)) for p in last]
        clouds = [(c - self.posed.data.xpos[body]) @ R for c in clouds if len(c)]
        if not clouds:
            return np.zeros(3)
        middle: Floats = np.mean([(c.min(axis=0) + c.max(axis=0)) / 2 for c in clouds], axis=0)
        axis = int(np.argmax(np.abs(middle)))
        if abs(middle[axis]) < 0.01:
            return middle
        # Along the axis on which the fingers stand out: a little short of their ends.
        along = np.concatenate(clouds)[:, axis] * np.sign(middle[axis])
        depth = min(0.25 * float(np.ptp(along)), 0.02)
        middle[axis] = np.sign(middle[axis]) * (along.max() - depth)
        return middle
