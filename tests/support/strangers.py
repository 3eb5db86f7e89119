"""Strangers' arms: each as its file has it, or with its base body turned and shifted there, and a way ahead of it."""

from __future__ import annotations

import functools
import itertools
import shutil
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import mujoco
import numpy as np
from msgspec.structs import replace
from public_robots import EXAMPLES, ROBOSUITE, TOOLBOX

from farhand.distances.compiled_shapes import link_shapes
from farhand.formats import RobotModel, read_robot
from farhand.kernels import Floats
from farhand.poses import Pose, Vec3, compose, matrix, normalized
from farhand.world import Blueprint, Placement, compile_world

KUKA = TOOLBOX / "kuka_description"
FILES: dict[str, tuple[Path, str | None]] = {
    "panda": (EXAMPLES / "panda_description/urdf/panda.urdf", None),
    "so100": (EXAMPLES / "so_arm_description/urdf/so100.urdf", None),
    "so101": (EXAMPLES / "so_arm_description/urdf/so101.urdf", None),
    "z1": (EXAMPLES / "z1_description/urdf/z1.urdf", None),
    "talos arm": (EXAMPLES / "talos_data/robots/talos_left_arm.urdf", None),
    "tiago": (EXAMPLES / "tiago_description/robots/tiago.urdf", None),
    "tiago no hand": (EXAMPLES / "tiago_description/robots/tiago_no_hand.urdf", None),
    "tiago dual": (EXAMPLES / "tiago_description/robots/tiago_dual.urdf", None),
    "tiago pro": (EXAMPLES / "tiago_pro_description/robots/tiago_pro.urdf", None),
    "baxter": (EXAMPLES / "baxter_description/urdf/baxter.urdf", None),
    "baxter left": (EXAMPLES / "baxter_description/urdf/baxter.urdf", "left_gripper_base_link"),
    "ur3": (EXAMPLES / "ur_description/urdf/ur3_robot.urdf", None),
    "ur3 gripper": (EXAMPLES / "ur_description/urdf/ur3_gripper.urdf", None),
    "ur5": (EXAMPLES / "ur_description/urdf/ur5_robot.urdf", None),
    "ur5 gripper": (EXAMPLES / "ur_description/urdf/ur5_gripper.urdf", None),
    "ur10": (EXAMPLES / "ur_description/urdf/ur10_robot.urdf", None),
    "anymal kinova": (EXAMPLES / "anymal_b_simple_description/robots/anymal-kinova.urdf", None),
    "b1 z1": (EXAMPLES / "b1_description/urdf/b1-z1.urdf", None),
    "centauro": (EXAMPLES / "centauro_description/urdf/centauro.urdf", None),
    "kinova": (EXAMPLES / "kinova_description/robots/kinova.urdf", None),
    "xarm7": (EXAMPLES / "xarm_description/urdf/xarm7.urdf", None),
    "pr2": (EXAMPLES / "pr2_description/urdf/pr2.urdf", None),
    "irb140": (TOOLBOX / "abb_irb140_description/urdf/irb140.urdf", None),
    "puma560": (TOOLBOX / "unimation_puma560_description/urdf/puma560_robot.urdf", None),
    "al5d": (TOOLBOX / "lynxmotion_al5d_description/urdf/al5d_robot.urdf", None),
    "kr16": (KUKA / "kuka_kr16/urdf/kr16_2.urdf", None),
    "kr120": (KUKA / "kuka_kr120/urdf/kr120r2500pro.urdf", None),
    "kr210": (KUKA / "kuka_kr210/urdf/kr210l150.urdf", None),
    "iiwa": (KUKA / "kuka_lbr_iiwa/urdf/lbr_iiwa_14_r820.urdf", None),
    "arx5": (ROBOSUITE / "arx5/robot.xml", None),
    "vx300s": (ROBOSUITE / "vx300s/robot.xml", None),
    "aloha": (ROBOSUITE / "aloha/robot.xml", None),
    "z1 mjcf": (ROBOSUITE / "z1/robot.xml", None),
    "yumi": (ROBOSUITE / "yumi/robot.xml", None),
    "pr2 mjcf": (ROBOSUITE / "pr2/robot.xml", None),
}
TURNED = Pose((0.3, -0.2, 0.15), normalized((0.2, 0.3, -0.1, 0.9)))
ROOM, LENGTH = 0.03, 0.08  # m that a way has beside and before it
TRIES = 30  # postures
AWAY = [np.array(d) / np.linalg.norm(d) for d in itertools.product((-1, 0, 1), repeat=3) if any(d)]


# Its file leaves the compiler element out that says radians: as it is, no joint turns by more than 3.2°.
IN_RADIANS = {"aloha"}
# A vx300s has 1 to 5 Nm in waist and wrist: the wrist lags at 0.1 m/s, the waist falls with the base tilted. The
# aloha is that arm twice.
WEAK = {"aloha", "vx300s"}


@functools.cache
def stranger(name: str) -> RobotModel:
    """Return an arm as its file has it, or as its file means it."""
    path, tip = FILES[name]
    model = _in_radians(path, tip) if name in IN_RADIANS else read_robot(path, tip=tip)
    return strong(model) if name in WEAK else model


def _in_radians(path: Path, tip: str | None) -> RobotModel:
    with tempfile.TemporaryDirectory() as folder:
        there = Path(folder, "robot")
        shutil.copytree(path.parent, there)
        text = path.read_text()
        first = text.index(">", text.index("<mujoco")) + 1
        (there / path.name).write_text(f'{text[:first]}<compiler angle="radian"/>{text[first:]}')
        return read_robot(there / path.name, tip=tip)


def turned(model: RobotModel, T: Pose = TURNED) -> RobotModel:
    """Return a robot whose file turns and shifts its root body, as that of the public UR5e does."""
    tree = ElementTree.fromstring(model.mjcf)
    root = tree.find("worldbody/body")
    assert root is not None
    bare = mujoco.MjSpec.from_string(model.mjcf, assets=model.assets).compile()
    body = bare.body(root.get("name"))
    there = compose(T, Pose(tuple(body.pos.tolist()), tuple(body.quat.tolist())))
    for other in ("euler", "axisangle", "xyaxes", "zaxis"):
        root.attrib.pop(other, None)
    root.set("pos", " ".join(map(str, there.position)))
    root.set("quat", " ".join(map(str, there.rotation)))
    return replace(model, mjcf=ElementTree.tostring(tree, encoding="unicode"))


@dataclass(frozen=True)
class Way:
    """A straight way ahead of an arm, along which its tool goes first.

    Args:
        home: Where the arm starts.
        ahead: Which way, base axes, a unit vector.
        nose: The foremost point of the tool, base frame.
        tip: Where the tip is, base frame.
        margin: Metres by which nothing else of the robot is as far ahead.
        length: Metres along which the arm can keep its tool's direction.
        size: How large the arm is, 1 up to half a metre of `Mechanism.length`: distances and speeds grow along.
    """

    home: tuple[float, ...]
    ahead: Vec3
    nose: Vec3
    tip: Vec3
    margin: float
    length: float
    size: float

    @property
    def worth(self) -> float:
        """How well it serves to try an arm on."""
        return min(self.margin / self.size, ROOM) + min(self.length / self.size, LENGTH)


@functools.cache
def way_of(name: str) -> Way:
    """Return the way of an arm that leaves most room beside its tool: from home, or if there is none, from near it."""
    model = stranger(name)
    compiled = compile_world(Blueprint(robots=(Placement("arm", model),), floor=False))
    home, random = np.array([j.home for j in model.arm.joints]), np.random.default_rng(1)
    lower, upper = (np.array([getattr(j, end) for j in model.arm.joints]) for end in ("lower", "upper"))
    best, tried = _way(compiled, model, home), 0
    while best.worth < 0.99 * (ROOM + LENGTH) and tried < TRIES:
        q, tried = np.clip(home + random.uniform(-0.8, 0.8, len(home)), lower + 0.1, upper - 0.1), tried + 1
        best = max(best, _way(compiled, model, q), key=lambda way: way.worth)
    return best


def _way(compiled: Any, model: RobotModel, q: Floats) -> Way:
    """Return the best way from a posture; worth nothing if the arm touches itself there."""
    m, data = compiled.model, mujoco.MjData(compiled.model)
    data.qpos[:] = compiled.qpos_start
    data.qpos[compiled.index.robots["arm"].arm.qpos] = q
    mujoco.mj_forward(m, data)
    T_base_world: Floats = np.asarray(np.linalg.inv(matrix(compiled.bases["arm"])), dtype=np.float64)
    shapes = link_shapes(m, f"arm/{model.arm.base}", [f"arm/{joint.name}" for joint in model.arm.joints])
    last = shapes[max(shapes)]
    tool = _cloud(m, data, last, T_base_world)
    others = [g for g in range(m.ngeom) if g not in last and m.geom_contype[g] | m.geom_conaffinity[g]]
    rest, chain = _cloud(m, data, others, T_base_world), compiled.chains["arm"]
    tip, ways, size = tuple(chain.forward(q)[:3, 3].tolist()), [], max(1.0, chain.length / 0.5)
    for d in AWAY:
        margin = float((tool @ d).max() - (rest @ d).max()) if len(rest) else 1.0
        if margin > 0.0 and not data.ncon:
            nose = tuple(tool[int(np.argmax(tool @ d))].tolist())
            length = _reach(chain, q, d, 0.01 * size)
            ways.append(Way(tuple(q.tolist()), tuple(d.tolist()), nose, tip, margin, length, size))
    none = Way(tuple(q.tolist()), (1.0, 0.0, 0.0), tip, tip, -1.0, 0.0, size)
    return max(ways, key=lambda way: way.worth, default=none)


def _cloud(m: Any, data: Any, geoms: list[int], T: Floats) -> Floats:
    """Return points (n, 3) that bound shapes, in another frame."""
    clouds = [np.zeros((0, 3))]
    for g in geoms:
        if m.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH:
            first, count = m.mesh_vertadr[m.geom_dataid[g]], m.mesh_vertnum[m.geom_dataid[g]]
            points = m.mesh_vert[first : first + count]
        else:
            signs = np.array(list(itertools.product((-1, 1), repeat=3)))
            points = m.geom_aabb[g, :3] + signs * m.geom_aabb[g, 3:]
        clouds.append(data.geom_xpos[g] + points @ data.geom_xmat[g].reshape(3, 3).T)
    return np.concatenate(clouds) @ T[:3, :3].T + T[:3, 3]


def _reach(chain: Any, home: Floats, d: Floats, step: float) -> float:
    q, T, gone = home, chain.forward(home), 0.0
    while gone < 11.5 * step:
        T[:3, 3] += step * d
        found = chain.inverse(T, q)
        if not found.reached or np.abs(found.q - q).max() > 0.3:
            break
        q, gone = found.q, gone + step
    return gone


def strong(model: RobotModel) -> RobotModel:
    """Return a robot whose motors hold it however it stands: those of some files hold it upright alone."""
    joints = tuple([replace(joint, effort=20.0 * joint.effort) for joint in model.arm.joints])
    return replace(model, arm=replace(model.arm, joints=joints))


@functools.cache
def mass_along(name: str) -> float:
    """Return the effective mass (kg) of an arm's tool along a direction n: 1/(nᵀ·J·M⁻¹·Jᵀ·n)."""
    way, compiled = way_of(name), compile_world(Blueprint(robots=(Placement("arm", stranger(name)),), floor=False))
    m, data, index = compiled.model, mujoco.MjData(compiled.model), compiled.index.robots["arm"]
    data.qpos[:] = compiled.qpos_start
    data.qpos[index.arm.qpos] = way.home
    mujoco.mj_forward(m, data)
    T, full, jacobian = matrix(compiled.bases["arm"]), np.zeros((m.nv, m.nv)), np.zeros((3, m.nv))
    nose, ahead = T[:3, :3] @ way.nose + T[:3, 3], T[:3, :3] @ way.ahead
    mujoco.mj_jac(m, data, jacobian, None, nose, int(m.site_bodyid[index.tip_site]))
    mujoco.mj_fullM(m, data, full)
    row = (ahead @ jacobian)[index.arm.dofs]
    return float(1.0 / (row @ np.linalg.solve(full[np.ix_(index.arm.dofs, index.arm.dofs)], row)))
