"""Chains from compiled MuJoCo models: walk from the tip's body up to the base, and collect the joints between."""

from __future__ import annotations

from typing import Any

import numpy as np

from farhand.errors import CommandError, UnknownNameError
from farhand.kernels import Floats
from farhand.kinematics.arithmetic.dh_tables import ChainArrays
from farhand.kinematics.arithmetic.link_frames import SLIDES, TURNS
from farhand.poses import Pose, matrix

__all__ = ["chain_of_model", "fixed_between"]


def chain_of_model(model: Any, base: str, tip: str) -> tuple[ChainArrays, tuple[str, ...], Floats, Floats]:
    """Return arrays, joint names, lower and upper limits of the chain from a body to a site or body below it.

    A joint of MuJoCo turns its body by q − qpos0 about an axis through a point of the body: X = A·Z(q − qpos0)·A⁻¹,
    where A moves the z axis onto that axis.

    Args:
        model: Compiled model.
        base: Body whose frame is the base frame; its own joints are not part of the chain.
        tip: Site or body whose frame is the tip; a site wins where both have the name.

    Raises:
        UnknownNameError: If there is no such body or site.
        CommandError: If the tip is not below the base, or a joint between them neither turns nor slides.
    """
    base_body = _body(model, base)
    tip_body, T_body_tip = _tip(model, tip)
    fixed: list[Floats] = []
    kinds: list[int] = []
    joints: list[int] = []
    pending: Floats = np.eye(4)
    for body in _bodies_between(model, base_body, tip_body, base, tip):
        pending = pending @ _pose(model.body_pos[body], model.body_quat[body])
        first = int(model.body_jntadr[body])
        for joint in range(first, first + int(model.body_jntnum[body])):
            kind = _kind(model, joint)
            A = _axis_frame(model.jnt_pos[joint], model.jnt_axis[joint])
            rest = float(model.qpos0[model.jnt_qposadr[joint]])
            fixed.append(pending @ A @ _along_z(kind, -rest))
            kinds.append(kind)
            joints.append(joint)
            pending = np.linalg.inv(A).astype(np.float64)
    if not joints:
        raise CommandError(f"no joint moves {tip!r} against {base!r}: a chain needs at least one")
    limited = [bool(model.jnt_limited[joint]) for joint in joints]
    ranges = np.array(
        [model.jnt_range[j] if has else (-np.inf, np.inf) for j, has in zip(joints, limited, strict=True)]
    )
    names = tuple(str(model.joint(joint).name) for joint in joints)
    return ChainArrays.of(fixed, kinds, pending @ T_body_tip), names, ranges[:, 0].copy(), ranges[:, 1].copy()


def fixed_between(model: Any, base: str, tip: str) -> Floats:
    """Return the pose (4, 4) of a site or body in the frame of the body that carries it.

    Raises:
        UnknownNameError: If there is no such body or site.
        CommandError: If it is not below that body.
    """
    tip_body, T_body_tip = _tip(model, tip)
    T: Floats = np.eye(4)
    for body in _bodies_between(model, _body(model, base), tip_body, base, tip):
        T = T @ _pose(model.body_pos[body], model.body_quat[body])
    return np.asarray(T @ T_body_tip)


def _bodies_between(model: Any, base_body: int, tip_body: int, base: str, tip: str) -> list[int]:
    """Return the bodies below the base down to the tip's."""
    bodies = []
    body = tip_body
    while body != base_body:
        if body == 0:
            raise CommandError(f"{tip!r} does not hang on {base!r}: the base must be one of its ancestors")
        bodies.append(body)
        body = int(model.body_parentid[body])
    return bodies[::-1]


def _kind(model: Any, joint: int) -> int:
    import mujoco

    kind = int(model.jnt_type[joint])
    if kind == int(mujoco.mjtJoint.mjJNT_HINGE):
        return TURNS
    if kind == int(mujoco.mjtJoint.mjJNT_SLIDE):
        return SLIDES
    word = "ball" if kind == int(mujoco.mjtJoint.mjJNT_BALL) else "free"
    name = model.joint(joint).name or f"number {joint}"
    raise CommandError(
        f"the {word} joint {name!r} lies between base and tip: a serial chain has hinges and slides only"
    )


def _body(model: Any, name: str) -> int:
    names = {str(model.body(i).name): i for i in range(model.nbody)}
    if name not in names:
        raise UnknownNameError("body", name, names)
    return names[name]


def _tip(model: Any, name: str) -> tuple[int, Floats]:
    sites = {str(model.site(i).name): i for i in range(model.nsite)}
    if name in sites:
        site = sites[name]
        return int(model.site_bodyid[site]), _pose(model.site_pos[site], model.site_quat[site])
    bodies = {str(model.body(i).name): i for i in range(model.nbody)}
    if name in bodies:
        return bodies[name], np.eye(4)
    raise UnknownNameError("site or body", name, {*sites, *bodies})


def _pose(position: Floats, rotation: Floats) -> Floats:
    x, y, z = position.tolist()
    w, i, j, k = (rotation / np.linalg.norm(rotation)).tolist()
    return matrix(Pose((x, y, z), (w, i, j, k)))


def _axis_frame(position: Floats, axis: Floats) -> Floats:
    """Return a frame at `position` whose z axis is `axis`; the identity rotation if the axis is z."""
    z = axis / np.linalg.norm(axis)
    T = np.eye(4)
    T[:3, 3] = position
    if z[2] < 1.0 - 1e-12:
        helper = np.eye(3)[int(np.argmin(np.abs(z)))]
        x = np.cross(helper, z)
        x /= np.linalg.norm(x)
        T[:3, 0], T[:3, 1], T[:3, 2] = x, np.cross(z, x), z
    return T


def _along_z(kind: int, amount: float) -> Floats:
    T = np.eye(4)
    if kind == SLIDES:
        T[2, 3] = amount
    else:
        T[0, 0] = T[1, 1] = np.cos(amount)
        T[1, 0] = np.sin(amount)
        T[0, 1] = -T[1, 0]
    return T
