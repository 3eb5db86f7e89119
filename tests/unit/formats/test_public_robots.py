"""Public robot descriptions of different style: each reads, compiles, and stands quietly at home."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest
from public_robots import CASES, Case
from worded import worded

from farhand.formats import RobotModel, read_robot, read_robot_guarded
from farhand.formats.compiling import quiet


def load(case: Case) -> RobotModel:
    assert case.path.is_file(), f"{case.path} is missing: run the tests by `make test`, which fetches descriptions"
    return (read_robot_guarded if case.guarded else read_robot)(case.path, tip=case.tip)


def stand(model: RobotModel, seconds: float) -> tuple[Any, Any, float]:
    """Hold the robot at home with stiff drives; return model, data and the fastest joint rate of the last half."""
    spec = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets)
    homes = {j.name: j.home for j in model.arm.joints} | model.rest
    efforts = {j.name: j.effort for j in model.arm.joints}
    driven = [*efforts, *(model.gripper.joints if model.gripper else ()), *model.held]
    bare = spec.compile()
    data = mujoco.MjData(bare)
    for name, value in homes.items():
        data.qpos[bare.joint(name).qposadr[0]] = value
    mujoco.mj_forward(bare, data)
    full = np.zeros((bare.nv, bare.nv))
    mujoco.mj_fullM(bare, data, full)
    for name in driven:
        inertia = full[bare.joint(name).dofadr[0], bare.joint(name).dofadr[0]]
        actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=inertia * 40**2, kv=2 * inertia * 40)
    m = spec.compile()
    m.opt.timestep, m.opt.integrator = 0.002, mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    data, fastest = mujoco.MjData(m), 0.0
    for name, value in homes.items():
        data.qpos[m.joint(name).qposadr[0]] = value
    for name in driven:
        data.ctrl[m.actuator(name).id] = homes[name]
    for step in range(int(seconds / 0.002)):
        # Gravity is fed forward, as the engine's drives do.
        data.qfrc_applied[:] = data.qfrc_bias if step else 0
        mujoco.mj_step(m, data)
        if step * 0.002 > seconds / 2 and m.nv:
            fastest = max(fastest, float(np.abs(data.qvel).max()))
    return m, data, fastest


@pytest.mark.parametrize("name", CASES)
def test_a_public_description_reads_compiles_and_stands(name: str) -> None:
    case = CASES[name]
    model = load(case)
    assert len(model.arm.joints) == case.joints
    assert (len(model.gripper.joints) if model.gripper else 0) == case.fingers
    assert len(model.held) == case.held
    assert {*case.notes} <= {note.code for note in model.notes}
    assert all(worded(note).endswith((".", ")")) and len(worded(note)) > 20 for note in model.notes)
    for joint in model.arm.joints:
        assert joint.lower <= joint.home <= joint.upper
        assert min(joint.velocity, joint.acceleration, joint.jerk, joint.effort) > 0
    with quiet() as warned:
        m, data, fastest = stand(model, 1.0)
    assert warned == []
    assert np.isfinite(data.qpos).all()
    assert fastest < 0.05, f"{fastest:.3f} rad/s at rest: something pushes"
    for joint in model.arm.joints:
        assert data.qpos[m.joint(joint.name).qposadr[0]] == pytest.approx(joint.home, abs=0.03)


def test_closed_fingers_are_nearer_than_open_ones() -> None:
    gripper = load(CASES["panda"]).gripper
    assert gripper is not None
    assert gripper.opening == pytest.approx(0.08, abs=0.002)
    assert gripper.closed == (0.0,)
    jaw = load(CASES["z1"]).gripper
    assert jaw is not None
    assert jaw.closed == (0.0,)


def test_a_base_further_up_the_chain_holds_the_joints_below_it() -> None:
    path = CASES["ur5"].path
    model = read_robot(path, base="upper_arm_link", tip="tool0")
    assert model.arm.base == "upper_arm_link"
    assert [j.name for j in model.arm.joints] == ["elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"]
    assert set(model.held) == {"shoulder_pan_joint", "shoulder_lift_joint"}
