from __future__ import annotations

import functools
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import mujoco
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import ROBOTS as DATA
from paths import ROOT

from farhand.errors import CommandError, RobotFileError, UnknownNameError
from farhand.formats import RobotModel
from farhand.kinematics import SerialChain
from farhand.robots import load_robot, robot_names, tool_names

#: (a, alpha, d, theta) of the paper.
IRB120 = [
    (0.0, -np.pi / 2, 0.290, 0.0),
    (0.270, 0.0, 0.0, -np.pi / 2),
    (0.070, -np.pi / 2, 0.0, 0.0),
    (0.0, np.pi / 2, 0.302, 0.0),
    (0.0, -np.pi / 2, 0.0, 0.0),
    (0.0, 0.0, 0.072, np.pi),
]


def compiled(model: RobotModel) -> mujoco.MjModel:
    return mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()


def at_home(model: RobotModel) -> tuple[mujoco.MjModel, mujoco.MjData]:
    m = compiled(model)
    data = mujoco.MjData(m)
    for name, value in ({j.name: j.home for j in model.arm.joints} | model.rest).items():
        data.qpos[m.joint(name).qposadr[0]] = value
    mujoco.mj_forward(m, data)
    return m, data


def step(a: float, alpha: float, d: float, theta: float) -> np.ndarray:
    c, s, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([[c, -s * ca, s * sa, a * c], [s, c * ca, -c * sa, a * s], [0, sa, ca, d], [0, 0, 0, 1]])


def test_the_irb120_moves_as_its_table_says() -> None:
    model = load_robot("irb120")
    m = compiled(model)
    data = mujoco.MjData(m)
    generator = np.random.default_rng(0)
    for _ in range(50):
        data.qpos[:] = generator.uniform(m.jnt_range[:, 0], m.jnt_range[:, 1])
        mujoco.mj_kinematics(m, data)
        T = np.eye(4)
        for (a, alpha, d, theta), q in zip(IRB120, data.qpos, strict=True):
            T = T @ step(a, alpha, d, theta + q)
        assert data.site("farhand_tip").xpos == pytest.approx(T[:3, 3], abs=1e-12)
        assert data.site("farhand_tip").xmat.reshape(3, 3) == pytest.approx(T[:3, :3], abs=1e-12)


@functools.cache
def chain_of(name: str, tool: str | None) -> SerialChain:
    model = load_robot(name, tool=tool)
    return SerialChain.from_model(compiled(model), model.arm.base, model.arm.tip)


@settings(max_examples=100)
@given(st.sampled_from(robot_names()), st.sampled_from([None, *tool_names()]), st.integers(0, 2**32 - 1))
def test_inverse_of_forward_is_identity_for_the_whole_catalogue(name: str, tool: str | None, seed: int) -> None:
    chain, rng = chain_of(name, tool), np.random.default_rng(seed)
    low, high = np.maximum(chain.lower, -np.pi), np.minimum(chain.upper, np.pi)
    T, start = chain.forward(rng.uniform(low, high)), rng.uniform(low, high)
    found = chain.inverse(T, start)
    assert found.reached
    assert (chain.lower <= found.q).all()
    assert (found.q <= chain.upper).all()
    np.testing.assert_allclose(chain.forward(found.q), T, atol=2e-5)


def test_the_irb120_has_the_limits_of_the_data_sheet() -> None:
    joints = load_robot("irb120").arm.joints
    assert [j.upper for j in joints] == [2.879, 1.919, 1.221, 2.793, 2.094, 6.981]
    assert [j.lower for j in joints] == [-2.879, -1.919, -1.919, -2.793, -2.094, -6.981]
    assert [j.velocity for j in joints] == [4.36, 4.36, 4.36, 5.58, 5.58, 7.33]
    assert [j.label for j in joints] == ["Turn", "Shoulder", "Elbow", "Forearm roll", "Wrist", "Flange"]
    assert compiled(load_robot("irb120")).body_mass.sum() == pytest.approx(25.0)
    assert load_robot("irb120").notes == ()


@pytest.mark.parametrize("tool", [None, "two-finger"])
def test_the_irb120_looks_down_at_home_and_touches_nothing(tool: str | None) -> None:
    _, data = at_home(load_robot("irb120", tool=tool))
    assert data.site("farhand_tip").xmat.reshape(3, 3)[:, 2] == pytest.approx([0, 0, -1], abs=1e-12)
    assert data.ncon == 0
    assert data.site("farhand_tip").xpos[2] > 0.2


def test_self_contact_of_the_irb120_is_rare_within_its_limits() -> None:
    m = compiled(load_robot("irb120"))
    data = mujoco.MjData(m)
    generator = np.random.default_rng(1)
    touching = 0
    for _ in range(500):
        data.qpos[:] = generator.uniform(m.jnt_range[:, 0], m.jnt_range[:, 1])
        mujoco.mj_forward(m, data)
        touching += data.ncon > 0
    assert touching < 100


@pytest.mark.parametrize("tool", [None, "two-finger"])
def test_efforts_hold_and_accelerate_the_payload_at_full_reach(tool: str | None) -> None:
    model = load_robot("irb120", tool=tool)
    m = compiled(model)
    data = mujoco.MjData(m)
    site = m.site("farhand_tip").id
    for pose in ([0, np.pi / 2, -np.pi / 2, 0, 0, 0], [0, 0, 0, np.pi / 2, np.pi / 2, 0]):
        data.qpos[:6] = pose
        mujoco.mj_forward(m, data)
        linear, angular, full = np.zeros((3, m.nv)), np.zeros((3, m.nv)), np.zeros((m.nv, m.nv))
        mujoco.mj_jacSite(m, data, linear, angular, site)
        mujoco.mj_fullM(m, data, full)
        hold = data.qfrc_bias + 3.0 * 9.81 * linear[2]
        inertia = np.diag(full) + 3.0 * (linear**2).sum(axis=0)
        for i, joint in enumerate(model.arm.joints):
            assert abs(hold[i]) + inertia[i] * joint.acceleration < joint.effort, joint.name


def test_the_tool_grips() -> None:
    model = load_robot("irb120", tool="two-finger")
    assert model.gripper is not None
    assert model.gripper.opening == 0.1
    assert model.arm.tool == "tool_palm"
    m, data = at_home(model)
    gap = np.linalg.norm(data.geom("tool_left_pad").xpos - data.geom("tool_right_pad").xpos) - 0.004
    assert gap == pytest.approx(0.1)
    middle = (data.geom("tool_left_pad").xpos + data.geom("tool_right_pad").xpos) / 2
    assert middle == pytest.approx(data.site("farhand_tip").xpos, abs=0.01)
    assert m.neq == 1


def test_the_tool_holds_a_cube_against_gravity() -> None:
    spec = mujoco.MjSpec.from_string(load_robot("irb120", tool="two-finger").mjcf)
    home = load_robot("irb120", tool="two-finger")
    for joint in home.arm.joints:
        spec.add_actuator(name=joint.name, target=joint.name, trntype=mujoco.mjtTrn.mjTRN_JOINT).set_to_position(
            kp=2000, kv=100
        )
    assert home.gripper is not None
    for name in home.gripper.joints:
        actuator = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        actuator.set_to_position(kp=4000, kv=100)
        actuator.forcerange, actuator.forcelimited = [-40, 40], True
    tip = at_home(home)[1].site("farhand_tip").xpos
    cube = spec.worldbody.add_body(name="cube", pos=tip)
    cube.add_freejoint()
    cube.add_geom(type=mujoco.mjtGeom.mjGEOM_BOX, size=[0.02, 0.02, 0.02], mass=0.5)
    m = spec.compile()
    m.opt.integrator, m.opt.cone, m.opt.impratio = 3, mujoco.mjtCone.mjCONE_ELLIPTIC, 100
    data = mujoco.MjData(m)
    for name, value in ({j.name: j.home for j in home.arm.joints} | dict.fromkeys(home.gripper.joints, 0.0205)).items():
        data.qpos[m.joint(name).qposadr[0]] = value
    for joint in home.arm.joints:
        data.ctrl[m.actuator(joint.name).id] = joint.home
    for _ in range(1000):
        mujoco.mj_step(m, data)
    assert np.linalg.norm(data.body("cube").xpos - data.site("farhand_tip").xpos) < 0.01


def test_a_tool_points_away_from_the_last_joint() -> None:
    model = load_robot(DATA / "small.xml", tool="two-finger")
    _, data = at_home(model)
    plain, before = at_home(load_robot(DATA / "small.xml"))
    assert plain.nq == 2
    away = data.site("farhand_tip").xpos - before.site("farhand_tip").xpos
    out = before.site("farhand_tip").xpos - before.xanchor[1]
    assert away @ out / np.linalg.norm(away) / np.linalg.norm(out) == pytest.approx(1.0)


def test_names_paths_and_errors() -> None:
    assert "irb120" in robot_names()
    assert "two-finger" in tool_names()
    assert load_robot(str(DATA / "small.toml")).name == "small"
    with pytest.raises(UnknownNameError, match=r"no robot is called 'irb102' \(did you mean 'irb120'\?\)"):
        load_robot("irb102")
    with pytest.raises(UnknownNameError, match="no tool is called 'hammer'"):
        load_robot("irb120", tool="hammer")
    with pytest.raises(CommandError, match="small already has a gripper"):
        load_robot(DATA / "small.urdf", tool="two-finger")
    with pytest.raises(RobotFileError, match="cannot be read"):
        load_robot("nowhere/robot.urdf")


def test_other_packages_add_robots_by_entry_points(monkeypatch: pytest.MonkeyPatch) -> None:
    class Point:
        name = "tiny"

        def load(self) -> str:
            return str(DATA / "small.toml")

    monkeypatch.setattr("farhand.robots.catalogue.entry_points", lambda **_: [Point()])
    assert robot_names() == ["delta", "irb120", "scara", "telemax", "tiny", "titan3"]
    assert load_robot("tiny").name == "small"
    assert metadata.entry_points is not None


def test_listing_names_does_not_load_mujoco() -> None:
    code = "import sys, farhand.robots, farhand.formats; farhand.robots.robot_names(); print('mujoco' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_the_snippets_of_the_guide_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = ROOT
    text = (root / "docs/your-robot.md").read_text()
    code, table = (text.split(f"```{kind}\n")[1].split("```")[0] for kind in ("python", "toml"))
    monkeypatch.chdir(root)
    said: list[object] = []
    exec(code, {"print": said.append})
    assert said[0] == ["pan", "bend"]
    assert said[1] == pytest.approx(0.06)
    (tmp_path / "robot.toml").write_text(table)
    assert [joint.label for joint in load_robot(tmp_path / "robot.toml").arm.joints] == ["Turn", "Reach"]
    (tmp_path / "robot.toml").write_text(table.replace("velocity_deg = 90", "velocty = 2"))
    with pytest.raises(RobotFileError, match=r"dh\.rows\[0\]: has no field 'velocty'.*did you mean 'velocity'"):
        load_robot(tmp_path / "robot.toml")
