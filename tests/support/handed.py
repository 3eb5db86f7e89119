"""Arms with fingers, as our capsules and in MuJoCo, which detects their contacts with the hand open or closed."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import mujoco
import numpy as np
from strangers import FILES, _cloud, stranger

from farhand.distances import Capsule, Clearance, arm_capsules, calibrate_slacks, ignore_mounting_contact, solids_around
from farhand.distances.clearance import blob_of
from farhand.distances.compiled_shapes import _solid, link_shapes
from farhand.formats import RobotModel
from farhand.formats.posing import Posed
from farhand.kernels import Floats
from farhand.kinematics import JointLimits, SerialChain, joint_limits
from farhand.robots import load_robot
from farhand.types import ObjectSpec
from farhand.world import Blueprint, Compiled, Placement, compile_world

TOOLED = ("irb120", "ur5", "kinova", "vx300s")  # arms without fingers, which carry our two-finger tool
WITH_FINGERS = (
    "panda", "so100", "so101", "z1", "talos arm", "tiago", "tiago pro", "baxter", "baxter left", "pr2", *TOOLED,
)  # fmt: skip
OPENINGS = (0.0, 0.5, 1.0)
STEP = 0.01  # rad between two postures that are looked at
STILL = 1e-4  # m; a body that moves less turns in its place


@functools.cache
def model_of(name: str) -> RobotModel:
    """Return an arm with fingers: a stranger's, or our own with its two-finger tool."""
    if name in TOOLED:
        return load_robot(name if name == "irb120" else FILES[name][0], tool="two-finger")
    return stranger(name)


@dataclass(frozen=True)
class Hand:
    """An arm with fingers in a world with objects that stand, seen by us and by MuJoCo."""

    model: RobotModel
    compiled: Compiled

    @classmethod
    def among(cls, name: str, objects: Sequence[ObjectSpec] = ()) -> Hand:
        """Return an arm among objects, world frame."""
        model = model_of(name)
        return cls(model, compile_world(Blueprint(tuple(objects), (Placement("arm", model),), floor=False)))

    @property
    def base(self) -> str:
        """The base body in the compiled model."""
        return f"arm/{self.model.arm.base}"

    @property
    def limits(self) -> JointLimits:
        """Of the arm's joints."""
        return joint_limits(self.model.arm.joints)

    @functools.cached_property
    def sweeps(self) -> dict[str, tuple[float, float]]:
        """Both ends of the driven fingers, by joint."""
        return {f"arm/{joint}": ends for joint, ends in self.model.sweeps.items()}

    @functools.cached_property
    def chain(self) -> SerialChain:
        """The arm's kinematics."""
        return SerialChain.from_model(self.compiled.model, self.base, f"arm/{self.model.arm.tip}")

    def capsules(self, opened: float | None = None) -> tuple[Capsule, ...]:
        """Return the arm in capsules, the hand swept or opened by a share."""
        tip = f"arm/{self.model.arm.tip}"
        return arm_capsules(self.compiled.model, self.base, tip, self.sweeps, opened=opened, measure=False).capsules

    def clearance(self, opened: float | None = None) -> Clearance:
        """Return the arm among all that stands around it."""
        arm = Clearance(self.chain, self.capsules(opened), rest=self.home)
        bare, slacks = calibrate_slacks(arm, self.compiled.model, self.base, self.sweeps)
        return ignore_mounting_contact(
            bare.slackened(slacks.at(0.0)).among(solids_around(self.compiled.model, self.data, self.base))
        )

    @functools.cached_property
    def data(self) -> Any:
        """MuJoCo's data as it all starts."""
        data = mujoco.MjData(self.compiled.model)
        data.qpos[:] = self.compiled.qpos_start
        mujoco.mj_forward(self.compiled.model, data)
        return data

    @property
    def home(self) -> Floats:
        """Joints at home."""
        return np.array([joint.home for joint in self.model.arm.joints])

    @functools.cached_property
    def _posed(self) -> Posed:
        return Posed(self.compiled.model)

    @functools.cached_property
    def _scratch(self) -> Any:
        return mujoco.MjData(self.compiled.model)

    def put(self, q: Floats, opened: float) -> Any:
        """Put the arm and its fingers somewhere, tied ones as the equalities have it; return MuJoCo's data."""
        m, data = self.compiled.model, self._scratch
        data.qpos[:] = self.compiled.qpos_start
        at, there = self._fingers(opened)
        data.qpos[at] = there
        data.qpos[self.compiled.index.robots["arm"].arm.qpos] = q
        mujoco.mj_kinematics(m, data)
        mujoco.mj_comPos(m, data)
        return data

    @functools.cached_property
    def _known(self) -> dict[float, tuple[list[int], Floats]]:
        return {}

    def _fingers(self, opened: float) -> tuple[list[int], Floats]:
        """Return the indices of all finger joints' positions, and the positions."""
        if opened not in self._known:
            m, followers = self.compiled.model, self._posed.followers
            driven = {int(m.joint(name).id): a + opened * (b - a) for name, (a, b) in self.sweeps.items()}
            joints = [*driven, *[j for j, (leader, _) in followers.items() if leader in driven]]
            at = [int(m.jnt_qposadr[joint]) for joint in joints]
            self._known[opened] = at, self._posed.pose(driven)[at]
        return self._known[opened]

    def touches(self, q: Floats, opened: float) -> dict[tuple[str, str], float]:
        """Return the depth (m) of the arm's moving bodies in objects, by the names of both."""
        m, data, found = self.compiled.model, self.put(q, opened), dict[tuple[str, str], float]()
        mujoco.mj_collision(m, data)
        for contact in data.contact:
            names = [str(m.body(int(m.geom_bodyid[g])).name) for g in contact.geom]
            for (geom, mine), other in zip(zip(contact.geom, names, strict=True), names[::-1], strict=True):
                if int(geom) in self._moved and not other.startswith("arm/") and contact.dist < 0.0:
                    found[mine, other] = max(found.get((mine, other), 0.0), -float(contact.dist))
        return found

    @functools.cached_property
    def _moved(self) -> set[int]:
        shapes = link_shapes(self.compiled.model, self.base, self.chain.names)
        return {g for link, geoms in shapes.items() for g in geoms if link >= 0}

    def is_finger(self, body: int) -> bool:
        """Return whether a body moves when the hand opens."""
        there = [self.put(self.home, opened).xpos[body].copy() for opened in (0.0, 1.0)]
        turns = [self.put(self.home, opened).xquat[body].copy() for opened in (0.0, 1.0)]
        return bool(np.abs(np.subtract(*there)).max() > 1e-6 or np.abs(np.subtract(*turns)).max() > 1e-6)

    def deepest(self, way: Floats, openings: Sequence[float] = OPENINGS) -> float:
        """Return the greatest depth (m) of the arm in an object, along a path and for every opening of the hand."""
        return max(max(self.touches(q, opened).values(), default=0.0) for q in postures(way) for opened in openings)

    def sticks_out(self, capsules: Sequence[Capsule], opened: float) -> float:
        """Return how far (m) points of the arm's shapes are out of their link's capsules, at most."""
        m, data, frames = self.compiled.model, self.put(self.home, opened), self.chain.frames(self.home)
        T_world_base = _frame(data.body(self.base).xpos, data.body(self.base).xmat)
        worst = 0.0
        for link, geoms in link_shapes(m, self.base, self.chain.names).items():
            own = [capsule for capsule in capsules if capsule.link == link]
            T = np.linalg.inv(T_world_base @ (np.eye(4) if link < 0 else frames[link]))
            for g in geoms:
                blob = blob_of(_solid(m, g, "", np.eye(4))).moved(T @ _frame(data.geom_xpos[g], data.geom_xmat[g]))
                worst = max(worst, float(np.min([_depth(c, blob.points) for c in own], axis=0).max()) + blob.radius)
        return worst


def _frame(position: Floats, turn: Floats) -> Floats:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = position, np.asarray(turn).reshape(3, 3)
    return T


def _depth(capsule: Capsule, points: Floats) -> Floats:
    start, way = np.array(capsule.start), np.subtract(capsule.end, capsule.start)
    t = np.clip((points - start) @ way / max(float(way @ way), 1e-30), 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - start - t[:, None] * way, axis=1) - capsule.radius)


def postures(way: Floats) -> Floats:
    """Return joints (k, n) along a way, no joint more than `STEP` from one to the next."""
    found = [way[:1]]
    for a, b in itertools.pairwise(way):
        count = max(2, math.ceil(float(np.abs(b - a).max()) / STEP) + 1)
        found.append(a + np.linspace(0.0, 1.0, count)[1:, None] * (b - a))
    return np.vstack(found)


def fingers_of(hand: Hand, q: Floats) -> list[tuple[Floats, Floats]]:
    """Return each finger's way from closed to open (unit vector) and its points when open, world frame."""
    m, clouds = hand.compiled.model, []
    geoms = [g for g in range(m.ngeom) if m.geom_contype[g] | m.geom_conaffinity[g]]
    for opened in (0.0, 1.0):
        data = hand.put(q, opened)
        clouds.append({g: _cloud(m, data, [g], np.eye(4)) for g in geoms})
    moved: dict[int, list[int]] = {}
    for g in geoms:
        if np.abs(clouds[1][g] - clouds[0][g]).max() > 1e-6:
            moved.setdefault(_root(m, g, hand.sweeps), []).append(g)
    found = []
    for group in moved.values():
        shut, wide = (np.vstack([cloud[g] for g in group]) for cloud in clouds)
        way = (wide - shut).mean(axis=0)
        if np.linalg.norm(way) > STILL:
            found.append((way / np.linalg.norm(way), wide))
    return found


def _root(m: Any, geom: int, sweeps: dict[str, tuple[float, float]]) -> int:
    """Return the body next to the palm that a shape hangs on: the last on the way up that no joint of the arm moves."""
    body, found = int(m.geom_bodyid[geom]), int(m.geom_bodyid[geom])
    tied = {int(m.eq_obj1id[e]) for e in range(m.neq)} | {int(m.joint(name).id) for name in sweeps}
    while body:
        first = int(m.body_jntadr[body])
        found = body if tied & set(range(first, first + int(m.body_jntnum[body]))) else found
        body = int(m.body_parentid[body])
    return found


def outward(points: Floats, palm: Floats, across: Floats) -> Floats:
    """Return the direction from the palm to a finger's points, square to the way that the finger opens."""
    out = points.mean(axis=0) - palm
    out -= (out @ across) * across
    return np.asarray(out / np.linalg.norm(out))
