"""A compiled robot in different poses, for measuring."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Posed"]

Floats = NDArray[np.float64]
Pair = tuple[int, int]

_POSES = 24
_TURN = 3.0
_POINTS = 400


class Posed:
    """A compiled robot with its own state, for measuring.

    Args:
        model: MuJoCo's model.
    """

    def __init__(self, model: Any) -> None:
        import mujoco  # loaded only when a robot is read

        self._mujoco, self.model, self.data = mujoco, model, mujoco.MjData(model)
        self.rest: Floats = np.array(model.qpos0)
        limited = np.array(model.jnt_limited, dtype=bool)
        self.lower = np.where(limited, model.jnt_range[:, 0], -_TURN)
        self.upper = np.where(limited, model.jnt_range[:, 1], _TURN)
        kinds = [mujoco.mjtJoint(int(k)) for k in model.jnt_type]
        self.slides = [k == mujoco.mjtJoint.mjJNT_SLIDE for k in kinds]
        self.scalar = [s or k == mujoco.mjtJoint.mjJNT_HINGE for s, k in zip(self.slides, kinds, strict=True)]
        self.followers = self._followers()
        self.ties: dict[int, tuple[int, float]] = {}
        """Leader and multiplier of the arm's follower joints. Forces on a follower act on its leader."""
        self.narrowed: dict[int, tuple[float, float]] = {}
        """Limits of leaders that keep their followers within their own limits."""
        self.rest = self.pose(dict.fromkeys(range(model.njnt), 0.0))

    def _followers(self) -> dict[int, tuple[int, Floats]]:
        m, followers = self.model, {}
        for e in range(m.neq):
            if m.eq_active0[e] and m.eq_type[e] == self._mujoco.mjtEq.mjEQ_JOINT and m.eq_obj2id[e] >= 0:
                followers[int(m.eq_obj1id[e])] = (int(m.eq_obj2id[e]), np.array(m.eq_data[e, :5]))
        return followers

    def pose(self, joints: dict[int, float]) -> Floats:
        """Return positions: the rest pose with these joints moved, within limits, and followers following."""
        q = self.rest.copy()
        for joint, value in joints.items():
            if not self.scalar[joint]:
                continue
            q[self.model.jnt_qposadr[joint]] = np.clip(value, self.lower[joint], self.upper[joint])
        for joint, (leader, coefficients) in self.followers.items():
            x = q[self.model.jnt_qposadr[leader]] - self.model.qpos0[self.model.jnt_qposadr[leader]]
            value = self.model.qpos0[self.model.jnt_qposadr[joint]] + np.polyval(coefficients[::-1], x)
            q[self.model.jnt_qposadr[joint]] = np.clip(value, self.lower[joint], self.upper[joint])
        return q

    def random_poses(self) -> list[Floats]:
        """Return poses spread over the limits, the same every time."""
        generator = np.random.default_rng(0)
        draws = generator.uniform(self.lower, self.upper, size=(_POSES, self.model.njnt))
        return [self.pose(dict(enumerate(map(float, row)))) for row in draws]

    def go(self, q: Floats) -> None:
        """Move all bodies to a pose."""
        self.data.qpos[:] = q
        self._mujoco.mj_kinematics(self.model, self.data)
        self._mujoco.mj_comPos(self.model, self.data)

    def touching(self, q: Floats) -> set[Pair]:
        """Return the pairs of bodies that penetrate each other in a pose."""
        self.go(q)
        self._mujoco.mj_collision(self.model, self.data)
        contact = self.data.contact
        bodies = self.model.geom_bodyid[contact.geom[contact.dist < 0]] if len(contact.dist) else []
        return {(min(int(a), int(b)), max(int(a), int(b))) for a, b in bodies}

    def weight(self, q: Floats) -> Floats:
        """Return the effort that each joint needs to hold the robot in a pose."""
        self.go(q)
        self.data.qvel[:] = 0
        self._mujoco.mj_forward(self.model, self.data)
        return self._with_followers(np.array(self.data.qfrc_bias))

    def weight_any_base(self, q: Floats) -> Floats:
        """Return the effort that each joint needs to hold the robot in a pose, for any turn of its base.

        Gravity torque is linear in gravity: g·‖(τ_x, τ_y, τ_z)‖, with the torque τ_i of a unit of gravity along an
        axis.
        """
        m, data, taken = self.model, self.data, np.array(self.model.opt.gravity)
        self.go(q)
        data.qvel[:] = 0
        self._mujoco.mj_comVel(m, data)
        square, torque = np.zeros(m.nv), np.zeros(m.nv)
        for axis in np.eye(3):
            m.opt.gravity[:] = axis
            self._mujoco.mj_rne(m, data, 0, torque)
            square += self._with_followers(torque.copy()) ** 2
        m.opt.gravity[:] = taken
        return np.asarray(np.linalg.norm(taken) * np.sqrt(square))

    def inertia(self, q: Floats) -> Floats:
        """Return the inertia at each joint in a pose, the others at rest."""
        self.go(q)
        self._mujoco.mj_forward(self.model, self.data)
        full = np.zeros((self.model.nv, self.model.nv))
        self._mujoco.mj_fullM(self.model, self.data, full)
        return np.array(np.diag(self._with_followers(self._with_followers(full).T)))

    def jacobian(self, q: Floats, body: int) -> Floats:
        """Return the (6, nv) Jacobian at a body's origin."""
        self.go(q)
        linear, angular = np.zeros((3, self.model.nv)), np.zeros((3, self.model.nv))
        self._mujoco.mj_jacBody(self.model, self.data, linear, angular, body)
        return self._with_followers(np.concatenate([linear, angular]))

    def _with_followers(self, values: Floats) -> Floats:
        """Add the values of follower joints to those of their leaders, along the last axis."""
        for joint, (leader, multiplier) in self.ties.items():
            here, there = int(self.model.jnt_dofadr[leader]), int(self.model.jnt_dofadr[joint])
            values[..., here] += multiplier * values[..., there]
        return values

    def gap(self, first: list[int], second: list[int]) -> float:
        """Return the distance between two sets of geoms in the present pose; below zero they penetrate."""
        gaps = [self._mujoco.mj_geomDistance(self.model, self.data, a, b, 1.0, None) for a in first for b in second]
        return float(min(gaps, default=1.0))

    def points(self, geoms: list[int]) -> Floats:
        """Return points (n, 3) that bound geoms, in the world, in the present pose."""
        xpos, xmat = self.data.geom_xpos, self.data.geom_xmat
        clouds = [xpos[g] + self._local(g) @ xmat[g].reshape(3, 3).T for g in geoms]
        return np.concatenate([np.zeros((0, 3)), *clouds])

    def _local(self, geom: int) -> Floats:
        m, mesh = self.model, int(self.model.geom_dataid[geom])
        if m.geom_type[geom] == self._mujoco.mjtGeom.mjGEOM_MESH and mesh >= 0:
            first, count = int(m.mesh_vertadr[mesh]), int(m.mesh_vertnum[mesh])
            vertices = np.asarray(m.mesh_vert[first : first + count], dtype=np.float64)
            return vertices[:: max(1, count // _POINTS)]
        box = m.geom_aabb[geom]
        signs = np.array(np.meshgrid([-1, 0, 1], [-1, 0, 1], [-1, 0, 1])).reshape(3, -1).T
        return np.asarray(box[:3] + signs * box[3:])
