"""Check of a robot's motors against their loads, tools included; efforts and accelerations are adapted."""

from __future__ import annotations

import numpy as np
from msgspec.structs import replace

from farhand.formats.compiling import forget_meshes, quiet
from farhand.formats.model import JointSpec, RobotModel
from farhand.types import Note, Subject

__all__ = ["fitted"]

POSTURES = 12
MIN_SHARE = 1.2  # least effort, as a share of the effort of gravity
RAISED_SHARE = 1.5  # effort in place of a smaller one
ACCELERATION_SHARE = 0.7  # share of the effort beyond gravity that may be used for acceleration
RISE_S = 0.005  # time from no to full acceleration


def fitted(model: RobotModel) -> RobotModel:
    """Return the robot with efforts that hold it in any posture, and accelerations within these efforts.

    a ≤ ACCELERATION_SHARE·(effort − |gravity|)/M for each joint, with the largest gravity and inertia of some postures.
    """
    if model.delta is not None:
        return model  # its file is complete, and a load is on all motors together
    gravity, inertia = _loads(model)
    forget_meshes()
    joints, raised = [], []
    for joint, weight, mass in zip(model.arm.joints, gravity, inertia, strict=True):
        effort = joint.effort
        if effort < MIN_SHARE * weight:
            effort = RAISED_SHARE * weight
            raised.append(f"{joint.name} ({effort:.3g} instead of {joint.effort:.3g})")
        joints.append(_with(joint, effort, ACCELERATION_SHARE * (effort - weight) / max(mass, 1e-9)))
    notes = model.notes
    if raised:
        text = f"Effort limits are too small for the loads on the joints; they are raised for {', '.join(raised)}."
        notes += (Note("robot.effort", about=(Subject("detail", text),)),)
    return replace(model, arm=replace(model.arm, joints=tuple(joints)), notes=notes)


def _with(joint: JointSpec, effort: float, acceleration: float) -> JointSpec:
    if acceleration >= joint.acceleration:
        return replace(joint, effort=effort)
    return replace(joint, effort=effort, acceleration=acceleration, jerk=acceleration / RISE_S)


def _loads(model: RobotModel) -> tuple[list[float], list[float]]:
    """Return the largest gravity torque and inertia of each joint over home and some random postures."""
    import mujoco

    with quiet():
        m = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()
    data, random = mujoco.MjData(m), np.random.default_rng(0)
    names = [joint.name for joint in model.arm.joints]
    at = [int(m.joint(name).qposadr[0]) for name in names]
    dofs = [int(m.joint(name).dofadr[0]) for name in names]
    ties = model.arm.followers
    after = [int(m.joint(tie.joint).qposadr[0]) for tie in ties]
    late = [int(m.joint(tie.joint).dofadr[0]) for tie in ties]
    G, offsets = np.zeros((len(ties), len(names))), np.array([tie.offset for tie in ties])
    for k, tie in enumerate(ties):
        G[k, names.index(tie.leader)] = tie.multiplier
    for name, position in model.rest.items():
        data.qpos[m.joint(name).qposadr[0]] = position
    lower = [max(joint.lower, joint.home - np.pi) for joint in model.arm.joints]
    upper = [min(joint.upper, joint.home + np.pi) for joint in model.arm.joints]
    gravity, inertia, full = np.zeros(len(names)), np.zeros(len(names)), np.zeros((m.nv, m.nv))
    for number in range(POSTURES):
        q = np.array([joint.home for joint in model.arm.joints] if number == 0 else random.uniform(lower, upper))
        data.qpos[at] = q
        data.qpos[after] = G @ q + offsets
        mujoco.mj_forward(m, data)
        mujoco.mj_fullM(m, data, full)
        # followers load their leader
        gravity = np.maximum(gravity, np.abs(data.qfrc_bias[dofs] + G.T @ data.qfrc_bias[late]))
        M, R = full[np.ix_(dofs, dofs)], full[np.ix_(dofs, late)] @ G
        inertia = np.maximum(inertia, np.diag(M + R + R.T + G.T @ full[np.ix_(late, late)] @ G))
    return gravity.tolist(), inertia.tolist()
