"""Arms in which joints follow others: a URDF of eight joints, six of them driven, and a soft finger of twenty."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from msgspec import convert
from public_robots import EXAMPLES

from farhand.cell import Cell
from farhand.cell.cell_spec import CellSpec
from farhand.formats import RobotModel, read_robot
from farhand.kernels import Floats
from farhand.kinematics import CoupledChain
from farhand.types import Inputs, Reading, Tick
from farhand.world import Blueprint, Compiled, Placement, compile_world

LINK = (
    '<link name="{name}"><inertial><origin xyz="0 0 {half}"/><mass value="{mass}"/>'
    '<inertia ixx="{i}" iyy="{i}" izz="{i}" ixy="0" ixz="0" iyz="0"/></inertial>'
    '<collision><origin xyz="0 0 {half}"/><geometry><box size="{w} {w} {long}"/></geometry></collision></link>'
)
Row = tuple[str, str, str, float, str]


def urdf(rows: Sequence[Row], width: float = 0.06, mass: float = 1.5) -> str:
    """Return a URDF of a chain: for each joint its name, kind, axis, offset (m), and further elements."""
    parts = [_link("base", 0.1, width, mass)]
    lengths = [row[3] for row in rows[1:]] + [0.08]
    for k, (name, kind, axis, before, more) in enumerate(rows):
        parent = "base" if k == 0 else f"link{k}"
        parts.append(
            f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="link{k + 1}"/>'
            f'<origin xyz="0 0 {before}"/><axis xyz="{axis}"/>{more}</joint>'
        )
        parts.append(_link(f"link{k + 1}", lengths[k], width, mass))
    last = f"link{len(rows)}"
    parts.append(
        f'<link name="tcp"/><joint name="mount" type="fixed"><parent link="{last}"/><child link="tcp"/>'
        '<origin xyz="0 0 0.1"/></joint>'
    )
    return f'<robot name="coupled">{"".join(parts)}</robot>'


def _link(name: str, length: float, width: float, mass: float) -> str:
    inertia = max(mass * (length**2 + width**2) / 12.0, 1e-5)
    return LINK.format(name=name, half=0.5 * length, mass=mass, i=inertia, w=width, long=max(0.9 * length, 0.02))


def limit(lower: float, upper: float, effort: float = 300.0, velocity: float = 2.0) -> str:
    return f'<limit lower="{lower}" upper="{upper}" effort="{effort}" velocity="{velocity}"/>'


def mimic(joint: str, multiplier: float, offset: float = 0.0) -> str:
    return f'<mimic joint="{joint}" multiplier="{multiplier}" offset="{offset}"/>'


#: A six-axis arm with a second shoulder that turns back half of the first, and an elbow that draws out its forearm.
EIGHT: tuple[Row, ...] = (
    ("yaw", "revolute", "0 0 1", 0.1, limit(-2.9, 2.9)),
    ("lift", "revolute", "0 1 0", 0.2, limit(-1.8, 1.8)),
    ("half", "revolute", "0 1 0", 0.2, limit(-1.0, 0.6, velocity=0.5) + mimic("lift", -0.5, 0.1)),
    ("fore", "revolute", "0 1 0", 0.3, limit(-2.6, 2.6)),
    ("draw", "prismatic", "0 0 1", 0.15, limit(0.0, 0.12, velocity=0.1) + mimic("fore", 0.04, 0.06)),
    ("roll", "revolute", "0 0 1", 0.15, limit(-3.0, 3.0)),
    ("bend", "revolute", "0 1 0", 0.1, limit(-2.2, 2.2)),
    ("twist", "revolute", "0 0 1", 0.1, limit(-3.0, 3.0)),
)
#: Three driven joints, then a soft finger: one joint that nineteen follow.
SOFT: tuple[Row, ...] = (
    ("yaw", "revolute", "0 0 1", 0.1, limit(-2.9, 2.9)),
    ("lift", "revolute", "0 1 0", 0.15, limit(-1.5, 1.5)),
    ("fore", "revolute", "0 1 0", 0.25, limit(-2.3, 2.3)),
    ("curl", "revolute", "0 1 0", 0.25, limit(-0.1, 0.12)),
    *[
        (f"soft{k}", "revolute", "0 1 0", 0.02, limit(-0.2, 0.2) + mimic("curl", (-1.0) ** (k // 5) * (0.5 + 0.05 * k)))
        for k in range(1, 20)
    ],
)
ARMS = {"eight": (EIGHT, 0.06, 1.5), "soft": (SOFT, 0.02, 0.05)}
PUBLIC = {
    "romeo": (EXAMPLES / "romeo_description/urdf/romeo.urdf", "LFinger13Link"),
    "pr2": (EXAMPLES / "pr2_description/urdf/pr2.urdf", "r_gripper_l_finger_tip_link"),
}


@functools.cache
def arm(name: str) -> RobotModel:
    """Return an arm with joints that follow."""
    if name in PUBLIC:
        path, tip = PUBLIC[name]
        return read_robot(path, tip=tip)
    rows, width, mass = ARMS[name]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "coupled.urdf")
        path.write_text(urdf(rows, width, mass))
        return read_robot(path)


@functools.cache
def world_of(name: str) -> Compiled:
    return compile_world(Blueprint(robots=(Placement("arm", arm(name)),), floor=False))


def chain_of(name: str) -> CoupledChain:
    chain = world_of(name).chains["arm"]
    assert isinstance(chain, CoupledChain)
    return chain


class Oracle:
    """An arm in MuJoCo: its joints put where the ties of its file have them, by polynomials of the model itself."""

    def __init__(self, compiled: Compiled) -> None:
        self.model, self.data, self.index = compiled.model, mujoco.MjData(compiled.model), compiled.index.robots["arm"]
        self.start = np.array(compiled.qpos_start)

    def put(self, q: Floats) -> None:
        m = self.model
        self.data.qpos[:] = self.start
        self.data.qpos[self.index.arm.qpos] = q
        for _ in range(3):  # what follows may itself be followed
            for e in range(m.neq):
                if m.eq_type[e] == mujoco.mjtEq.mjEQ_JOINT:
                    at, to = (m.jnt_qposadr[int(j[e])] for j in (m.eq_obj1id, m.eq_obj2id))
                    self.data.qpos[at] = m.qpos0[at] + np.polyval(m.eq_data[e, 4::-1], self.data.qpos[to] - m.qpos0[to])
        mujoco.mj_forward(m, self.data)

    def tip(self) -> Floats:
        """Return T_base_tip (4, 4)."""
        T_tip, T_base = np.eye(4), np.eye(4)
        T_tip[:3, :3] = self.data.site_xmat[self.index.tip_site].reshape(3, 3)
        T_tip[:3, 3] = self.data.site_xpos[self.index.tip_site]
        T_base[:3, :3] = self.data.xmat[self.index.base_body].reshape(3, 3)
        T_base[:3, 3] = self.data.xpos[self.index.base_body]
        return np.asarray(np.linalg.inv(T_base) @ T_tip)

    def apart(self) -> float:
        """Return how far the ties of the arm's joints are off."""
        joints = [self.model.joint(int(j)).name for j in self.model.eq_obj1id]
        return float(np.abs(self.data.efc_pos[: len(joints)]).max())


class Stage:
    """An arm in a cell, and a hand."""

    def __init__(self, name: str, objects: Sequence[dict[str, Any]] = (), **robot: Any) -> None:
        table = {
            "name": "coupled",
            "speeds": [1.0],
            "speed_level": 1,
            "robots": {
                "arm": {
                    "model": "none",
                    "mappings": {
                        "base axes": {"kind": "jog-tip", "frame": "base", "speed": 0.1},
                        "joints": {"kind": "jog-joints", "share": 1.0},
                    },
                    **robot,
                }
            },
            "masters": {"hand": {"kind": "manual"}},
            "world": {"floor": False, "objects": list(objects)},
        }
        self.cell = Cell(convert(table, CellSpec), Path("coupled.toml"), models={"arm": arm(name)})
        self.sequence = 0
        self.rig = self.cell.world.rig("arm")
        self.chain = self.cell.lanes["arm"].chain

    def step(self, axes: Sequence[float] = (), *events: Any) -> Tick:
        self.sequence += 1
        reading = Reading(sequence=self.sequence, deadman=len(axes) > 0, axes=tuple(axes))
        return self.cell.step(Inputs({"hand": reading}, events))

    def drive(self, axes: Sequence[float], ticks: int) -> Iterator[Tick]:
        """Press, and deflect for some ticks; yield each as it was made."""
        yield self.step()
        for _ in range(ticks):
            yield self.step(axes)

    def off(self) -> float:
        """Return how far the farthest measured follower is off its tie, rad or m."""
        assert isinstance(self.chain, CoupledChain)
        qpos, index = self.cell.world._data.qpos, self.rig.index
        wanted = self.chain.joints(qpos[index.arm.qpos])[self.chain.following]
        return float(np.abs(qpos[index.undriven.qpos] - wanted).max())
