"""The force sensor between wrist and tool: its reading, its faults, and the tool on it."""

from __future__ import annotations

from typing import Any, Literal

import mujoco
import numpy as np
from msgspec import Struct

from farhand.kernels import Floats
from farhand.poses import Pose, Vec3, compose, from_matrix, inverse
from farhand.types import Wrench
from farhand.world.blueprint import WristSpec
from farhand.world.index import RobotIndex, WristIndex
from farhand.world.wrist_sensor import KEPT, sample_wrist

__all__ = ["BROKEN", "ToolOnSensor", "WristSensor", "tool_on_sensor"]

Broken = Literal["", "silent", "nan"]
BROKEN: tuple[Broken, ...] = ("", "silent", "nan")
NO_NUMBERS = Wrench((float("nan"),) * 3, (float("nan"),) * 3)
MAX_SEED = 2**62


class WristSensor:
    """The sensor of one robot.

    Args:
        spec: Its noise, bias, drift and rate.
        index: Its places in MuJoCo's arrays.
        data: MuJoCo's data.
        dt: Seconds per tick.
        seed: Seed of its noise.
    """

    def __init__(self, spec: WristSpec, index: WristIndex, data: Any, dt: float, seed: int) -> None:
        self._index, self._data, self._dt, self._seed = index, data, dt, seed % MAX_SEED
        self.kept: Floats = data.userdata[index.kept_at : index.kept_at + KEPT]
        self._sensors = data.sensordata
        self._every = max(1, round(1.0 / (spec.rate * dt)))
        noise = (spec.force_noise,) * 3 + (spec.torque_noise,) * 3
        self._errors = np.array([*noise, *(spec.bias or (0.0,) * 6), *(spec.drift or (0.0,) * 6)])

    @property
    def broken(self) -> Broken:
        """The injected fault, if any."""
        return BROKEN[int(self.kept[0])]

    @broken.setter
    def broken(self, how: Broken) -> None:
        self.kept[0] = BROKEN.index(how)

    def read(self) -> Wrench | None:
        """Return its reading, force and torque on the tool at the sensor in its own axes; None if it is silent."""
        time, index = float(self._data.time), self._index
        sample_wrist(
            self._sensors, index.force_at, index.torque_at, self.kept, self._errors, time,
            self._seed, round(time / self._dt), self._every,
        )  # fmt: skip
        how, _, fx, fy, fz, tx, ty, tz = self.kept.tolist()
        if how:
            return None if BROKEN[int(how)] == "silent" else NO_NUMBERS
        return Wrench((fx, fy, fz), (tx, ty, tz))


class ToolOnSensor(Struct, frozen=True):
    """The tool on a wrist sensor.

    Args:
        T_tip_sensor: The sensor's frame in that of the tip.
        mass: Of the tool, kg.
        centre: Centre of mass, in the sensor's frame, m.
        solid: It has a shape that collides, so that contacts reach the sensor.
    """

    T_tip_sensor: Pose
    mass: float
    centre: Vec3
    solid: bool


def tool_on_sensor(model: Any, qpos: Floats, index: RobotIndex) -> ToolOnSensor:
    """Return the tool on a robot's sensor.

    Args:
        model: The compiled model.
        qpos: A state with the gripper open.
        index: The robot's places in MuJoCo's arrays.
    """
    assert index.wrist is not None
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    mujoco.mj_comPos(model, data)
    body = int(model.site_bodyid[index.wrist.site])
    T_world_sensor, T_world_tip = (_site(data, site) for site in (index.wrist.site, index.tip_site))
    back = inverse(T_world_sensor)
    x, y, z = data.subtree_com[body].tolist()
    centre = compose(back, Pose((x, y, z), (1.0, 0.0, 0.0, 0.0))).position
    T_tip_sensor, mass = compose(inverse(T_world_tip), T_world_sensor), float(model.body_subtreemass[body])
    return ToolOnSensor(T_tip_sensor, mass, centre, _collides(model, body))


def _collides(model: Any, body: int) -> bool:
    """Return whether a body or one of its descendants has a shape that collides."""
    below = {body}
    for other in range(body + 1, model.nbody):  # a body comes after its parent
        if int(model.body_parentid[other]) in below:
            below.add(other)
    solid = model.geom_bodyid[(model.geom_contype | model.geom_conaffinity) != 0]
    return not below.isdisjoint(solid.tolist())


def _site(data: Any, site: int) -> Pose:
    T = np.eye(4)
    T[:3, 3], T[:3, :3] = data.site_xpos[site], data.site_xmat[site].reshape(3, 3)
    return from_matrix(T)
