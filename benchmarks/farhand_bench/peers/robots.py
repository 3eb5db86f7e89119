"""Our arms in the formats that peers read: URDF and MJCF."""

from __future__ import annotations

import math

import numpy as np

from farhand.distances import Clearance
from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import from_matrix

__all__ = ["mjcf_of", "mjcf_with_capsules", "urdf_of"]

LINK = '<inertial><mass value="1"/><inertia ixx="0.01" ixy="0" ixz="0" iyy="0.01" iyz="0" izz="0.01"/></inertial>'


def urdf_of(chain: SerialChain, velocity: float = 3.0) -> str:
    """Return a chain as URDF: links `base`, `l1` …, `tip`, joints `j1` …."""
    lines = ['<?xml version="1.0"?><robot name="arm"><link name="base"/>']
    lines += [f'<link name="l{i + 1}">{LINK}</link>' for i in range(chain.n)] + ['<link name="tip"/>']
    for i in range(chain.n):
        kind = ("revolute", "prismatic")[chain.arrays.kinds[i]]
        parent = "base" if i == 0 else f"l{i}"
        low, high = float(chain.lower[i]), float(chain.upper[i])
        limit = f'lower="{low!r}" upper="{high!r}" effort="100" velocity="{velocity}"'
        lines.append(
            f'<joint name="j{i + 1}" type="{kind}"><parent link="{parent}"/><child link="l{i + 1}"/>'
            f'{_origin(chain.arrays.fixed[i])}<axis xyz="0 0 1"/><limit {limit}/></joint>'
        )
    end = f'<parent link="l{chain.n}"/><child link="tip"/>{_origin(chain.arrays.tool)}'
    return "\n".join([*lines, f'<joint name="end" type="fixed">{end}</joint></robot>'])


def _origin(M: Floats) -> str:
    R = M[:, :3]
    pitch = math.atan2(-R[2, 0], math.hypot(R[0, 0], R[1, 0]))
    if abs(R[2, 0]) < 1.0 - 1e-12:
        roll, yaw = math.atan2(R[2, 1], R[2, 2]), math.atan2(R[1, 0], R[0, 0])
    else:
        roll, yaw = math.atan2(-R[1, 2], R[1, 1]), 0.0
    x, y, z = M[:, 3].tolist()
    return f'<origin xyz="{x!r} {y!r} {z!r}" rpy="{roll!r} {pitch!r} {yaw!r}"/>'


def mjcf_of(chain: SerialChain) -> str:
    """Return a chain as MJCF with a site `tip`."""
    return f"<mujoco>{HEAD}<worldbody>{_bodies(chain, {})}</worldbody></mujoco>"


HEAD = '<compiler angle="radian" autolimits="true"/><option timestep="0.002"/><size memory="64M"/>'


def mjcf_with_capsules(clearance: Clearance) -> str:
    """Return an arm with its capsules `c0` … and solids `s0` … (boxes), colliding as ours do and in no other way."""
    geoms: dict[int, str] = {}
    for k, c in enumerate(clearance.capsules):
        ends = " ".join(map(repr, (*c.start, *c.end)))
        text = (
            f'<geom name="c{k}" type="capsule" fromto="{ends}" size="{c.radius}" contype="1" conaffinity="3" mass="1"/>'
        )
        geoms[c.link] = geoms.get(c.link, "") + text
    body = f'<body name="base">{geoms.get(-1, "")}</body>{_bodies(clearance.chain, geoms)}'
    for k, s in enumerate(clearance.solids):
        place = f'pos="{_row(s.pose.position)}" quat="{_row(s.pose.rotation)}" size="{_row(s.size)}"'
        body += f'<geom name="s{k}" type="box" {place} contype="2" conaffinity="1"/>'
    names = ["base", *(f"l{i + 1}" for i in range(clearance.chain.n))]
    links = [c.link for c in clearance.capsules]
    watched = {(links[i] + 1, links[j] + 1) for i, j in clearance.pairs.tolist()}
    apart = "".join(
        f'<exclude body1="{names[a]}" body2="{names[b]}"/>'
        for a in range(len(names))
        for b in range(a + 1, len(names))
        if (a, b) not in watched
    )
    return f"<mujoco>{HEAD}<worldbody>{body}</worldbody><contact>{apart}</contact></mujoco>"


def _bodies(chain: SerialChain, geoms: dict[int, str]) -> str:
    text = ""
    for i in range(chain.n):
        kind = ("hinge", "slide")[chain.arrays.kinds[i]]
        limits = f'range="{float(chain.lower[i])!r} {float(chain.upper[i])!r}"'
        own = geoms.get(i) or '<geom type="sphere" size="0.02" contype="0" conaffinity="0" mass="1"/>'
        text += f'<body name="l{i + 1}" {_place(chain.arrays.fixed[i])}>'
        text += f'<joint name="j{i + 1}" type="{kind}" axis="0 0 1" {limits} damping="5" armature="0.1"/>{own}'
    return text + f'<site name="tip" {_place(chain.arrays.tool)}/>' + "</body>" * chain.n


def _place(M: Floats) -> str:
    pose = from_matrix(np.vstack((M, (0.0, 0.0, 0.0, 1.0))))
    return f'pos="{_row(pose.position)}" quat="{_row(pose.rotation)}"'


def _row(values: tuple[float, ...]) -> str:
    return " ".join(repr(float(value)) for value in values)
