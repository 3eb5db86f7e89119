"""Inverse kinematics of peers: each a function (pose (4, 4), seed) → joints or None, within 5 ms."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from farhand.kernels import Floats
from farhand.kinematics import SerialChain
from farhand.poses import from_matrix
from farhand_bench.peers.robots import mjcf_of, urdf_of

__all__ = ["makers"]

Ik = Callable[[Floats, Floats], Floats | None]
TOLERANCE, BUDGET = 1e-5, 0.005


def makers(chain: SerialChain) -> dict[str, Callable[[], Ik]]:
    """Return how to build each peer for a chain."""
    found: dict[str, Callable[[], Ik]] = {
        "Robotics Toolbox, C++ ik_LM (chan)": lambda: _toolbox(chain),
        "TRAC-IK (pytracik)": lambda: _trac_ik(chain),
        "placo, loop": lambda: _placo(chain),
        "mink, loop (daqp)": lambda: _mink(chain),
    }
    if chain.closed_form:
        found["EAIK, closed form, one branch without limits"] = lambda: _eaik(chain, limits=False)
        found["EAIK, closed form, nearest branch within limits"] = lambda: _eaik(chain, limits=True)
    return found


def _toolbox(chain: SerialChain) -> Ik:
    import roboticstoolbox as rtb
    from spatialmath import SE3

    ets = rtb.ETS()
    for i in range(chain.n):
        joint = rtb.ET.Rz if chain.arrays.kinds[i] == 0 else rtb.ET.tz
        limits = [float(chain.lower[i]), float(chain.upper[i])]
        ets = ets * rtb.ETS(rtb.ET.SE3(SE3(_square(chain.arrays.fixed[i]), check=False)))
        ets = ets * rtb.ETS(joint(jindex=i, qlim=limits))
    ets = ets * rtb.ETS(rtb.ET.SE3(SE3(_square(chain.arrays.tool), check=False)))

    def solve(T: Floats, seed: Floats) -> Floats | None:
        answer = ets.ik_LM(
            T, q0=seed, ilimit=30, slimit=100, tol=0.5 * TOLERANCE**2, joint_limits=True, k=0.1, method="chan"
        )
        joints, reached = (answer.q, answer.success) if hasattr(answer, "success") else (answer[0], answer[1])
        return np.array(joints) if reached else None

    return solve


def _trac_ik(chain: SerialChain) -> Ik:
    import pytracik

    solver = pytracik.TRAC_IK("base", "tip", urdf_of(chain), BUDGET, TOLERANCE, pytracik.SolveType.Speed)

    def solve(T: Floats, seed: Floats) -> Floats | None:
        pose = from_matrix(T)
        w, x, y, z = pose.rotation
        answer = pytracik.ik(solver, seed, *pose.position, x, y, z, w)
        return np.array(answer[1:]) if answer[0] >= 0 else None

    return solve


def _eaik(chain: SerialChain, limits: bool) -> Ik:
    from eaik.IK_HP import HPRobot

    # axes and points of the product of exponentials, at joints zero
    frames = chain.frames(np.zeros(chain.n))
    H = frames[: chain.n, :3, 2]
    origins = np.vstack((np.zeros(3), frames[:, :3, 3]))
    P = np.diff(origins, axis=0)
    robot = HPRobot(np.ascontiguousarray(H), np.ascontiguousarray(P))
    R_tip = frames[chain.n, :3, :3]
    middle = 0.5 * (chain.lower + chain.upper)

    def solve(T: Floats, seed: Floats) -> Floats | None:
        target = T.copy()
        target[:3, :3] = T[:3, :3] @ R_tip.T
        found = robot.IK(target).Q
        if not limits:
            # its own work alone: all branches, whether the joints can take them or not
            return np.asarray(found[0]) if len(found) else None
        best, nearest = None, np.inf
        for q in np.asarray(found):
            turned = (q - middle + np.pi) % (2 * np.pi) - np.pi + middle
            if (turned >= chain.lower).all() and (turned <= chain.upper).all():
                away = float(np.abs(turned - seed).max())
                if away < nearest:
                    best, nearest = turned, away
        return best

    return solve


def _placo(chain: SerialChain) -> Ik:
    import placo

    robot = placo.RobotWrapper(_file(urdf_of(chain), "robot.urdf"), placo.Flags.ignore_collisions)
    solver = placo.KinematicsSolver(robot)
    solver.mask_fbase(True)  # noqa: FBT003  its own signature
    task = solver.add_frame_task("tip", np.eye(4))
    task.configure("tip", "soft", 1.0, 1.0)
    solver.enable_joint_limits(True)  # noqa: FBT003
    solver.add_regularization_task(1e-8)
    names, rng = [f"j{i + 1}" for i in range(chain.n)], np.random.default_rng(2)

    def put(q: Floats) -> None:
        for name, value in zip(names, q.tolist(), strict=True):
            robot.set_joint(name, value)
        robot.update_kinematics()

    def solve(T: Floats, seed: Floats) -> Floats | None:
        start, count = time.perf_counter(), 0
        task.T_world_frame = T
        put(seed)
        while time.perf_counter() - start < BUDGET:
            try:
                solver.solve(True)  # noqa: FBT003
            except RuntimeError:
                put(rng.uniform(chain.lower, chain.upper))
                continue
            robot.update_kinematics()
            if np.abs(robot.get_T_world_frame("tip") - T).max() < TOLERANCE:
                return np.array([robot.get_joint(name) for name in names])
            count += 1
            if count % 25 == 0:
                put(rng.uniform(chain.lower, chain.upper))
        return None

    return solve


def _mink(chain: SerialChain) -> Ik:
    import mink
    import mujoco

    model = mujoco.MjModel.from_xml_string(mjcf_of(chain))
    configuration = mink.Configuration(model)
    task = mink.FrameTask("tip", "site", 1.0, 1.0, lm_damping=1e-3)
    limits: list[Any] = [mink.ConfigurationLimit(model)]
    rng = np.random.default_rng(2)

    def solve(T: Floats, seed: Floats) -> Floats | None:
        start, count = time.perf_counter(), 0
        task.set_target(mink.SE3.from_matrix(T))
        configuration.update(seed)
        while time.perf_counter() - start < BUDGET:
            if np.abs(task.compute_error(configuration)).max() < TOLERANCE:
                return np.asarray(configuration.q.copy())
            v = mink.solve_ik(configuration, [task], 1.0, "daqp", damping=1e-9, limits=limits)
            configuration.update(np.clip(configuration.q + v, chain.lower, chain.upper))
            count += 1
            if count % 25 == 0:
                configuration.update(rng.uniform(chain.lower, chain.upper))
        return None

    return solve


def _file(text: str, name: str) -> str:
    path = Path(tempfile.mkdtemp(prefix="farhand-bench-")) / name
    path.write_text(text)
    return str(path)


def _square(M: Floats) -> Floats:
    return np.vstack((M[:3], (0.0, 0.0, 0.0, 1.0)))
